// Translates functions that are arguments of others.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>
#include <tuple>

namespace torchbook::translate {

bool Translator::waits_for_argument(const std::vector<Type>& types) {
  return std::any_of(types.begin(), types.end(), [&](const Type& type) {
    return type.is(Kind::function) && !function_named(type.name()).translated;
  });
}

/// Translates a function for the facts alone, because one of its arguments is a function that is
/// not translated yet.
void Translator::learn_of_arguments(const Node& node, Function& function, const std::vector<Type>& types) {
  const auto before = std::tuple(statements_, tries_);
  cpp::Stmts dropped;
  statements_ = &dropped;
  Frame frame{.scope = Scope(&scope()), .outer = frame_};
  frame_ = &frame;
  try {
    parameter_list(function, node, types);
    function_body(node);
  } catch (const NotPorted&) {  // the next run knows the argument
  }
  std::tie(statements_, tries_) = before;
  frame_ = frame.outer;
}

/// Returns the name in Translator::key(): `Net.forward`, and the class for a constructor.
static std::string name_in(std::string_view key) {
  for (int part = 0; part < 3; ++part) key.remove_prefix(key.find(':') + 1);
  constexpr std::string_view constructor = ":__init__";
  if (key.ends_with(constructor)) key.remove_suffix(constructor.size());
  std::string name(key);
  std::replace(name.begin(), name.end(), ':', '.');
  return name;
}

/// Translates a definition. Before Phase::cells, a failure is ignored, so that calls of the
/// definition still provide types.
void Translator::if_learned(const Function* function, const std::function<void()>& definition) {
  const auto before = std::tuple(statements_, tries_, frame_);
  try {
    definition();
  } catch (NotPorted& error) {
    const bool guessed = function != nullptr && !function->parameters.empty() &&
                         facts_->parameters(function->key) == nullptr && error.of_cell == 0;
    if (facts_->phase >= Phase::cells && guessed)
      throw with_more(error, fmt::format("no translated cell calls {}, so its types are guesses",
                                         name_in(function->key)));
    if (facts_->phase >= Phase::cells) throw;
    std::tie(statements_, tries_, frame_) = before;
  }
}

/// Returns a function of the notebook. One that is an argument may be defined below the function that calls
/// it.
Function& Translator::function_named(const std::string& key) {
  if (const auto found = functions_.find(key); found != functions_.end()) return found->second;
  auto* passed = facts_->passed(key);
  if (passed == nullptr) throw NotPorted("it calls a function that is not known");
  return *passed;
}

/// Returns a function of PyTorch as a value: `torch.relu` in `{"relu": torch.relu}`. Throws
/// NotPorted unless it maps one tensor to one tensor.
Value Translator::function_of_torch(const std::string& path) {
  const auto argument = tensor_of(cpp::name("x"));
  const auto name = path.substr(path.rfind('.') + 1);
  const auto called = path.starts_with("torch.nn.functional.")
                          ? call_functional(name, {.positional = {argument}})
                          : call_torch(name, {.positional = {argument}}, false);
  if (!called.is(Kind::tensor) || called.acts())
    throw NotPorted("{} as a value does more than to make a tensor of one", path);
  functions_.insert_or_assign(tensor_function, Function{.key = tensor_function,
                                                        .parameters = {{.name = "input"}},
                                                        .result = Type(Kind::tensor),
                                                        .effects = cpp::reads(cpp::Place::memory),
                                                        .is_static = true,
                                                        .translated = true});
  const auto type = named_type(Kind::function, tensor_function);
  auto body = captured([&] { emit(cpp::Return{called.expr}); });
  return value_of(type, cpp::lambda("", {{.type = "const Tensor&", .name = "x"}}, std::move(body)));
}

/// Gives a lambda that is an argument a variable in C++. Its name is `lambda`, which no name in
/// Python can be.
Value Translator::lambda(const Node& node) {
  define(node, "lambda");
  const auto* variable = scope().own("lambda");
  auto value = value_of(variable->type, cpp::name(variable->code));
  value.temporary = false;
  return value;
}

}  // namespace torchbook::translate
