// Reads recordings and the bits in them.
#include <fmt/format.h>
#include <torchbook/golden/element.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/golden/recording.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace torchbook::golden {
namespace {

constexpr std::size_t most_digits = 32;  // of an element: 16 bytes, a complex128 as one number

/// Calls `read`. A GoldenError that it throws gets the place before its text.
void in_place(const std::string& place, const auto& read) {
  try {
    read();
  } catch (const GoldenError& error) {
    throw GoldenError(error.line, fmt::format("{}: {}", place, error.what()));
  }
}

static_assert(std::endian::native == std::endian::little,
              "bits are appended in the order of little-endian memory");

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

/// Returns how many elements a tensor of that shape has.
std::size_t count_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto length : shape) {
    if (length < 0 || __builtin_mul_overflow(count, length, &count))
      throw GoldenError(0, fmt::format("no tensor has the shape {}", shape_text(shape)));
  }
  return static_cast<std::size_t>(count);
}

/// Reads hexadecimal numbers of `digits` digits each, with spaces between them. Returns how many there are.
std::size_t append_bits(std::string& bytes, std::string_view bits, std::size_t digits) {
  std::size_t count = 0;
  for (std::size_t start = 0; start < bits.size() || (start == bits.size() && start != 0);) {
    const auto end = std::min(bits.find(' ', start), bits.size());
    const auto number = bits.substr(start, end - start);
    ++count;
    if (number.size() != digits || !append_number(bytes, number)) {
      throw GoldenError(
          0, fmt::format("number {} of its \"bits\" must have {} hexadecimal digits", count, digits));
    }
    start = end + 1;
  }
  return count;
}

notebook::RecordedTensor tensor_of(const Json& json) {
  notebook::RecordedTensor tensor{.dtype = field<std::string>(json, "dtype"),
                                  .shape = field<std::vector<std::int64_t>>(json, "shape"),
                                  .bytes = {}};
  const auto elements = count_of(tensor.shape);
  const auto format = element_format(tensor.dtype);
  const auto bits = field<std::string>(json, "bits");
  auto digits = 2 * static_cast<std::size_t>(format.part.bytes);
  if (format.kind == ElementKind::other) {  // a dtype of a newer PyTorch
    digits = std::min(bits.find(' '), bits.size());
    if (digits % 2 != 0 || digits > most_digits) {
      throw GoldenError(
          0, fmt::format("the first number of its \"bits\" must have 2, 4, … or {} digits", most_digits));
    }
  }
  const auto numbers = append_bits(tensor.bytes, bits, digits);
  const auto wanted = format.kind == ElementKind::complex ? 2 * elements : elements;
  const bool other_complex = format.kind == ElementKind::other && numbers == 2 * elements;
  if (numbers != wanted && !other_complex) {
    throw GoldenError(0, fmt::format("its \"bits\" are {} numbers; a {} of shape {} has {}", numbers,
                                     tensor.dtype, shape_text(tensor.shape), wanted));
  }
  return tensor;
}

/// Returns whether a result is a plot object, whose text contains an address.
bool is_of_picture(const std::string& result) {
  return result.find("<matplotlib.") != result.npos || result.starts_with("<Figure size");
}

GoldenCell cell_of(const Json& json, std::size_t position) {
  GoldenCell cell;
  cell.position = position;
  cell.label = field<std::string>(json, "label");
  cell.out = field<std::string>(json, "stdout");
  cell.result = text_if_any(json, "result");
  cell.draws = cell.result && is_of_picture(*cell.result);
  if (cell.draws) cell.result.reset();
  cell.tensors.emplace();
  for (const auto& tensor : part_of(json, "tensors")) {
    in_place(fmt::format("tensor {}", cell.tensors->size() + 1),
             [&] { cell.tensors->push_back(tensor_of(tensor)); });
  }
  for (const auto& shape : field_or(json, "shapes", Json::array())) {
    cell.shapes.push_back({.line = field<int>(shape, "line"),
                           .column = field<int>(shape, "column"),
                           .name = field<std::string>(shape, "name"),
                           .shape = field<std::vector<std::int64_t>>(shape, "shape")});
  }
  cell.missing = text_if_any(json, "missing");
  cell.error = text_if_any(json, "error");
  cell.raised_line = field_or(json, "raised", 0);
  cell.ran = field_or(json, "ran", true);
  return cell;
}

