#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/orders.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/random.h>
#include <tools/import/translate/statements/narrowing.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Makes `x.tolist()` a list of ints if the parameter is known to be one; the C++ throws if it is not. Gives
/// `[]` the type of the parameter.
void take_as_vectors(std::vector<Value>& values, std::vector<Type>& types, const std::vector<Type>& known) {
  for (std::size_t i = 0; i < std::min(values.size(), known.size()); ++i) {
    const auto& wanted = known[i];
    if (is_empty(values[i].type) && values[i].literal && wanted.is(values[i].type.kind()) &&
        !is_empty(wanted)) {
      values[i].expr = cpp::braces({}, cpp_type(wanted));
      values[i].type = types[i] = wanted;
    }
    const bool fits = wanted.is(Kind::list) && !wanted.items.empty() && wanted.items[0].is(Kind::integer);
    const auto& nested = values[i].expr;
    if (!fits || !values[i].type.is(types::Sequence::nested) || !nested.is(cpp::form::nested_list)) continue;
    values[i].expr = cpp::call("torchbook::list<int64_t>", {nested.part(0)});
    values[i].type = types[i] = wanted;
  }
}

/// Returns the arguments from `place` on as the tuple that a parameter such as `*values` takes.
Value rest_of(const Arguments& arguments, std::size_t place) {
  auto rest = value_of(tuple_of_any_size({}), {});
  for (auto i = place; i < arguments.positional.size(); ++i) {
    rest.elements.push_back(arguments.positional[i]);
    if (rest.elements.back().type.is(types::Sequence::starred)) refuse("a call has a starred argument");
  }
  if (rest.elements.empty()) refuse("a call has no arguments for a parameter with a star");
  rest.type.items[0] = rest.elements[0].type;
  for (const auto& each : rest.elements) {
    if (each.type != rest.type.items[0]) refuse("a parameter with a star takes different types");
  }
  rest.expr = cpp::braces(in_braces(rest.elements).parts(), cpp_type(rest.type));
  return rest;
}

/// Copies an argument that is an attribute or an element: a parameter in C++ is a reference, and
/// the function may assign to the original.
void keep_argument(Value& value) {
  if (!value.place || value.is(Kind::module) || value.is(Kind::optimizer) || value.is(Kind::random)) return;
  if (value.is(Kind::list) || value.is(Kind::dict) || value.is(Kind::record))
    refuse("a list that is an attribute or an element is passed to a function that changes values");
  if (value.is(Kind::tensor) || value.is(Kind::string) || value.is(Kind::tuple))
    value.expr = cpp::call(cpp_type(value.type), {value.expr});
  if (is_object(value.type))
    refuse("an object that is an attribute is passed to a function that changes values");
}

/// Returns the effects of a call. It also reads everything that its arguments hold.
cpp::Effects effects_of_call(cpp::Effects effects) {
  effects.reads.insert({cpp::Place::memory, {}});
  effects.reads.insert({cpp::Place::contents, {}});
  return effects;
}

/// Returns the argument of a parameter, or the first one that a parameter with a star takes; nullptr if there
/// is none.
const Value* given_to(const DefinedParameter& parameter, std::size_t place, const Arguments& arguments) {
  return arguments.find(parameter.name, parameter.keyword_only ? Arguments::by_name : place);
}

}  // namespace

std::vector<std::size_t> order_of_call(const cpp::Expr& call, const Function& function,
                                       const Arguments& arguments, std::size_t given) {
  if (call.parts().size() < given) return {};  // a property, which takes none
  std::vector<const Value*> values(call.parts().size() - given, nullptr);
  for (std::size_t i = 0; i < given; ++i) values.push_back(given_to(function.parameters[i], i, arguments));
  return arguments.order_of(values);
}

std::vector<Value> in_order(Builder& b, const Function& function, const Arguments& arguments,
                            std::vector<Type>& types) {
  std::vector<Value> ordered;
  std::size_t given = 0;
  std::size_t used = 0;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto& parameter = function.parameters[i];
    const auto* value = given_to(parameter, i, arguments);
    if (parameter.takes_rest) {
      ordered.push_back(rest_of(arguments, i));
      used += ordered.back().elements.size();
      given = i + 1;
    } else if (value != nullptr) {
      ++used;
      given = i + 1;
      ordered.push_back(*value);
    } else if (parameter.default_value) {
      ordered.push_back(default_value(b, *parameter.default_value));
      if (!parameter.has_default_in_cpp) given = i + 1;
    } else {
      refuse("a call lacks the argument {}", parameter.name);
    }
    types.push_back(ordered.back().type);
    if (types.back().is(types::Sequence::starred)) refuse("a call has a starred argument");
  }
  if (used != arguments.count()) refuse("a call has too many arguments");
  ordered.resize(given);
  return ordered;
}

