// Writes a tree of C++ as text, and finds the includes that it needs.
#pragma once

#include <tools/import/translate/cpp/expr.h>

#include <set>
#include <string>
#include <vector>

namespace torchbook::translate::cpp {

/// Returns statements as lines. Breaks lines of more than 110 columns after commas and `=`, where
/// possible. `indent` is the number of columns before the outermost statements. `proves`: for the proving
/// program.
std::vector<std::string> printed(const Stmts& statements, int indent, bool proves = false);

/// Returns an expression in one line.
std::string printed(const Expr& expr);

/// Returns the lines that must be above statements: `#include <tuple>`, `using torch::indexing::Slice;`.
std::set<std::string> headers_of(const Stmts& statements);

}  // namespace torchbook::translate::cpp