notebook::Fingerprint fingerprint_of(const Json& json) {
  return {.torch = field<std::string>(json, "torch"),
          .build = field<std::string>(json, "build"),
          .cpu_capability = field<std::string>(json, "cpu_capability"),
          .onednn = field_or(json, "onednn", 0),
          .blas = field<std::string>(json, "blas"),
          .threads = field<int>(json, "threads"),
          .compiler = field<std::string>(json, "compiler"),
          .library = field_or(json, "library", std::string())};
}

/// Returns the cells of a whole recording.
std::vector<GoldenCell> cells_of(const Json& json) {
  std::vector<GoldenCell> cells;
  for (const auto& cell : part_of(json, "cells")) {
    const auto position = cells.size() + 1;
    in_place(fmt::format("cell @{}", position), [&] { cells.push_back(cell_of(cell, position)); });
  }
  return cells;
}

/// Returns the cells of `base`, with those of a partial recording in their places.
std::vector<GoldenCell> completed_cells(const Json& json, const RecordingFile& base) {
  const auto name = field<std::string>(json, "differs_from");
  if (base.text.empty())
    throw GoldenError(0, fmt::format("it has only what differs from {}; here it must be whole", name));
  if (name != base.name)
    throw GoldenError(0, fmt::format("\"differs_from\" is {}; it must be {}", name, base.name));
  auto cells = parse_recording(base.text).golden.cells;
  std::size_t last = 0;
  for (const auto& cell : part_of(json, "cells")) {
    const auto position = field<std::size_t>(cell, "position");
    if (position == 0 || position > cells.size()) {
      throw GoldenError(
          0, fmt::format("there is no cell @{}; {} has {} cells", position, base.name, cells.size()));
    }
    if (position <= last)
      throw GoldenError(0, fmt::format("cell @{} follows cell @{}; positions must increase", position, last));
    in_place(fmt::format("cell @{}", position), [&] { cells[position - 1] = cell_of(cell, position); });
    last = position;
  }
  return cells;
}

Recording recording_of(const Json& json, const RecordingFile& base) {
  Recording recording;
  recording.golden.slug = field<std::string>(json, "notebook");
  recording.golden.cells = json.contains("differs_from") ? completed_cells(json, base) : cells_of(json);
  recording.fingerprint = fingerprint_of(part_of(json, "fingerprint"));
  recording.golden.document = recording.fingerprint.torch;
  recording.depends_on = field_or(json, "depends_on", std::vector<std::string>());
  recording.restored_errors = field_or(json, "restored_errors", std::vector<std::string>());
  return recording;
}

/// Parses the JSON of a recording. An error also says which command writes recordings.
Json json_of(std::string_view text) try { return parse_json(text); } catch (const GoldenError& error) {
  throw GoldenError(error.line, fmt::format("{} (compare --record DIR writes recordings)", error.what()));
}

}  // namespace

void add_tensors(Golden& golden, const Recording& recording) {
  if (golden.cells.size() != recording.golden.cells.size()) return;
  for (std::size_t i = 0; i < golden.cells.size(); ++i) {
    auto& cell = golden.cells[i];
    const auto& recorded = recording.golden.cells[i];
    const bool same = recorded.out == cell.out && recorded.result == cell.result;
    if (same && recorded.ran && !recorded.error) cell.tensors = recorded.tensors;
  }
}

Recording parse_recording(std::string_view text, const RecordingFile& base) {
  return recording_of(json_of(text), base);
}

}  // namespace torchbook::golden
