// Reads the cases of the differential test.
#include "case.h"

#include <ATen/ATen.h>

#include <cstring>
#include <stdexcept>

namespace torchbook::differential {
namespace {

/// Takes values off the front of a file's bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T value() {
    T result{};
    std::memcpy(&result, take(sizeof result).data(), sizeof result);
    return result;
  }
  std::int64_t integer() { return value<std::int64_t>(); }
  std::string_view text() { return take(static_cast<std::size_t>(integer())); }

  template <class T>
  std::vector<T> values() {
    std::vector<T> result(static_cast<std::size_t>(integer()));
    for (auto& each : result) each = value<T>();
    return result;
  }
  Integers integers() { return values<std::int64_t>(); }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("the file of cases is cut off");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

at::Tensor read_tensor(Reader& reader) {
  const auto dtype = static_cast<at::ScalarType>(reader.integer());
  const std::int64_t offset = reader.integer();
  const Integers sizes = reader.integers();
  const Integers strides = reader.integers();
  const std::string_view data = reader.text();
  const auto count = static_cast<std::int64_t>(data.size() / c10::elementSize(dtype));
  const at::Tensor storage = at::empty({count}, dtype);
  if (!data.empty()) std::memcpy(storage.data_ptr(), data.data(), data.size());
  return storage.as_strided(sizes, strides, offset);
}

Node read_node(Reader& reader) {
  Node node;
  node.tag = reader.text();
  node.name = reader.text();
  node.text = reader.text();
  node.integers = reader.integers();
  node.reals = reader.values<double>();
  const auto children = reader.integer();
  for (std::int64_t i = 0; i < children; ++i) node.children.push_back(read_node(reader));
  return node;
}

Case read_case(Reader& reader) {
  Case result;
  result.kind = reader.text();
  result.options.precision = static_cast<int>(reader.integer());
  result.options.threshold = reader.integer();
  result.options.edgeitems = reader.integer();
  result.options.linewidth = reader.integer();
  if (const auto sci_mode = reader.integer(); sci_mode >= 0) result.options.sci_mode = sci_mode != 0;
  result.default_dtype = static_cast<at::ScalarType>(reader.integer());
  const auto tensors = reader.integer();
  for (std::int64_t i = 0; i < tensors; ++i) result.tensors.push_back(read_tensor(reader));
  result.integers = reader.integers();
  result.real = reader.value<double>();
  result.text = reader.text();
  const auto trees = reader.integer();
  for (std::int64_t i = 0; i < trees; ++i) result.trees.push_back(read_node(reader));
  return result;
}

}  // namespace

Case Cases::take() {
  Reader reader(bytes_);
  Case taken = read_case(reader);
  bytes_ = reader.rest();
  return taken;
}

}  // namespace torchbook::differential
