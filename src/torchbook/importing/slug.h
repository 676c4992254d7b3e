// Makes the name of a notebook: its slug, which is also the name of a C++ function.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns a slug made of the name of a file, without its folder and its extension: what is no letter or
/// digit of ASCII becomes `_`, capitals alone become small letters, and what cannot be a function gets other
/// words around it.
std::string slug_of(std::string_view file);

/// Returns why a text cannot be a slug, in words that follow it: `is a keyword of C++`. Empty if it can.
std::string why_no_slug(std::string_view text);

/// Whether CMake, PyTorch or torchbook have a target of this name.
bool is_target_name(std::string_view text);

}  // namespace torchbook::importing
