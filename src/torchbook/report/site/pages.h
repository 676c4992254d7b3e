// The parts of which site.cpp makes the pages.
#pragma once

#include <torchbook/report/origin/pictures.h>
#include <torchbook/report/site/site.h>

#include <cstddef>
#include <span>
#include <string>

namespace torchbook::report {

/// Returns the page of the notebook at `index` of the content, without its frame.
std::string notebook_html(const SiteContent& content, std::size_t index);

/// Returns torchbook's own Markdown as HTML with highlighted code. Links to files of the repository, which
/// the site lacks, become plain text.
std::string guide_html(const std::string& markdown);

/// Returns the HTML of a picture: a table for each of its matrices, the legend of its colours, and its origin
/// if it has one. `all` holds all pictures of the notebook.
std::string tensor_html(const Picture& picture, std::span<const Picture> all);

/// Returns an output in which each element of a picture has a span of its own, so that a page can highlight
/// it.
std::string output_html(const std::string& text, bool result, std::span<const Picture> pictures);

}  // namespace torchbook::report
