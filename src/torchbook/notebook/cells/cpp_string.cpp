#include <torchbook/notebook/cells/cpp_string.h>
#include <torchbook/pyrepr/utf8.h>

namespace torchbook::notebook {
namespace {

bool is_between(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

/// Returns the bytes as octal escapes.
std::string octal(std::string_view bytes) {
  std::string result;
  for (const char c : bytes) {
    const auto digit = [&](int shift) {
      return static_cast<char>('0' + ((static_cast<unsigned char>(c) >> shift) & 7));
    };
    result += {'\\', digit(6), digit(3), digit(0)};
  }
  return result;
}

}  // namespace

bool is_invisible(char32_t code) {
  const bool control = (code < 0x20 && code != '\n' && code != '\t') || is_between(code, 0x7F, 0x9F);
  const bool direction = code == 0x061C || is_between(code, 0x200B, 0x200F) ||
                         is_between(code, 0x2028, 0x202E) || is_between(code, 0x2060, 0x2069);
  return control || direction || code == 0xFEFF || is_between(code, 0xDC80, 0xDCFF);
}

std::string string_literal(std::string_view text, Letters letters) {
  std::string result = "\"";
  bool after_question = false;
  while (!text.empty()) {
    const auto [code, length] = pyrepr::detail::first_character(text);
    const auto character = text.substr(0, length);
    if (code == '\n') {
      result += "\\n";
    } else if (code == '\t') {
      result += "\\t";
    } else if (is_invisible(code) || (code > 0x7F && letters == Letters::ascii)) {
      result += octal(character);
    } else {
      const bool trigraph = code == '?' && after_question;
      if (code == '"' || code == '\\' || trigraph) result += '\\';
      result += character;
    }
    after_question = code == '?';
    text.remove_prefix(length);
  }
  return result + '"';
}

}  // namespace torchbook::notebook
