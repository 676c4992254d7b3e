// Puts operands in Python's order of evaluation.
#pragma once

#include <torchbook/translate/cpp/expr.h>

#include <functional>
#include <string>
#include <string_view>

namespace torchbook::translate::cpp {

/// Returns a name that C++ does not have yet, made of a wish.
using Fresh = std::function<std::string(std::string_view)>;

/// Returns a statement that does in C++ what it does if its expressions are evaluated from left to right, as
/// in Python, and the statements before it that this needs. Operands whose order shows get variables.
Stmts in_order(const Stmt& statement, const Fresh& fresh);

/// Returns a variable that holds an expression in the statement before, or the expression itself if it is a
/// name.
Expr held(const Expr& expr, std::string_view wish, Stmts& before, const Fresh& fresh);

}  // namespace torchbook::translate::cpp
