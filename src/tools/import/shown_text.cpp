// Follows Jupyter's fixOverwrittenChars: first backspaces, then carriage returns. Removes the
// escape sequences of nbconvert's strip_ansi, and others.
#include <tools/import/shown_text.h>
#include <torchbook/pyrepr/utf8.h>

#include <algorithm>
#include <vector>

namespace torchbook::importing {
namespace {

constexpr char escape = '\x1b', bell = '\a', backspace = '\b';

bool is_in_range(char c, char first, char last) { return c >= first && c <= last; }

/// Returns the length of the escape sequence at the beginning of the text.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {  // its parameters end with one of `@` to `~`
    std::size_t end = 2;
    while (end < text.size() && is_in_range(text[end], ' ', '?')) ++end;
    return end < text.size() && is_in_range(text[end], '@', '~') ? end + 1 : end;
  }
  if (text[1] == ']') {  // a command of the terminal, which ends with a bell or with ESC \.
    for (std::size_t end = 2; end < text.size() && text[end] != '\n'; ++end) {
      if (text[end] == bell) return end + 1;
      if (text[end] == escape) return std::min(end + 2, text.size());
    }
    return 2;
  }
  return is_in_range(text[1], ' ', '~') ? 2 : 1;
}

std::string without_sequences(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto plain = std::min(text.find(escape), text.size());
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(sequence_length(text));
  }
  return result;
}

/// Removes the last character, unless it is a newline.
void remove_last(std::string& text) {
  if (text.empty() || text.back() == '\n') return;
  while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  text.pop_back();
}

std::string without_backspaces(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == backspace) {
      remove_last(result);
    } else {
      result.push_back(c);
    }
  }
  return result;
}

/// Applies the carriage returns in a line, given without its newline.
std::string overwritten(std::string_view line) {
  std::vector<std::string_view> shown;  // character by character
  std::size_t at = 0;
  while (!line.empty()) {
    const auto character = line.substr(0, pyrepr::detail::first_character(line).length);
    line.remove_prefix(character.size());
    if (character == "\r") {
      at = 0;
    } else if (at == shown.size()) {
      shown.push_back(character);
      ++at;
    } else {
      shown[at++] = character;
    }
  }
  std::string result;
  for (const auto character : shown) result += character;
  return result;
}

}  // namespace

std::string shown_text(std::string_view text) {
  if (text.find_first_of("\x1b\b\r") == text.npos) return std::string(text);
  const std::string plain = without_backspaces(without_sequences(text));
  std::string result;
  for (std::string_view rest = plain; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    result += overwritten(rest.substr(0, end));
    if (end < rest.size()) result.push_back('\n');
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

}  // namespace torchbook::importing
