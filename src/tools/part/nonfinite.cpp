#include <fmt/format.h>
#include <tools/part/description.h>
#include <tools/part/nonfinite.h>
#include <tools/part/side.h>
#include <tools/part/tensor_bits.h>
#include <tools/part/value_words.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace torchbook::trace_diff {
namespace {

/// Returns the position of the first part of an element, two of which make a complex one, that is NaN or
/// infinite.
std::optional<std::size_t> nonfinite_part(const Elements& elements) {
  const auto format = golden::element_format(elements.dtype);
  if (format.kind != golden::ElementKind::floating && format.kind != golden::ElementKind::complex) return {};
  const auto size = static_cast<std::size_t>(format.part.bytes);
  for (std::size_t i = 0; (i + 1) * size <= elements.bytes.size(); ++i) {
    const auto bits = golden::load_bits(elements.bytes.data() + i * size, format.part.bytes);
    if (!std::isfinite(golden::float_value(bits, format.part))) return i;
  }
  return {};
}

bool is_finite(const ReadTrace& trace, const Texts& texts, const Value& value) {
  if (value.tag == Tag::real) return std::isfinite(std::bit_cast<double>(value.bits));
  if (value.tag != Tag::tensor) return true;
  const auto elements = elements_of(trace, texts, trace.tensors[value.index]);
  return !elements || !nonfinite_part(*elements);
}

bool takes_finite(const Side& side, const Texts& texts, std::uint32_t operation) {
  const auto inputs = flat(side.trace, side.trace.inputs(operation));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool unread = (i == 0 && side.overwrites(operation)) ||
                        (inputs[i].tag == Tag::tensor && side.is_arbitrary(inputs[i].index));
    if (!unread && !is_finite(side.trace, texts, inputs[i])) return false;
  }
  return true;
}

/// Returns of how many tensors a trace holds only the beginning.
std::size_t seen_in_part(const ReadTrace& trace) {
  return static_cast<std::size_t>(std::ranges::count_if(
      trace.bytes, [](const auto& one) { return one.second.bytes.size() < one.second.total; }));
}

/// Returns the report as JSON.
std::string nonfinite_json(const ReadTrace& trace, const Texts& texts, const std::string& file,
                           const Nonfinite& found) {
  const bool none = found.operation == no_operation;
  const auto& operation = none ? Operation() : trace.operations[found.operation];
  golden::Json first = nullptr;
  if (!none)
    first = {
        {"operation", found.operation + 1},
        {"name", texts[operation.name]},
        {"module", operation.module == 0 ? golden::Json(nullptr) : golden::Json(texts[operation.module])},
        {"line", operation.line == 0 ? golden::Json(nullptr) : golden::Json(texts[operation.line])},
        {"element", found.element},
        {"value", found.value}};
  return golden::text_of_json(golden::Json{{"trace", file},
                                           {"operations", trace.operations.size()},
                                           {"in_part", seen_in_part(trace)},
                                           {"first", first}},
                              2);
}

}  // namespace

Nonfinite first_nonfinite(const ReadTrace& trace, const Texts& texts) {
  const Roles roles(texts);
  const Side side(trace, roles);
  for (const auto step : side.steps(no_operation)) {
    for (const auto tensor : tensors_in(trace, trace.outputs(step))) {
      const auto elements = elements_of(trace, texts, trace.tensors[tensor]);
      const auto part = elements ? nonfinite_part(*elements) : std::nullopt;
      if (!part || !takes_finite(side, texts, step)) continue;
      const auto format = golden::element_format(elements->dtype);
      const auto parts = std::size_t{format.kind == golden::ElementKind::complex ? 2U : 1U};
      const auto size = static_cast<std::size_t>(format.part.bytes) * parts;
      const auto element = *part / parts;
      return {.operation = step,
              .tensor = tensor,
              .element = element,
              .value = golden::element_text(elements->bytes.data() + element * size, size, format)};
    }
  }
  return {};
}

std::string nonfinite_report(const ReadTrace& trace, const Texts& texts, const std::string& file, bool json) {
  const auto found = first_nonfinite(trace, texts);
  if (json) return nonfinite_json(trace, texts, file, found);
  const bool none = found.operation == no_operation;
  const auto in_part = seen_in_part(trace);
  const auto unseen =
      in_part == 0 ? ""
                   : fmt::format(
                         "Of {}, the trace holds only the beginning, so NaN or infinity may begin earlier; "
                         "record with a larger `largest`.\n",
                         report::counted(in_part, "tensor"));
  const auto& operation = none ? Operation() : trace.operations[found.operation];
  const auto head = fmt::format("{}: {}\n\n", file, trace_words(trace));
  if (none) return head + "No operation gave NaN or infinity out of finite inputs.\n" + unseen;
  auto text =
      head + fmt::format(
                 "{} is the first operation that gave NaN or infinity out of finite inputs\n  at        "
                 "operation {}{}{}\n",
                 report::pictured(plain_name(texts[operation.name])), found.operation + 1,
                 operation.module == 0 ? "" : ", in " + report::shortened(texts[operation.module]),
                 operation.line == 0 ? "" : ", " + report::shortened(texts[operation.line]));
  for (const auto input : tensors_in(trace, trace.inputs(found.operation)))
    text += fmt::format("  input     {}\n", tensor_words(trace, texts, trace.tensors[input]));
  return text +
         fmt::format("  output    {}: element {} is {}\n",
                     tensor_words(trace, texts, trace.tensors[found.tensor]), found.element, found.value) +
         unseen;
}

}  // namespace torchbook::trace_diff
