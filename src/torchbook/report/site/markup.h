// Text made safe for HTML.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::report {

/// The text, pictured(), as HTML shows it, in an element or between the quotes of an attribute.
std::string escaped(std::string_view text);

/// A paragraph in which words between backticks are code.
std::string paragraph(std::string_view text);

/// The name of a notebook's page: `<slug>.html`, in which a character that a name cannot hold is `-`.
std::string page_name(std::string_view slug);

/// A slug as a title: `attention_by_hand` is `Attention by hand`.
std::string title_of(std::string_view slug);

}  // namespace torchbook::report
