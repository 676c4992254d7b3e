// Reads and writes string literals of C++.
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/cells/text_error.h>

namespace torchbook::notebook {
namespace {

/// Returns the character that a simple escape such as `\n` means, or '\0' for any other character.
char simple_escape(char c) {
  constexpr std::string_view letters = "ntrabfv'\"\\?", meant = "\n\t\r\a\b\f\v'\"\\?";
  const auto at = letters.find(c);
  return at == letters.npos ? '\0' : meant[at];
}

}  // namespace

std::string string_value(const CppToken& token) {
  const std::string_view text = token.text;
  if (token.kind == CppToken::Kind::raw_string && text.starts_with("R\"") && text.ends_with('"')) {
    const auto delimiter = text.find('(') - 2;
    return std::string(text.substr(delimiter + 3, text.size() - 2 * delimiter - 5));
  }
  if (token.kind != CppToken::Kind::string || !text.starts_with('"') || !text.ends_with('"')) {
    throw TextError(token.line, "this must be a plain string literal, such as \"4\"");
  }
  std::string value;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && simple_escape(text[i + 1]) == '\0') {
      throw TextError(token.line, "a label has no numeric escapes; write the character itself");
    }
    value.push_back(text[i] == '\\' ? simple_escape(text[++i]) : text[i]);
  }
  return value;
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
