// Makes notes of a notebook's Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// The notes of a text, and what of it is not taken.
struct Notes {
  std::vector<std::string>
      paragraphs{};                     ///< each in one line, without marks of Markdown other than backticks
  std::vector<std::string> left_out{};  ///< `a picture: map.png`, `3 lines of code`
};

/// Returns the paragraphs of a Markdown text. A heading, an item of a list and a row of a table are each a
/// paragraph. Takes linear time.
Notes notes_of(std::string_view markdown);

}  // namespace torchbook::importing
