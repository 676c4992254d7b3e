// Takes printed text apart, and follows the brackets of the tensors in it.
#include <torchbook/golden/printed.h>
#include <torchbook/golden/printed_number.h>

#include <algorithm>
#include <cmath>

namespace torchbook::golden {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_word(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '+' || c == '-' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// Knows, from the tokens so far, which tensor and which element the next one stands in.
class Elements {
 public:
  explicit Elements(Printed& printed) : printed_(printed) {}

  /// Takes the token in that was just appended to the text's.
  void follow() {
    PrintedToken& token = printed_.tokens.back();
    const std::string_view text = token.text;
    if (text == "(") {
      open();
    } else if (text == ")") {
      close();
    } else if (!open_.empty() && !open_.back().past_elements) {
      inside(token, text);
    }
  }

 private:
  /// A bracket inside a tensor.
  struct Level {
    std::int64_t next = 0;                  // the index of the element or slice that comes
    std::optional<std::size_t> ellipsis{};  // the token that is `...`
  };

  /// A `tensor(` that is not closed yet.
  struct Tensor {
    std::size_t number = 0;
    std::vector<Level> levels{};
    bool past_elements = false;  // only suffixes follow
    int parentheses = 0;         // in the suffixes
  };

  void open() {
    const auto& tokens = printed_.tokens;
    if (tokens.size() > 1 && tokens[tokens.size() - 2].text == "tensor") {
      open_.push_back({.number = ++printed_.tensors});
    } else if (!open_.empty()) {
      ++open_.back().parentheses;
    }
  }

  void close() {
    if (!open_.empty() && open_.back().parentheses-- == 0) open_.pop_back();
  }

  void inside(PrintedToken& token, std::string_view text) {
    Tensor& tensor = open_.back();
    auto& levels = tensor.levels;
    if (text == "[") {
      levels.emplace_back();
    } else if (text == "]" && !levels.empty()) {
      count_from_the_end(tensor);
      levels.pop_back();
      tensor.past_elements = levels.empty();
    } else if (text == ",") {
      if (levels.empty()) tensor.past_elements = true;
      if (!levels.empty()) ++levels.back().next;
    } else if (text == "..." && !levels.empty()) {
      levels.back() = {.next = -1, .ellipsis = printed_.tokens.size() - 1};
    } else if (token.number || text == "True" || text == "False") {
      token.tensor = tensor.number;
      for (const Level& level : levels) token.index.push_back(level.next);
    }
  }

  /// Behind a `...` nobody knows how many came before: as in Python, -1 is the last.
  void count_from_the_end(const Tensor& tensor) {
    const Level& level = tensor.levels.back();
    if (!level.ellipsis) return;
    for (std::size_t i = *level.ellipsis; i < printed_.tokens.size(); ++i) {
      PrintedToken& token = printed_.tokens[i];
      if (token.tensor == tensor.number) token.index[tensor.levels.size() - 1] -= level.next + 1;
    }
  }

  Printed& printed_;
  std::vector<Tensor> open_{};
};

/// Splits a run of word characters: a number, a complex number as its parts and `j`, or else a word.
std::vector<PrintedToken> tokens_of(std::string_view run) {
  const auto first = number_length(run);
  const auto rest = run.substr(first);
  if (first != 0 && rest.empty()) return {{.text = std::string(run), .number = true}};
  if (first != 0 && rest == "j") {
    return {{.text = std::string(run.substr(0, first)), .number = true}, {.text = "j"}};
  }
  const bool sign = rest.starts_with('+') || rest.starts_with('-');
  const auto second = first != 0 && sign ? number_length(rest) : 0;
  if (second != 0 && rest.substr(second) == "j") {
    return {{.text = std::string(run.substr(0, first)), .number = true},
            {.text = std::string(rest.substr(0, second)), .number = true},
            {.text = "j"}};
  }
  return {{.text = std::string(run)}};
}

bool is_value(const PrintedToken& token) { return token.number || token.tensor != 0; }

PrintedPair pair_of(const PrintedToken& golden, const PrintedToken& actual) {
  PrintedPair pair{.golden = golden, .actual = actual};
  if (!golden.number || !actual.number) return pair;
  const PrintedNumber left(golden.text);
  pair.absolute = left.distance(PrintedNumber(actual.text));
  pair.relative = *pair.absolute / std::fabs(left.value());
  return pair;
}

bool tokens_agree(const PrintedToken& golden, const PrintedToken& actual) {
  if (golden.text == actual.text) return true;
  return golden.number && actual.number && PrintedNumber(golden.text).agrees_with(PrintedNumber(actual.text));
}

}  // namespace

Printed read_printed(std::string_view text) {
  Printed printed;
  Elements elements(printed);
  while (!text.empty()) {
    if (is_space(text[0])) {
      text.remove_prefix(1);
      continue;
    }
    const auto run =
        static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
    const auto length = std::max<std::size_t>(run, 1);
    for (auto& token : tokens_of(text.substr(0, length))) {
      printed.tokens.push_back(std::move(token));
      elements.follow();
    }
    text.remove_prefix(length);
  }
  return printed;
}

PrintedComparison compare_printed(std::string_view golden, std::string_view actual) {
  const auto left = read_printed(golden).tokens;
  const auto right = read_printed(actual).tokens;
  PrintedComparison comparison;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    const auto pair = [&] { return pair_of(left[i], right[i]); };
    if (!tokens_agree(left[i], right[i])) {
      comparison.first.reset();
      if (is_value(left[i]) && is_value(right[i])) comparison.first = pair();
      return comparison;
    }
    if (!comparison.first && left[i].text != right[i].text) {
      if (const auto unequal = pair(); unequal.absolute != 0.0) comparison.first = unequal;
    }
  }
  comparison.agree = left.size() == right.size();
  if (!comparison.agree) comparison.first.reset();
  return comparison;
}

}  // namespace torchbook::golden
