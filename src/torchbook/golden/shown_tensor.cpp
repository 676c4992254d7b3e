// Compares recorded bits with printed digits.
#include <torchbook/golden/element.h>
#include <torchbook/golden/printed_number.h>
#include <torchbook/golden/shown_tensor.h>

#include <algorithm>
#include <optional>

namespace torchbook::golden {
namespace {

/// Limits how many printed tensors are tried for each recorded one. Without a limit, many tensors without a
/// match would take quadratic time.
constexpr std::size_t most_asked = 256;

bool says_part(std::string_view number, const char* at, const IeeeFormat& format) {
  return PrintedNumber(number).shows(float_value(load_bits(at, format.bytes), format));
}

/// Returns whether a word shows the element at `at`.
bool says(std::string_view word, const char* at, const ElementFormat& format) {
  const int bytes = format.part.bytes;
  if (format.kind == ElementKind::boolean) return word == (*at == 0 ? "False" : "True");
  const auto [parts, imaginary] = numbers_of_word(word);
  const bool complex = format.kind == ElementKind::complex;
  if (parts[0].empty() || parts[1].empty() == complex || imaginary != complex) return false;
  switch (format.kind) {
    case ElementKind::floating:
      return says_part(parts[0], at, format.part);
    case ElementKind::complex:
      return says_part(parts[0], at, format.part) && says_part(parts[1], at + bytes, format.part);
    case ElementKind::integer:
      return parts[0] == std::to_string(signed_value(load_bits(at, bytes), bytes));
    case ElementKind::natural:
      return parts[0] == std::to_string(load_bits(at, bytes));
    default:
      return false;
  }
}

/// An output of a cell, and the first of its printed tensors that is not matched yet.
struct Output {
  std::string_view where;
  Printed printed;
  std::size_t next = 0;

  std::optional<ShownTensor> take(const notebook::RecordedTensor& recorded) {
    const auto format = element_format(recorded.dtype);
    const auto count = element_count(recorded, format);
    const auto size = count == 0 ? 0 : recorded.bytes.size() / count;
    const auto is_shown = [&](const PrintedElement& element) {
      return says(piece(printed.text, element.range), recorded.bytes.data() + element.index * size, format);
    };
    // A tensor without dimensions may be formatted as a plain number. A later printed tensor could
    // match it by chance, so only the next one is tried.
    const std::size_t asked = recorded.shape.empty() ? 1 : most_asked;
    for (std::size_t i = next; i < std::min(printed.tensors.size(), next + asked); ++i) {
      auto elements = elements_of(printed, i, recorded.shape);
      const bool fits = elements && (count != 0 || elements->empty());
      if (!fits || !std::all_of(elements->begin(), elements->end(), is_shown)) continue;
      next = i + 1;
      return ShownTensor{.where = where, .number = next, .elements = std::move(*elements)};
    }
    return std::nullopt;
  }
};

}  // namespace

std::vector<ShownTensor> shown_tensors(const notebook::Cell& cell) {
  Output out{.where = "stdout", .printed = read_printed(cell.out)};
  Output result{.where = "result",
                .printed = read_printed(cell.result ? std::string_view(*cell.result) : std::string_view{})};
  std::vector<ShownTensor> shown;
  for (std::size_t i = 0; i < cell.tensors.size(); ++i) {
    auto found = out.take(cell.tensors[i]);
    if (!found) found = result.take(cell.tensors[i]);
    if (!found) continue;
    found->recorded = i;
    shown.push_back(std::move(*found));
  }
  return shown;
}

}  // namespace torchbook::golden
