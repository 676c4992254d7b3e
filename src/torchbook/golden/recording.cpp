// Reads recordings and the bits in them.
#include <fmt/format.h>
#include <torchbook/golden/element.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/golden/mismatch.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/cells/label.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace torchbook::golden {
namespace {

constexpr std::size_t most_digits = 32;  // of an element: 16 bytes, a complex128 as one number

/// Appends the bytes of a hexadecimal number in little-endian order, as in memory. Returns false if
/// it is no such number.
bool append_number(std::string& bytes, std::string_view number) {
  for (auto end = number.size(); end > 0; end -= 2) {
    const char* const first = number.data() + end - 2;
    unsigned char byte = 0;
    const auto [rest, error] = std::from_chars(first, first + 2, byte, 16);
    if (error != std::errc() || rest != first + 2) return false;
    bytes.push_back(static_cast<char>(byte));
  }
  return true;
}

bool is_dtype(std::string_view name) {
  constexpr std::string_view prefix = "torch.";
  constexpr std::size_t longest = 40;
  return name.starts_with(prefix) && name.size() > prefix.size() && name.size() <= longest &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", prefix.size()) == name.npos;
}

/// Returns how many elements a tensor of that shape has.
std::size_t count_of(const JsonObject& json, const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto length : shape) {
    if (__builtin_mul_overflow(count, length, &count)) {
      json.fail(fmt::format("no tensor has the shape {}", shape_text(shape)));
    }
  }
  return static_cast<std::size_t>(count);
}

/// Reads hexadecimal numbers of `digits` digits each, with spaces between them. Returns how many there are.
std::size_t append_bits(const JsonObject& json, std::string& bytes, std::string_view bits,
                        std::size_t digits) {
  std::size_t count = 0;
  for (std::size_t start = 0; start < bits.size() || (start == bits.size() && start != 0);) {
    const auto end = std::min(bits.find(' ', start), bits.size());
    const auto number = bits.substr(start, end - start);
    ++count;
    if (number.size() != digits || !append_number(bytes, number)) {
      json.fail(fmt::format("number {} of its \"bits\" must have {} hexadecimal digits", count, digits));
    }
    start = end + 1;
  }
  return count;
}

notebook::RecordedTensor tensor_of(const JsonObject& json) {
  notebook::RecordedTensor tensor{.dtype = json.text("dtype"), .shape = json.numbers("shape"), .bytes = {}};
  if (!is_dtype(tensor.dtype)) json.fail("\"dtype\" must be a name such as torch.float32");
  const auto elements = count_of(json, tensor.shape);
  const auto format = element_format(tensor.dtype);
  const std::string bits = json.text("bits");
  auto digits = 2 * static_cast<std::size_t>(format.part.bytes);
  if (format.kind == ElementKind::other) {  // a dtype of a newer PyTorch
    digits = std::min(bits.find(' '), bits.size());
    if (digits % 2 != 0 || digits > most_digits) {
      json.fail(fmt::format("the first number of its \"bits\" must have 2, 4, … or {} digits", most_digits));
    }
  }
  const auto numbers = append_bits(json, tensor.bytes, bits, digits);
  const auto wanted = format.kind == ElementKind::complex ? 2 * elements : elements;
  const bool other_complex = format.kind == ElementKind::other && numbers == 2 * elements;
  if (numbers != wanted && !other_complex) {
    json.fail(fmt::format("its \"bits\" are {} numbers; a {} of shape {} has {}", numbers, tensor.dtype,
                          shape_text(tensor.shape), wanted));
  }
  return tensor;
}

AssignedShape shape_of(const JsonObject& json) {
  constexpr auto most = std::numeric_limits<int>::max();
  return {.line = static_cast<int>(json.number("line", most)),
          .column = static_cast<int>(json.number("column", most)),
          .name = json.text("name"),
          .shape = json.numbers("shape")};
}

GoldenCell cell_of(const Json& value, std::size_t position) {
  GoldenCell cell;
  cell.position = position;
  const JsonObject unnamed(value, fmt::format("cell @{}", position));
  cell.label = unnamed.text("label");
  if (!notebook::is_label(cell.label)) unnamed.fail(std::string(notebook::label_rule));
  const JsonObject json(value, fmt::format("cell In [{}] (@{})", cell.label, position));
  cell.out = json.text("stdout");
  cell.result = json.text_or_null("result");
  cell.tensors.emplace();
  for (const auto& tensor : json.list("tensors")) {
    const auto place = fmt::format("{}, tensor {}", json.place(), cell.tensors->size() + 1);
    cell.tensors->push_back(tensor_of(JsonObject(tensor, place)));
  }
  if (value.contains("shapes")) {
    for (const auto& shape : json.list("shapes"))
      cell.shapes.push_back(shape_of(JsonObject(shape, json.place())));
  }
  cell.missing = json.text_if_any("missing");
  cell.error = json.text_if_any("error");
  cell.raised_line = static_cast<int>(json.number_or("raised", std::numeric_limits<int>::max(), 0));
  cell.ran = json.truth_or("ran", true);
  return cell;
}

trace::Fingerprint fingerprint_of(const JsonObject& json) {
  return {.torch = json.text("torch"),
          .build = json.text("build"),
          .cpu_capability = json.text("cpu_capability"),
          .onednn = static_cast<int>(json.number_or("onednn", std::numeric_limits<int>::max(), 0)),
          .blas = json.text("blas"),
          .threads = static_cast<int>(json.number("threads", std::numeric_limits<int>::max())),
          .compiler = json.text("compiler")};
}

Recording recording_of(const JsonObject& json) {
  Recording recording;
  recording.golden.slug = json.text("notebook");
  recording.golden.bits_decide = true;
  for (const auto& cell : json.list("cells")) {
    recording.golden.cells.push_back(cell_of(cell, recording.golden.cells.size() + 1));
  }
  recording.fingerprint = fingerprint_of(JsonObject(json.field("fingerprint"), "its \"fingerprint\""));
  recording.golden.document = recording.fingerprint.torch;
  recording.restored_errors = json.texts_if_any("restored_errors");
  return recording;
}

/// Parses the JSON of a recording. An error also says which command writes recordings.
Json json_of(std::string_view text) try { return parse_json(text); } catch (const GoldenError& error) {
  throw GoldenError(error.line,
                    fmt::format("{} (torchbook compare --record DIR writes recordings)", error.what()));
}

}  // namespace

void add_bits(Golden& golden, const Recording& recording) {
  if (golden.cells.size() != recording.golden.cells.size()) return;
  for (std::size_t i = 0; i < golden.cells.size(); ++i)
    golden.cells[i].tensors = recording.golden.cells[i].tensors;
}

Recording parse_recording(std::string_view text) {
  const Json json = json_of(text);
  return recording_of(JsonObject(json, ""));
}

}  // namespace torchbook::golden
