// Names types in C++ and in English.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/node.h>
#include <torchbook/translate/numbers.h>
#include <torchbook/translate/type.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace torchbook::translate {

std::optional<Type> common_type(const Type& one, const Type& other) {
  if (one == other) return with_common_numbers(one, other);
  const bool modules = one.is(Kind::module) && other.is(Kind::module);
  if (modules) return Type{.kind = Kind::module, .items = {}, .name = some_module};
  const bool of_modules = one.is(Kind::list) && other.is(Kind::list) && !one.items.empty() &&
                          !other.items.empty() && one.items[0].is(Kind::module) &&
                          other.items[0].is(Kind::module);
  if (of_modules) return list_of({.kind = Kind::module, .items = {}, .name = any_module});
  const bool of_tensors = one.is(Kind::list) && other.is(Kind::list) && !one.items.empty() &&
                          !other.items.empty() && one.items[0].is(Kind::tensor) &&
                          other.items[0].is(Kind::tensor);
  if (of_tensors) return list_of(*common_type(one.items[0], other.items[0]));
  if (!one.is(Kind::tensor) || !other.is(Kind::tensor)) return std::nullopt;
  return Type{.kind = Kind::tensor, .items = {}, .name = "either"};
}

std::optional<Type> common_argument(const Type& one, const Type& other) {
  if (one.is(Kind::none) && other.is(Kind::none)) return one;
  if (!one.is(Kind::none) && !other.is(Kind::none)) {
    auto common = common_type(one, other);
    if (common) common->optional = one.optional || other.optional;
    return common;
  }
  auto given = one.is(Kind::none) ? other : one;
  if (given.is(Kind::tensor)) return given;
  const bool number = given.is_number() && !given.is(Kind::scalar);
  const bool holder =
      given.is(Kind::module) && !is_of_list(given) && given.name != any_module && given.name != some_module;
  if (!number && !given.is(Kind::string) && !holder) return std::nullopt;
  given.optional = true;
  return given;
}

bool assignable(const Type& to, const Type& from) {
  if ((to.is(Kind::function) && to.name != tensor_function) || to.is(Kind::new_class) ||
      to.is(Kind::optimizer))
    return false;
  if (to.is(Kind::tensor) && to.name == "either") return from.is(Kind::tensor);
  return to == from || (to.is(Kind::floating) && from.is(Kind::floating));
}

bool is_immutable(const Type& type) {
  return type.is_number() || type.is(Kind::none) || type.is(Kind::string) || type.is(Kind::size) ||
         type.is(Kind::dtype) || type.is(Kind::device) || type.is(Kind::function);
}

bool has_order(const Type& type) {
  if (type.is(Kind::tuple)) return std::all_of(type.items.begin(), type.items.end(), has_order);
  return type.is(Kind::integer) || type.is(Kind::floating) || type.is(Kind::string) || type.is(Kind::boolean);
}

bool has_equality(const Type& type) {
  if (type.is(Kind::list)) return !type.items.empty() && has_equality(type.items[0]);
  return has_order(type);
}

static std::string tuple_type(const Type& type) {
  std::vector<std::string> items;
  for (const auto& item : type.items) items.push_back(cpp_type(item));
  return fmt::format("std::{}<{}>", type.name == "pair" ? "pair" : "tuple", fmt::join(items, ", "));
}

