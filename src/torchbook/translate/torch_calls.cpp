// Translates calls of PyTorch's functions by the signatures that LibTorch has of them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/numbers.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Names that Python's functions have beside those of the signatures.
const std::map<std::string_view, std::vector<std::string_view>> other_names = {
    {"self", {"input"}}, {"dim", {"axis"}}, {"keepdim", {"keepdims"}}, {"other", {"x2"}}};

/// Takes the values of a call one by one for the parameters of a signature.
class Binder {
 public:
  Binder(const Signature& signature, const Arguments& arguments)
      : signature_(signature), arguments_(arguments) {}

  /// Returns the arguments in C++; nullopt if they do not fit. Those at the end that were not given are left
  /// out.
  std::optional<std::vector<std::string>> codes() {
    std::vector<std::string> codes;
    std::size_t given = 0;
    for (const auto& parameter : signature_.parameters) {
      const auto code = code_of(parameter);
      if (!code) return std::nullopt;
      codes.push_back(code->first);
      if (code->second) given = codes.size();
    }
    if (next_ != arguments_.positional.size()) return std::nullopt;
    codes.resize(given);
    return codes;
  }
  const std::vector<std::string>& taken() const { return taken_; }

 private:
  /// Returns the argument and whether it was given.
  std::optional<std::pair<std::string, bool>> code_of(const Parameter& parameter) {
    if (next_ < arguments_.positional.size() && !parameter.keyword_only) {
      if (const auto all = numbers_to_the_end(parameter)) return std::pair(*all, true);
      const auto code = fitting(arguments_.positional[next_], parameter);
      if (!code) return std::nullopt;
      ++next_;
      return std::pair(*code, true);
    }
    for (const auto& [name, value] : arguments_.named) {
      if (!is_named(parameter, name)) continue;
      taken_.push_back(name);
      const auto code = fitting(value, parameter);
      if (!code) return std::nullopt;
      const bool words = value.literal && (value.is(Kind::boolean) || value.is(Kind::none));
      return std::pair(words ? fmt::format("/*{}=*/{}", parameter.name, *code) : *code, true);
    }
    if (parameter.required) return std::nullopt;
    return std::pair(fmt::format("/*{}=*/{}", parameter.name, parameter.otherwise), false);
  }

  static bool is_named(const Parameter& parameter, const std::string& name) {
    if (parameter.name == name) return true;
    const auto others = other_names.find(parameter.name);
    return others != other_names.end() &&
           std::find(others->second.begin(), others->second.end(), name) != others->second.end();
  }

  /// `view(2, 3)`: Python takes all numbers for a list that is the only parameter in its place.
  std::optional<std::string> numbers_to_the_end(const Parameter& parameter) {
    const auto& values = arguments_.positional;
    const bool last = &parameter == &last_positional();
    if (!parameter.is_list || parameter.type != "int" || !last || !values[next_].is(Kind::integer))
      return std::nullopt;
    std::vector<std::string> codes;
    for (; next_ < values.size() && values[next_].is(Kind::integer); ++next_)
      codes.push_back(values[next_].code);
    return codes.size() == 1 ? codes[0] : fmt::format("{{{}}}", fmt::join(codes, ", "));
  }
  const Parameter& last_positional() const {
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

  std::optional<std::string> fitting(const Value& value, const Parameter& parameter) const {
    if (value.is(Kind::none)) return parameter.is_optional ? std::optional(value.code) : std::nullopt;
    if (!parameter.is_list) {
      return fits_one(value.type, parameter.type) ? std::optional(value.code) : std::nullopt;
    }
    if (parameter.type == "int" && value.is(Kind::size)) return value.sizes;
    if (parameter.takes_one && fits_one(value.type, parameter.type)) return value.code;
    if (!value.is(Kind::list) && !value.is(Kind::tuple)) return std::nullopt;
    const bool named_tuple =
        value.is(Kind::tuple) && !value.literal && !value.temporary && value.type.name.empty();
    if (named_tuple) {
      for (const auto& item : value.type.items) {
        if (!fits_one(item, parameter.type)) return std::nullopt;
      }
      return in_braces(parts_of(value));
    }
    for (const auto& element : value.elements) {
      if (!fits_one(element.type, parameter.type)) return std::nullopt;
    }
    // C++ takes `{0, 1}` for names as well.
    const bool unclear = signature_.has_named_twin && parameter.name == "dim" && value.elements.size() > 1;
    if (value.literal)
      return fmt::format("{}{}", unclear ? "torch::IntArrayRef" : "", in_braces(value.elements));
    const bool fits =
        value.is(Kind::list) && !value.type.items.empty() && fits_one(value.type.items[0], parameter.type);
    return fits ? std::optional(value.code) : std::nullopt;
  }

  const Signature& signature_;
  const Arguments& arguments_;
  std::size_t next_ = 0;
  std::vector<std::string> taken_{};
};

Type result_type(const Signature& signature, std::string_view name) {
  const auto one = [](const std::string& result) -> Type {
    if (result == "Tensor") return {.kind = Kind::tensor};
    if (result == "Tensor[]") return tuple_of_any_size({.kind = Kind::tensor});
    if (result == "bool") return {.kind = Kind::boolean};
    if (result == "int") return {.kind = Kind::integer};
    if (result == "float") return {.kind = Kind::floating};
    if (result == "Scalar") return {.kind = Kind::scalar};
    if (result == "ScalarType") return {.kind = Kind::dtype};
    throw NotPorted(fmt::format("a result of type {} is not translated", result));
  };
  if (signature.results.empty()) return {.kind = Kind::none};
  if (signature.results.size() == 1) return one(signature.results[0]);
  Type type{.kind = Kind::tuple};
  for (const auto& result : signature.results) type.items.push_back(one(result));
  if (!signature.result_names.empty()) type.name = fmt::format("{}{}", return_types, name);
  return type;
}

/// Returns the type of what a function gives that may give its first argument itself, which then stays a
/// parameter.
Type kept_type(const Signature& signature, std::string_view name, const Arguments& arguments) {
  static const std::set<std::string_view> sometimes = {
      "contiguous", "to",   "cpu",          "cuda",        "type_as",    "flatten",   "dropout",
      "real",       "conj", "resolve_conj", "resolve_neg", "atleast_1d", "atleast_2d"};
  auto type = result_type(signature, name);
  if (!type.is(Kind::tensor) || arguments.positional.empty()) return type;
  const auto& first = arguments.positional[0].type;
  if (!first.is(Kind::tensor) || first.name.empty()) return type;
  if (signature.writes) return first;
  return sometimes.contains(name) ? *common_type(first, type) : type;
}

}  // namespace

