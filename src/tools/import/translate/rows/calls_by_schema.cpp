#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/results.h>

#include <algorithm>
#include <numeric>

namespace torchbook::translate {
namespace {

/// Other names that Python accepts for parameters of the signatures.
const std::map<std::string_view, std::vector<std::string_view>> other_names = {
    {"self", {"input"}}, {"dim", {"axis"}}, {"keepdim", {"keepdims"}}, {"other", {"x2"}}};

/// Binds the arguments of a call to the parameters of a signature.
class Binder {
 public:
  Binder(const Signature& signature, const Arguments& arguments)
      : signature_(signature), arguments_(arguments) {}

  /// Returns the arguments in C++; nullopt if they do not fit. Default values at the end are left
  /// out.
  std::optional<std::vector<cpp::Expr>> codes() {
    std::vector<cpp::Expr> codes;
    std::size_t given = 0;
    for (const auto& parameter : signature_.parameters) {
      const auto code = code_of(parameter);
      if (!code) return std::nullopt;
      codes.push_back(*code);
      if (given_.back() != nullptr) given = codes.size();
    }
    if (next_ != arguments_.positional.size()) return std::nullopt;
    codes.resize(given);
    return codes;
  }
  const std::vector<std::string>& taken() const { return taken_; }
  /// Returns the argument in Python of each of the first parts of the call; nullptr for a default
  /// value.
  std::vector<const Value*> given(std::size_t parts) const {
    auto given = given_;
    given.resize(parts);
    return given;
  }

 private:
  /// Returns the argument of a parameter, and notes whether it was given.
  std::optional<cpp::Expr> code_of(const SchemaParameter& parameter) {
    if (next_ < arguments_.positional.size() && !parameter.keyword_only) {
      const auto& value = arguments_.positional[next_];
      given_.push_back(&value);
      if (auto all = numbers_to_the_end(parameter)) return all;
      auto code = fitting(value, parameter);
      if (code) ++next_;
      return code;
    }
    for (const auto& [name, value] : arguments_.named) {
      if (!is_named(parameter, name)) continue;
      taken_.push_back(name);
      given_.push_back(&value);
      auto code = fitting(value, parameter);
      const bool words = value.literal && (value.is(Kind::boolean) || value.is(Kind::none));
      return code && words ? cpp::labelled(parameter.name, *code) : code;
    }
    if (parameter.required) return std::nullopt;
    given_.push_back(nullptr);
    return cpp::labelled(parameter.name, parameter.default_value);
  }

  static bool is_named(const SchemaParameter& parameter, const std::string& name) {
    if (parameter.name == name) return true;
    const auto others = other_names.find(parameter.name);
    return others != other_names.end() &&
           std::find(others->second.begin(), others->second.end(), name) != others->second.end();
  }

  /// `view(2, 3)`: Python accepts the ints of a list as separate arguments if the list is the last
  /// positional parameter.
  std::optional<cpp::Expr> numbers_to_the_end(const SchemaParameter& parameter) {
    const auto& values = arguments_.positional;
    const bool last = &parameter == &last_positional();
    if (!parameter.is_list || parameter.type != "int" || !last || !values[next_].is(Kind::integer))
      return std::nullopt;
    std::vector<cpp::Expr> codes;
    for (; next_ < values.size() && values[next_].is(Kind::integer); ++next_)
      codes.push_back(values[next_].expr);
    return codes.size() == 1 ? codes[0] : cpp::braces(std::move(codes));
  }
  const SchemaParameter& last_positional() const {
    const auto& all = signature_.parameters;
    const auto found =
        std::find_if(all.rbegin(), all.rend(), [](const auto& each) { return !each.keyword_only; });
    return *found;
  }

