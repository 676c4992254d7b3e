#include <ATen/core/ivalue.h>  // first, because clang cannot read LibTorch 1.13 otherwise
#include <torch/types.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/training/pickler.h>
#include <torchbook/training/python_values.h>
#include <torchbook/training/safetensors.h>
#include <torchbook/training/values.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace torchbook::training {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t longest_header = 100'000'000;

// The format's names of dtypes, and LibTorch's.
constexpr std::pair<std::string_view, std::string_view> dtypes[] = {{"F64", "Double"},
                                                                    {"F32", "Float"},
                                                                    {"F16", "Half"},
                                                                    {"BF16", "BFloat16"},
                                                                    {"I64", "Long"},
                                                                    {"I32", "Int"},
                                                                    {"I16", "Short"},
                                                                    {"I8", "Char"},
                                                                    {"U8", "Byte"},
                                                                    {"BOOL", "Bool"},
                                                                    {"U16", "UInt16"},
                                                                    {"U32", "UInt32"},
                                                                    {"U64", "UInt64"},
                                                                    {"F8_E4M3", "Float8_e4m3fn"},
                                                                    {"F8_E5M2", "Float8_e5m2"},
                                                                    {"C64", "ComplexFloat"}};

/// What the header has of a tensor.
struct Entry {
  std::string name;
  at::ScalarType dtype;
  std::vector<std::int64_t> sizes;
  std::uint64_t begin, end;
};

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error("its tensor " + pyrepr::repr(name) + " " + why);
}

std::vector<std::int64_t> numbers(const Json& json, const char* key, const std::string& name) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) refuse(name, std::string("has no list ") + key);
  std::vector<std::int64_t> numbers;
  for (const auto& number : *found) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > std::uint64_t{1} << 62)
      refuse(name, std::string("has a wrong number in ") + key);
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

at::ScalarType dtype_in(const Json& json, const std::string& name) {
  const auto found = json.find("dtype");
  if (found == json.end() || !found->is_string()) refuse(name, "has no dtype");
  const auto text = found->get<std::string>();
  for (const auto& [theirs, ours] : dtypes) {
    if (text != theirs) continue;
    if (const auto dtype = dtype_named(ours)) return *dtype;
  }
  refuse(name, "has the dtype " + pyrepr::repr(text) + ", which this LibTorch does not have");
}

Entry entry_of(const std::string& name, const Json& json) {
  if (!json.is_object()) refuse(name, "is not described");
  Entry entry{name, dtype_in(json, name), numbers(json, "shape", name), 0, 0};
  const auto offsets = numbers(json, "data_offsets", name);
  if (offsets.size() != 2 || offsets[0] > offsets[1]) refuse(name, "has a wrong number in data_offsets");
  entry.begin = static_cast<std::uint64_t>(offsets[0]);
  entry.end = static_cast<std::uint64_t>(offsets[1]);
  if (entry.sizes.size() > max_dimensions) refuse(name, "has more than 64 dimensions");
  const bool empty = std::find(entry.sizes.begin(), entry.sizes.end(), 0) != entry.sizes.end();
  const auto elements = elements_of(entry.sizes);
  std::int64_t bytes = 0;
  if (!elements || __builtin_mul_overflow(empty ? 0 : *elements, c10::elementSize(entry.dtype), &bytes) ||
      offsets[1] - offsets[0] != bytes)
    refuse(name, "has a shape that does not fit its data");
  return entry;
}

std::vector<Entry> entries_of(const std::string& header) {
  // What is deeper than the numbers of a shape is not kept, so that it takes no memory.
  const auto json = Json::parse(
      header, [](int depth, Json::parse_event_t, Json&) { return depth <= 3; },
      /*allow_exceptions=*/false);
  if (!json.is_object()) damaged("its header of JSON");
  std::vector<Entry> entries;
  for (const auto& [name, value] : json.items()) {
    if (name != "__metadata__") entries.push_back(entry_of(name, value));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  return entries;
}

}  // namespace

c10::IValue read_safetensors(InputFile& file) {
  const auto size = little_endian<std::uint64_t>(file.bytes(0, 8));
  if (size > longest_header) throw std::runtime_error("it is no file of torch.save, and no safetensors file");
  const auto entries = entries_of(file.bytes(8, size));
  const auto data = 8 + size;
  std::uint64_t next = 0;
  auto tensors = new_dict();
  for (const auto& entry : entries) {
    if (entry.begin != next) refuse(entry.name, "does not begin where another one ends");
    if (entry.end > file.size() - data) refuse(entry.name, "is cut off");
    next = entry.end;
    const auto tensor = at::empty(entry.sizes, entry.dtype);
    file.read(data + entry.begin, entry.end - entry.begin, tensor.data_ptr());
    tensors.insert(entry.name, tensor);
  }
  if (data + next != file.size()) throw std::runtime_error("it has data that are of no tensor");
  return tensors;
}

void write_safetensors(const c10::Dict<std::string, at::Tensor>& tensors, OutputFile& file) {
  std::vector<std::pair<std::string, at::Tensor>> sorted;
  for (const auto& item : tensors) sorted.emplace_back(item.key(), saved_tensor(item.value()));
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.element_size() > b.second.element_size();
  });
  auto header = Json::object();
  header["__metadata__"]["format"] = "pt";
  std::uint64_t end = 0;
  for (const auto& [name, tensor] : sorted) {
    const auto named = std::find_if(std::begin(dtypes), std::end(dtypes), [&type = tensor](const auto& each) {
      return each.second == at::toString(type.scalar_type());
    });
    if (named == std::end(dtypes) || name == "__metadata__")
      throw std::runtime_error("safetensors has no " + (named == std::end(dtypes)
                                                            ? pyrepr::repr(tensor.scalar_type())
                                                            : "tensor of the name " + name));
    const auto begin = end;
    end += tensor.numel() * tensor.element_size();
    header[name] = {{"dtype", named->first}, {"shape", tensor.sizes().vec()}, {"data_offsets", {begin, end}}};
  }
  auto text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // aligns the data
  const std::uint64_t size = text.size();
  file.write(&size, sizeof size);
  file.write(text.data(), text.size());
  for (const auto& [name, tensor] : sorted) {
    const auto dense = tensor.contiguous().cpu();
    file.write(dense.data_ptr(), dense.nbytes());
  }
}

}  // namespace torchbook::training
