// Knows the keywords of C++.
#pragma once

#include <string_view>

namespace torchbook::notebook {

/// Whether a text is a keyword of C++20, or an operator in words.
bool is_cpp_keyword(std::string_view text);

}  // namespace torchbook::notebook
