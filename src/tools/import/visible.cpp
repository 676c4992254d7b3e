#include <fmt/format.h>
#include <tools/import/visible.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/pyrepr/utf8.h>

namespace torchbook::importing {
namespace {

using pyrepr::detail::first_character;

bool is_escaped_byte(char32_t code) { return code >= 0xDC80 && code <= 0xDCFF; }

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto character = first_character(text);
    if (notebook::is_invisible(character.code)) {
      const auto code = is_escaped_byte(character.code) ? character.code - 0xDC00 : character.code;
      result += fmt::format("<U+{:04X}>", static_cast<unsigned>(code));
    } else {
      result += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = first_character(text);
    if (is_escaped_byte(character.code)) return false;
    text.remove_prefix(character.length);
  }
  return true;
}

}  // namespace torchbook::importing
