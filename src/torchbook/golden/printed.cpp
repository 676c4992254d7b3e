// Splits printed text into tokens and follows the brackets of the tensors in it.
#include <absl/strings/ascii.h>
#include <torchbook/golden/printed.h>
#include <torchbook/golden/printed_number.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>

namespace torchbook::golden {
namespace {

bool is_word(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '+' || c == '-' || !absl::ascii_isascii(c);
}

/// Follows the brackets of one tensor. It starts after the `tensor(`.
class TensorReader {
 public:
  /// The parenthesis of the tensor must be the last bracket of `printed`.
  TensorReader(Printed& printed, std::size_t number)
      : printed_(printed), number_(number), bracket_(printed.brackets.size() - 1) {}

  std::size_t number() const { return number_; }

  void open_parenthesis() {
    ++parentheses_;
    in_size_ = parentheses_ == 1 && follows("size");
    if (in_size_) size_.emplace();
    if (!past_elements_) formed_ = false;
  }

  /// Returns whether this parenthesis closes the tensor.
  bool close_parenthesis() {
    in_size_ = false;
    return parentheses_-- == 0;
  }

  /// Reads any other token. It must be the last token of the text so far.
  void take(PrintedToken& token) {
    const auto text = piece(printed_.text, token.range);
    if (past_elements_) {
      take_suffix(token, text);
    } else if (text == "[") {
      open_bracket();
    } else if (text == "]") {
      close_bracket();
    } else if (text == ",") {
      next_place();
    } else if (text == "...") {
      fill();
      bracket().ellipsis = place_;
    } else {
      take_word(token, text);
    }
  }

  /// Ends the tensor at `end`: stores its shape, and whether the text shows every element.
  void finish(std::size_t end) {
    PrintedTensor& tensor = this->tensor();
    tensor.range.end = end;
    const bool told = formed_ && leaf_ && depth_ == 0;
    if (told) tensor.shape = std::move(shape_);
    if (tensor.elements.empty() && size_) tensor.shape = std::move(size_);
    if (!tensor.shape) return;
    const auto has = [&](std::int64_t length) {
      return std::find(tensor.shape->begin(), tensor.shape->end(), length) != tensor.shape->end();
    };
    tensor.whole = told && !has(PrintedTensor::left_out) && tensor.elements.empty() == has(0);
  }

 private:
  static constexpr std::int64_t not_known = -2;  // the length of a level whose first bracket is still open

  PrintedTensor& tensor() { return printed_.tensors[number_ - 1]; }
  PrintedBracket& bracket() { return printed_.brackets[bracket_]; }

  /// Returns whether `name=` is before the last token. At least `tensor` and `(` are before it.
  bool follows(std::string_view name) const {
    const auto& tokens = printed_.tokens;
    return piece(printed_.text, tokens[tokens.size() - 2].range) == "=" &&
           piece(printed_.text, tokens[tokens.size() - 3].range) == name;
  }

  /// Marks the current place of the bracket as filled.
  void fill() {
    if (filled_) formed_ = false;
    filled_ = true;
    bracket().length = place_ + 1;
  }

  /// Called for each element and each empty bracket. All of them must be at the same depth.
  void reach_leaf() {
    if (!leaf_) leaf_ = depth_;
    if (leaf_ != depth_) formed_ = false;
  }

  void open_bracket() {
    if (leaf_ && depth_ >= *leaf_) formed_ = false;
    fill();
    printed_.brackets.push_back({.parent = bracket_, .place = place_});
    bracket_ = printed_.brackets.size() - 1;
    place_ = 0;
    filled_ = false;
    if (++depth_ > shape_.size()) shape_.push_back(not_known);
  }

  void close_bracket() {
    if (depth_ == 0) {
      formed_ = false;
      return;
    }
    if (bracket().length == 0) reach_leaf();
    if (!filled_ && place_ != 0) formed_ = false;
    const auto length = bracket().ellipsis ? PrintedTensor::left_out : bracket().length;
    auto& known = shape_[depth_ - 1];
    if (known == not_known) known = length;
    if (known != length) formed_ = false;
    place_ = bracket().place;
    filled_ = true;
    bracket_ = bracket().parent;
    past_elements_ = --depth_ == 0;
  }

