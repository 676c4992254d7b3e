// Writes a tensor as tables of colours.
#pragma once

#include <torchbook/report/origin/pictures.h>

#include <span>
#include <string>

namespace torchbook::report {

/// Returns the HTML of a picture: a table for each of its matrices, the legend of its colours, and its origin
/// if it has one. `all` holds all pictures of the notebook.
std::string tensor_html(const Picture& picture, std::span<const Picture> all);

/// Returns an output in which each element of a picture has a span of its own, so that a page can highlight
/// it.
std::string output_html(const std::string& text, bool result, std::span<const Picture> pictures);

}  // namespace torchbook::report