std::string cpp_type(const Type& type) {
  static const std::map<Kind, std::string_view> plain = {{Kind::boolean, "bool"},
                                                         {Kind::integer, "int64_t"},
                                                         {Kind::floating, "double"},
                                                         {Kind::string, "std::string"},
                                                         {Kind::scalar, "torch::Scalar"},
                                                         {Kind::size, "torchbook::Size"},
                                                         {Kind::dtype, "torch::ScalarType"},
                                                         {Kind::device, "torch::Device"},
                                                         {Kind::array, "Tensor"},
                                                         {Kind::random, "torch::Generator"}};
  if (const auto found = plain.find(type.kind); found != plain.end()) return std::string(found->second);
  if (type.is(Kind::tuple)) return tuple_type(type);
  switch (type.kind) {
    case Kind::tensor:
      return type.name == "printed parameter" ? "torchbook::Parameter" : "Tensor";
    case Kind::module:
      if (type.name == "?") return "std::shared_ptr<torch::nn::Module>";
      if (is_of_list(type)) throw NotPorted("a variable cannot hold a module of a list");
      return type.name;
    case Kind::optimizer:
    case Kind::object:
    case Kind::record:
      return type.name;
    case Kind::function:
      if (type.name != tensor_function) throw NotPorted("a variable cannot hold a function of the notebook");
      return type.name;
    case Kind::list:
      if (type.items.empty()) throw NotPorted("an empty list tells not what it will hold");
      if (type.name == "view") throw NotPorted("a variable cannot hold an iterator or what a dict shows");
      return fmt::format("{}<{}>", is_tuple_of_any_size(type) ? "torchbook::Tuple" : "std::vector",
                         cpp_type(type.items[0]));
    case Kind::dict:
      if (type.items.empty()) throw NotPorted("an empty dict tells not what it will hold");
      return fmt::format("torchbook::Dict<{}, {}>", cpp_type(type.items[0]), cpp_type(type.items[1]));
    default:
      throw NotPorted(fmt::format("a variable cannot hold {}", in_words(type)));
  }
}

std::string cpp_parameter(const Type& type) {
  if ((type.is(Kind::function) && type.name != tensor_function) ||
      (type.is(Kind::module) && is_of_list(type)))
    return "const auto&";
  const bool changes = (type.is(Kind::module) && (type.name == any_module || type.name == some_module)) ||
                       (type.is(Kind::object) && type.name == "torch::optim::OptimizerParamGroup");
  if (changes) return type.name + "&";
  auto name = cpp_type(type);
  if (type.optional && !type.is(Kind::module)) return fmt::format("std::optional<{}>", name);
  switch (type.kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::floating:
    case Kind::dtype:
    case Kind::device:
    case Kind::module:  // a shared pointer whose modules are not const
      return name;
    case Kind::optimizer:
      return name + "&";
    case Kind::random:  // a shared pointer, as for modules
      return name;
    default:
      return fmt::format("const {}&", name);
  }
}

std::string first_value(const Type& type) {
  switch (type.kind) {
    case Kind::boolean:
      return " = false";
    case Kind::integer:
    case Kind::floating:
    case Kind::scalar:
      return " = 0";
    case Kind::module:
      return "{nullptr}";
    case Kind::device:
      return " = torch::kCPU";
    case Kind::optimizer:
      throw NotPorted("an optimizer is made inside of a block");
    default:
      return "";
  }
}

std::string in_words(const Type& type) {
  static const std::map<Kind, std::string_view> words = {{Kind::none, "None"},
                                                         {Kind::boolean, "a bool"},
                                                         {Kind::integer, "an int"},
                                                         {Kind::floating, "a float"},
                                                         {Kind::string, "a str"},
                                                         {Kind::scalar, "a number of a tensor"},
                                                         {Kind::tensor, "a tensor"},
                                                         {Kind::size, "a torch.Size"},
                                                         {Kind::dtype, "a dtype"},
                                                         {Kind::device, "a device"},
                                                         {Kind::generator, "a generator"},
                                                         {Kind::record, "a dict"},
                                                         {Kind::dict, "a dict"},
                                                         {Kind::random, "a torch.Generator"},
                                                         {Kind::array, "an array of NumPy"},
                                                         {Kind::list, "a list"},
                                                         {Kind::tuple, "a tuple"},
                                                         {Kind::function, "a function"},
                                                         {Kind::new_class, "a class"},
                                                         {Kind::module, "a module"},
                                                         {Kind::optimizer, "an optimizer"},
                                                         {Kind::object, "an object"}};
  return std::string(words.at(type.kind));
}

}  // namespace torchbook::translate
