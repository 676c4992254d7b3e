// Reads and writes files of torch.save with a dict of values.
#include <fmt/format.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torchbook/notebook/carried.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace torchbook::notebook {
namespace {

using GenericDict = c10::impl::GenericDict;

GenericDict new_dict() { return GenericDict(c10::AnyType::get(), c10::AnyType::get()); }

}  // namespace

std::int64_t hash_of_python(std::span<const std::string_view> cells) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 1099511628211ULL; };
  for (const auto cell : cells) {
    for (const char byte : cell) add(static_cast<unsigned char>(byte));
    add(0);
  }
  return static_cast<std::int64_t>(hash);
}

std::vector<char> saved(const c10::IValue& value) {
  std::vector<char> pickled, file;
  torch::jit::Pickler pickler(
      [&](const char* data, std::size_t size) { pickled.insert(pickled.end(), data, data + size); }, nullptr,
      nullptr, nullptr, nullptr, /*tag_aggregates=*/false);
  pickler.protocol();
  pickler.pushIValue(value);
  pickler.stop();
  caffe2::serialize::PyTorchStreamWriter writer([&](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    file.insert(file.end(), bytes, bytes + size);
    return size;
  });
  writer.writeRecord("data.pkl", pickled.data(), pickled.size());
  for (std::size_t i = 0; i < pickler.tensorData().size(); ++i) {
    const auto bits = torch::jit::getWriteableTensorData(pickler.tensorData()[i]);
    writer.writeRecord("data/" + std::to_string(i), bits.data(), bits.sizeInBytes());
  }
  writer.writeEndOfFile();
  return file;
}

std::string carried_file(const CarriedValues& carried, std::int64_t python) {
  auto values = new_dict();
  for (const auto& [key, value] : carried.values) values.insert(key, value);
  auto generators = new_dict();
  for (const auto& [key, state] : carried.generators) generators.insert(key, state);
  auto whole = new_dict();
  whole.insert("python", python);
  whole.insert("values", values);
  whole.insert("generators", generators);
  const auto bytes = saved(whole);
  return {bytes.begin(), bytes.end()};
}

std::map<std::string, at::Tensor> tensors_in(std::string_view file) {
  try {
    std::map<std::string, at::Tensor> tensors;
    for (const auto& item : torch::jit::pickle_load({file.begin(), file.end()}).toGenericDict())
      tensors.emplace(item.key().toStringRef(), item.value().toTensor());
    return tensors;
  } catch (const std::exception&) {  // c10::Error has a text of many lines
    throw std::runtime_error("LibTorch cannot read the tensors that Python left");
  }
}

void Carried::fail(std::string_view what) const {
  throw std::runtime_error(fmt::format("{} {}; torchbook carry SLUG writes it anew",
                                       file_.empty() ? "the file of carried values" : file_, what));
}

void Carried::read() {
  if (!whole_.isNone()) return;
  std::error_code none;
  if (file_.empty() || !std::filesystem::is_regular_file(file_, none)) fail("is missing");
  std::ifstream stream(file_, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
  std::vector<std::string_view> cells;
  for (const auto& entry : table_) cells.push_back(entry.twin);
  c10::IValue whole;
  std::int64_t python = 0;
  try {
    whole = torch::jit::pickle_load(bytes);
    python = whole.toGenericDict().at("python").toInt();
  } catch (const std::exception&) {
    fail("cannot be read");
  }
  if (python != hash_of_python(cells)) fail("was made by other Python");
  whole_ = std::move(whole);
}

c10::IValue Carried::part(const char* of, const std::string& key) {
  read();
  const auto dict = whole_.toGenericDict().at(of).toGenericDict();
  if (!dict.contains(key)) fail(fmt::format("lacks {}", key));
  return dict.at(key);
}

c10::IValue Carried::value(std::size_t position, std::string_view name) {
  return part("values", fmt::format("{}/{}", position, name));
}

at::Tensor Carried::generator(std::size_t position) {
  return part("generators", std::to_string(position)).toTensor();
}

}  // namespace torchbook::notebook
