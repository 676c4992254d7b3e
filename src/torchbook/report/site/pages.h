// Renders the parts of the pages that site.cpp puts together.
#pragma once

#include <torchbook/report/origin/pictures.h>
#include <torchbook/report/site/site.h>

#include <cstddef>
#include <span>
#include <string>

namespace torchbook::report {

/// Returns the page of the notebook at `index` of the content, without its frame.
std::string notebook_html(const SiteContent& content, std::size_t index);

/// Returns torchbook's own Markdown as HTML with highlighted code. Links to repository files become
/// plain text, because the site does not contain these files.
std::string guide_html(const std::string& markdown);

/// Returns the HTML of a picture: a table for each of its matrices, the legend of its colours, and its origin
/// if it has one. `all` holds all pictures of the notebook.
std::string tensor_html(const Picture& picture, std::span<const Picture> all);

/// Returns an output in which each element of a picture has its own span. Pages use it to highlight
/// the element.
std::string output_html(const std::string& text, bool result, std::span<const Picture> pictures);

}  // namespace torchbook::report
