// Makes the name of a notebook: its slug, which is also the name of a C++ function.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Derives a slug from a file name, without its folder and extension. Characters that are not ASCII
/// letters or digits become `_`. A name without small letters becomes lower case. `notebook` is
/// added to a name that cannot be a function.
std::string slug_of(std::string_view file);

/// Returns why a text cannot be a slug, as the end of a sentence: `is a keyword of C++`; empty if
/// it can be one.
std::string why_no_slug(std::string_view text);

}  // namespace torchbook::importing
