// Defines the types of Python's values, and their types in C++.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace torchbook::translate {

/// The kinds of Python's values that have a counterpart in C++.
enum class Kind {
  none,
  boolean,
  integer,
  floating,
  scalar,  ///< an int or a float, known only at run time, as `x.item()`
  string,
  class_name,  ///< the result of `type(x)`, which can only be shown and compared
  error,       ///< an exception that a `try` caught
  dtype,
  device,
  generator,  ///< the default generator: the result of torch.manual_seed
  random,     ///< torch.Generator
  size,       ///< torch.Size
  tensor,
  array,  ///< of NumPy: a tensor that carries its numbers
  list,
  tuple,
  dict,
  record,  ///< a dict whose keys never change: a struct
  function,
  new_class,  ///< a class that the notebook defines
  module,
  optimizer,  ///< or a scheduler of its rate
  picture,    ///< a figure, its axes, or the result of a plot: nothing in C++
  file,       ///< of text, as open() returns it: an expression that reads it
  object,     ///< of a class of the notebook; this and the next ones have a class in C++
  context,    ///< the `ctx` of torch.autograd.Function
  data_set,   ///< of torch.utils.data
  loader,
  pass,             ///< `iter(loader)`
  counter,          ///< of Python's collections; its keys are its only item
  deque,            ///< of Python's collections; no item if it is empty and not known yet
  path,             ///< of Python's pathlib
  state_dict,       ///< the weights of a module by name
  checkpoint,       ///< a dict that torch.save wrote
  parameter_group,  ///< of an optimizer
  element,          ///< of an array of NumPy; its item is the type of the number
  shown,            ///< a value that can only be shown and compared, as `x.grad_fn`
};

/// The kind of numbers in a tensor.
enum class Numbers { unknown, boolean, integer, floating };

/// What is known about a tensor before it is computed. Equal types may differ in it.
struct Known {
  Numbers numbers = Numbers::unknown;
  int dimensions = -1;    ///< -1 if unknown
  bool detached = false;  ///< no gradient flows through it

  friend bool operator==(const Known&, const Known&) = default;
};

namespace types {

/// A type without details: None, a number, a str, a dtype.
struct Plain {
  Kind kind = Kind::none;
  friend bool operator==(const Plain&, const Plain&) = default;
};

/// torch.Size; the dimensions are those of its tensor.
struct Size {
  Known known{};
  friend bool operator==(const Size&, const Size&) { return true; }
};

/// Whether a tensor is an nn.Parameter, which prints differently.
enum class Leaf { no, parameter, either, shown };

struct Tensor {
  Leaf leaf = Leaf::no;
  Known known{};
  friend bool operator==(const Tensor& one, const Tensor& other) { return one.leaf == other.leaf; }
};

struct Array {
  Known known{};
  friend bool operator==(const Array&, const Array&) { return true; }
};

/// The Python type that a `std::vector` represents. Its one item is the type of its elements, and is missing
/// while that is not known.
enum class Sequence {
  list,
  tuple,    ///< whose size is only known when it runs: torchbook::Tuple
  view,     ///< `zip(a, b)`, `counts.keys()`: it prints differently, and an iterator is used up
  range,    ///< as a view
  set,      ///< a std::set
  starred,  ///< several arguments: `view(*x.shape, 2)`
  nested,   ///< the list of a tensor whose depth is only known when it runs
};

struct List {
  Sequence sequence = Sequence::list;
  friend bool operator==(const List&, const List&) = default;
};

/// The Python type that a `std::tuple` represents. Its items are the types of its elements.
enum class Group {
  tuple,
  pair,    ///< a std::pair
  batch,   ///< of a loader: a list in Python
  result,  ///< `torch.return_types.max`, with names
};

struct Tuple {
  Group group = Group::tuple;
  std::string function{};  ///< that returns a Group::result
  friend bool operator==(const Tuple&, const Tuple&) = default;
};

/// Its items are the types of its keys and values; no items if these are not known yet.
struct Dict {
  Kind missing = Kind::none;  ///< of a defaultdict: the kind of the value that it adds for a missing key
  friend bool operator==(const Dict&, const Dict&) = default;
};

/// How an expression in C++ holds a module.
enum class Held {
  holder,   ///< a module holder: `torch::nn::Linear`
  element,  ///< a shared pointer to an element of a ModuleList, whose class is known
  pointer,  ///< a shared pointer to its implementation
  unknown,  ///< a shared pointer to a module of an unknown class
};

/// Its items are the types of the elements of a Sequential or ModuleList.
struct Module {
  std::string name{};  ///< the class in C++, as `torchbook::nn::Linear`
  Held held = Held::holder;
  std::vector<std::string> parts{};  ///< the names of the elements of a Sequential, if they have names
  friend bool operator==(const Module&, const Module&) = default;
};

/// A function or class of the notebook, named by its key, or an optimizer, object or record, named by its
/// class in C++. If an object's class has a common base, its item is the type of a pointer to that.
struct Named {
  Kind kind = Kind::object;
  std::string name{};
  friend bool operator==(const Named&, const Named&) = default;
};

}  // namespace types

