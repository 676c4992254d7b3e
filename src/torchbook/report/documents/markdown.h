// Escapes texts for Markdown, so that nothing in them acts as markup.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::report {

/// Returns plain text as a paragraph. Code between backticks stays markup, everything else is
/// escaped. Line breaks become spaces.
std::string markdown_paragraph(std::string_view text);

/// Returns a text, pictured(), in a fence that the text cannot close, without a last newline.
std::string markdown_fence(std::string_view text, std::string_view language);

}  // namespace torchbook::report
