// Makes text safe for HTML.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::report {

/// Returns the text, pictured(), as HTML for an element or a quoted attribute.
std::string escaped(std::string_view text);

/// Returns a paragraph in which words between backticks are code.
std::string paragraph(std::string_view text);

/// Returns the name of a notebook's page, `<slug>.html`. A character that a name cannot hold becomes `-`.
std::string page_name(std::string_view slug);

/// Returns a slug as a title: `attention_by_hand` becomes `Attention by hand`.
std::string title_of(std::string_view slug);

}  // namespace torchbook::report