/// The type of a value.
class Type {
 public:
  Type() = default;
  Type(Kind kind) : what_(without_details(kind)) {}  // NOLINT(google-explicit-constructor): it is a type, too
  template <class What>
  explicit Type(What what, std::vector<Type> parts = {}) : items(std::move(parts)), what_(std::move(what)) {}

  Kind kind() const;
  bool is(Kind other) const { return kind() == other; }
  bool is_number() const {
    return is(Kind::boolean) || is(Kind::integer) || is(Kind::floating) || is(Kind::scalar);
  }
  /// Whether it is a list, tuple, tensor or module with this detail.
  bool is(types::Sequence sequence) const { return has(&types::List::sequence, sequence); }
  bool is(types::Group group) const { return has(&types::Tuple::group, group); }
  bool is(types::Leaf leaf) const { return has(&types::Tensor::leaf, leaf); }
  bool is(types::Held held) const { return has(&types::Module::held, held); }

  /// Returns the class in C++ of a module, optimizer, object or record, or the key of a function or
  /// class of the notebook. Empty for other types.
  const std::string& name() const;
  /// Returns the function whose result is this named tuple (`torch.return_types`); empty for other
  /// types.
  const std::string& function() const;
  /// Returns the names of the elements of an nn.Sequential, if they have names.
  const std::vector<std::string>& part_names() const;

  /// Returns the kind of the values that a defaultdict adds; Kind::none for other types.
  Kind missing() const;

  /// Returns what is known about a tensor, an array or the tensor of a torch.Size; nothing for other types.
  const Known& known() const;
  Numbers numbers() const { return known().numbers; }
  int dimensions() const { return known().dimensions; }
  bool detached() const { return known().detached; }
  /// Changes what is known about a tensor, an array or a torch.Size. Has no effect on other types.
  void know(const Known& known);
  void know_numbers(Numbers numbers);
  void know_dimensions(int dimensions);
  void know_detached(bool detached);

  template <class What>
  What* as() {
    return std::get_if<What>(&what_);
  }

  friend bool operator==(const Type& one, const Type& other) {
    return one.what_ == other.what_ && one.items == other.items;
  }

  std::vector<Type> items{};
  bool optional = false;  ///< its values may be None. Equal types may differ in it

 private:
  template <class What, class Detail>
  bool has(Detail What::*detail, Detail wanted) const {
    const auto* what = std::get_if<What>(&what_);
    return what != nullptr && what->*detail == wanted;
  }
  Known* known_if_any();

  using Details = std::variant<types::Plain, types::Size, types::Tensor, types::Array, types::List,
                               types::Tuple, types::Dict, types::Module, types::Named>;
  static Details without_details(Kind kind);

  Details what_{};
};

/// Whether a variable of type `to` can be assigned a value of type `from`.
bool assignable(const Type& to, const Type& from);

/// Returns the type of values that have one type or the other; nullopt if C++ has none.
std::optional<Type> common_type(const Type& one, const Type& other);

/// Returns the type of a variable that holds lists or dicts of either type. A list may mix ints and
/// floats, and a ModuleList classes. Returns common_type() of other types.
std::optional<Type> common_container(const Type& one, const Type& other);

/// Returns the type of a parameter whose arguments have one type or the other; nullopt if C++ has none. None
/// and a number, a str, a container or a module make it optional.
std::optional<Type> common_argument(const Type& one, const Type& other);

/// Returns the type of the values that are not None.
Type without_none(Type type);

/// Returns the type of the values that may be None, too.
Type optional(Type type);

/// Returns the type of an nn.Parameter.
Type parameter_type();

Type list_of(Type item);
Type list_of(Type item, types::Sequence sequence);
inline Type view_of(Type item) { return list_of(std::move(item), types::Sequence::view); }
inline Type tuple_of_any_size(Type item) { return list_of(std::move(item), types::Sequence::tuple); }
Type tuple_type(std::vector<Type> items, types::Group group = types::Group::tuple);
Type dict_type(Type key, Type value);
/// Returns a dict or defaultdict with the types of keys and values of another one.
Type with_items(Type dict, const Type& other);
/// Returns the type of a dict of tensors by names.
inline Type dict_of_tensors() { return dict_type(Kind::string, Kind::tensor); }
/// Returns the type of an iterable of pairs of a name and an item.
Type pairs_of(Type item);
/// Returns the type of an array that carries the numbers of a tensor.
Type array_type(const Type& tensor);
Type module_type(std::string name, std::vector<Type> items = {}, types::Held held = types::Held::holder);
Type object_type(std::string name, std::vector<Type> items = {});
/// Returns a type of a kind whose values have a class in C++, or of a function or class of the notebook.
Type named_type(Kind kind, std::string name, std::vector<Type> items = {});
inline Type shown_type(std::string name) { return named_type(Kind::shown, std::move(name)); }
/// Returns the type of a shared pointer to a module of any class.
Type unknown_module();

