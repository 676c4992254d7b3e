// Decodes UTF-8 strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
#include <torchbook/pyrepr/utf8.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// Returns the number of bytes that a lead byte announces, or 0 if it is no lead byte.
std::size_t announced(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  const unsigned char lead = byte_at(text, 0);
  const Utf8Character escaped{0xDC00u + lead, 1};
  const std::size_t length = announced(lead);
  if (length == 0 || length > text.size()) return escaped;
  if (length == 1) return {lead, 1};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return escaped;
    code = (code << 6) | (byte_at(text, i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return escaped;
  return {code, length};
}

}  // namespace torchbook::pyrepr::inline v1
