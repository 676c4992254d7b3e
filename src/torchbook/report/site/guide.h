// Converts Markdown to a page.
#pragma once

#include <string>

namespace torchbook::report {

/// Returns torchbook's own Markdown as HTML with highlighted code. Links to files of the repository, which
/// the site lacks, become plain text.
std::string guide_html(const std::string& markdown);

}  // namespace torchbook::report
