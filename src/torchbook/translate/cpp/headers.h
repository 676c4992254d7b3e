// Finds what a port must include for the names in it.
#pragma once

#include <torchbook/translate/cpp/expr.h>

#include <set>
#include <string>

namespace torchbook::translate::cpp {

/// Returns the lines that must be above statements: `#include <tuple>`, `using torch::indexing::Slice;`.
std::set<std::string> headers_of(const Stmts& statements);

}  // namespace torchbook::translate::cpp
