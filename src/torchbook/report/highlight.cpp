#include <absl/strings/ascii.h>
#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>
#include <torchbook/report/highlight.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace torchbook::report {
namespace {

/// A kind of token: its HTML class and its terminal colour.
struct Kind {
  const char* name;
  const char* code;  // not marked if empty
};

constexpr Kind plain = {"", ""};
constexpr Kind keyword = {"keyword", "35"};
constexpr Kind type = {"type", "36"};
constexpr Kind string = {"string", "32"};
constexpr Kind comment = {"comment", "2"};
constexpr Kind number = {"number", "36"};
constexpr Kind preproc = {"preproc", "35"};
constexpr Kind function = {"function", "94"};

/// The words of a language that are marked wherever they are in its code, and the prefixes of its strings.
struct Words {
  using Set = std::set<std::string, std::less<>>;
  Set keywords, types, preprocs, prefixes;
};

const Words& words_of(Language language) {
  static const Words cpp = {
      absl::StrSplit(
          "alignas alignof and asm auto break case catch class co_await co_return co_yield concept "
          "const const_cast consteval constexpr constinit continue decltype default delete do "
          "dynamic_cast else enum explicit export extern false final for friend goto if inline "
          "mutable namespace new noexcept not nullptr operator or override private protected "
          "public register reinterpret_cast requires return sizeof static static_assert "
          "static_cast struct switch template this thread_local throw true try typedef typeid "
          "typename union using virtual volatile while",
          ' '),
      absl::StrSplit("bool char char8_t char16_t char32_t double float int long short signed unsigned void "
                     "wchar_t",
                     ' '),
      {},
      absl::StrSplit("L LR R U UR u u8 u8R uR", ' ')};
  static const Words python = {
      absl::StrSplit("False None True and as assert async await break class continue def del elif else "
                     "except exec finally for global if in is lambda nonlocal not or pass print raise "
                     "return try while with yield",
                     ' '),
      {},
      absl::StrSplit("from import", ' '),
      absl::StrSplit("b br f fr r rb rf u", ' ')};
  return language == Language::cpp ? cpp : python;
}

bool is_word(char c) { return absl::ascii_isalnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return absl::ascii_isdigit(c); }

/// Finds the kind of each byte of a code. Reads each byte a bounded number of times.
class Tokenizer {
 public:
  Tokenizer(std::string_view code, Language language)
      : code_(code),
        cpp_(language == Language::cpp),
        words_(words_of(language)),
        kinds_(code.size(), &plain) {}

  std::vector<const Kind*> kinds() {
    while (at_ < code_.size()) {
      const bool first = first_on_line_;
      const char c = code_[at_];
      first_on_line_ = c == '\n' || (first && absl::ascii_isspace(c));
      if (starts_with(cpp_ ? "//" : "#")) {
        mark(comment, line_end(at_));
      } else if (cpp_ && starts_with("/*")) {
        mark(comment, after("*/", at_ + 2));
      } else if (cpp_ && first && c == '#') {
        directive();
      } else if (c == '"' || c == '\'') {
        const bool docstring = !cpp_ && first && is_triple(at_);
        mark(docstring ? comment : string, string_end(at_));
      } else if (is_digit(c) || (c == '.' && is_digit(peek(at_ + 1)))) {
        mark(number, number_end());
      } else if (is_word(c)) {
        word();
      } else {
        ++at_;
      }
    }
    return std::move(kinds_);
  }

 private:
  /// Returns the byte at a place, or a zero byte after the end.
  char peek(std::size_t at) const { return at < code_.size() ? code_[at] : '\0'; }
  bool starts_with(std::string_view text) const { return code_.substr(at_).starts_with(text); }
  std::size_t line_end(std::size_t at) const { return std::min(code_.find('\n', at), code_.size()); }
  std::size_t after(std::string_view text, std::size_t at) const {
    const auto found = code_.find(text, at);
    return found == code_.npos ? code_.size() : found + text.size();
  }
  template <class Predicate>
  std::size_t skip(std::size_t at, const Predicate& is) const {
    while (at < code_.size() && is(code_[at])) ++at;
    return at;
  }
  std::size_t after_blanks(std::size_t at) const { return skip(at, absl::ascii_isblank); }

  /// Marks the bytes up to `end`, and goes there. Ends of lines stay plain.
  void mark(const Kind& kind, std::size_t end) {
    for (; at_ < end; ++at_) {
      if (code_[at_] != '\n') kinds_[at_] = &kind;
    }
  }

  void directive() {
    const auto name = after_blanks(at_ + 1);
    mark(preproc, skip(name, is_word));
    if (code_.substr(name, at_ - name) != "include") return;
    at_ = after_blanks(at_);
    if (peek(at_) != '<') return;
    mark(string, skip(at_, [](char c) { return c != '>' && c != '\n'; }));
    if (peek(at_) == '>') mark(string, at_ + 1);
  }

  bool is_triple(std::size_t at) const { return peek(at + 1) == code_[at] && peek(at + 2) == code_[at]; }

