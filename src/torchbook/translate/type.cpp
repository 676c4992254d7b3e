// Names types in C++ and in English.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/node.h>
#include <torchbook/translate/type.h>

namespace torchbook::translate {

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
      return "Tensor";
    case Kind::dtype:
      return "torch::ScalarType";
    case Kind::device:
      return "torch::Device";
    case Kind::module:
    case Kind::optimizer:
    case Kind::record:
      return type.name;
    case Kind::list:
      if (type.items.empty()) throw NotPorted("an empty list tells not what it will hold");
      return fmt::format("std::vector<{}>", cpp_type(type.items[0]));
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
  const auto name = cpp_type(type);
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
    default:
      return fmt::format("const {}&", name);
  }
}

std::string in_words(const Type& type) {
  switch (type.kind) {
    case Kind::none:
      return "None";
    case Kind::boolean:
      return "a bool";
    case Kind::integer:
      return "an int";
    case Kind::floating:
      return "a float";
    case Kind::string:
      return "a str";
    case Kind::scalar:
      return "a number of a tensor";
    case Kind::tensor:
      return "a tensor";
    case Kind::size:
      return "a torch.Size";
    case Kind::dtype:
      return "a dtype";
    case Kind::device:
      return "a device";
    case Kind::generator:
      return "a generator";
    case Kind::record:
      return "a dict";
    case Kind::list:
      return "a list";
    case Kind::tuple:
      return type.name.empty() ? "a tuple" : type.name;
    case Kind::function:
      return "a function";
    case Kind::new_class:
      return "a class";
    case Kind::module:
      return "a module";
    case Kind::optimizer:
      return "an optimizer";
  }
  return "a value";
}

}  // namespace torchbook::translate
