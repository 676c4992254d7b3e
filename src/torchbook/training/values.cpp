#include <ATen/core/ivalue.h>  // first, because clang cannot read LibTorch 1.13 otherwise
#include <torch/types.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/training/python_values.h>
#include <torchbook/training/values.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace torchbook::training {
namespace {

const std::vector<PickleValue>& items_of(const Node& call) {
  return as(call.items.at(0), Kind::tuple)->items;
}

constexpr const char* only_python = ", which only Python has; save a state_dict(), numbers or texts instead";
constexpr const char* too_deep = "it has values that are nested more than 200 deep";

[[noreturn]] void refuse_tensor(const std::string& why) {
  throw std::runtime_error("it has a tensor " + why);
}

const PickleValue& argument(const std::vector<PickleValue>& arguments, std::size_t index) {
  if (index >= arguments.size()) damaged("a tensor of its pickle");
  return arguments[index];
}

template <class T>
T scalar_argument(const std::vector<PickleValue>& arguments, std::size_t index) {
  const auto* value = std::get_if<T>(&argument(arguments, index));
  if (value == nullptr) damaged("a tensor of its pickle");
  return *value;
}

std::string_view text_argument(const std::vector<PickleValue>& arguments, std::size_t index) {
  const auto* text = as(argument(arguments, index), Kind::text);
  if (text == nullptr) damaged("a tensor of its pickle");
  return text->text;
}

std::vector<std::int64_t> ints_argument(const std::vector<PickleValue>& arguments, std::size_t index) {
  const auto* tuple = as(argument(arguments, index), Kind::tuple);
  if (tuple == nullptr) damaged("a tensor of its pickle");
  if (tuple->items.size() > max_dimensions) refuse_tensor("of more than 64 dimensions");
  std::vector<std::int64_t> ints;
  for (std::size_t i = 0; i < tuple->items.size(); ++i) {
    ints.push_back(scalar_argument<std::int64_t>(tuple->items, i));
    if (ints.back() < 0) refuse_tensor("with a negative size or stride");
  }
  return ints;
}

/// Throws unless a storage has all elements of a tensor.
void require_inside(std::int64_t offset, at::IntArrayRef sizes, at::IntArrayRef strides,
                    std::int64_t elements) {
  if (sizes.size() != strides.size()) damaged("a tensor of its pickle");
  bool fits = offset >= 0 && elements_of(sizes);
  std::int64_t last = offset;
  for (std::size_t i = 0; i < sizes.size() && fits; ++i) {
    std::int64_t step = 0;
    fits = !__builtin_mul_overflow(std::max<std::int64_t>(sizes[i] - 1, 0), strides[i], &step) &&
           !__builtin_add_overflow(last, step, &last);
  }
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  if (!fits || (empty ? offset > elements : last >= elements))
    refuse_tensor("that is larger than its storage");
}

/// Returns the dtype of a storage's class, as `torch.FloatStorage`, or of Python's name, as `torch.uint16`.
at::ScalarType dtype_of(const PickleValue& value) {
  const auto* global = as(value, Kind::global);
  if (global == nullptr) damaged("a tensor of its pickle");
  if (global->name == "UntypedStorage") return at::kByte;
  constexpr std::string_view storage = "Storage";
  if (global->name.ends_with(storage)) {
    if (const auto dtype = dtype_named(global->name.substr(0, global->name.size() - storage.size())))
      return *dtype;
  }
  for (int i = 0; i < static_cast<int>(at::ScalarType::NumOptions); ++i) {
    const auto dtype = static_cast<at::ScalarType>(i);
    if (dtype != at::ScalarType::Undefined && pyrepr::repr(dtype) == full_name(*global)) return dtype;
  }
  refuse_tensor("of " + full_name(*global) + ", which this LibTorch does not have");
}

c10::Device device_of(const std::vector<PickleValue>& arguments) {
  std::string device(text_argument(arguments, 0));
  if (arguments.size() > 1) device += ":" + std::to_string(scalar_argument<std::int64_t>(arguments, 1));
  return c10::Device(device);
}

at::Tensor with_grad(const at::Tensor& tensor, bool requires_grad) {
  if (!requires_grad) return tensor;
  if (!tensor.is_floating_point() && !tensor.is_complex())
    refuse_tensor("of whole numbers that requires gradients");
  return tensor.set_requires_grad(true);
}

/// Sets the bits of a tensor that is a lazy conjugate or negative.
void set_flags(const at::Tensor& tensor, const PickleValue& flags) {
  const auto* dict = as(flags, Kind::dict);
  for (std::size_t i = 0; dict != nullptr && i < dict->items.size(); i += 2) {
    const auto name = text_argument(dict->items, i);
    const bool is_set = scalar_argument<bool>(dict->items, i + 1);
    if (name == "conj" && tensor.is_complex()) tensor._set_conj(is_set);
    if (name == "neg") tensor._set_neg(is_set);
  }
}

/// Describes an object that no IValue holds.
std::string unheld(const Node& node) {
  switch (node.kind) {
    case Kind::object:
      return "an object of the class " + full_name(node);
    case Kind::global:
      return full_name(node);
    case Kind::bytes:
      return "bytes";
    case Kind::set:
      return "a set";
    case Kind::long_int:
      return "an int of more than 64 bits";
    default:
      return "a storage that is no tensor";
  }
}

/// Throws if a dict of LibTorch would grow without end. It doubles its table until no key is far from its
/// place, so a few keys that were chosen for it would take all memory. Keys that were not are never so close
/// in a table of this size.
void require_spread(const Node& dict) {
  const std::size_t count = dict.items.size() / 2;
  const int width = static_cast<int>(std::bit_width(count)) + 3;
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* text = as(dict.items[2 * i], Kind::text);
    const std::uint64_t hash = text != nullptr
                                   ? c10::detail::DictKeyHash{}(std::string(text->text))
                                   : static_cast<std::uint64_t>(std::get<std::int64_t>(dict.items[2 * i]));
    places.push_back(hash * 11400714819323198485u >> (64 - width));
  }
  std::sort(places.begin(), places.end());
  std::uint64_t next = 0, farthest = 0;
  for (const auto place : places) {
    next = std::max(next, place);
    farthest = std::max(farthest, next - place);
    ++next;
  }
  if (farthest >= static_cast<std::uint64_t>(width))
    throw std::runtime_error("it has a dict whose keys collide");
}

}  // namespace

