// Takes the bits of tensors out of traces.
#include <tools/part/tensor_bits.h>
#include <torchbook/golden/element.h>

#include <algorithm>

namespace torchbook::trace_diff {
namespace {

/// Returns the size of an element in bytes, or 0 if the dtype is unknown.
std::size_t element_size(const std::string& dtype) {
  const auto format = golden::element_format(dtype);
  return static_cast<std::size_t>(format.part.bytes) * (format.kind == golden::ElementKind::complex ? 2 : 1);
}

golden::TensorView view(const Elements& elements) { return {elements.dtype, elements.shape, elements.bytes}; }

}  // namespace

std::optional<Elements> elements_of(const ReadTrace& trace, const Texts& texts, const SeenTensor& tensor) {
  const auto found = trace.bytes.find(tensor.hash);
  const auto dtype = "torch." + texts[tensor.dtype];
  const auto size = element_size(dtype);
  if (found == trace.bytes.end() || size == 0) return std::nullopt;
  const auto shape = trace.shape(tensor);
  const auto& [bytes, total] = found->second;
  const auto count = bytes.size() / size;
  std::uint64_t elements = 1;
  for (const auto one : shape) {
    if (one < 0 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(one), &elements))
      return std::nullopt;
  }
  if (elements > total / size || count > elements || count == 0) return std::nullopt;
  const bool whole = count == elements;
  const auto sizes = whole ? std::vector<std::int64_t>(shape.begin(), shape.end())
                           : std::vector<std::int64_t>{static_cast<std::int64_t>(count)};
  return Elements{.dtype = dtype, .shape = sizes, .bytes = bytes.substr(0, count * size), .whole = whole};
}

std::optional<BitsDifference> bits_difference(const Elements& here, const Elements& there) {
  const auto size = element_size(here.dtype);
  const auto compared = std::min(here.bytes.size(), there.bytes.size()) / size;
  const bool whole = here.whole && there.whole;
  const std::int64_t first_ones[] = {static_cast<std::int64_t>(compared)};
  const auto beginning = [&](const Elements& of) {
    return golden::TensorView(of.dtype, first_ones, of.bytes.substr(0, compared * size));
  };
  auto difference = whole ? golden::tensor_difference(view(there), view(here))
                          : golden::tensor_difference(beginning(there), beginning(here));
  if (!difference || difference->mismatch) return std::nullopt;
  return BitsDifference{.difference = std::move(*difference), .compared = compared, .whole = whole};
}

}  // namespace torchbook::trace_diff