  static bool fits_one(const Type& type, const std::string& wanted) {
    if (wanted == "Tensor") return type.is(Kind::tensor);
    if (wanted == "Scalar") return type.is_number();
    if (wanted == "int") return type.is(Kind::integer);
    if (wanted == "float") return type.is(Kind::floating) || type.is(Kind::integer);
    if (wanted == "bool") return type.is(Kind::boolean);
    if (wanted == "str") return type.is(Kind::string);
    if (wanted == "ScalarType") return type.is(Kind::dtype);
    if (wanted == "Generator") return type.is(Kind::random);
    if (wanted == "Device") return type.is(Kind::device);
    return false;
  }

  std::optional<cpp::Expr> fitting(const Value& value, const SchemaParameter& parameter) const {
    if (value.is(Kind::none)) return parameter.is_optional ? std::optional(value.expr) : std::nullopt;
    if (!parameter.is_list && !fits_one(value.type, parameter.type)) return std::nullopt;
    if (parameter.beside_bool && value.literal) return cpp::braces({value.expr}, "int64_t");
    if (parameter.beside_list) return cpp::braces({value.expr}, "torch::IntArrayRef");
    if (!parameter.is_list) return value.expr;
    if (parameter.type == "int" && value.is(Kind::size)) return sizes_of(value);
    if (parameter.takes_one && fits_one(value.type, parameter.type)) return value.expr;
    if (!value.is(Kind::list) && !value.is(Kind::tuple)) return std::nullopt;
    const auto fits = [&](const Type& item) { return fits_one(item, parameter.type); };
    const auto& items = value.type.items;
    const bool named_tuple = value.type.is(types::Group::tuple) && !value.literal && !value.temporary;
    if (named_tuple) {
      const bool all = std::all_of(items.begin(), items.end(), fits);
      return all ? std::optional(in_braces(parts_of(value))) : std::nullopt;
    }
    const bool all = std::all_of(value.elements.begin(), value.elements.end(),
                                 [&](const Value& element) { return fits(element.type); });
    if (!all) return std::nullopt;
    if (value.literal) return written_out(value, parameter);
    const bool list = value.is(Kind::list) && !items.empty() && fits(items[0]);
    return list ? std::optional(value.expr) : std::nullopt;
  }

  /// Returns a list or tuple in braces. `{0, 1}` gets a type if an overload takes names of
  /// dimensions, because C++ could choose that one.
  cpp::Expr written_out(const Value& value, const SchemaParameter& parameter) const {
    const bool dims = signature_.has_named_twin && parameter.name == "dim" && value.elements.size() > 1;
    const bool unclear = dims || parameter.beside_str;
    if (!unclear) return braces_of(value);
    return cpp::after_statements_of(value.expr,
                                    cpp::braces(expressions_of(value.elements), "torch::IntArrayRef"));
  }