std::optional<at::ScalarType> dtype_named(std::string_view name) {
  for (int i = 0; i < static_cast<int>(at::ScalarType::Undefined); ++i) {
    if (const auto dtype = static_cast<at::ScalarType>(i); at::toString(dtype) == name) return dtype;
  }
  return std::nullopt;
}

std::optional<std::int64_t> elements_of(at::IntArrayRef sizes) {
  std::int64_t elements = 1;
  for (const auto size : sizes) {
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(size, 1), &elements)) return std::nullopt;
  }
  return elements;
}

StorageReference storage_reference(const PickleValue& value) {
  const auto* node = as(value, Kind::storage);
  if (node == nullptr) damaged("a tensor of its pickle");
  const auto& fields = items_of(*node);
  if (text_argument(fields, 0) != "storage") damaged("a tensor of its pickle");
  StorageReference reference{std::string(text_argument(fields, 2)), dtype_of(fields[1]),
                             scalar_argument<std::int64_t>(fields, 4)};
  if (at::isQIntType(reference.dtype)) refuse_tensor("that is quantized, which is not read");
  if (fields.size() > 5 && !std::holds_alternative<std::monostate>(fields[5]))
    refuse_tensor("whose storage is a view");
  return reference;
}

const at::Storage& ValueBuilder::storage(const StorageReference& reference) {
  const auto record = records_.find(prefix_ + reference.key);
  if (record == records_.end())
    throw std::runtime_error("it lacks the storage " + pyrepr::repr(reference.key));
  const auto [offset, size] = record->second;
  std::int64_t bytes = 0;
  if (reference.elements < 0 ||
      __builtin_mul_overflow(reference.elements, c10::elementSize(reference.dtype), &bytes) ||
      static_cast<std::uint64_t>(bytes) > size)
    throw std::runtime_error("its storage " + pyrepr::repr(reference.key) + " is too short");
  auto [found, is_new] = storages_.try_emplace(reference.key);
  if (is_new) {
    if (size > unread_) damaged("its zip directory");
    unread_ -= size;
    const auto memory = at::empty({static_cast<std::int64_t>(size)}, at::kByte);
    file_.read(offset, size, memory.data_ptr());
    found->second = memory.storage();
  }
  return found->second;
}