  void next_place() {
    if (!filled_) formed_ = false;
    if (depth_ == 0) past_elements_ = true;
    filled_ = false;
    ++place_;
  }

  void take_word(PrintedToken& token, std::string_view text) {
    auto& elements = tensor().elements;
    const bool goes_on =
        !elements.empty() && elements.back().end == token.range.begin;  // part of a complex number
    token.element = token.number || text == "True" || text == "False";
    if (token.element) {
      token.bracket = bracket_;
      token.place = place_;
    }
    if (goes_on && (token.element || text == "j")) {
      elements.back().end = token.range.end;
    } else if (token.element) {
      reach_leaf();
      fill();
      elements.push_back(token.range);
    } else {
      formed_ = false;
      if (depth_ == 0) past_elements_ = true;  // a tensor without elements, such as a sparse one
    }
  }

  void take_suffix(const PrintedToken& token, std::string_view text) {
    if (parentheses_ == 0 && follows("dtype")) tensor().dtype = token.range;
    if (!in_size_ || !token.number || !size_) return;
    const auto length = notebook::parse_integer<std::int64_t>(text);
    if (length && *length >= 0) {
      size_->push_back(*length);
    } else {
      size_.reset();
    }
  }

  Printed& printed_;
  std::size_t number_;
  std::size_t bracket_;                // the innermost open bracket
  std::size_t depth_ = 0;              // how many brackets are open, without parentheses
  std::int64_t place_ = 0;             // the current place in the innermost bracket
  bool filled_ = false;                // whether something is at that place
  std::optional<std::size_t> leaf_{};  // the depth of the elements
  bool formed_ = true;                 // whether the text is that of a tensor so far
  bool past_elements_ = false;         // only suffixes follow
  std::int64_t parentheses_ = 0;       // how many are open in the suffixes
  bool in_size_ = false;
  std::vector<std::int64_t> shape_{};
  std::optional<std::vector<std::int64_t>> size_{};
};

/// Tracks, token by token, which tensors are open.
class TensorsReader {
 public:
  explicit TensorsReader(Printed& printed) : printed_(printed) {}

  /// Reads the token that was just appended to the tokens of the text.
  void follow() {
    auto& tokens = printed_.tokens;
    const auto text = piece(printed_.text, tokens.back().range);
    const bool opens =
        text == "(" && tokens.size() > 1 && piece(printed_.text, tokens[tokens.size() - 2].range) == "tensor";
    if (opens) open();
    if (open_.empty()) return;
    PrintedToken& token = tokens.back();
    token.tensor = open_.back().number();
    if (opens) return;
    if (text == "(") {
      open_.back().open_parenthesis();
    } else if (text == ")") {
      if (open_.back().close_parenthesis()) close(token.range.end);
    } else {
      open_.back().take(token);
    }
  }

  void finish() {
    while (!open_.empty()) close(printed_.text.size());
  }

 private:
  void open() {
    PrintedToken& word = printed_.tokens[printed_.tokens.size() - 2];
    printed_.tensors.push_back({.range = word.range});
    word.tensor = printed_.tensors.size();
    printed_.brackets.push_back({.parent = printed_.brackets.size()});
    open_.emplace_back(printed_, printed_.tensors.size());
  }

  void close(std::size_t end) {
    open_.back().finish(end);
    open_.pop_back();
  }

  Printed& printed_;
  std::vector<TensorReader> open_{};
};

}  // namespace

std::vector<std::int64_t> Printed::index_of(const PrintedToken& element) const {
  std::vector<std::int64_t> index;
  std::int64_t place = element.place;
  for (std::size_t at = element.bracket; brackets[at].parent != at; at = brackets[at].parent) {
    const PrintedBracket& bracket = brackets[at];
    const bool behind = bracket.ellipsis && place > *bracket.ellipsis;
    index.push_back(behind ? place - bracket.length : place);
    place = bracket.place;
  }
  std::reverse(index.begin(), index.end());
  return index;
}

Printed read_printed(std::string_view text) {
  Printed printed{.text = text};
  TensorsReader tensors(printed);
  std::size_t at = 0;
  const auto take = [&](std::size_t length, bool number) {
    printed.tokens.push_back({.range = {at, at + length}, .number = number});
    tensors.follow();
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
  }
  tensors.finish();
  return printed;
}

}  // namespace torchbook::golden
