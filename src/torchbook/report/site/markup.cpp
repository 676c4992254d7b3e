// Escapes texts and names files.
#include <torchbook/pyrepr/utf8.h>
#include <torchbook/report/site/markup.h>

#include <algorithm>
#include <iterator>

namespace torchbook::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Entity {
  char character;
  std::string_view name;
};
constexpr Entity entities[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

/// Returns whether HTML allows the character.
bool is_allowed(char32_t code) {
  if (code < 0x20) return code == '\n' || code == '\t';
  if (code >= 0x7F && code < 0xA0) return false;
  if (code >= 0xD800 && code < 0xE000) return false;  // a byte that is not UTF-8
  if (code >= 0xFDD0 && code <= 0xFDEF) return false;
  return (code & 0xFFFE) != 0xFFFE;
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string cleaned(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = pyrepr::first_character(text);
    clean += is_allowed(code) ? text.substr(0, length) : replacement;
    text.remove_prefix(length);
  }
  return clean;
}

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : cleaned(text)) {
    const auto found = std::find_if(std::begin(entities), std::end(entities),
                                    [c](const Entity& entity) { return entity.character == c; });
    if (found != std::end(entities)) {
      html += found->name;
    } else {
      html += c;
    }
  }
  return html;
}

std::string paragraph(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const auto open = text.find('`');
    const auto close = open == text.npos ? text.npos : text.find('`', open + 1);
    html += escaped(text.substr(0, close == text.npos ? text.npos : open));
    if (close == text.npos) break;
    html += "<code>" + escaped(text.substr(open + 1, close - open - 1)) + "</code>";
    text.remove_prefix(close + 1);
  }
  return html;
}

std::string page_name(std::string_view slug) {
  std::string name(slug);
  for (char& c : name) {
    if (!is_letter_or_digit(c) && c != '_') c = '-';
  }
  return name + ".html";
}

std::string title_of(std::string_view slug) {
  std::string title(slug);
  for (char& c : title) {
    if (c == '_') c = ' ';
  }
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

}  // namespace torchbook::report
