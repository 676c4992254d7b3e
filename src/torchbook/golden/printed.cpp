#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <torchbook/golden/printed.h>
#include <torchbook/golden/printed_number.h>

#include <algorithm>
#include <cmath>

namespace torchbook::golden {
namespace {

bool is_word(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '+' || c == '-' || !absl::ascii_isascii(c);
}

/// Reads the elements of a printed tensor along its shape.
class ElementsReader {
 public:
  /// Begins at the token after `tensor(`.
  ElementsReader(const Printed& printed, std::size_t token, std::span<const std::int64_t> shape)
      : printed_(printed), shape_(shape), at_(token) {}

  std::optional<std::vector<PrintedElement>> read() {
    const bool none = std::find(shape_.begin(), shape_.end(), 0) != shape_.end();
    if (none ? !read_none() : !read_part(0, 0)) return std::nullopt;
    if (printed_.word(at_) != ")" && printed_.word(at_) != ",") return std::nullopt;
    return std::move(elements_);
  }

 private:
  bool take(std::string_view word) {
    if (printed_.word(at_) != word) return false;
    ++at_;
    return true;
  }

  /// Reads `[]`, which `size=` follows unless the shape is (0,).
  bool read_none() {
    if (!take("[") || !take("]")) return false;
    const auto rest = printed_.text.substr(printed_.tokens[at_ - 1].range.end);
    return shape_.size() == 1 || rest.starts_with(", size=" + shape_text(shape_));
  }

  /// Reads the part that `dim` indices select. `index` counts the parts of that rank before it.
  bool read_part(std::size_t dim, std::size_t index) {
    if (dim == shape_.size()) return read_element(index);
    if (!take("[")) return false;
    const auto size = static_cast<std::size_t>(shape_[dim]);
    for (std::size_t i = 0; i < size;) {
      if (i > 0 && !take(",")) return false;
      if (!take("...")) {
        if (!read_part(dim + 1, index * size + i++)) return false;
      } else if (2 * i < size) {
        i = size - i;  // a summary shows as many at its end as at its beginning
      } else {
        return false;
      }
    }
    return take("]");
  }

  bool read_element(std::size_t index) {
    const auto begin = at_;
    const auto is_number = [&] { return at_ < printed_.tokens.size() && printed_.tokens[at_].number; };
    if (!take("True") && !take("False") && !is_number()) return false;
    while (is_number()) ++at_;  // a complex number has two parts
    if (at_ > begin + 1 && !take("j")) return false;
    elements_.push_back({{printed_.tokens[begin].range.begin, printed_.tokens[at_ - 1].range.end}, index});
    return true;
  }

  const Printed& printed_;
  std::span<const std::int64_t> shape_;
  std::size_t at_;
  std::vector<PrintedElement> elements_{};
};

/// Returns the kind of the value that starts at a token, for messages. Returns an empty text for words and
/// punctuation.
std::string_view kind_of(const Printed& printed, std::size_t at) {
  const auto word = printed.word(at);
  if (printed.tokens[at].number) return PrintedNumber(word).integer() ? "an int" : "a float";
  if (word == "True" || word == "False") return "a bool";
  if (word == "None") return "None";
  if (printed.word(at + 1) != "(") return {};
  return word == "tensor" ? "a tensor" : word == "torch.Size" ? "a torch.Size" : std::string_view{};
}

/// Returns a value for a Mismatch: `4`, `between` and `an int`, or only a kind whose values are not one word.
std::string kind_text(const Printed& printed, std::size_t at, std::string_view between) {
  const auto kind = kind_of(printed, at);
  const bool one_word = kind == "an int" || kind == "a float" || kind == "a bool";
  return one_word ? fmt::format("{}{}{}", printed.word(at), between, kind) : std::string(kind);
}

/// Returns the values of both texts at the token `at`, or nullopt if there are no values.
std::optional<PrintedPair> pair_at(const Printed& golden, const Printed& actual, std::size_t at) {
  const auto left = kind_of(golden, at);
  const auto right = kind_of(actual, at);
  if (left.empty() || right.empty()) return std::nullopt;
  PrintedPair pair{.place = actual.tokens[at].range};
  if (left != right) {
    pair.values.mismatch = {kind_text(actual, at, " is "), kind_text(golden, at, " ")};
    return pair;
  }
  pair.values.golden = golden.word(at);
  pair.values.actual = actual.word(at);
  if (!golden.tokens[at].number) return pair;  // two bools
  const PrintedNumber number(pair.values.golden);
  pair.values.absolute = number.distance(PrintedNumber(pair.values.actual));
  pair.values.relative = *pair.values.absolute / std::fabs(number.value());
  return pair;
}

}  // namespace

std::string_view Printed::word(std::size_t token) const {
  return token < tokens.size() ? piece(text, tokens[token].range) : std::string_view{};
}

Printed read_printed(std::string_view text) {
  Printed printed{.text = text};
  auto& tokens = printed.tokens;
  std::size_t at = 0;
  const auto take = [&](std::size_t length, bool number) {
    tokens.push_back({.range = {at, at + length}, .number = number});
    at += length;
  };
  while (at < text.size()) {
    if (absl::ascii_isspace(text[at])) {
      ++at;
      continue;
    }
    const auto rest = text.substr(at);
    const auto length = std::find_if_not(rest.begin(), rest.end(), is_word) - rest.begin();
    const auto run = rest.substr(0, std::max<std::size_t>(static_cast<std::size_t>(length), 1));
    const auto numbers = numbers_of_word(run);
    for (const auto number : numbers.parts) {
      if (!number.empty()) take(number.size(), true);
    }
    if (numbers.imaginary) take(1, false);
    if (numbers.parts[0].empty()) take(run.size(), false);
    if (run == "(" && tokens.size() > 1 && printed.word(tokens.size() - 2) == "tensor")
      printed.tensors.push_back(tokens.size() - 2);
  }
  return printed;
}

std::optional<std::vector<PrintedElement>> elements_of(const Printed& printed, std::size_t tensor,
                                                       std::span<const std::int64_t> shape) {
  return ElementsReader(printed, printed.tensors[tensor] + 2, shape).read();
}

PrintedComparison compare_printed(std::string_view golden, std::string_view actual) {
  const Printed left = read_printed(golden);
  const Printed right = read_printed(actual);
  PrintedComparison comparison;
  for (std::size_t i = 0; i < std::min(left.tokens.size(), right.tokens.size()); ++i) {
    const auto one = left.word(i);
    const auto other = right.word(i);
    if (one == other) continue;
    const bool numbers = left.tokens[i].number && right.tokens[i].number;
    if (!numbers || !PrintedNumber(one).agrees_with(PrintedNumber(other))) {
      comparison.first = pair_at(left, right, i);
      return comparison;
    }
    if (!comparison.first && PrintedNumber(one).distance(PrintedNumber(other)) != 0)
      comparison.first = pair_at(left, right, i);
  }
  comparison.agree = left.tokens.size() == right.tokens.size();
  if (!comparison.agree) comparison.first.reset();
  return comparison;
}

}  // namespace torchbook::golden
