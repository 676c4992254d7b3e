// Copies the comments and empty lines of the Python to the C++.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

inline constexpr int after_all = 1 << 30;  ///< a line after all others

/// Emits the comments that have lines of their own between two lines of the Python, with one empty
/// line for each gap.
void comments_between(Builder& b, int after, int before, bool first);

/// Adds the comments in the lines of a statement to its C++: each after the row that it follows, or a single
/// short one after the whole statement. Others go above.
void comments_after(Builder& b, const Node& node, std::size_t first);

/// Returns the line above a statement and the comments directly above it.
int above_with_comments(Builder& b, const Node& node);

/// Returns the last line of a statement and of the comments that end its block.
int end_of(Builder& b, const Node& node);

/// Translates the statements of a block, with the comments above and after them.
void block_statements(Builder& b, const std::vector<Node>& statements);

}  // namespace torchbook::translate
