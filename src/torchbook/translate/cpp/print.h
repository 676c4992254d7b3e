// Writes a tree of C++ as text.
#pragma once

#include <torchbook/translate/cpp/expr.h>

#include <string>
#include <vector>

namespace torchbook::translate::cpp {

/// Returns statements as lines of at most 110 columns where they can be broken, after commas and `=`.
/// `indent` is the number of columns of the outermost ones.
std::vector<std::string> printed(const Stmts& statements, int indent);

/// Returns an expression in one line.
std::string printed(const Expr& expr);

}  // namespace torchbook::translate::cpp
