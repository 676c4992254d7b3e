#include <ATen/core/ivalue.h>  // first, because clang cannot read LibTorch 1.13 otherwise
#include <caffe2/serialize/inline_container.h>
#include <torch/types.h>
#include <torchbook/training/checkpoint.h>
#include <torchbook/training/input_file.h>
#include <torchbook/training/output_file.h>
#include <torchbook/training/pickler.h>
#include <torchbook/training/python_values.h>
#include <torchbook/training/safetensors.h>
#include <torchbook/training/unpickler.h>
#include <torchbook/training/values.h>
#include <torchbook/training/zip_directory.h>

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace torchbook {
namespace training {
namespace {

using namespace std::string_view_literals;

c10::IValue load_zip(InputFile& file) {
  const auto records = zip_records(file);
  const auto pickle = records.find("data.pkl"sv);
  if (records.contains("constants.pkl"sv))
    throw std::runtime_error("it is a TorchScript archive; torch::jit::load or torch::load reads it");
  if (pickle == records.end()) throw std::runtime_error("it is a zip file, but not of torch.save");
  if (const auto order = records.find("byteorder"sv); order != records.end()) {
    if (file.bytes(order->second.offset, order->second.size) != "little")
      throw std::runtime_error("it was written by a big-endian machine");
  }
  const auto bytes = file.bytes(pickle->second.offset, pickle->second.size);
  Unpickler unpickler(bytes);
  const auto value = unpickler.load();
  return ValueBuilder(file, records, "data/").build(value);
}

/// Throws unless the next pickles are those with which a file of torch.save without zip begins.
void read_preamble(Unpickler& unpickler) {
  constexpr auto magic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv;
  constexpr std::int64_t protocol = 1001;
  const auto first = unpickler.load();
  if (const auto* number = as(first, Kind::long_int); number == nullptr || number->text != magic)
    throw std::runtime_error("it is a pickle, but not of torch.save");
  if (unpickler.load() != PickleValue(protocol)) damaged("its pickle");
  const auto machine = unpickler.load();
  const auto* dict = as(machine, Kind::dict);
  for (std::size_t i = 0; dict != nullptr && i < dict->items.size(); i += 2) {
    if (const auto* key = as(dict->items[i], Kind::text);
        key != nullptr && key->text == "little_endian" && dict->items[i + 1] == PickleValue(false))
      throw std::runtime_error("it was written by a big-endian machine");
  }
}

/// Returns the places of storages that begin at an offset: a number of elements and the data, in the order of
/// `keys`.
Records storages_at(std::uint64_t offset, InputFile& file, const Node& keys, std::deque<Node>& nodes) {
  std::map<std::string, at::ScalarType> dtypes;
  for (auto& node : nodes) {
    if (node.kind != Kind::storage) continue;
    auto reference = storage_reference(&node);
    dtypes.emplace(std::move(reference.key), reference.dtype);
  }
  Records records;
  for (const auto& item : keys.items) {
    const auto* key = as(item, Kind::text);
    const auto dtype = key == nullptr ? dtypes.end() : dtypes.find(std::string(key->text));
    if (dtype == dtypes.end()) damaged("its list of storages");
    const auto elements = little_endian<std::uint64_t>(file.bytes(offset, sizeof(std::uint64_t)));
    offset += sizeof elements;
    const auto element_size = c10::elementSize(dtype->second);
    if (elements > (file.size() - offset) / element_size) damaged("its list of storages");
    records[dtype->first] = {offset, elements * element_size};
    offset += elements * element_size;
  }
  return records;
}

/// Loads a file of torch.save without zip that begins with `bytes`. Throws CutOff if its pickles are longer.
c10::IValue load_pickles(InputFile& file, std::string_view bytes) {
  Unpickler unpickler(bytes);
  read_preamble(unpickler);
  const auto value = unpickler.load();
  const auto list = unpickler.load();
  const auto* keys = as(list, Kind::list);
  if (keys == nullptr) damaged("its list of storages");
  const auto records = storages_at(unpickler.position(), file, *keys, unpickler.nodes());
  return ValueBuilder(file, records, "").build(value);
}

c10::IValue load_pickles(InputFile& file) {
  // The data follow the pickles, whose length is not in the file.
  for (std::uint64_t size = 1 << 20;; size *= 8) {
    try {
      return load_pickles(file, file.bytes(0, std::min(size, file.size())));
    } catch (const CutOff&) {
      if (size >= file.size()) throw;
    }
  }
}

c10::IValue load_file(InputFile& file) {
  const auto start = file.bytes(0, std::min<std::uint64_t>(file.size(), 4));
  if (start == "PK\3\4"sv) return load_zip(file);
  if (start.starts_with('\x80')) return load_pickles(file);
  return read_safetensors(file);
}

void write_zip(const Pickler& pickler, OutputFile& file) {
  // The writer's destructor ends the program if a write fails, so the writer does not learn of failures.
  caffe2::serialize::PyTorchStreamWriter writer([&](const void* bytes, std::size_t count) {
    file.write(bytes, count);
    return count;
  });
  // Data come first, as in LibTorch's own archives: one large tensor then lies in the pages of the file as in
  // those of memory, and is read in four fifths of the time.
  for (std::size_t i = 0; i < pickler.storages().size(); ++i) {
    const auto& storage = pickler.storages()[i];
    const auto size = static_cast<std::int64_t>(storage.nbytes());
    const auto bytes =
        at::empty({0}, at::device(storage.device()).dtype(at::kByte)).set_(storage, 0, {size}, {1}).cpu();
    writer.writeRecord("data/" + std::to_string(i), bytes.data_ptr(), bytes.nbytes());
  }
  writer.writeRecord("data.pkl", pickler.pickle().data(), pickler.pickle().size());
  constexpr auto order = "little"sv;
  writer.writeRecord("byteorder", order.data(), order.size());
  writer.writeEndOfFile();
}

}  // namespace
}  // namespace training

inline namespace v1 {

c10::IValue dict(std::initializer_list<std::pair<std::string, c10::IValue>> items) {
  auto made = training::new_dict();
  for (const auto& [key, value] : items) made.insert_or_assign(key, value);
  return made;
}

c10::IValue load(const std::filesystem::path& path) {
  return training::with_place(path.string(), [&] {
    training::InputFile file(path);
    return training::load_file(file);
  });
}

void save(const c10::IValue& value, const std::filesystem::path& path) {
  training::with_place(path.string(), [&] {
    const training::Pickler pickler(value);
    training::OutputFile file(path);
    training::write_zip(pickler, file);
    file.close();
  });
}

void save_safetensors(const c10::Dict<std::string, at::Tensor>& tensors, const std::filesystem::path& path) {
  training::with_place(path.string(), [&] {
    training::OutputFile file(path);
    training::write_safetensors(tensors, file);
    file.close();
  });
}

}  // namespace v1
}  // namespace torchbook
