#include <tools/part/trace/values.h>
#include <torchbook/pyrepr/dtype.h>

#include <algorithm>

namespace torchbook::trace {
namespace {

constexpr std::size_t deepest_list = 8;

/// The sizes of a tensor, empty for kinds of tensors that have none, and whether it has elements.
struct Description {
  std::vector<std::int64_t> sizes{};
  bool has_elements = false;
};

Description described(const at::Tensor& tensor) {
  try {
    Description description{.sizes = tensor.is_nested() ? std::vector<std::int64_t>() : tensor.sizes().vec()};
    description.has_elements = has_elements(tensor) && tensor.dim() <= 255;
    if (description.sizes.size() > 255) description.sizes.clear();
    return description;
  } catch (const std::exception&) {
    return {};
  }
}

std::span<const c10::IValue> span_of(at::ArrayRef<c10::IValue> values) {
  return {values.data(), values.size()};
}

const c10::StorageImpl* storage_of(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

}  // namespace

void Values::add_all(Payload& payload, std::span<const c10::IValue> values, Seen seen) {
  payload.add(static_cast<std::uint32_t>(values.size()));
  for (const auto& value : values) add(payload, value, seen, 0);
}

void Values::add(Payload& payload, const c10::IValue& value, Seen seen, std::size_t depth) {
  if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) {
    payload.add(Tag::none);
  } else if (value.isTensor()) {
    payload.add(Tag::tensor);
    add_tensor(payload, value.toTensor(), seen);
  } else if (value.isInt()) {
    payload.add(Tag::whole);
    payload.add(value.toInt());
  } else if (value.isDouble()) {
    payload.add(Tag::real);
    payload.add(value.toDouble());
  } else if (value.isBool()) {
    payload.add(Tag::boolean);
    payload.add(static_cast<std::uint8_t>(value.toBool()));
  } else if (value.isString()) {
    add_text(payload, Tag::text, value.toStringRef());
  } else if (value.isDevice()) {
    add_text(payload, Tag::text, value.toDevice().str());
  } else if (value.isComplexDouble()) {
    payload.add(Tag::complex);
    payload.add(value.toComplexDouble().real());
    payload.add(value.toComplexDouble().imag());
  } else if ((value.isList() || value.isTuple()) && depth < deepest_list) {
    add_list(payload, value, seen, depth + 1);
  } else {
    add_text(payload, Tag::other, value.tagKind());
  }
}

void Values::add_list(Payload& payload, const c10::IValue& list, Seen seen, std::size_t depth) {
  const auto values =
      list.isTuple() ? at::ArrayRef<c10::IValue>(list.toTupleRef().elements()) : list.toListRef();
  payload.add(Tag::list);
  payload.add(static_cast<std::uint32_t>(values.size()));
  for (const auto& value : values) add(payload, value, seen, depth);
}

void Values::add_text(Payload& payload, Tag tag, std::string_view text) {
  payload.add(tag);
  payload.add(writer_.string(text));
}

void Values::add_tensor(Payload& payload, const at::Tensor& tensor, Seen seen) {
  const auto description = described(tensor);
  const auto dtype = pyrepr::dtype_name(tensor.scalar_type());
  payload.add(writer_.string(std::string_view(dtype).substr(std::string_view("torch.").size())));
  payload.add(writer_.string(tensor.device().str()));
  const auto offset = description.has_elements ? tensor.storage_offset() : 0;
  const int flags = (tensor.requires_grad() ? requires_grad : 0) |
                    (description.has_elements ? 0 : not_strided) | (offset != 0 ? has_offset : 0);
  payload.add(static_cast<std::uint8_t>(flags));
  payload.add(static_cast<std::uint8_t>(description.sizes.size()));
  for (const auto size : description.sizes) payload.add(size);
  if (!description.has_elements) {
    payload.add(std::uint32_t{0});
    payload.add(std::uint64_t{0});
    return;
  }
  for (const auto stride : tensor.strides()) payload.add(stride);
  const auto& memory = memory_of(tensor, seen);
  payload.add(memory.number);
  payload.add(memory.initialised ? elements_.hash(tensor) : 0);
  if (offset != 0) payload.add(offset);
}

Values::Memory& Values::memory_of(const at::Tensor& tensor, Seen seen) {
  if (memories_.size() >= most_memories_) {
    std::erase_if(memories_, [](const auto& entry) { return entry.second.storage.expired(); });
    most_memories_ = std::max(most_memories_, 2 * memories_.size());
  }
  const auto& storage = tensor.storage();
  const auto [entry, is_new] =
      memories_.try_emplace(storage.unsafeGetStorageImpl(), Memory{storage.getWeakStorageImpl()});
  auto& memory = entry->second;
  if (is_new) memory.number = ++numbered_;
  memory.initialised = seen != Seen::inside || (memory.initialised && storage.nbytes() <= memory.bytes);
  memory.bytes = storage.nbytes();
  return memory;
}

void Values::belongs_to(const at::Tensor& tensor, std::uint32_t module) {
  if (storage_of(tensor) == nullptr) return;
  auto& memory = memory_of(tensor, Seen::given);
  if (memory.module == 0) memory.module = module;
}

std::uint32_t Values::module_of(std::span<const c10::IValue> values) const {
  for (const auto& value : values) {
    if (value.isTensorList()) {
      if (const auto module = module_of(span_of(value.toListRef()))) return module;
    }
    if (!value.isTensor()) continue;
    const auto memory = memories_.find(storage_of(value.toTensor()));
    if (memory != memories_.end() && memory->second.module != 0) return memory->second.module;
  }
  return 0;
}

}  // namespace torchbook::trace
