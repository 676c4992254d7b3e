// Markdown as a page.
#pragma once

#include <string>

namespace torchbook::report {

/// The HTML of a Markdown text that is ours: its code is highlighted, and links to what the site does not
/// have, files of the repository, are plain text.
std::string guide_html(const std::string& markdown);

}  // namespace torchbook::report
