// The table of verdicts. All that reports, exit codes and counts know of a verdict is in its row.
#pragma once

#include <torchbook/golden/exceptions.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook::golden {

enum class Verdict {
  equal,             ///< every byte of stdout and result, and the recorded tensors, if there are any
  equal_as_printed,  ///< not equal, but both outputs agree as compare_printed() reads them
  different,         ///< outputs do not agree, or only one side has an output
  no_output,         ///< neither side has an output
  not_compared,      ///< the cell makes a picture, as its exception says, so its outputs are not compared
  not_ported,        ///< the port has no code for the cell, so nothing is compared
  threw,  ///< the cell threw, or the twin's cell raised and the cell did not, so there are no outputs to
          ///< compare
};

/// The weakest verdict on an output that passes.
struct Accept {
  enum Least {
    equal,      ///< only `equal` passes
    printed,    ///< `equal-as-printed` passes too
    ulps,       ///< values that are off by at most `most_ulps` pass too
    explained,  ///< rounding that settings explain passes too (excuse_kernels())
  };

  constexpr Accept(Least what = equal, std::uint64_t most = 0) : least(what), most_ulps(most) {}  // NOLINT
  friend bool operator==(const Accept&, const Accept&) = default;

  Least least;
  std::uint64_t most_ulps;  ///< of `ulps`
};

/// The row of a verdict.
struct VerdictRow {
  Verdict verdict;
  std::string_view name;      ///< in JSON, in JUnit and on the terminal; in counts with spaces, not hyphens
  std::string_view sentence;  ///< what a cell with it does, for people; `{}` is the other side
  std::optional<Accept::Least> passes_with{};  ///< the strictest `--accept` that lets it pass, if any
  bool counted = true;                         ///< whether a summary counts the cells that have it
  bool ran = true;           ///< whether the cell ran to its end; otherwise no exception is untrue
  bool compared = false;     ///< whether the outputs of both sides were compared
  bool has_reasons = false;  ///< whether reports show what differs or what was thrown
  std::optional<ExceptionKind> expected_by{};  ///< the kind of exception that says that a cell has it
};

inline constexpr std::array verdicts = {
    VerdictRow{.verdict = Verdict::equal,
               .name = "equal",
               .sentence = "equals {}",
               .passes_with = Accept::equal,
               .compared = true},
    VerdictRow{.verdict = Verdict::equal_as_printed,
               .name = "equal-as-printed",
               .sentence = "equals {} as printed, not in every byte",
               .passes_with = Accept::printed,
               .compared = true,
               .has_reasons = true,
               .expected_by = ExceptionKind::printed},
    VerdictRow{.verdict = Verdict::different,
               .name = "different",
               .sentence = "differs from {}",
               .compared = true,
               .has_reasons = true,
               .expected_by = ExceptionKind::differs},
    VerdictRow{.verdict = Verdict::no_output,
               .name = "no-output",
               .sentence = "has no output",
               .passes_with = Accept::equal,
               .counted = false},
    VerdictRow{.verdict = Verdict::not_compared,
               .name = "not-compared",
               .sentence = "is not compared with {}",
               .expected_by = ExceptionKind::picture},
    VerdictRow{.verdict = Verdict::not_ported,
               .name = "not-ported",
               .sentence = "is not ported",
               .ran = false,
               .expected_by = ExceptionKind::not_ported},
    VerdictRow{
        .verdict = Verdict::threw, .name = "threw", .sentence = "threw", .ran = false, .has_reasons = true},
};

constexpr const VerdictRow& row_of(Verdict verdict) { return verdicts[static_cast<std::size_t>(verdict)]; }

static_assert(
    [] {
      for (const auto& row : verdicts) {
        if (&row_of(row.verdict) != &row) return false;
      }
      return true;
    }(),
    "the rows are in the order of the enumeration");

/// Returns the name of a verdict in counts: `equal as printed`.
inline std::string spaced_name(const VerdictRow& row) {
  std::string name(row.name);
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

/// Returns the row of the verdict with this name, or nullptr if there is none.
constexpr const VerdictRow* verdict_named(std::string_view name) {
  for (const auto& row : verdicts) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace torchbook::golden
