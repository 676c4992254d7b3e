// Defines what the translator knows of a Python value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// The classes of Python's values that have a counterpart in C++.
enum class Kind {
  none,
  boolean,
  integer,
  floating,
  string,
  scalar,  ///< the number that `x.item()` gives: whole or not as the dtype of x is
  tensor,
  size,  ///< torch.Size
  dtype,
  device,
  generator,  ///< the one that all draws share, as torch.manual_seed gives it
  random,     ///< torch.Generator
  array,      ///< of NumPy: a tensor that carries its numbers
  record,     ///< a dict with the same keys for good: a struct; name is its class in C++
  dict,       ///< items are the types of its keys and values; no items if it is empty
  list,       ///< items[0] is the type of its elements; no item if it is empty
  tuple,      ///< items are the types of its elements
  function,   ///< name is its key among the functions
  new_class,  ///< a class that the notebook defines; name is its key among the classes
  module,     ///< name is the class in C++, as `torchbook::nn::Linear`
  optimizer,  ///< or a scheduler of its rate; name is the class in C++
  object,     ///< of a class of torchbook, LibTorch or the notebook; name is the class in C++
};

/// What kind of numbers a tensor has, if that is known.
enum class Numbers { unknown, boolean, integer, floating };

/// The type of a value. The name of a tensor is `parameter` if it is an nn.Parameter, and `either` if it may
/// be one; that of another tensor is empty.
struct Type {
  Kind kind = Kind::none;
  std::vector<Type> items{};
  std::string name{};
  Numbers numbers = Numbers::unknown;  ///< of a tensor; types that differ only in it are the same type
  int dimensions = -1;                 ///< how many a tensor has; -1 if that is not known, as for numbers
  bool detached = false;               ///< no gradient flows through a tensor; equal types may differ in it
  bool optional = false;               ///< of a parameter: a call may give None; equal types may differ in it
  std::vector<std::string> parts{};    ///< the names of the modules of an nn.Sequential, if they have names

  friend bool operator==(const Type& one, const Type& other) {
    return one.kind == other.kind && one.items == other.items && one.name == other.name &&
           one.parts == other.parts;
  }
  bool is(Kind other) const { return kind == other; }
  bool is_number() const {
    return kind == Kind::boolean || kind == Kind::integer || kind == Kind::floating || kind == Kind::scalar;
  }
};

/// Whether a variable that holds one type can be assigned the other.
bool assignable(const Type& to, const Type& from);

/// Returns the type of what may be of one type or of the other; nullopt if C++ has none.
std::optional<Type> common_type(const Type& one, const Type& other);

/// Returns the type of a parameter that calls give values of one type and of the other; nullopt if C++ has
/// none. None and a number, a str or a module make it optional.
std::optional<Type> common_argument(const Type& one, const Type& other);

/// Returns the type of tensors that print as an nn.Parameter.
inline Type parameter_type() { return {.kind = Kind::tensor, .items = {}, .name = "parameter"}; }

inline Type list_of(Type item) { return {.kind = Kind::list, .items = {std::move(item)}}; }

/// Returns the type of `zip(a, b)`, `counts.keys()` and the like, which are no lists: Python prints them in
/// another way, and an iterator is used up.
inline Type view_of(Type item) { return {.kind = Kind::list, .items = {std::move(item)}, .name = "view"}; }

/// Whether it is such a type, or that of a range.
inline bool is_view(const Type& type) {
  return type.is(Kind::list) && (type.name == "view" || type.name == "range");
}

/// The name of the tuple that a loader gives, which is a list in Python.
inline constexpr const char* batch_of_loader = "a batch, a list in Python";

/// The class of what `iter(loader)` gives.
inline constexpr std::string_view pass_of_loader = "torchbook::data::Pass";

/// The name of a list of ints that stands for several arguments: `view(*x.shape, 2)`.
inline constexpr const char* starred_ints = "starred";

/// The class of LibTorch that holds modules of any class.
inline constexpr const char* any_module = "torch::nn::AnyModule";

/// The class of a reference to a module of any class.
inline constexpr const char* some_module = "torch::nn::Module";

/// Returns the type of a tuple whose size only shows when it runs: a list in C++.
inline Type tuple_of_any_size(Type item) {
  return {.kind = Kind::list, .items = {std::move(item)}, .name = "tuple"};
}

inline bool is_tuple_of_any_size(const Type& type) { return type.is(Kind::list) && type.name == "tuple"; }

/// Whether Python takes elements and slices of values of the type: lists, and tuples that are lists in C++.
inline bool has_places(const Type& type) {
  return type.is(Kind::list) && !type.items.empty() && (type.name.empty() || is_tuple_of_any_size(type));
}

/// Whether a module is an element of a list: `&Linear` is a shared pointer to a module that is a Linear,
/// `*Linear` one to a Linear, and `?` one to a module of a class that is not known.
inline bool is_of_list(const Type& module) {
  return module.name.starts_with('&') || module.name.starts_with('*') || module.name == "?";
}

/// Returns the type of a shared pointer to a module of any class.
inline Type unknown_module() { return {.kind = Kind::module, .items = {}, .name = "?"}; }

/// What the names of tuples begin with that Python names by a function: `torch.return_types.max`.
inline constexpr std::string_view return_types = "torch.return_types.";

/// The class of a function of PyTorch that is a value, as in `[torch.sin, torch.cos]`, and its name in
/// Function.
inline constexpr const char* tensor_function = "std::function<Tensor(const Tensor&)>";

/// Whether a module is an nn.Sequential.
inline bool is_row(const Type& module) { return module.name.ends_with("::nn::Sequential"); }

/// Whether it is the type of a dict of empty lists: `{"loss": [], "accuracy": []}`.
inline bool holds_open_lists(const Type& type) {
  return type.is(Kind::dict) && type.items.size() == 2 && type.items[1].is(Kind::list) &&
         type.items[1].items.empty();
}

/// Whether values of the type never change.
bool is_immutable(const Type& type);

/// Whether C++ orders values of the type as Python does.
bool has_order(const Type& type);

/// Whether `==` of C++ compares values of the type as Python's does.
bool has_equality(const Type& type);

/// Returns the type in C++ of a variable: `Tensor`. Throws NotPorted if it has none.
std::string cpp_type(const Type& type);

/// Returns the type in C++ of a parameter that is only read: `const Tensor&`.
std::string cpp_parameter(const Type& type);

/// Returns what a variable is declared with before it is assigned: ` = 0`.
std::string first_value(const Type& type);

/// Returns what a person calls values of the type: `a tensor`.
std::string in_words(const Type& type);

}  // namespace torchbook::translate
