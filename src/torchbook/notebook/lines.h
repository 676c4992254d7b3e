// Splits texts into lines.
#pragma once

#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// Returns the lines of a text, without their newlines, as views of `text`.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace torchbook::notebook
