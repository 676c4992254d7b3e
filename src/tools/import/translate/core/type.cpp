#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/type.h>
#include <tools/import/translate/syntax/syntax.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace torchbook::translate {

using types::Group;
using types::Held;
using types::Leaf;
using types::Sequence;

Type::Details Type::without_details(Kind kind) {
  if (kind == Kind::size) return types::Size{};
  if (kind == Kind::tensor) return types::Tensor{};
  if (kind == Kind::array) return types::Array{};
  if (kind == Kind::list) return types::List{};
  if (kind == Kind::tuple) return types::Tuple{};
  if (kind == Kind::dict) return types::Dict{};
  if (kind == Kind::module) return types::Module{};
  const bool named = kind == Kind::record || kind == Kind::function || kind == Kind::new_class ||
                     kind == Kind::optimizer || kind >= Kind::object;
  if (named) return types::Named{.kind = kind};
  return types::Plain{.kind = kind};
}

Kind Type::kind() const {
  // In the order of the variant; a Plain and a Named know their kinds.
  static constexpr std::array kinds = {Kind::none,  Kind::size, Kind::tensor, Kind::array, Kind::list,
                                       Kind::tuple, Kind::dict, Kind::module, Kind::object};
  if (const auto* plain = std::get_if<types::Plain>(&what_)) return plain->kind;
  const auto* named = std::get_if<types::Named>(&what_);
  return named == nullptr ? kinds.at(what_.index()) : named->kind;
}

const std::string& Type::name() const {
  static const std::string none;
  if (const auto* module = std::get_if<types::Module>(&what_)) return module->name;
  const auto* named = std::get_if<types::Named>(&what_);
  return named == nullptr ? none : named->name;
}

const std::string& Type::function() const {
  static const std::string none;
  const auto* tuple = std::get_if<types::Tuple>(&what_);
  return tuple == nullptr ? none : tuple->function;
}

const std::vector<std::string>& Type::part_names() const {
  static const std::vector<std::string> none;
  const auto* module = std::get_if<types::Module>(&what_);
  return module == nullptr ? none : module->parts;
}

Known* Type::known_if_any() {
  if (auto* tensor = as<types::Tensor>()) return &tensor->known;
  if (auto* array = as<types::Array>()) return &array->known;
  auto* size = as<types::Size>();
  return size == nullptr ? nullptr : &size->known;
}

const Known& Type::known() const {
  static const Known nothing;
  const auto* known = const_cast<Type*>(this)->known_if_any();
  return known == nullptr ? nothing : *known;
}

void Type::know(const Known& known) {
  if (auto* mine = known_if_any()) *mine = known;
}

void Type::know_numbers(Numbers numbers) {
  if (auto* mine = known_if_any()) mine->numbers = numbers;
}

void Type::know_dimensions(int dimensions) {
  if (auto* mine = known_if_any()) mine->dimensions = dimensions;
}

void Type::know_detached(bool detached) {
  if (auto* mine = known_if_any()) mine->detached = detached;
}

Type parameter_type() { return Type(types::Tensor{.leaf = Leaf::parameter}); }

Type list_of(Type item) { return list_of(std::move(item), Sequence::list); }
Type list_of(Type item, Sequence sequence) { return Type(types::List{sequence}, {std::move(item)}); }

Type tuple_type(std::vector<Type> items, Group group) {
  return Type(types::Tuple{.group = group}, std::move(items));
}

Type dict_type(Type key, Type value) { return Type(types::Dict{}, {std::move(key), std::move(value)}); }

Type with_items(Type dict, const Type& other) {
  dict.items = other.items;
  return dict;
}

Kind Type::missing() const {
  const auto* dict = std::get_if<types::Dict>(&what_);
  return dict == nullptr ? Kind::none : dict->missing;
}

Type pairs_of(Type item) { return view_of(tuple_type({Kind::string, std::move(item)}, Group::pair)); }

Type array_type(const Type& tensor) { return Type(types::Array{tensor.known()}); }

Type module_type(std::string name, std::vector<Type> items, Held held) {
  return Type(types::Module{.name = std::move(name), .held = held}, std::move(items));
}

Type object_type(std::string name, std::vector<Type> items) {
  return Type(types::Named{.kind = Kind::object, .name = std::move(name)}, std::move(items));
}

Type named_type(Kind kind, std::string name, std::vector<Type> items) {
  return Type(types::Named{.kind = kind, .name = std::move(name)}, std::move(items));
}

Type unknown_module() { return module_type({}, {}, Held::unknown); }

const Type* common_base(const Type& type) {
  const bool has = type.is(Kind::object) && is_pointer(type) && !type.items.empty();
  return has ? &type.items[0] : nullptr;
}

