// Puts judgements and differences into words.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace torchbook::report {
namespace {

std::string index_text(const std::vector<std::int64_t>& index) {
  return fmt::format("[{}]", fmt::join(index, ", "));
}

/// Returns the place of a difference: `tensor 3 of its stdout` or `a number in its stdout`.
std::string place(const golden::ElementDifference& element) {
  if (element.values.mismatch && element.tensor == 0) return fmt::format("its {}", element.where);
  if (element.tensor == 0)
    return fmt::format("a {} in its {}", element.values.index.empty() ? "number" : "tensor", element.where);
  return fmt::format("tensor {} of its {}", element.tensor, element.where);
}

/// Returns the known errors: `1 ulp, absolute error 5.96e-08, relative error 1.192e-07`.
std::string errors_of(const golden::TensorDifference& values) {
  std::vector<std::string> parts;
  if (auto ulps = counted_ulps(values.ulps); !ulps.empty()) parts.push_back(std::move(ulps));
  const auto add_error = [&](std::string_view what, const std::optional<double>& error) {
    if (error && std::isfinite(*error)) parts.push_back(fmt::format("{} error {:.4g}", what, *error));
  };
  add_error("absolute", values.absolute);
  add_error("relative", values.relative);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string spread(const golden::TensorDifference& values) {
  std::string text = fmt::format("{} of {} differ{}", values.differing, counted(values.elements, "element"),
                                 values.differing == 1 ? "s" : "");
  const auto ulps = counted_ulps(values.largest_ulps);
  if (!ulps.empty() && values.differing > 1)
    text += fmt::format(", by up to {} at {}", ulps, index_text(values.largest_at));
  return text;
}

/// Returns the value of one side, in a line.
std::string side(std::string_view name, std::string_view text, std::size_t width = 7) {
  return fmt::format("    {:<{}} {}\n", name, width, text);
}

/// Returns `tensor 3 of its stdout, element [2, 1]`.
std::string element_place(const golden::ElementDifference& element) {
  const bool indexed = !element.values.mismatch && (element.tensor != 0 || !element.values.index.empty());
  return place(element) + (indexed ? ", element " + index_text(element.values.index) : "");
}

std::string element_lines(const golden::ElementDifference& element, std::string_view against) {
  const golden::TensorDifference& values = element.values;
  const auto source = source_of(element, against);
  if (values.mismatch) {
    return fmt::format("  {}: {}\n", place(element), mismatch_text(*values.mismatch, source));
  }
  const auto width = std::max<std::size_t>(7, source.size());
  std::string text =
      fmt::format("  {}:\n{}{}", element_place(element), side(source, shortened(values.golden), width),
                  side("here", shortened(values.actual), width));
  if (const auto errors = errors_of(values); !errors.empty()) text += fmt::format("    {}\n", errors);
  if (values.elements != 0) text += fmt::format("    {}\n", spread(values));
  return text;
}

std::string line_difference(const golden::LineDifference& difference, std::string_view against) {
  const auto lines = quoted_lines(difference);
  return fmt::format("  line {} of its {}:\n{}{}{}", difference.line, difference.where,
                     side(against, lines.golden), side("here", lines.actual), side("", lines.marker));
}

/// Returns the place and the claim of an untrue exception, and its remedy: `sample.exceptions:3, compiled in,
/// says that it differs (take the line out and build again)`. The file may have changed since the build.
std::string untrue_claim(const golden::Judgement& judgement) {
  const auto& exception = *judgement.exception;
  const auto place = shortened(exception.place) + (exception.is_built_in ? ", compiled in," : "");
  const auto parts = shortened(exception.parts.text);
  if (!parts.empty() && judgement.verdict != golden::Verdict::equal)
    return fmt::format("{} excuses only {}", place, parts);
  const auto claim = parts.empty()
                         ? std::string(golden::row_of(exception.kind).claim)
                         : fmt::format("that it {} in {}", golden::row_of(exception.kind).name, parts);
  return fmt::format("{} says {} (take the line out{})", place, claim,
                     exception.is_built_in ? " and build again" : "");
}

std::string other_side(std::string_view against) {
  return against == "golden" ? "its golden" : std::string(against);
}

/// Returns the end of a sentence on a cell: `; carried from Python: x, y`. Empty if nothing is carried.
std::string carried_too(const golden::Judgement& judgement) {
  return judgement.carried.empty() ? "" : "; " + carried_text(judgement.carried);
}

/// Returns how a cell relates to its golden, without its expectation().
std::string plain_relation(const golden::Judgement& judgement, std::string_view against) {
  const auto other = other_side(against);
  const auto& row = golden::row_of(judgement.verdict);
  if (judgement.raised) return "threw in " + other;
  const bool only_tensors_differ = !judgement.elements.empty() && !judgement.difference;
  if (!only_tensors_differ) return fmt::format(fmt::runtime(row.sentence), other);
  const auto source = source_of(judgement.elements.front(), against);
  if (source != against) return fmt::format("equals the text of {}, but differs from the {}", other, source);
  return fmt::format("equals the text of {}, not its {}", other,
                     row.passes_with == golden::Accept::printed ? "bits" : "tensors");
}

}  // namespace

std::string carried_text(const std::vector<std::string>& names) {
  return fmt::format("carried from Python: {}", fmt::join(names, ", "));
}

std::string_view source_of(const golden::ElementDifference& element, std::string_view against) {
  return element.recorded && !against.starts_with("PyTorch") ? "recording" : against;
}

std::string mismatch_text(const golden::Mismatch& mismatch, std::string_view against) {
  const bool is_file = against == "golden" || against == "recording";
  return fmt::format("{} here, {} in {}{}", shortened(mismatch.actual), shortened(mismatch.golden),
                     is_file ? "the " : "", against);
}

std::string expectation(const golden::Judgement& judgement) {
  if (golden::has_untrue_exception(judgement)) return untrue_claim(judgement);
  if (!golden::is_expected(judgement)) return {};
  const auto reason = shortened(judgement.exception->reason);
  if (judgement.exception->kind != golden::ExceptionKind::picture) return "as expected: " + reason;
  return reason.empty() ? "a picture" : "a picture: " + reason;
}

std::string relation(const golden::Judgement& judgement, std::string_view against) {
  auto text = plain_relation(judgement, against);
  if (judgement.not_ported && !golden::is_expected(judgement)) {
    text += ": " + shortened(*judgement.not_ported);
  }
  text += carried_too(judgement);
  if (golden::is_expected(judgement)) return text + ", " + expectation(judgement);
  if (golden::has_untrue_exception(judgement)) return text + ", but " + expectation(judgement);
  return text;
}

std::string brief(const golden::Judgement& judgement, std::string_view against) {
  if (auto words = expectation(judgement); !words.empty()) return words;
  if (judgement.not_ported) return shortened(*judgement.not_ported) + carried_too(judgement);
  if (judgement.elements.empty()) return {};
  const auto& elements = judgement.elements;
  const golden::TensorDifference& first = elements.front().values;
  if (first.mismatch) return mismatch_text(*first.mismatch, source_of(elements.front(), against));
  if (elements.front().tensor == 0 && first.index.empty()) return "first in a number";
  std::optional<std::uint64_t> largest;
  for (const auto& element : elements) {
    if (element.values.largest_ulps) largest = std::max(largest.value_or(0), *element.values.largest_ulps);
  }
  const auto ulps = counted_ulps(largest);
  return fmt::format("{}first at {}", ulps.empty() ? "" : fmt::format("largest {}, ", ulps),
                     index_text(first.index));
}

std::string headline(const golden::Judgement& judgement, std::string_view against) {
  const auto verdict = golden::row_of(judgement.verdict).name;
  if (!judgement.elements.empty()) {
    const golden::ElementDifference& element = judgement.elements.front();
    const golden::TensorDifference& values = element.values;
    const auto source = source_of(element, against);
    if (values.mismatch) {
      return fmt::format("{}: {}: {}", verdict, place(element), mismatch_text(*values.mismatch, source));
    }
    return fmt::format("{}: {}: {} {}, here {}", verdict, element_place(element), source,
                       shortened(values.golden), shortened(values.actual));
  }
  if (const auto words = expectation(judgement); !words.empty()) return fmt::format("{}: {}", verdict, words);
  if (judgement.not_ported) return fmt::format("{}: {}", verdict, shortened(*judgement.not_ported));
  if (judgement.raised) return fmt::format("{}: {}: {}", verdict, against, shortened(*judgement.raised));
  if (!judgement.difference) return std::string(verdict);
  return fmt::format("{}: line {} of its {}", verdict, judgement.difference->line,
                     judgement.difference->where);
}

std::string difference_lines(const golden::Judgement& judgement, std::string_view against) {
  std::string text;
  for (const auto& element : judgement.elements) text += element_lines(element, against);
  if (judgement.difference) text += line_difference(*judgement.difference, against);
  return text;
}

std::string error_text(const notebook::Cell& cell, const golden::Judgement& judgement,
                       std::string_view against) {
  std::vector<std::string> parts;
  if (cell.error) parts.push_back(shortened(*cell.error));
  if (judgement.raised) parts.push_back(fmt::format("{}: {}", against, shortened(*judgement.raised)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string twin_error(std::string_view raised) {
  return fmt::format("the twin's restored state failed: {}", raised);
}

std::string twin_error(std::string_view label, std::size_t position, std::string_view raised) {
  return fmt::format("the twin's cell In [{}] (@{}) failed: {}", label, position, raised);
}

std::vector<std::string> thrown(const golden::JudgedTranscript& judged) {
  std::vector<std::string> lines;
  if (const auto error = judged.transcript.error()) lines.push_back(*error);
  for (const auto& error : judged.restored_errors) lines.push_back(twin_error(error));
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    if (judgement == nullptr || !judgement->raised) continue;
    lines.push_back(twin_error(cell->label, cell->position, *judgement->raised));
  }
  return lines;
}

std::string details(const notebook::Cell& cell, const golden::Judgement& judgement,
                    std::string_view against) {
  std::string text;
  if (cell.error) text += fmt::format("  {}\n", pictured(*cell.error));
  if (judgement.raised) text += fmt::format("  {}: {}\n", against, shortened(*judgement.raised));
  text += difference_lines(judgement, against);
  for (const auto& parting : judgement.partings) {
    for (const auto& line : parting.lines) text += fmt::format("  {}\n", line);
  }
  return text;
}

std::string heading(const golden::JudgedTranscript& judged, const notebook::Cell& cell,
                    const golden::Judgement& judgement) {
  const auto says = [&]() -> std::string {
    if (cell.error) {
      const auto threw = fmt::format("threw ({}:{})", judged.transcript.port_file, cell.line);
      return judgement.raised ? threw + ", and so did " + other_side(judged.against) : threw;
    }
    const bool admitted = golden::passes(judgement, golden::Accept::printed);
    return relation(judgement, judged.against) + (admitted ? " (--accept printed admits that)" : "");
  };
  return fmt::format("{} @{} In [{}] {}", judged.transcript.slug, cell.position, cell.label, says());
}

}  // namespace torchbook::report
