// A lexer of C++: comments, literals, line splices, digraphs and preprocessor lines.
#include <absl/strings/ascii.h>
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/cells/text_error.h>

#include <algorithm>
#include <array>

namespace torchbook::notebook {
namespace {

using Kind = CppToken::Kind;

bool is_word_start(char c) {
  return absl::ascii_isalpha(c) || c == '_' || c == '$' || !absl::ascii_isascii(c);
}

bool is_word(char c) { return is_word_start(c) || absl::ascii_isdigit(c); }

bool is_raw_prefix(std::string_view word) {
  return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
}

/// Walks through a source. `next` and `after_next` see the text as C++ does: without line splices.
class Cursor {
 public:
  explicit Cursor(std::string_view source) : source_(source) { skip_splices(); }

  bool done() const { return at_ >= source_.size(); }
  std::size_t at() const { return at_; }
  std::size_t line() const { return line_; }
  char next() const { return done() ? '\0' : source_[at_]; }
  char after_next() const {
    const auto place = behind_splices(at_ + 1);
    return place < source_.size() ? source_[place] : '\0';
  }

  /// Takes one character and the splices after it.
  char take() {
    const char c = take_physical();
    skip_splices();
    return c;
  }

  /// Takes one byte without skipping splices, which are text inside raw strings.
  char take_physical() {
    if (source_[at_] == '\n') ++line_;
    return source_[at_++];
  }

