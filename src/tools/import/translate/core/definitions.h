// Defines functions, parameters and classes of a notebook.
#pragma once

#include <fmt/format.h>
#include <tools/import/translate/core/scope.h>
#include <tools/import/translate/core/value.h>
#include <tools/import/translate/syntax/names.h>
#include <tools/import/translate/syntax/syntax.h>
#include <torchbook/notebook/cells/cpp_code.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// A parameter of a function of the notebook.
struct DefinedParameter {
  std::string name;
  std::optional<Node> default_value{};
  bool keyword_only = false;
  bool takes_rest = false;          ///< as `*values`: a tuple of all further arguments
  bool has_default_in_cpp = false;  ///< otherwise each call passes it
  bool changes = false;             ///< a list or dict that the function changes in place
};

/// A function of the notebook, or a method.
struct Function {
  std::string key;                             ///< that of its definition, or of the method that it overrides
  std::vector<DefinedParameter> parameters{};  ///< without self
  std::vector<Type> types{};                   ///< of the parameters, once it is translated
  Type result{};
  cpp::Effects effects = cpp::everything();  ///< those of a call
  bool is_property = false;                  ///< a method with the decorator @property
  bool raises = false;                       ///< it may raise an exception of Python's own
  bool draws_in_python = false;              ///< as in Frame
  bool draws_in_numpy = false;               ///< as in Frame
  bool is_template = false;                  ///< C++ can call it, but not pass or return it
  bool is_static = false;                    ///< classes can call it, too
  Names outer_names{};                       ///< names of variables outside of it that it reads
  bool translated = false;                   ///< its code is in the port, and its result is known
  bool calls_itself = false;
};

/// Returns a function as its definition declares it. The parameters of a method are those after
/// self.
Function function_of(const Node& node, std::string key, bool is_method);

/// Whether torch::nn::Module of C++ has a member of this name.
bool is_member_of_module(std::string_view name);

/// Returns the C++ for None as the value of a parameter of the type.
cpp::Expr none_of(const Type& type);

/// A class of the notebook. It derives from nn.Module, from torch.utils.data.Dataset, from another
/// module of the notebook, or from nothing.
struct NewClass {
  bool is_module = true;
  bool is_autograd = false;  ///< it derives from torch.autograd.Function, and has no objects
  bool is_shared = false;    ///< its objects change: all names of one hold the same std::shared_ptr
  std::string key;
  std::string code;             ///< its name in C++
  std::string base{};           ///< the key of the class that it extends
  std::string common_base{};    ///< in C++, of the classes whose objects meet in a list; empty if it has none
  bool is_common_base = false;  ///< it is a common base itself
  bool renamed = false;         ///< C++ had that name already
  std::map<std::string, Type, std::less<>> members{};       ///< by their names in Python
  std::map<std::string, std::string, std::less<>> codes{};  ///< their names in C++
  std::vector<std::string> order{};                         ///< of the members
  Names empty_parts{};                                      ///< modules that __init__ sets to None first
  std::set<std::string> called_early{};                     ///< methods that __init__ calls
  std::map<std::string, Function, std::less<>> methods{};
  std::size_t outputs = 0;      ///< how many tensors the `forward` of torch.autograd.Function returns
  std::optional<Type> saved{};  ///< the common type of the tensors that it saves for `backward`
  std::map<std::string, Node, std::less<>> constants{};  ///< attributes of the class itself
  std::vector<Node> nodes{};                             ///< its definition, and those that it extends
};

/// An abstract class of C++ from which the classes derive whose objects meet in a list.
struct CommonBase {
  std::string name;                                    ///< in C++
  std::map<std::string, Node, std::less<>> classes{};  ///< their definitions, by their keys
  Names used{};           ///< methods and attributes that the notebook uses without knowing the class
  bool is_named = false;  ///< the notebook asks for the names of its classes
};

/// Returns the key of a common base by its name.
inline std::string key_of_base(std::string_view name) { return fmt::format(":::{}", name); }

/// Returns the part of an object's text in the proving program that reports a member.
inline std::string proved_member(std::string_view name, std::string_view code) {
  return fmt::format("{{{}, torchbook::proof::text({})}}, ", notebook::string_literal(name), code);
}

/// A dict whose keys are written out: a struct with a member for each.
struct Record {
  std::vector<std::pair<std::string, Type>> fields{};
};

/// Arguments of a call in Python.
struct Arguments {
  std::vector<Value> positional{};
  std::vector<std::pair<std::string, Value>> named{};

  /// The `position` of a keyword-only parameter.
  static constexpr std::size_t by_name = std::numeric_limits<std::size_t>::max();

  std::size_t count() const { return positional.size() + named.size(); }
  /// Returns the arguments of a method call, with its object as the first one.
  Arguments of(const Value& object) const {
    auto all = *this;
    all.positional.insert(all.positional.begin(), object);
    return all;
  }
  /// Returns the argument for a parameter; nullptr if there is none. `position` counts from 0.
  const Value* find(std::string_view name, std::size_t position) const {
    if (position < positional.size()) return &positional[position];
    for (const auto& [given, value] : named) {
      if (given == name) return &value;
    }
    return nullptr;
  }

  /// Returns the indices of a call's parts in Python's order of evaluation. A part that is no
  /// argument, such as the receiver, comes first; the arguments follow as they are written. A
  /// nullptr, such as a default value, stays after the part before it. Empty if the parts are in
  /// that order already.
  std::vector<std::size_t> order_of(const std::vector<const Value*>& parts) const;
};

/// Returns the order in which Python evaluates the parts of a call. The last `given` parts are the
/// arguments of the first parameters.
std::vector<std::size_t> order_of_call(const cpp::Expr& call, const Function& function,
                                       const Arguments& arguments, std::size_t given);

}  // namespace torchbook::translate
