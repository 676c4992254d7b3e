// Texts by lines.
#pragma once

#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// The text's lines, without their newlines; views of `text`.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace torchbook::notebook
