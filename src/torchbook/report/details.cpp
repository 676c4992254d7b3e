// Puts differences into words.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/report/details.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace torchbook::report {
namespace {

std::string index_text(const std::vector<std::int64_t>& index) {
  return fmt::format("[{}]", fmt::join(index, ", "));
}

/// `tensor 3 of its stdout`, `a number in its stdout`.
std::string place(const golden::ElementDifference& element) {
  if (!element.values.mismatch.empty() && element.tensor == 0) return fmt::format("its {}", element.where);
  if (element.tensor == 0) return fmt::format("a number in its {}", element.where);
  return fmt::format("tensor {} of its {}", element.tensor, element.where);
}

/// `1 ulp, absolute error 5.96e-08, relative error 1.192e-07`, as far as they are known.
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

/// What one side has, in a line.
std::string side(std::string_view name, std::string_view text) {
  return fmt::format("    {:<7} {}\n", name, text);
}

/// `tensor 3 of its stdout, element [2, 1]`.
std::string element_place(const golden::ElementDifference& element) {
  const bool indexed = element.tensor != 0 && element.values.mismatch.empty();
  return place(element) + (indexed ? ", element " + index_text(element.values.index) : "");
}

std::string element_lines(const golden::ElementDifference& element, std::string_view against) {
  const golden::TensorDifference& values = element.values;
  if (!values.mismatch.empty()) return fmt::format("  {}: {}\n", place(element), values.mismatch);
  std::string text = fmt::format("  {}:\n{}{}", element_place(element), side(against, values.golden),
                                 side("here", values.actual));
  if (const auto errors = errors_of(values); !errors.empty()) text += fmt::format("    {}\n", errors);
  if (values.elements != 0) text += fmt::format("    {}\n", spread(values));
  return text;
}

/// A line with the pictures of its control characters in their place, so that all of it can be seen and none
/// of it is obeyed.
std::string quoted_line(const std::optional<std::string>& line) {
  if (!line) return "(nothing more)";
  std::string text;
  for (const char c : *line) {
    const auto code = static_cast<unsigned char>(c);
    text += is_control(code) ? control_picture(code) : std::string(1, c);
  }
  return text;
}

/// A marker under the first byte that differs. Bytes before it that continue a character take no column.
std::string marker(const golden::Difference& difference) {
  const std::string& line = difference.golden ? *difference.golden : *difference.actual;
  const auto width =
      std::count_if(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(difference.column - 1),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return std::string(static_cast<std::size_t>(width), ' ') + '^';
}

std::string line_difference(const golden::Difference& difference, std::string_view against) {
  return fmt::format("  line {} of its {}:\n{}{}{}", difference.line, difference.where,
                     side(against, quoted_line(difference.golden)),
                     side("here", quoted_line(difference.actual)), side("", marker(difference)));
}

}  // namespace

std::string brief(const golden::Judgement& judgement) {
  if (judgement.elements.empty()) return {};
  const auto& elements = judgement.elements;
  const golden::TensorDifference& first = elements.front().values;
  if (!first.mismatch.empty()) return first.mismatch;
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
    if (!values.mismatch.empty()) return fmt::format("{}: {}: {}", verdict, place(element), values.mismatch);
    return fmt::format("{}: {}: {} {}, here {}", verdict, element_place(element), against, values.golden,
                       values.actual);
  }
  if (!judgement.difference) return std::string(verdict);
  return fmt::format("{}: line {} of its {}", verdict, judgement.difference->line,
                     judgement.difference->where);
}

std::string details(const notebook::Cell& cell, const golden::Judgement& judgement,
                    std::string_view against) {
  std::string text;
  if (cell.error) text += "  " + *cell.error + '\n';
  for (const auto& element : judgement.elements) text += element_lines(element, against);
  if (judgement.difference) text += line_difference(*judgement.difference, against);
  return text;
}

std::string fingerprint_line(const notebook::Fingerprint& fingerprint) {
  std::vector<std::string> parts;
  for (const auto* part : {&fingerprint.torch, &fingerprint.cpu_capability, &fingerprint.blas}) {
    if (!part->empty()) parts.push_back(*part);
  }
  if (fingerprint.threads > 0)
    parts.push_back(counted(static_cast<std::size_t>(fingerprint.threads), "thread"));
  if (!fingerprint.compiler.empty()) parts.push_back(fingerprint.compiler);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace torchbook::report
