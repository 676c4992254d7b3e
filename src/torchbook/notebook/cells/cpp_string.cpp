#include <torchbook/notebook/cells/cpp_string.h>

namespace torchbook::notebook {

std::string string_literal(std::string_view text, Letters letters) {
  std::string result = "\"";
  char before = '\0';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool control = code < 0x20 || code == 0x7F;
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (control || (code > 0x7F && letters == Letters::ascii)) {
      const auto digit = [&](int shift) { return static_cast<char>('0' + ((code >> shift) & 7)); };
      result += {'\\', digit(6), digit(3), digit(0)};
    } else {
      const bool trigraph = c == '?' && before == '?';
      if (c == '"' || c == '\\' || trigraph) result += '\\';
      result += c;
    }
    before = c;
  }
  return result + '"';
}

}  // namespace torchbook::notebook
