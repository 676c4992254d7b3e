// A tensor as tables of colours.
#pragma once

#include <torchbook/report/site/pictures.h>

#include <span>
#include <string>

namespace torchbook::report {

/// The HTML of a picture: a table for each matrix in it, its colours' legend, and where the picture has an
/// origin, what that is. `all` are the notebook's pictures.
std::string tensor_html(const Picture& picture, std::span<const Picture> all);

/// An output with each element of the pictures that stand in it in a span of its own, so that a page can
/// light it up.
std::string output_html(const std::string& text, bool result, std::span<const Picture> pictures);

}  // namespace torchbook::report