std::optional<Type> common_type(const Type& one, const Type& other) {
  if (one == other) return with_common_numbers(one, other);
  const auto are = [&](Kind kind) { return one.is(kind) && other.is(kind); };
  if (one.is_number() && other.is_number()) return Type(Kind::scalar);
  if (are(Kind::module) && one.is(Held::holder) && other.is(Held::holder) && one.name() == other.name())
    return module_type(one.name());  // an nn.Sequential of other parts
  if (are(Kind::module)) return module_type(some_module);
  if (are(Kind::object) && as_item(one) == as_item(other)) return as_item(one);
  if (are(Kind::tensor)) return Type(types::Tensor{.leaf = Leaf::either});
  if (!are(Kind::list) || one.items.empty() || other.items.empty()) return std::nullopt;
  const auto items_are = [&](Kind kind) { return one.items[0].is(kind) && other.items[0].is(kind); };
  if (items_are(Kind::module)) return list_of(module_type(any_module));
  if (items_are(Kind::tensor)) return list_of(*common_type(one.items[0], other.items[0]));
  return std::nullopt;
}

std::optional<Type> common_container(const Type& one, const Type& other) {
  const bool same =
      one.kind() == other.kind() && one.items.size() == other.items.size() && !one.items.empty();
  const bool mixes = same && one != other && one.items.back().is_number() && other.items.back().is_number();
  if (mixes && one.is(Sequence::list) && other.is(Sequence::list)) return list_of(Kind::scalar);
  if (mixes && one.is(Kind::dict) && one.items[0] == other.items[0])
    return with_items(one, dict_type(one.items[0], Kind::scalar));
  if (one.is(Kind::dict) && same && one.items[0] == other.items[0] &&
      holds_open_lists(one) != holds_open_lists(other))
    return holds_open_lists(one) ? other : one;
  const bool modules = is_module_list(one) && is_module_list(other);
  if (modules) return one.items.size() < other.items.size() ? other : one;
  return common_type(one, other);
}

std::optional<Type> common_argument(const Type& one, const Type& other) {
  if (one.is(Kind::none) && other.is(Kind::none)) return one;
  if (one.kind() == other.kind() && (is_empty(one) || is_empty(other))) return is_empty(one) ? other : one;
  if (!one.is(Kind::none) && !other.is(Kind::none)) {
    auto common = common_type(one, other);
    if (common) common->optional = one.optional || other.optional;
    return common;
  }
  auto given = one.is(Kind::none) ? other : one;
  const bool undefined = given.is(Kind::tensor) || given.is(Kind::random) || is_function_of_torch(given);
  if (undefined) return given;  // None is an undefined or empty one in C++
  const bool holder = given.is(Held::holder) && !is_any_module(given) && !is_some_module(given);
  const bool container = given.is(Sequence::list) || given.is(Kind::dict) || given.is(Kind::tuple);
  const bool plain = given.is_number() || given.is(Kind::string) || given.is(Kind::optimizer);
  return plain || container || holder ? std::optional(optional(std::move(given))) : std::nullopt;
}

Type without_none(Type type) {
  type.optional = false;
  return type;
}

Type optional(Type type) {
  type.optional = true;
  return type;
}

bool assignable(const Type& to, const Type& from) {
  if ((to.is(Kind::function) && !is_function_of_torch(to)) || to.is(Kind::new_class) ||
      to.is(Kind::optimizer))
    return false;
  const bool parts =
      to.is(Held::holder) && from.is(Held::holder) && to.name() == from.name() && to.items.empty();
  return to == from || parts || (to.is(Leaf::either) && from.is(Kind::tensor)) ||
         (to.is(Kind::scalar) && from.is_number()) || (from.is(Kind::object) && to == as_item(from));
}

bool is_immutable(const Type& type) {
  return type.is_number() || type.is(Kind::none) || type.is(Kind::string) || type.is(Kind::class_name) ||
         type.is(Kind::error) || type.is(Kind::size) || type.is(Kind::dtype) || type.is(Kind::device) ||
         type.is(Kind::function);
}

bool has_order(const Type& type) {
  if (type.is(Kind::tuple)) return std::all_of(type.items.begin(), type.items.end(), has_order);
  return type.is_number() || type.is(Kind::string);
}

bool has_equality(const Type& type) {
  if (type.is(Kind::list)) return !type.items.empty() && has_equality(type.items[0]);
  return has_order(type);
}

