// Removes markup from texts, for the tests of the code that adds it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace torchbook::test {

/// Returns the text without the pieces from each `open` to the next `close`.
inline std::string without(std::string_view text, std::string_view open, char close) {
  std::string rest;
  for (auto start = text.find(open); start != text.npos; start = text.find(open)) {
    rest += text.substr(0, start);
    text.remove_prefix(text.find(close, start) + 1);
  }
  return rest.append(text);
}

inline std::string without_ansi(std::string_view text) { return without(text, "\033[", 'm'); }

/// Returns the text that a browser shows of a piece of html.
inline std::string without_html(std::string_view html) {
  std::string text = without(html, "<", '>');
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&amp;", '&'}};
  for (const auto& [name, character] : entities) {
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      text.replace(at, name.size(), 1, character);
    }
  }
  return text;
}

}  // namespace torchbook::test
