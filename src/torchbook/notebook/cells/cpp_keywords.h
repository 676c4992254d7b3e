#pragma once

#include <string_view>

namespace torchbook::notebook {

/// Returns whether a text is a keyword of C++20 or an alternative operator such as `and`.
bool is_cpp_keyword(std::string_view text);

}  // namespace torchbook::notebook
