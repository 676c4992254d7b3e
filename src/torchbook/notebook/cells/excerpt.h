// Takes a piece of a source, as it is shown to a reader.
#pragma once

#include <torchbook/notebook/cells/cpp_tokens.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// Returns the text from `begin` to `end` without empty lines around it and without the indent that its lines
/// have in common. A line that begins inside a raw string is left as it is. `tokens` are the tokens of
/// `text`.
std::string excerpt(std::string_view text, std::size_t begin, std::size_t end,
                    const std::vector<CppToken>& tokens);

}  // namespace torchbook::notebook