  /// Returns the end of the string whose first quote is at a place. A string that is not closed ends with its
  /// line, or with the code if it may have several lines.
  std::size_t string_end(std::size_t at) const {
    const char quote = code_[at];
    const bool triple = !cpp_ && is_triple(at);
    for (at += triple ? 3 : 1; at < code_.size(); ++at) {
      if (code_[at] == '\\') {
        ++at;
      } else if (code_[at] == quote && (!triple || is_triple(at))) {
        return at + (triple ? 3 : 1);
      } else if (code_[at] == '\n' && !triple) {
        return at;
      }
    }
    return code_.size();
  }

  /// Returns the end of the raw string of C++ whose first quote is at a place.
  std::size_t raw_string_end(std::size_t at) const {
    constexpr std::size_t longest_delimiter = 16;
    const auto delimiter = code_.substr(at + 1, longest_delimiter + 1);
    const auto length = delimiter.find_first_of("( )\\\n\"");
    if (length == delimiter.npos || delimiter[length] != '(') return string_end(at);
    return after(")" + std::string(delimiter.substr(0, length)) + "\"", at + length + 2);
  }

  std::size_t number_end() const {
    const char exponent = absl::ascii_tolower(peek(at_ + 1)) == 'x' ? 'p' : 'e';
    bool fraction = false;
    for (auto at = at_;; ++at) {
      const char c = peek(at);
      const bool point = c == '.' && !fraction;
      const bool sign = (c == '+' || c == '-') && absl::ascii_tolower(code_[at - 1]) == exponent;
      const bool separator = cpp_ && c == '\'' && is_word(peek(at + 1));
      if (!is_word(c) && !point && !sign && !separator) return at;
      fraction |= point;
    }
  }

  /// Marks a word by what it is, otherwise by what follows it.
  void word() {
    const auto end = skip(at_, is_word);
    const auto text = code_.substr(at_, end - at_);
    const auto next = after_blanks(end);
    const bool quoted = peek(end) == '"' || peek(end) == '\'';
    if (quoted &&
        words_.prefixes.contains(cpp_ ? std::string(text) : absl::AsciiStrToLower(std::string(text)))) {
      const bool raw = cpp_ && text.back() == 'R' && peek(end) == '"';
      mark(string, raw ? raw_string_end(end) : string_end(end));
    } else if (words_.keywords.contains(text)) {
      mark(keyword, end);
      static const Words::Set before_types = {"class", "enum", "struct", "typename", "union"};
      if (!cpp_ || !before_types.contains(text) || next == end) return;
      at_ = next;
      const auto name = skip(next, is_word);
      if (!words_.keywords.contains(code_.substr(next, name - next))) mark(type, name);
    } else if (words_.types.contains(text)) {
      mark(type, end);
    } else if (words_.preprocs.contains(text)) {
      mark(preproc, end);
    } else if (peek(next) == '(') {
      mark(function, end);
    } else {
      const auto type_end = cpp_ ? after_arguments(end) : end;
      const bool declaration = cpp_ && declares(type_end);
      mark(declaration ? type : plain, declaration ? type_end : end);
    }
  }

  /// Returns the end of the template arguments that begin at a place, or the place if none do.
  std::size_t after_arguments(std::size_t at) const {
    constexpr std::size_t longest = 200;  // keeps the time linear
    int depth = 0;
    for (auto end = at; peek(at) == '<' && end < std::min(at + longest, code_.size()); ++end) {
      const char c = code_[end];
      if (c == '\n' || c == ';') break;
      depth += (c == '<' ? 1 : 0) - (c == '>' ? 1 : 0);
      if (depth == 0) return end + 1;
    }
    return at;
  }

  /// Returns whether blanks, a name and punctuation follow a place, as they follow the type in a declaration.
  bool declares(std::size_t at) const {
    const auto next = after_blanks(at);
    const auto name = skip(next, [](char c) { return c == '*' || c == '&'; });
    const auto end = skip(name, is_word);
    return next > at && end > name && !is_digit(code_[name]) && absl::ascii_ispunct(peek(after_blanks(end)));
  }

  std::string_view code_;
  bool cpp_;
  const Words& words_;
  std::vector<const Kind*> kinds_;
  std::size_t at_ = 0;
  bool first_on_line_ = true;
};

void append_marked(std::string& marked, const std::string& text, const Kind& kind, Markup markup) {
  const bool ansi = markup == Markup::ansi;
  const std::string_view code = ansi ? kind.code : kind.name;
  if (!code.empty()) marked.append(ansi ? "\033[" : "<span class=\"").append(code).append(ansi ? "m" : "\">");
  marked += ansi
                ? text
                : absl::StrReplaceAll(
                      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
  if (!code.empty()) marked += ansi ? "\033[0m" : "</span>";
}

}  // namespace

std::string highlighted(std::string_view code, Language language, Markup markup) {
  const auto kinds = Tokenizer(code, language).kinds();
  std::string marked;
  for (auto start = kinds.begin(); start != kinds.end();) {
    const auto end = std::find_if(start, kinds.end(), [&](const Kind* kind) { return kind != *start; });
    append_marked(marked, std::string(code.substr(start - kinds.begin(), end - start)), **start, markup);
    start = end;
  }
  return marked;
}

}  // namespace torchbook::report