/// Throws NotPorted if the called function changes lists or dicts that it cannot change in C++.
static void refuse_lists_without_variable(Builder& b, const Function& function,
                                          const std::vector<Value>& ordered) {
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    if (function.parameters[i].changes) refuse_unless_changeable(b, ordered[i]);
  }
}

/// Returns the arguments in C++, converted to the types of the parameters.
static std::vector<cpp::Expr> codes_for(Builder& b, const Function& function,
                                        const std::vector<Value>& ordered) {
  auto codes = argument_codes(ordered);
  const auto& wanted = function.types;
  for (std::size_t i = 0; i < codes.size() && i < wanted.size(); ++i) {
    if (wanted[i].is(Kind::module) && is_some_module(wanted[i])) codes[i] = module_itself(ordered[i]);
    if (!wanted[i].optional) continue;
    if (ordered[i].is(Kind::none)) codes[i] = none_of(wanted[i]);
    if (ordered[i].literal && ordered[i].is(Kind::list)) codes[i] = typed(b, ordered[i], wanted[i]).expr;
    if (ordered[i].is(Kind::optimizer)) codes[i] = cpp::unary("&", ordered[i].expr);
    const auto& given = ordered[i].expr;  // an optional parameter is passed on as it is
    if (given.is(cpp::form::value_of_optional)) codes[i] = given.part(0);
  }
  return codes;
}

/// Takes the result type of a recursive function from Python's run. Refuses a function without a translation.
static void take_as_seen(Builder& b, Function& function) {
  const Frame* open = b.frame;
  while (open != nullptr && open->key != function.key) open = open->outer;
  if (open == nullptr) refuse("it calls a function that is not ported");
  const auto seen =
      open->called == nullptr ? std::nullopt : common_of(b, open->called->types, CalledFunction::result);
  if (!seen) refuse("a function calls itself and returns values of several types");
  function.calls_itself = true;
  function.result = *seen;
}

void check_call(Builder& b, const Function& function, const std::vector<Type>& types) {
  for (std::size_t i = 0; i < std::min(types.size(), function.types.size()); ++i) {
    const auto& wanted = function.types[i];
    const bool same_class = wanted.is(Kind::module) && wanted.name() == types[i].name();
    if (same_class) continue;
    const auto common = common_argument(wanted, types[i]);
    const bool fits = common && *common == wanted && common->optional == wanted.optional;
    if (!fits && (b.here.runs || !common))
      refuse("a function is called with {}, and was translated for {}", in_words(types[i]), in_words(wanted));
  }
}

void note_called(Builder& b, const Function& function) {
  b.frame->raises = b.frame->raises || function.raises;
  if (function.draws_in_python) draw_after_seed(b, /*in_numpy=*/false);
  if (function.draws_in_numpy) draw_after_seed(b, /*in_numpy=*/true);
}

Value call_function(Builder& b, Function& function, const Call& call, const Arguments& arguments) {
  if (function.is_template && !arguments.named.empty()) refuse("apply() of a class takes no names");
  std::vector<Type> types;
  auto ordered = in_order(b, function, arguments, types);
  take_as_vectors(ordered, types, function.types);
  check_call(b, function, types);
  for (const auto& type : types) refuse_template(b, type);
  refuse_lists_without_variable(b, function, ordered);
  if (!function.translated) take_as_seen(b, function);
  const bool of_torch = function.key == tensor_function || function.key == pair_function;
  const bool tensors =
      std::all_of(types.begin(), types.end(), [](const Type& type) { return type.is(Kind::tensor); });
  if (of_torch && !tensors)
    refuse("a function of PyTorch that is a value takes something other than tensors");
  note_called(b, function);
  if (cpp::changes_values(function.effects)) std::for_each(ordered.begin(), ordered.end(), keep_argument);
  auto codes = codes_for(b, function, ordered);
  b.found.changes += cpp::changes_values(function.effects) ? 1 : 0;
  const auto count = codes.size();
  const auto written = call(std::move(codes)).with_only(effects_of_call(function.effects));
  auto value =
      value_of(function.result, written.in_order(order_of_call(written, function, arguments, count)));
  if (value.is(Kind::size)) refuse("a function returns a torch.Size");
  return value;
}

Value call_function_held(Builder& b, const Value& function, const Arguments& arguments) {
  const Call called = [&](std::vector<cpp::Expr> given) {
    return cpp::invoke(function.expr, std::move(given));
  };
  return call_function(b, b.function_named(function.type.name()), called, arguments);
}

}  // namespace torchbook::translate
