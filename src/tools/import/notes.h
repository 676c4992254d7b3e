// Converts a notebook's Markdown to notes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// The notes of a text, and a list of the parts that are left out.
struct Notes {
  std::vector<std::string>
      paragraphs{};                     ///< each in one line, without marks of Markdown other than backticks
  std::vector<std::string> left_out{};  ///< `a picture: map.png`, `3 lines of code`
};

/// Returns the paragraphs of a Markdown text. Each heading, list item and table row is a paragraph.
/// Takes linear time.
Notes notes_of(std::string_view markdown);

}  // namespace torchbook::importing