/// Returns the TensorOptions of a factory's keyword arguments; empty if it has none of them.
std::string Translator::options(const Arguments& arguments, std::vector<std::string>& taken) {
  std::vector<std::pair<std::string, std::string>> chosen;
  for (const auto& [name, value] : arguments.named) {
    const bool none = value.is(Kind::none);
    if (name == "dtype" && (none || value.is(Kind::dtype))) {
      if (!none) chosen.emplace_back(name, value.code);
    } else if (name == "device" && (none || value.is(Kind::device) || value.is(Kind::string))) {
      if (!none) chosen.emplace_back(name, device_code(value));
    } else if (name == "requires_grad" && value.is(Kind::boolean)) {
      if (value.code != "false") chosen.emplace_back(name, value.code);
    } else {
      continue;
    }
    taken.push_back(name);
  }
  if (chosen.empty()) return {};
  if (chosen.size() == 1 && chosen[0].first == "dtype") return chosen[0].second;
  if (chosen.size() == 1 && chosen[0].second == "true") return "torch::requires_grad()";
  std::string code = "torch::";
  for (const auto& [name, value] : chosen) code += fmt::format("{}({}).", name, value);
  code.pop_back();
  return code;
}

std::optional<Value> Translator::bound(const Signature& signature, std::string_view name,
                                       const Arguments& arguments, bool as_method) {
  Binder binder(signature, arguments);
  auto codes = binder.codes();
  if (!codes) return std::nullopt;
  auto taken = binder.taken();
  if (signature.takes_options) {
    const auto chosen = options(arguments, taken);
    if (!chosen.empty()) {
      for (std::size_t i = codes->size(); i < signature.parameters.size(); ++i) {
        if (signature.parameters[i].name == "memory_format") continue;
        codes->push_back(signature.parameters[i].otherwise);
      }
      codes->push_back(chosen);
    }
  }
  if (taken.size() != arguments.named.size()) return std::nullopt;
  std::string code;
  if (as_method) {
    auto receiver = arguments.positional[0].in(Binding::postfix);
    codes->erase(codes->begin());
    code = fmt::format("{}.{}({})", receiver, name, fmt::join(*codes, ", "));
  } else {
    code = fmt::format("torch::{}({})", name, fmt::join(*codes, ", "));
  }
  auto value = value_of(kept_type(signature, name, arguments), std::move(code));
  set_numbers(value.type, name, arguments);
  value.acts = signature.draws || signature.writes;
  changes_ += signature.writes ? 1 : 0;
  return value;
}

Value Translator::call_torch(std::string_view name, const Arguments& arguments, bool as_method) {
  if (!as_method) {
    if (auto special = call_special(name, arguments)) return *special;
  }
  for (const auto& signature : signatures_of(name)) {
    if (auto value = bound(signature, name, arguments, as_method)) return *value;
  }
  const auto whole =
      as_method ? fmt::format("the method {} of a tensor", name) : fmt::format("torch.{}", name);
  if (signatures_of(name).empty()) throw NotPorted(fmt::format("{} is not translated", whole));
  throw NotPorted(fmt::format("{} is called in a form that is not translated", whole));
}

}  // namespace torchbook::translate
