// Splits texts into lines.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// Returns the lines of a text, without their newlines, as views of `text`.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace torchbook::notebook
