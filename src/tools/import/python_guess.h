// Distinguishes Python, printed values and prose in documents that do not mark them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace torchbook::importing {

/// The names that the code of a document has used so far.
using KnownNames = std::set<std::string, std::less<>>;

/// Adds the names in a piece of code.
void add_names(std::string_view code, KnownNames& names);

/// Returns whether every statement of a text can be Python: brackets and quotes are paired, no two
/// words follow each other without an operator, and a single word is a known name. Takes linear
/// time, apart from a factor for looking up names.
bool can_be_python(std::string_view text, const KnownNames& known);

/// Returns whether Jupyter displays the value of a statement: it is an expression, does not call
/// print, and does not end with `;`.
bool is_displayed(std::string_view statement);

/// Returns whether a text begins as Python prints a value: `tensor(`, `torch.Size(`, a number, `True`, a
/// quoted text, or one of these in brackets. `line` is the first line, `last` the last one.
bool can_be_value(std::string_view line, std::string_view last);

/// The beginning of the output of the first print call in a line.
struct PrintStart {
  bool prints = false;       ///< whether there is a call
  std::string literal{};     ///< the text that its line begins with; empty if it is not known
  std::size_t newlines = 0;  ///< how many newlines it prints before that
};

PrintStart print_start(std::string_view line);

/// Returns whether a line calls print outside of a comment.
bool calls_print(std::string_view line);

}  // namespace torchbook::importing