namespace {

std::string cpp_type_of_module(const Type& type) {
  if (type.is(Held::unknown)) return "std::shared_ptr<torch::nn::Module>";
  if (is_module_pointer(type)) refuse("a variable cannot hold a module of a list");
  return type.name();
}

std::string cpp_type_of_list(const Type& type) {
  if (type.is(Sequence::nested))
    refuse("the depth of the list that tolist() returns is known only at run time; keep the tensor instead");
  if (type.items.empty()) refuse_empty(type);
  if (type.items[0].is(Kind::none)) refuse("a list holds None, or values of different types");
  if (type.is(Sequence::view)) refuse("a variable cannot hold an iterator or a view of a dict");
  const auto* const container = is_tuple_of_any_size(type) ? "torchbook::Tuple"
                                : type.is(Sequence::set)   ? "std::set"
                                                           : "std::vector";
  return fmt::format("{}<{}>", container, cpp_type(type.items[0]));
}

std::string cpp_type_of_tuple(const Type& type) {
  std::vector<std::string> items;
  for (const auto& item : type.items) items.push_back(cpp_type(item));
  return fmt::format("std::{}<{}>", type.is(Group::pair) ? "pair" : "tuple", fmt::join(items, ", "));
}

}  // namespace

std::string cpp_type(const Type& type) {
  if (type.optional && type.is(Kind::optimizer)) return type.name() + '*';
  if (type.optional && !type.is(Kind::module))
    return fmt::format("std::optional<{}>", cpp_type(without_none(type)));
  static const std::map<Kind, std::string_view> plain = {
      {Kind::boolean, "bool"},           {Kind::integer, "int64_t"},
      {Kind::floating, "double"},        {Kind::string, "std::string"},
      {Kind::class_name, "std::string"}, {Kind::scalar, "torchbook::Number"},
      {Kind::size, "torchbook::Size"},   {Kind::dtype, "torch::ScalarType"},
      {Kind::device, "torch::Device"},   {Kind::array, "Tensor"},
      {Kind::random, "torch::Generator"}};
  if (const auto found = plain.find(type.kind()); found != plain.end()) return std::string(found->second);
  if (type.is(Kind::tuple)) return cpp_type_of_tuple(type);
  if (type.is(Kind::tensor)) return type.is(Leaf::shown) ? "torchbook::Parameter" : "Tensor";
  if (type.is(Kind::module)) return cpp_type_of_module(type);
  if (type.is(Kind::list)) return cpp_type_of_list(type);
  if (is_empty(type)) refuse_empty(type);
  const bool named = type.is(Kind::optimizer) || is_object(type) || type.is(Kind::record);
  if (named || is_function_of_torch(type)) return type.name();
  if (type.is(Kind::function)) refuse("a variable cannot hold a function of the notebook");
  if (!type.is(Kind::dict)) refuse("a variable cannot hold {}", in_words(type));
  return fmt::format("torchbook::Dict<{}, {}>", cpp_type(type.items[0]), cpp_type(type.items[1]));
}

std::string cpp_parameter(const Type& type) {
  if ((type.is(Kind::function) && !is_function_of_torch(type)) || is_module_pointer(type))
    return "const auto&";
  const bool changes = is_any_module(type) || is_some_module(type) || type.is(Kind::parameter_group);
  if (changes) return type.name() + "&";
  auto name = cpp_type(type);
  if (type.optional && !type.is(Kind::module)) return name;
  const bool number = type.is_number() && !type.is(Kind::scalar);
  // Modules and generators are shared pointers to objects that are not const.
  const bool pointer = type.is(Kind::module) || type.is(Kind::random);
  if (number || pointer || type.is(Kind::dtype) || type.is(Kind::device)) return name;
  return type.is(Kind::optimizer) ? name + "&" : fmt::format("const {}&", name);
}

/// How messages call a value of each kind.
static const std::map<Kind, std::string_view> words = {{Kind::none, "None"},
                                                       {Kind::boolean, "a bool"},
                                                       {Kind::integer, "an int"},
                                                       {Kind::floating, "a float"},
                                                       {Kind::string, "a str"},
                                                       {Kind::class_name, "a class"},
                                                       {Kind::error, "an exception"},
                                                       {Kind::scalar, "an int or a float"},
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
                                                       {Kind::file, "a file"},
                                                       {Kind::picture, "a picture"},
                                                       {Kind::object, "an object"},
                                                       {Kind::context, "a context"},
                                                       {Kind::data_set, "a data set"},
                                                       {Kind::loader, "a loader"},
                                                       {Kind::pass, "an iterator"},
                                                       {Kind::counter, "a Counter"},
                                                       {Kind::deque, "a deque"},
                                                       {Kind::path, "a path"},
                                                       {Kind::state_dict, "a state_dict"},
                                                       {Kind::checkpoint, "a checkpoint"},
                                                       {Kind::parameter_group, "a group of parameters"},
                                                       {Kind::element, "an element of an array"},
                                                       {Kind::shown, "an object"}};

std::string in_words(const Type& type) {
  if (type.is(types::Sequence::nested))
    return "a list of tolist() whose depth or kind of numbers is not known";
  return std::string(words.at(type.kind()));
}

void refuse_empty(const Type& type) {
  const auto kind = in_words(type);
  refuse("no translated code shows what an empty {} will hold", kind.substr(kind.find(' ') + 1));
}

}  // namespace torchbook::translate