  void skip_splices() {
    const auto end = behind_splices(at_);
    line_ += static_cast<std::size_t>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  std::string_view rest() const { return source_.substr(at_); }

 private:
  /// GCC and clang allow white space between the backslash and the end of the line.
  std::size_t behind_splices(std::size_t at) const {
    while (at < source_.size() && source_[at] == '\\') {
      auto end = at + 1;
      while (end < source_.size() && (source_[end] == ' ' || source_[end] == '\t')) ++end;
      if (end >= source_.size() || source_[end] != '\n') break;
      at = end + 1;
    }
    return std::min(at, source_.size());
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

/// Splits a source, token by token.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : cursor_(source) {}

  std::vector<CppToken> tokens() {
    while (!cursor_.done()) step();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = cursor_.next();
    if (absl::ascii_isspace(c)) {
      if (cursor_.take() == '\n') line_start_ = true;
    } else if (!take_comment()) {
      token_ = {
          .kind = Kind::punctuation, .text = {}, .begin = cursor_.at(), .end = 0, .line = cursor_.line()};
      token();
      token_.end = cursor_.at();
      tokens_.push_back(std::move(token_));
      line_start_ = false;
    }
  }

  void add() { token_.text.push_back(cursor_.take()); }

  [[noreturn]] void does_not_end(std::string_view what) const {
    throw TextError(token_.line, std::string(what) + " that begins here does not end");
  }

  bool take_comment() {
    if (cursor_.next() != '/') return false;
    token_.line = cursor_.line();
    if (cursor_.after_next() == '/') {
      while (!cursor_.done() && cursor_.next() != '\n') cursor_.take();
      return true;
    }
    if (cursor_.after_next() != '*') return false;
    cursor_.take();
    cursor_.take();
    while (cursor_.next() != '*' || cursor_.after_next() != '/') {
      if (cursor_.done()) does_not_end("the comment");
      cursor_.take();
    }
    cursor_.take();
    cursor_.take();
    return true;
  }

  void token() {
    const char c = cursor_.next();
    if (line_start_ && (c == '#' || (c == '%' && cursor_.after_next() == ':'))) {
      directive();
    } else if (is_word_start(c)) {
      word();
    } else if (absl::ascii_isdigit(c) || (c == '.' && absl::ascii_isdigit(cursor_.after_next()))) {
      number();
    } else if (c == '"') {
      literal(Kind::string);
    } else if (c == '\'') {
      literal(Kind::character);
    } else {
      punctuation();
    }
  }

  /// Reads a word, or the prefix of a literal.
  void word() {
    token_.kind = Kind::word;
    while (is_word(cursor_.next())) add();
    const std::string_view prefix = token_.text;
    if (cursor_.next() == '"' && is_raw_prefix(prefix)) {
      token_.kind = Kind::raw_string;
      raw_string();
    } else if (prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8") {
      if (cursor_.next() == '"') literal(Kind::string);
      if (cursor_.next() == '\'') literal(Kind::character);
    }
  }

  void number() {
    token_.kind = Kind::number;
    for (;;) {
      const char c = cursor_.next();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      const char behind = cursor_.after_next();
      if (is_word(c) || c == '.') {
        add();
        if (exponent && (behind == '+' || behind == '-')) add();
      } else if (c == '\'' && is_word(behind)) {
        add();
      } else {
        return;
      }
    }
  }

  void literal(Kind kind) {
    token_.kind = kind;
    const char quote = cursor_.next();
    add();
    while (cursor_.next() != quote) {
      if (cursor_.next() == '\\' && cursor_.after_next() != '\n') add();
      if (cursor_.done() || cursor_.next() == '\n') does_not_end("the literal");
      add();
    }
    add();
    while (is_word(cursor_.next())) add();  // a suffix
  }

  void raw_string() {
    const auto body = cursor_.rest();
    const auto open = body.find('(');
    const auto delimiter = body.substr(1, open - 1);
    constexpr std::size_t longest_delimiter = 16;
    if (open == body.npos || delimiter.size() > longest_delimiter) does_not_end("the raw string");
    const auto close = body.find(')' + std::string(delimiter) + '"', open);
    if (close == body.npos) does_not_end("the raw string");
    const auto end = close + delimiter.size() + 2;
    for (std::size_t i = 0; i < end; ++i) token_.text.push_back(cursor_.take_physical());
    cursor_.skip_splices();
    while (is_word(cursor_.next())) add();
  }

  /// Reads the whole line. Comments in it count as spaces, and a comment may continue in the next line.
  void directive() {
    token_.kind = Kind::directive;
    while (!cursor_.done() && cursor_.next() != '\n') {
      if (cursor_.next() == '"' || cursor_.next() == '\'') {
        const char quote = cursor_.next();
        add();
        while (!cursor_.done() && cursor_.next() != quote && cursor_.next() != '\n') {
          if (cursor_.next() == '\\' && cursor_.after_next() != '\n') add();
          add();
        }
        if (cursor_.next() == quote) add();
      } else if (is_word_start(cursor_.next())) {
        const auto begin = token_.text.size();
        while (is_word(cursor_.next())) add();
        if (cursor_.next() == '"' && is_raw_prefix(std::string_view(token_.text).substr(begin))) raw_string();
      } else if (const auto line = token_.line; take_comment()) {
        token_.line = line;
        token_.text.push_back(' ');
      } else {
        add();
      }
    }
  }

  void punctuation() {
    const char c = cursor_.next();
    const char behind = cursor_.after_next();
    const auto digraph = [&](char first, char second, char meant) {
      if (c != first || behind != second) return false;
      cursor_.take();
      cursor_.take();
      token_.text = meant;
      return true;
    };
    const auto place = cursor_.rest().substr(0, 4);  // `<::` is `<` and `::`, unless `:` or `>` follows
    const bool template_of_global = place.starts_with("<::") && place != "<:::" && place != "<::>";
    if (!template_of_global && digraph('<', ':', '[')) return;
    if (digraph('<', '%', '{') || digraph('%', '>', '}') || digraph(':', '>', ']') || digraph('%', ':', '#'))
      return;
    add();
  }

  Cursor cursor_;
  std::vector<CppToken> tokens_{};
  CppToken token_{};
  bool line_start_ = true;
};

constexpr std::array keywords = std::to_array<std::string_view>(
    {"alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",          "bitand",
     "bitor",       "bool",     "break",      "case",      "catch",     "char",          "char16_t",
     "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",      "compl",
     "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",     "continue",
     "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast",  "else",
     "enum",        "explicit", "export",     "extern",    "false",     "float",         "for",
     "friend",      "goto",     "if",         "inline",    "int",       "long",          "mutable",
     "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",       "operator",
     "or",          "or_eq",    "private",    "protected", "public",    "register",      "requires",
     "return",      "short",    "signed",     "sizeof",    "static",    "static_assert", "reinterpret_cast",
     "static_cast", "struct",   "switch",     "template",  "this",      "thread_local",  "throw",
     "true",        "try",      "typedef",    "typeid",    "typename",  "union",         "unsigned",
     "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",         "xor",
     "xor_eq"});

}  // namespace

std::vector<CppToken> cpp_tokens(std::string_view source) { return Lexer(source).tokens(); }

std::vector<std::size_t> bracket_partners(const std::vector<CppToken>& tokens) {
  std::vector<std::size_t> partners(tokens.size());
  std::vector<std::size_t> open;
  constexpr std::string_view opening = "([{", closing = ")]}";
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    partners[i] = i;
    if (tokens[i].kind != CppToken::Kind::punctuation) continue;
    const char c = tokens[i].text[0];
    if (opening.find(c) != opening.npos) open.push_back(i);
    const auto kind = closing.find(c);
    if (kind == closing.npos) continue;
    if (open.empty()) {
      throw TextError(tokens[i].line,
                      std::string("this '") + c + "' closes nothing; brackets must be in pairs");
    }
    const auto& opened = tokens[open.back()];
    if (opened.text[0] != opening[kind]) {
      throw TextError(tokens[i].line, std::string("this '") + c + "' cannot close the '" + opened.text +
                                          "' of line " + std::to_string(opened.line));
    }
    partners[i] = open.back();
    partners[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) {
    throw TextError(tokens[open.back()].line,
                    "this '" + tokens[open.back()].text + "' is never closed; brackets must be in pairs");
  }
  return partners;
}

std::string with_newlines(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result.push_back(text[i]);
  }
  return result;
}

bool is_cpp_keyword(std::string_view text) {
  return std::find(keywords.begin(), keywords.end(), text) != keywords.end();
}

}  // namespace torchbook::notebook
