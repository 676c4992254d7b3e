// Translates functions that are arguments of others.
#include <torchbook/translate/translator.h>

#include <algorithm>
#include <tuple>

namespace torchbook::translate {

bool Writer::waits_for_argument(const std::vector<Type>& types) {
  return std::any_of(types.begin(), types.end(), [&](const Type& type) {
    return type.is(Kind::function) && !function_named(type.name).translated;
  });
}

/// Translates a function that waits for an argument, for the facts alone.
void Translator::learn_of_arguments(const Node& node, Function& function, const std::vector<Type>& types) {
  const auto before = std::tuple(lines_, indent_, may_emit_, tries_);
  std::vector<std::string> dropped;
  lines_ = &dropped;
  Frame frame{.scope = Scope(&notebook_.scope), .changes_before = changes_, .acts_before = acts_};
  frame_ = &frame;
  try {
    parameter_list(function, node, types);
    function_body(node);
  } catch (const NotPorted&) {  // the next run knows the argument
  }
  std::tie(lines_, indent_, may_emit_, tries_) = before;
  frame_ = &notebook_;
}

/// Returns a function of the notebook. One that is an argument may be defined below the function that calls
/// it.
Function& Writer::function_named(const std::string& key) {
  if (const auto found = functions_.find(key); found != functions_.end()) return found->second;
  auto* passed = facts_->passed(key);
  if (passed == nullptr) throw NotPorted("it calls a function that is not known");
  return *passed;
}

/// A lambda that is an argument gets a name in C++. In Python, no name is `lambda`.
Value Translator::lambda(const Node& node) {
  define(node, "lambda");
  const auto* variable = scope().own("lambda");
  auto value = value_of(variable->type, variable->code);
  value.temporary = false;
  return value;
}

}  // namespace torchbook::translate
