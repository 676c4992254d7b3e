// Masks comments and literals.
#include <absl/strings/ascii.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/text_error.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>

namespace torchbook::notebook {
namespace {

/// Finds the ends of the comments, literals and words of a source.
class Source {
 public:
  explicit Source(std::string_view text) : text_(text) {}

  std::size_t end_of_line_comment(std::size_t begin) const {
    auto end = text_.find('\n', begin);
    while (end != text_.npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    return std::min(end, text_.size());
  }

  std::size_t end_of_block_comment(std::size_t begin) const {
    const auto end = text_.find("*/", begin + 2);
    if (end == text_.npos) does_not_end(begin, "comment");
    return end + 2;
  }

  /// Returns the end of a string or character literal that begins with its quote.
  std::size_t end_of_literal(std::size_t begin) const {
    auto at = begin + 1;
    while (at < text_.size() && text_[at] != text_[begin] && text_[at] != '\n')
      at += text_[at] == '\\' ? 2U : 1U;
    if (at >= text_.size() || text_[at] == '\n') does_not_end(begin, "literal");
    return at + 1;
  }

  std::size_t end_of_raw_string(std::size_t quote) const {
    const auto open = std::min(text_.find('(', quote), text_.size());
    const auto end = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const auto close = text_.find(end, open);
    if (close == text_.npos) does_not_end(quote, "raw string");
    return close + end.size();
  }

  /// Returns the end of an identifier or a number. A number such as `1'000` has quotes.
  std::size_t end_of_word(std::size_t begin) const {
    const bool is_number = absl::ascii_isdigit(text_[begin]);
    auto end = begin;
    while (is_word_at(end) || (is_number && is_word_at(end + 1) && text_[end] == '\'')) ++end;
    return end;
  }

 private:
  bool is_word_at(std::size_t at) const { return at < text_.size() && is_word_character(text_[at]); }

  [[noreturn]] void does_not_end(std::size_t begin, std::string_view what) const {
    throw TextError(line_at(text_, begin), "the " + std::string(what) + " that begins here does not end");
  }

  std::string_view text_;
};

}  // namespace

bool is_name(std::string_view text) {
  const auto is_in_name = [](char c) { return absl::ascii_isalnum(c) || c == '_'; };
  return !text.empty() && !absl::ascii_isdigit(text.front()) &&
         std::all_of(text.begin(), text.end(), is_in_name);
}

bool is_word_character(char c) { return absl::ascii_isalnum(c) || c == '_' || !absl::ascii_isascii(c); }

std::string code_of(std::string_view cpp) {
  const Source source(cpp);
  std::string code(cpp);
  for (std::size_t at = 0, end = 0; at < cpp.size(); at = end) {
    const auto rest = cpp.substr(at);
    const auto mask = [&](char c) { code.replace(at, end - at, end - at, c); };
    if (rest.starts_with("//")) {
      end = source.end_of_line_comment(at);
      mask(' ');
    } else if (rest.starts_with("/*")) {
      end = source.end_of_block_comment(at);
      for (auto i = at; i < end; ++i) {
        if (code[i] != '\n') code[i] = ' ';
      }
    } else if (rest.starts_with("\\\n")) {
      end = at + 2;
      mask(' ');
    } else if (rest[0] == '"' || rest[0] == '\'') {
      end = source.end_of_literal(at);
      mask('"');
    } else if (is_word_character(rest[0])) {
      end = source.end_of_word(at);
      const auto word = cpp.substr(at, end - at);
      if (!word.ends_with('R') || word.size() > 3 || !cpp.substr(end).starts_with('"')) continue;
      end = source.end_of_raw_string(end);
      mask('"');
    } else {
      end = at + 1;
    }
  }
  return code;
}

}  // namespace torchbook::notebook
