#include <ATen/core/ivalue.h>  // first, because clang cannot read LibTorch 1.13 otherwise
#include <torch/types.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/pyrepr/utf8.h>
#include <torchbook/training/pickler.h>
#include <torchbook/training/values.h>

#include <bit>
#include <stdexcept>

namespace torchbook::training {
namespace {

/// Whether Python has a class of storages for a dtype. It has none for those since PyTorch 2.1.
bool has_storage_class(at::ScalarType dtype) {
  switch (dtype) {
    case at::kByte:
    case at::kChar:
    case at::kShort:
    case at::kInt:
    case at::kLong:
    case at::kHalf:
    case at::kFloat:
    case at::kDouble:
    case at::kComplexFloat:
    case at::kComplexDouble:
    case at::kBool:
    case at::kBFloat16:
      return true;
    default:
      return false;
  }
}

}  // namespace

at::Tensor saved_tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) throw std::runtime_error("an undefined tensor cannot be saved");
  const auto refuse = [](const std::string& kind) {
    throw std::runtime_error("a tensor that is " + kind + " cannot be saved; save a dense one of its values");
  };
  if (tensor.layout() != at::kStrided) refuse(pyrepr::repr(tensor.layout()));
  if (tensor.is_quantized()) refuse("quantized");
  if (tensor.is_meta() || !tensor.has_storage()) refuse("without data");
  auto resolved = tensor.resolve_conj().resolve_neg();
  if (resolved.storage().nbytes() > 0 && resolved.storage().data() == nullptr) refuse("without data");
  return resolved;
}

Pickler::Pickler(const c10::IValue& value) {
  pickle_ = "\x80\x02";
  write(value, 0);
  pickle_ += '.';
}

void Pickler::write_little_endian(std::uint64_t bits, std::size_t bytes) {
  for (; bytes > 0; --bytes, bits >>= 8) pickle_ += static_cast<char>(bits & 0xFF);
}

void Pickler::write_int(std::int64_t value) {
  const bool fits = value == static_cast<std::int32_t>(value);
  pickle_ += fits ? "J" : "\x8A\x08";
  write_little_endian(static_cast<std::uint64_t>(value), fits ? 4 : 8);
}

void Pickler::write_float(double value) {
  pickle_ += 'G';
  write_little_endian(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)), 8);
}

void Pickler::write_text(std::string_view text) {
  if (text.size() > 0xFFFFFFFF) throw std::runtime_error("a str of more than 4 GiB cannot be saved");
  for (auto rest = text; !rest.empty();) {
    const auto [code, length] = pyrepr::detail::first_character(rest);
    if (length == 1 && code > 0x7F)
      throw std::runtime_error("a str that is not UTF-8 cannot be saved: " + pyrepr::repr(text));
    rest.remove_prefix(length);
  }
  pickle_ += 'X';
  write_little_endian(text.size(), 4);
  pickle_ += text;
}

void Pickler::write_complex(c10::complex<double> value) {
  pickle_ += "c__builtin__\ncomplex\n";
  write_float(value.real());
  write_float(value.imag());
  pickle_ += "\x86R";
}

void Pickler::write_ints(at::IntArrayRef ints) {
  pickle_ += '(';
  for (const auto each : ints) write_int(each);
  pickle_ += 't';
}

/// Writes the fields by which torch.load finds the storage of a tensor.
void Pickler::write_storage(const at::Tensor& tensor) {
  const auto& storage = tensor.storage();
  const auto dtype = tensor.scalar_type();
  const auto [found, is_new] = storage_keys_.try_emplace(storage.unsafeGetStorageImpl(), storages_.size());
  if (is_new) {
    storages_.push_back(storage);
    dtypes_.push_back(dtype);
  } else if (dtypes_[found->second] != dtype) {
    throw std::runtime_error(
        "two tensors that share memory but have other dtypes cannot be saved; clone one of them");
  }
  const bool typed = has_storage_class(dtype);
  pickle_ += '(';
  write_text("storage");
  pickle_ += typed ? "ctorch\n" + std::string(at::toString(dtype)) + "Storage\n"
                   : "ctorch.storage\nUntypedStorage\n";
  write_text(std::to_string(found->second));
  write_text("cpu");
  write_int(static_cast<std::int64_t>(storage.nbytes() / (typed ? tensor.element_size() : 1)));
  pickle_ += "tQ";
}

void Pickler::write_tensor(const at::Tensor& value) {
  const auto& tensor = computed_.emplace_back(saved_tensor(value));
  const bool typed = has_storage_class(tensor.scalar_type());
  pickle_ += typed ? "ctorch._utils\n_rebuild_tensor_v2\n(" : "ctorch._utils\n_rebuild_tensor_v3\n(";
  write_storage(tensor);
  write_int(tensor.storage_offset());
  write_ints(tensor.sizes());
  write_ints(tensor.strides());
  pickle_ += value.requires_grad() ? "\x88" : "\x89";
  pickle_ += "ccollections\nOrderedDict\n)R";
  if (!typed) {
    const auto dtype = pyrepr::repr(tensor.scalar_type());
    pickle_ += "ctorch\n" + dtype.substr(dtype.find('.') + 1) + "\n";
  }
  pickle_ += "tR";
}

/// Writes a value that Python may refer to twice.
void Pickler::write_object(const c10::IValue& value, int depth) {
  const void* address = value.isTensor() ? value.toTensor().unsafeGetTensorImpl() : value.internalToPointer();
  if (const auto found = memo_.find(address); found != memo_.end()) {
    pickle_ += 'j';
    return write_little_endian(found->second, 4);
  }
  if (depth >= max_height)
    throw std::runtime_error("values that are nested more than 200 deep cannot be saved");
  const auto put = [&] {
    pickle_ += 'r';
    write_little_endian(memo_.try_emplace(address, static_cast<std::uint32_t>(memo_.size())).first->second,
                        4);
  };
  if (value.isTensor()) {
    write_tensor(value.toTensor());
    put();
  } else if (value.isTuple()) {
    pickle_ += '(';
    for (const auto& item : value.toTupleRef().elements()) write(item, depth + 1);
    pickle_ += 't';
    put();
  } else if (value.isList()) {
    pickle_ += ']';
    put();
    pickle_ += '(';
    for (const auto& item : value.toListRef()) write(item, depth + 1);
    pickle_ += 'e';
  } else {
    pickle_ += '}';
    put();
    pickle_ += '(';
    for (const auto& item : value.toGenericDict()) {
      write(item.key(), depth + 1);
      write(item.value(), depth + 1);
    }
    pickle_ += 'u';
  }
}

void Pickler::write(const c10::IValue& value, int depth) {
  if (value.isNone()) {
    pickle_ += 'N';
  } else if (value.isBool()) {
    pickle_ += value.toBool() ? "\x88" : "\x89";
  } else if (value.isInt()) {
    write_int(value.toInt());
  } else if (value.isDouble()) {
    write_float(value.toDouble());
  } else if (value.isComplexDouble()) {
    write_complex(value.toComplexDouble());
  } else if (value.isString()) {
    write_text(value.toStringRef());
  } else if (value.isDevice()) {
    pickle_ += "ctorch\ndevice\n";
    write_text(value.toDevice().str());
    pickle_ += "\x85R";
  } else if (value.isTensor() || value.isTuple() || value.isList() || value.isGenericDict()) {
    write_object(value, depth);
  } else {
    throw std::runtime_error("a value of the type " + value.tagKind() + " cannot be saved");
  }
}

}  // namespace torchbook::training
