// Converts the texts between the cells of a notebook to notes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// The note that a Markdown text becomes, and a list of the parts that are left out.
struct NoteText {
  std::string markdown{};               ///< without pictures and tags of HTML; empty if nothing is left
  std::vector<std::string> left_out{};  ///< `a picture in the text: map.png`
};

/// Returns the note of a Markdown text. Takes linear time.
NoteText note_of(std::string_view markdown);

}  // namespace torchbook::importing