/// Builds a tensor from a storage, its offset, sizes and strides.
at::Tensor ValueBuilder::build_tensor(const std::vector<PickleValue>& arguments,
                                      std::optional<at::ScalarType> dtype) {
  auto reference = storage_reference(argument(arguments, 0));
  const auto& whole = storage(reference);
  if (!dtype) dtype = reference.dtype;
  const auto offset = scalar_argument<std::int64_t>(arguments, 1);
  const auto sizes = ints_argument(arguments, 2), strides = ints_argument(arguments, 3);
  require_inside(offset, sizes, strides,
                 static_cast<std::int64_t>(whole.nbytes() / c10::elementSize(*dtype)));
  return at::empty({0}, *dtype).set_(whole, offset, sizes, strides);
}

/// Python's Parameter is another tensor than its data.
at::Tensor ValueBuilder::build_parameter(const std::vector<PickleValue>& arguments, int depth) {
  const auto data = build(argument(arguments, 0), depth + 1);
  if (!data.isTensor()) damaged("a tensor of its pickle");
  return data.toTensor().detach();
}

/// Builds what a function returns, of those functions that are needed for tensors and numbers.
c10::IValue ValueBuilder::build_call(const Node& node, int depth) {
  const auto& arguments = items_of(node);
  const auto name = full_name(node);
  if (name == "complex")
    return c10::complex<double>(scalar_argument<double>(arguments, 0), scalar_argument<double>(arguments, 1));
  if (name == "torch.device") return device_of(arguments);
  if (name == "torch._utils._rebuild_tensor") return build_tensor(arguments, std::nullopt);
  if (name == "torch._utils._rebuild_parameter")
    return with_grad(build_parameter(arguments, depth), scalar_argument<bool>(arguments, 1));
  const bool untyped = name == "torch._utils._rebuild_tensor_v3";  // of a dtype that has no class of storages
  if (!untyped && name != "torch._utils._rebuild_tensor_v2")
    throw std::runtime_error("it has a result of " + name + only_python);
  const auto dtype = untyped ? std::optional(dtype_of(argument(arguments, 6))) : std::nullopt;
  const auto tensor = build_tensor(arguments, dtype);
  if (const std::size_t flags = untyped ? 7 : 6; arguments.size() > flags)
    set_flags(tensor, arguments[flags]);
  return with_grad(tensor, scalar_argument<bool>(arguments, 4));
}

c10::IValue ValueBuilder::build_dict(Node& node, int depth) {
  for (std::size_t i = 0; i < node.items.size(); i += 2) {
    if (as(node.items[i], Kind::text) == nullptr && !std::holds_alternative<std::int64_t>(node.items[i]))
      throw std::runtime_error("it has a dict with a key that is neither a str nor an int");
  }
  require_spread(node);
  auto dict = new_dict();
  for (std::size_t i = 0; i < node.items.size(); i += 2)
    dict.insert_or_assign(build(node.items[i], depth + 1), build(node.items[i + 1], depth + 1));
  return dict;
}

c10::IValue ValueBuilder::build_items(Node& node, int depth) {
  std::vector<c10::IValue> items;
  for (const auto& item : node.items) items.push_back(build(item, depth + 1));
  if (node.kind == Kind::tuple) return c10::ivalue::Tuple::create(std::move(items));
  auto list = new_list();
  for (auto& item : items) list.push_back(std::move(item));
  return list;
}

c10::IValue ValueBuilder::build_object(Node& node, int depth) {
  switch (node.kind) {
    case Kind::text:
      return std::string(node.text);
    case Kind::dict:
      return build_dict(node, depth);
    case Kind::list:
    case Kind::tuple:
      return build_items(node, depth);
    case Kind::call:
      return build_call(node, depth);
    default:
      throw std::runtime_error("it has " + unheld(node) + only_python);
  }
}

c10::IValue ValueBuilder::build(const PickleValue& value, int depth) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (std::holds_alternative<std::monostate>(value)) return {};
  auto& node = *std::get<Node*>(value);
  if (node.height > 0) return node.value;
  if (node.open) throw std::runtime_error("it has a list or dict that contains itself");
  if (depth >= max_height) throw std::runtime_error(too_deep);
  node.open = true;
  node.value = build_object(node, depth);
  node.open = false;
  for (const auto& item : node.items) {
    if (const auto* inner = std::get_if<Node*>(&item)) node.height = std::max(node.height, (*inner)->height);
  }
  if (++node.height > max_height) throw std::runtime_error(too_deep);
  return node.value;
}

}  // namespace torchbook::training
