// Translates parameters that are None in some calls, and a number, a str or a module in others.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the branch of an if that runs, if its test compares with None a parameter that is None in every
/// call. Applies only if the other branch unpacks or calls the parameter, which is a tensor in C++. Otherwise
/// nullopt.
std::optional<std::vector<Node>> known_branch(Builder& b, const Node& node);

/// `x is None` for a parameter that may be None; nullopt if it is another comparison.
std::optional<Value> asked_for_none(Builder& b, const Node& left, const Node& operation, const Node& right);

}  // namespace torchbook::translate
