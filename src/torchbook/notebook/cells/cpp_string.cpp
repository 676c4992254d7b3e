#include <torchbook/notebook/cells/cpp_string.h>

#include <utility>

namespace torchbook::notebook {
namespace {

/// Returns the character that a simple escape such as `\n` means, or '\0' for any other character.
char simple_escape(char c) {
  constexpr std::string_view letters = "ntrabfv'\"\\?", meant = "\n\t\r\a\b\f\v'\"\\?";
  const auto at = letters.find(c);
  return at == letters.npos ? '\0' : meant[at];
}

}  // namespace

std::optional<std::string> string_value(std::string_view literals) {
  std::string value;
  bool is_open = false;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    const char c = literals[i];
    if (c == '"') {
      is_open = !is_open;
    } else if (!is_open) {
      if (c != ' ' && c != '\t' && c != '\n') return std::nullopt;
    } else if (c == '\\') {
      const char meant = ++i < literals.size() ? simple_escape(literals[i]) : '\0';
      if (meant == '\0') return std::nullopt;
      value.push_back(meant);
    } else {
      value.push_back(c);
    }
  }
  return is_open ? std::nullopt : std::optional(std::move(value));
}

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