  const Signature& signature_;
  const Arguments& arguments_;
  std::size_t next_ = 0;
  std::vector<std::string> taken_{};
  std::vector<const Value*> given_{};  // by parameters
};

Type result_type(const Signature& signature, std::string_view name) {
  const auto one = [](const std::string& result) -> Type {
    if (result == "Tensor") return Type(Kind::tensor);
    if (result == "Tensor[]") return tuple_of_any_size(Type(Kind::tensor));
    if (result == "bool") return Type(Kind::boolean);
    if (result == "int") return Type(Kind::integer);
    if (result == "float") return Type(Kind::floating);
    if (result == "Scalar") return Type(Kind::scalar);
    if (result == "ScalarType") return Type(Kind::dtype);
    refuse("a result of type {} is not translated", result);
  };
  if (signature.results.empty()) return Type(Kind::none);
  if (signature.results.size() == 1) return one(signature.results[0]);
  Type type = Kind::tuple;
  for (const auto& result : signature.results) type.items.push_back(one(result));
  if (!signature.result_names.empty())
    *type.as<types::Tuple>() = {.group = types::Group::result, .function = std::string(name)};
  return type;
}

/// Returns the type of the result of a function. If the function may return its first argument, and
/// that is an nn.Parameter, the result may be one, too.
Type kept_type(const Signature& signature, std::string_view name, const Arguments& arguments) {
  static const std::set<std::string_view> sometimes = {
      "contiguous", "to",   "cpu",          "cuda",        "type_as",    "flatten",   "dropout",
      "real",       "conj", "resolve_conj", "resolve_neg", "atleast_1d", "atleast_2d"};
  auto type = result_type(signature, name);
  if (!type.is(Kind::tensor) || arguments.positional.empty()) return type;
  const auto& first = arguments.positional[0].type;
  if (!first.is(Kind::tensor) || first.is(types::Leaf::no)) return type;
  if (signature.writes) return first;
  return sometimes.contains(name) ? *common_type(first, type) : type;
}

}  // namespace

std::vector<std::size_t> Arguments::order_of(const std::vector<const Value*>& parts) const {
  const auto place = [&](const Value* part) {
    for (std::size_t i = 0; i < positional.size(); ++i) {
      if (&positional[i] == part) return i + 1;
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (&named[i].second == part) return positional.size() + i + 1;
    }
    return std::size_t{0};
  };
  std::vector<std::size_t> places;
  for (const auto* part : parts) {
    const auto before = places.empty() ? 0 : places.back();
    places.push_back(part == nullptr ? before : place(part));
  }
  if (std::is_sorted(places.begin(), places.end())) return {};
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return places[one] < places[other]; });
  return order;
}

/// `torch.add(5, x)`: PyTorch takes a number for a tensor in its basic operators.
static Arguments with_tensor_first(std::string_view name, Arguments arguments) {
  static const std::set<std::string_view> operators = {"add",      "sub", "subtract", "mul",
                                                       "multiply", "div", "divide",   "true_divide"};
  const bool takes = operators.contains(name) && !arguments.positional.empty();
  if (!takes || !arguments.positional[0].type.is_number()) return arguments;
  auto& number = arguments.positional[0];
  auto tensor = tensor_of(cpp::call("torchbook::wrapped", {number.expr}));
  tensor.type.know({.numbers = numbers_of(number.type), .dimensions = 0, .detached = true});
  number = std::move(tensor);
  return arguments;
}

cpp::Expr options(const Arguments& arguments, std::vector<std::string>& taken) {
  std::vector<std::pair<std::string, cpp::Expr>> chosen;
  for (const auto& [name, value] : arguments.named) {
    const bool none = value.is(Kind::none);
    if (name == "dtype" && (none || value.is(Kind::dtype))) {
      if (!none) chosen.emplace_back(name, value.expr);
    } else if (name == "device" && (none || value.is(Kind::device) || value.is(Kind::string))) {
      if (!none) chosen.emplace_back(name, device_code(value));
    } else if (name == "requires_grad" && value.is(Kind::boolean)) {
      if (!cpp::is_written(value.expr, false)) chosen.emplace_back(name, value.expr);
    } else {
      continue;
    }
    taken.push_back(name);
  }
  if (chosen.empty()) return {};
  if (chosen.size() == 1 && chosen[0].first == "dtype") return chosen[0].second;
  if (chosen.size() == 1 && cpp::is_written(chosen[0].second, true))
    return cpp::call("torch::requires_grad", {}).with_only({});
  cpp::Expr code;
  for (const auto& [name, value] : chosen) {
    code = code ? cpp::method(code, name, {value}) : cpp::call("torch::" + name, {value});
    code = code.with_only({});
  }
  return code;
}

void note_attached(Builder& b, const Type& to, const Type& value) {
  if (is_detached(to) && !is_detached(value)) b.traits.attaches = true;
}

void note_attached(Builder& b, const Arguments& arguments, std::string_view name) {
  ++b.found.changes;
  if (arguments.positional.empty() || !is_detached(arguments.positional[0].type)) return;
  bool attaches = name == "requires_grad_" && !arguments.positional[0].temporary;
  for (const auto& each : arguments.positional) attaches = attaches || !is_detached(each.type);
  for (const auto& [given, value] : arguments.named) attaches = attaches || !is_detached(value.type);
  if (attaches) b.traits.attaches = true;
}