/// Returns the type of a shared pointer to the common base of an object's class; nullptr if it has none.
const Type* common_base(const Type& type);
/// Returns the type of a list's items: objects whose class has a common base are held by pointers to it.
inline Type as_item(const Type& type) {
  const auto* base = common_base(type);
  return base == nullptr ? type : *base;
}

inline bool is_object(const Type& type) { return type.kind() >= Kind::object; }

inline bool is_view(const Type& type) {
  return type.is(types::Sequence::view) || type.is(types::Sequence::range);
}
inline bool is_tuple_of_any_size(const Type& type) { return type.is(types::Sequence::tuple); }

/// Whether it is a list, set, dict, deque or counter whose items are not known yet.
inline bool is_empty(const Type& type) {
  return (type.is(types::Sequence::list) || type.is(types::Sequence::set) || type.is(Kind::dict) ||
          type.is(Kind::deque) || type.is(Kind::counter)) &&
         type.items.empty();
}

/// Whether values of the type have elements and slices by position: lists, and tuples that are
/// lists in C++.
inline bool is_list_like(const Type& type) {
  return (type.is(types::Sequence::list) || is_tuple_of_any_size(type)) && !type.items.empty();
}

/// Whether C++ holds a module by a shared pointer.
inline bool is_module_pointer(const Type& module) {
  return module.is(Kind::module) && !module.is(types::Held::holder);
}

/// The class of LibTorch that holds modules of any class.
inline constexpr const char* any_module = "torch::nn::AnyModule";

/// The class of a reference to a module of any class.
inline constexpr const char* some_module = "torch::nn::Module";

// No other file compares the texts of types.
inline bool is_any_module(const Type& type) { return type.name() == any_module; }
inline bool is_some_module(const Type& type) { return type.name() == some_module; }
inline bool is_module_list(const Type& type) { return type.name() == "torch::nn::ModuleList"; }
inline bool is_loss(const Type& module) { return module.name().ends_with("Loss"); }
/// Whether it is the type of `id(x)` and `x.data_ptr()`.
inline bool is_address(const Type& type) { return type.name() == "const void*"; }
/// Whether C++ holds an object by a shared pointer.
inline bool is_pointer(const Type& object) { return object.name().starts_with("std::shared_ptr<"); }

/// The keys and the classes of functions of PyTorch that are values, as in `[torch.sin, torch.cos]` and
/// `loss_of = F.mse_loss`.
inline constexpr const char* tensor_function = "std::function<Tensor(const Tensor&)>";
inline constexpr const char* pair_function = "std::function<Tensor(const Tensor&, const Tensor&)>";

inline bool is_function_of_torch(const Type& type) {
  return type.is(Kind::function) && (type.name() == tensor_function || type.name() == pair_function);
}

/// The class of the result of `iter(loader)`.
inline constexpr std::string_view pass_of_loader = "torchbook::data::Pass";

/// The class of an element of an array of NumPy.
inline constexpr const char* element_of_numpy = "torchbook::np::Element";

/// The class of a state_dict.
inline constexpr const char* state_dict = "torchbook::nn::StateDict";

/// The class of the state_dict of an optimizer or a scheduler.
inline constexpr const char* state_of_optimizer = "torch::IValue";

/// Whether a module is an nn.Sequential.
inline bool is_sequential(const Type& module) { return module.name().ends_with("::nn::Sequential"); }
inline bool is_torch_sequential(const Type& module) { return module.name() == "torch::nn::Sequential"; }

/// Whether it is the type of a dict of empty lists: `{"loss": [], "accuracy": []}`.
inline bool holds_open_lists(const Type& type) {
  return type.is(Kind::dict) && type.items.size() == 2 && type.items[1].is(Kind::list) &&
         type.items[1].items.empty();
}

/// Whether the items of a container, or of its lists, are not known yet.
inline bool is_open(const Type& type) { return is_empty(type) || holds_open_lists(type); }

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

/// Describes a value of the type for messages: `a tensor`.
std::string in_words(const Type& type);

/// Refuses a list, dict, deque or counter whose items are not known yet.
[[noreturn]] void refuse_empty(const Type& type);

}  // namespace torchbook::translate
