// Puts differences into words.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/report/details.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace torchbook::report {
namespace {

std::string index_text(const std::vector<std::int64_t>& index) {
  return fmt::format("[{}]", fmt::join(index, ", "));
}

/// Returns `tensor 3 of its stdout` or `a number in its stdout`.
std::string place(const golden::ElementDifference& element) {
  if (element.values.mismatch && element.tensor == 0) return fmt::format("its {}", element.where);
  if (element.tensor == 0) return fmt::format("a number in its {}", element.where);
  return fmt::format("tensor {} of its {}", element.tensor, element.where);
}

/// Returns the known errors: `1 ulp, absolute error 5.96e-08, relative error 1.192e-07`.
std::string errors_of(const golden::TensorDifference& values) {
  std::vector<std::string> parts;
  if (values.ulps) parts.push_back(counted(*values.ulps, "ulp"));
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
  if (values.largest_ulps && values.differing > 1) {
    text += fmt::format(", by up to {} at {}", counted(*values.largest_ulps, "ulp"),
                        index_text(values.largest_at));
  }
  return text;
}

/// Returns the value of one side, in a line.
std::string side(std::string_view name, std::string_view text) {
  return fmt::format("    {:<7} {}\n", name, text);
}

/// Returns `tensor 3 of its stdout, element [2, 1]`.
std::string element_place(const golden::ElementDifference& element) {
  const bool indexed = element.tensor != 0 && !element.values.mismatch;
  return place(element) + (indexed ? ", element " + index_text(element.values.index) : "");
}

std::string element_lines(const golden::ElementDifference& element, std::string_view against) {
  const golden::TensorDifference& values = element.values;
  if (values.mismatch) {
    return fmt::format("  {}: {}\n", place(element), mismatch_text(*values.mismatch, against));
  }
  std::string text =
      fmt::format("  {}:\n{}{}", element_place(element), side(against, shortened(values.golden)),
                  side("here", shortened(values.actual)));
  if (const auto errors = errors_of(values); !errors.empty()) text += fmt::format("    {}\n", errors);
  if (values.elements != 0) text += fmt::format("    {}\n", spread(values));
  return text;
}

std::string line_difference(const golden::Difference& difference, std::string_view against) {
  const auto lines = quoted_lines(difference);
  return fmt::format("  line {} of its {}:\n{}{}{}", difference.line, difference.where,
                     side(against, lines.golden), side("here", lines.actual), side("", lines.marker));
}

}  // namespace

std::string mismatch_text(const golden::Mismatch& mismatch, std::string_view against) {
  return fmt::format("{} here, {} in {}", shortened(mismatch.actual), shortened(mismatch.golden),
                     against == "golden" ? "the golden" : against);
}

std::string relation(const golden::Judgement& judgement, std::string_view against) {
  if (judgement.not_ported) return "is not ported: " + shortened(*judgement.not_ported);
  const std::string other = against == "golden" ? "its golden" : std::string(against);
  if (judgement.verdict == golden::Verdict::different) return "differs from " + other;
  return judgement.difference ? fmt::format("equals {} as printed, not in every byte", other)
                              : fmt::format("prints what {} has, of other bits", other);
}

std::string brief(const golden::Judgement& judgement, std::string_view against) {
  if (judgement.not_ported) return shortened(*judgement.not_ported);
  if (judgement.elements.empty()) return {};
  const auto& elements = judgement.elements;
  const golden::TensorDifference& first = elements.front().values;
  if (first.mismatch) return mismatch_text(*first.mismatch, against);
  if (elements.front().tensor == 0) return "first in a number";
  std::optional<std::uint64_t> largest;
  for (const auto& element : elements) {
    if (element.values.largest_ulps) largest = std::max(largest.value_or(0), *element.values.largest_ulps);
  }
  const std::string ulps = largest ? fmt::format("largest {}, ", counted(*largest, "ulp")) : "";
  return fmt::format("{}first at {}", ulps, index_text(first.index));
}

std::string headline(const golden::Judgement& judgement, std::string_view against) {
  const auto verdict = golden::verdict_name(judgement.verdict);
  if (!judgement.elements.empty()) {
    const golden::ElementDifference& element = judgement.elements.front();
    const golden::TensorDifference& values = element.values;
    if (values.mismatch) {
      return fmt::format("{}: {}: {}", verdict, place(element), mismatch_text(*values.mismatch, against));
    }
    return fmt::format("{}: {}: {} {}, here {}", verdict, element_place(element), against,
                       shortened(values.golden), shortened(values.actual));
  }
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

std::vector<std::string> thrown(const golden::JudgedTranscript& judged) {
  std::vector<std::string> lines;
  if (const auto error = judged.transcript.error()) lines.push_back(*error);
  for (const auto& error : judged.restored_errors) {
    lines.push_back(fmt::format("the twin's restored state failed: {}", error));
  }
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    if (judgement == nullptr || !judgement->raised) continue;
    lines.push_back(fmt::format("the twin's cell In [{}] (@{}) failed: {}", cell->label, cell->position,
                                *judgement->raised));
  }
  return lines;
}

std::string details(const notebook::Cell& cell, const golden::Judgement& judgement,
                    std::string_view against) {
  std::string text;
  if (cell.error) text += fmt::format("  {}\n", pictured(*cell.error));
  if (judgement.raised) text += fmt::format("  {}: {}\n", against, shortened(*judgement.raised));
  return text + difference_lines(judgement, against);
}

std::string fingerprint_line(const notebook::Fingerprint& fingerprint) {
  std::vector<std::string> parts;
  for (const auto* part : {&fingerprint.torch, &fingerprint.cpu_capability, &fingerprint.blas}) {
    if (!part->empty()) parts.push_back(shortened(*part));
  }
  if (fingerprint.threads > 0)
    parts.push_back(counted(static_cast<std::size_t>(fingerprint.threads), "thread"));
  if (!fingerprint.compiler.empty()) parts.push_back(shortened(fingerprint.compiler));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace torchbook::report
