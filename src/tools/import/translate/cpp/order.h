// Puts operands in Python's order of evaluation.
#pragma once

#include <tools/import/translate/cpp/expr.h>

#include <functional>
#include <string>
#include <string_view>

namespace torchbook::translate::cpp {

/// Returns a name that is free in C++, derived from the given one.
using Fresh = std::function<std::string(std::string_view)>;

/// Returns a statement whose expressions C++ evaluates in Python's order, from left to right, after
/// the statements that this needs. Operands whose order is observable get variables.
Stmts in_order(const Stmt& statement, const Fresh& fresh);

/// Declares a variable for an expression in `before`, and returns its name.
Expr held(const Expr& expr, std::string_view hint, Stmts& before, const Fresh& fresh);

}  // namespace torchbook::translate::cpp