std::optional<Value> bound(Builder& b, const Signature& signature, std::string_view name,
                           const Arguments& arguments, bool as_method) {
  Binder binder(signature, arguments);
  auto codes = binder.codes();
  if (!codes) return std::nullopt;
  auto taken = binder.taken();
  auto given = binder.given(codes->size());
  if (signature.takes_options) {
    const auto chosen = options(arguments, taken);
    if (chosen) {
      for (std::size_t i = codes->size(); i < signature.parameters.size(); ++i) {
        if (signature.parameters[i].name == "memory_format") continue;
        codes->push_back(signature.parameters[i].default_value);
      }
      codes->push_back(chosen);
      given.resize(codes->size());
    }
  }
  if (taken.size() != arguments.named.size()) return std::nullopt;
  cpp::Expr code;
  if (as_method) {
    codes->erase(codes->begin());
    code = cpp::method(arguments.positional[0].expr, name, std::move(*codes));
  } else {
    const bool hidden = name == "normal" && !signature.takes_options;  // torch::normal takes no tensors
    code = cpp::call(fmt::format("{}::{}", hidden ? "at" : "torch", name), std::move(*codes));
  }
  auto value = value_of(kept_type(signature, name, arguments), code.in_order(arguments.order_of(given)));
  set_detached(value.type, name, arguments);
  if (signature.writes) note_attached(b, arguments, name);
  return value;
}

/// `torch.add(a, b, out=c)`: another function in LibTorch, which takes c first.
static Value call_with_out(Builder& b, std::string_view name, const Arguments& arguments) {
  const auto is_out = [](const auto& each) { return each.first == "out"; };
  auto others = arguments;
  std::erase_if(others.named, is_out);
  const auto& out = std::find_if(arguments.named.begin(), arguments.named.end(), is_out)->second;
  const auto value = call_torch(b, name, others, false);
  const bool plain = value.is(Kind::tensor) &&
                     value.expr.is(cpp::Kind::call, fmt::format("torch::{}", name)) && out.is(Kind::tensor) &&
                     out.expr.is(cpp::Kind::name);
  if (!plain || !signatures_of(name).at(0).has_out)
    refuse("torch.{} is called with out= in a form that is not translated", name);
  auto parts = value.expr.parts();
  parts.insert(parts.begin(), out.expr);
  ++b.found.changes;
  return value_of(
      out.type,
      cpp::call(fmt::format("torch::{}_out", name), std::move(parts)).with(cpp::writes(cpp::Place::memory)));
}

Value call_torch(Builder& b, std::string_view name, const Arguments& given, bool as_method) {
  const auto arguments = with_tensor_first(name, given);
  const auto is_named = [&](std::string_view wanted) {
    return std::any_of(arguments.named.begin(), arguments.named.end(),
                       [&](const auto& each) { return each.first == wanted; });
  };
  if (name == "sort" && is_named("stable") && !is_named("dim"))
    refuse("torch.sort is called with stable and without dim");  // C++ takes it for the dim
  const bool has_out = std::any_of(arguments.named.begin(), arguments.named.end(),
                                   [](const auto& each) { return each.first == "out"; });
  if (has_out && !as_method) return call_with_out(b, name, arguments);
  if (!as_method) {
    if (auto by_hand = call_by_hand(b, name, arguments)) return *by_hand;
  }
  for (const auto& signature : signatures_of(name)) {
    if (auto value = bound(b, signature, name, arguments, as_method)) return *value;
  }
  const auto whole =
      as_method ? fmt::format("the method {} of a tensor", name) : fmt::format("torch.{}", name);
  if (signatures_of(name).empty()) refuse("{} is not translated", whole);
  refuse("{} is called in a form that is not translated", whole);
}

}  // namespace torchbook::translate
