// Splits Python character by character, and ignores indentation.
#include <absl/algorithm/container.h>
#include <absl/strings/ascii.h>
#include <tools/import/python_tokens.h>
#include <tools/import/text.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace torchbook::importing {
namespace {

using Kind = PythonToken::Kind;

bool is_word_start(char c) { return absl::ascii_isalpha(c) || c == '_' || !absl::ascii_isascii(c); }
bool is_string_prefix(std::string_view word) {
  return word.size() <= 2 && word.find_first_not_of("rRbBuUfF") == word.npos;
}

/// Reads one text.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::optional<std::vector<PythonToken>> tokens() {
    while (at_ < text_.size()) {
      if (!step()) return std::nullopt;
    }
    if (!open_.empty()) return std::nullopt;
    end_statement();
    return std::move(tokens_);
  }

 private:
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool step() {
    const char c = next();
    if (c == '\n') {
      if (open_.empty()) end_statement();
      ++at_;
    } else if (absl::ascii_isspace(c)) {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\\') {
      if (next(1) != '\n') return false;
      at_ += 2;
    } else if (absl::ascii_isdigit(c) || (c == '.' && absl::ascii_isdigit(next(1)))) {
      take_number();
    } else if (is_word_start(c)) {
      return take_word();
    } else if (c == '"' || c == '\'') {
      return take_string(at_);
    } else {
      return take_mark(c);
    }
    return true;
  }

  void end_statement() {
    if (!tokens_.empty() && tokens_.back().kind != Kind::line_end) tokens_.push_back({Kind::line_end, {}});
  }

  void add(Kind kind, std::size_t begin) { tokens_.push_back({kind, text_.substr(begin, at_ - begin)}); }

  void take_number() {
    const auto begin = at_;
    while (is_of_word(next()) || next() == '.') {
      const char c = next();
      ++at_;
      if ((c == 'e' || c == 'E') && (next() == '+' || next() == '-') && absl::ascii_isdigit(next(1))) ++at_;
    }
    add(Kind::number, begin);
  }

  bool take_word() {
    const auto begin = at_;
    while (is_of_word(next())) ++at_;
    const bool quote = next() == '"' || next() == '\'';
    if (quote && is_string_prefix(text_.substr(begin, at_ - begin))) return take_string(begin);
    add(Kind::word, begin);
    return true;
  }

  bool take_string(std::size_t begin) {
    const char c = next();
    const bool triple = next(1) == c && next(2) == c;
    const std::string quote(triple ? 3 : 1, c);
    at_ += quote.size();
    for (; at_ < text_.size(); ++at_) {
      if (next() == '\\') {
        ++at_;
      } else if (text_.substr(at_).starts_with(quote)) {
        at_ += quote.size();
        add(Kind::string, begin);
        return true;
      } else if (next() == '\n' && !triple) {
        return false;
      }
    }
    return false;
  }

  bool take_mark(char c) {
    constexpr std::string_view opening = "([{", closing = ")]}", others = "+-*/%@=<>!&|^~.,:;";
    if (opening.find(c) != opening.npos) {
      open_.push_back(c);
    } else if (const auto kind = closing.find(c); kind != closing.npos) {
      if (open_.empty() || open_.back() != opening[kind]) return false;
      open_.pop_back();
    } else if (others.find(c) == others.npos) {
      return false;
    }
    ++at_;
    add(Kind::mark, at_ - 1);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_{};  // the brackets that are open
  std::vector<PythonToken> tokens_{};
};

}  // namespace

std::optional<std::vector<PythonToken>> python_tokens(std::string_view text) { return Lexer(text).tokens(); }

bool is_python_keyword(std::string_view word) {
  constexpr std::array words = std::to_array<std::string_view>(
      {"and",    "as",   "assert", "async",  "await",  "break",   "class", "continue",
       "def",    "del",  "elif",   "else",   "except", "finally", "for",   "from",
       "global", "if",   "import", "in",     "is",     "lambda",  "not",   "nonlocal",
       "or",     "pass", "raise",  "return", "try",    "while",   "with",  "yield"});
  return absl::c_linear_search(words, word);
}

}  // namespace torchbook::importing
