// Follows the brackets of a printed tensor.
#include <torchbook/report/printed_tensors.h>

#include <algorithm>
#include <optional>

namespace torchbook::report {
namespace {

constexpr std::string_view opening = "tensor(";

bool ends_element(char c) { return c == ',' || c == ']' || c == ')' || c == '[' || c == '(' || c == '\n'; }

/// Reads one tensor, from behind its `tensor(`.
class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::optional<PrintedTensor> read() {
    const std::size_t begin = at_ - opening.size();
    if (!value(0)) return std::nullopt;
    tensor_.range = {begin, at_};
    return std::move(tensor_);
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }

  /// An element, or a bracket with values in it.
  bool value(std::size_t depth) {
    skip_spaces();
    return next_is('[') ? bracket(depth) : element(depth);
  }

  bool element(std::size_t depth) {
    const auto begin = at_;
    while (at_ < text_.size() && !ends_element(text_[at_])) ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    if (word.empty() || word.find("...") != word.npos || depth != tensor_.shape.size()) return false;
    tensor_.elements.push_back({begin, at_});
    complete_ = true;  // from now on no deeper level can begin
    return true;
  }

  bool bracket(std::size_t depth) {
    if (depth == tensor_.shape.size()) {
      if (complete_) return false;
      tensor_.shape.push_back(-1);  // not known before its first bracket is closed
    }
    std::int64_t length = 0;
    do {
      ++at_;
      if (!value(depth + 1)) return false;
      ++length;
      skip_spaces();
    } while (next_is(','));
    if (!next_is(']')) return false;
    ++at_;
    auto& known = tensor_.shape[depth];
    if (known == -1) known = length;
    return known == length;
  }

  std::string_view text_;
  std::size_t at_;
  PrintedTensor tensor_{};
  bool complete_ = false;
};

}  // namespace

std::vector<PrintedTensor> printed_tensors(std::string_view text) {
  std::vector<PrintedTensor> tensors;
  std::size_t at = 0;
  while ((at = text.find(opening, at)) != text.npos) {
    at += opening.size();
    if (auto tensor = Reader(text, at).read()) {
      at = tensor->range.end;
      tensors.push_back(std::move(*tensor));
    }
  }
  return tensors;
}

}  // namespace torchbook::report
