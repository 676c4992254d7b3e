// Names types in C++ and in English.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/node.h>
#include <torchbook/translate/type.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace torchbook::translate {

bool has_order(const Type& type) {
  if (type.is(Kind::tuple)) return std::all_of(type.items.begin(), type.items.end(), has_order);
  return type.is(Kind::integer) || type.is(Kind::floating) || type.is(Kind::string) || type.is(Kind::boolean);
}

std::string cpp_type(const Type& type) {
  switch (type.kind) {
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int64_t";
    case Kind::floating:
      return "double";
    case Kind::string:
      return "std::string";
    case Kind::scalar:
      return "torch::Scalar";
    case Kind::tensor:
    case Kind::array:
      return "Tensor";
    case Kind::random:
      return "torch::Generator";
    case Kind::dtype:
      return "torch::ScalarType";
    case Kind::device:
      return "torch::Device";
    case Kind::module:
      if (type.name.starts_with('&') || type.name.starts_with('*'))
        throw NotPorted("a variable cannot hold a module of a list");
      return type.name;
    case Kind::optimizer:
    case Kind::record:
      return type.name;
    case Kind::list:
      if (type.items.empty()) throw NotPorted("an empty list tells not what it will hold");
      return fmt::format("std::vector<{}>", cpp_type(type.items[0]));
    case Kind::dict:
      if (type.items.empty()) throw NotPorted("an empty dict tells not what it will hold");
      return fmt::format("torchbook::Dict<{}, {}>", cpp_type(type.items[0]), cpp_type(type.items[1]));
    case Kind::tuple: {
      std::vector<std::string> items;
      for (const auto& item : type.items) items.push_back(cpp_type(item));
      return fmt::format("std::tuple<{}>", fmt::join(items, ", "));
    }
    default:
      throw NotPorted(fmt::format("a variable cannot hold {}", in_words(type)));
  }
}

std::string cpp_parameter(const Type& type) {
  auto name = cpp_type(type);
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
                                                         {Kind::optimizer, "an optimizer"}};
  return std::string(words.at(type.kind));
}

}  // namespace torchbook::translate
