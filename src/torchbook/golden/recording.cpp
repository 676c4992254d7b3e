// Reads recordings and the bits in them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/golden/recording.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace torchbook::golden {
namespace {

using Json = nlohmann::json;

/// Appends the bytes of a hexadecimal number, the last byte first, as they lie in memory.
void append_element(std::string& bytes, std::string_view number) {
  if (number.empty() || number.size() % 2 != 0)
    throw GoldenError(0, fmt::format("'{}' is no element", number));
  for (auto end = number.size(); end > 0; end -= 2) {
    const char* const first = number.data() + end - 2;
    unsigned char byte = 0;
    const auto [rest, error] = std::from_chars(first, first + 2, byte, 16);
    if (error != std::errc() || rest != first + 2) {
      throw GoldenError(0, fmt::format("'{}' is no element", number));
    }
    bytes.push_back(static_cast<char>(byte));
  }
}

std::vector<std::int64_t> shape_of(const Json& json) {
  std::vector<std::int64_t> shape;
  for (const auto& length : json) {
    if (!length.is_number_unsigned()) throw GoldenError(0, fmt::format("{} is no shape", json.dump()));
    shape.push_back(length);
  }
  return shape;
}

/// Returns how many elements a tensor of that shape has. Throws GoldenError if their number overflows.
std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto length : shape) {
    if (__builtin_mul_overflow(count, length, &count)) {
      throw GoldenError(0, fmt::format("no tensor has the shape [{}]", fmt::join(shape, ", ")));
    }
  }
  return count;
}

notebook::RecordedTensor tensor_of(const Json& json) {
  notebook::RecordedTensor tensor{
      .dtype = json.at("dtype"), .shape = shape_of(json.at("shape")), .bytes = {}};
  const std::string bits = json.at("bits");
  const auto digits = std::min(bits.find(' '), bits.size());
  std::int64_t elements = 0;
  for (std::size_t start = 0; start < bits.size(); ++elements) {
    const auto end = std::min(bits.find(' ', start), bits.size());
    const auto element = std::string_view(bits).substr(start, end - start);
    append_element(tensor.bytes, element);
    if (element.size() != digits)
      throw GoldenError(0, fmt::format("'{}' is not as long as the others", element));
    start = end + 1;
  }
  const auto count = count_of(tensor.shape);
  if (elements != count && (count > elements || elements != 2 * count)) {
    throw GoldenError(0, fmt::format("a tensor of {} elements has the bits of {}", count, elements));
  }
  return tensor;
}

GoldenCell cell_of(const Json& json, std::size_t position) {
  GoldenCell cell;
  cell.position = position;
  cell.label = json.at("label");
  cell.out = json.at("stdout");
  if (const auto& result = json.at("result"); !result.is_null()) cell.result = result.get<std::string>();
  cell.tensors.emplace();
  for (const auto& tensor : json.at("tensors")) cell.tensors->push_back(tensor_of(tensor));
  if (json.contains("error")) cell.error = json.at("error");
  cell.ran = json.value("ran", true);
  return cell;
}

notebook::Fingerprint fingerprint_of(const Json& json) {
  return {.torch = json.at("torch"),
          .build = json.at("build"),
          .cpu_capability = json.at("cpu_capability"),
          .blas = json.at("blas"),
          .threads = json.at("threads"),
          .compiler = json.at("compiler")};
}

Recording recording_of(const Json& json) {
  Recording recording;
  recording.fingerprint = fingerprint_of(json.at("fingerprint"));
  recording.golden.slug = json.at("notebook");
  recording.golden.document = recording.fingerprint.torch;
  recording.golden.bits_decide = true;
  for (const auto& cell : json.at("cells")) {
    recording.golden.cells.push_back(cell_of(cell, recording.golden.cells.size() + 1));
  }
  recording.restored_errors = json.value("restored_errors", recording.restored_errors);
  return recording;
}

}  // namespace

void add_bits(Golden& golden, const Recording& recording) {
  if (golden.cells.size() != recording.golden.cells.size()) return;
  for (std::size_t i = 0; i < golden.cells.size(); ++i)
    golden.cells[i].tensors = recording.golden.cells[i].tensors;
}

Recording parse_recording(std::string_view json) {
  try {
    return recording_of(Json::parse(json));
  } catch (const Json::exception& error) {
    throw GoldenError(0, fmt::format("it is no recording of a twin: {}", error.what()));
  }
}

}  // namespace torchbook::golden
