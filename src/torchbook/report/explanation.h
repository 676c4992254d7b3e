// Explains in words why bits differ, and whether settings would make them the same.
#pragma once

#include <torchbook/golden/causes.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::report {

/// The result of another run, with settings of some of the causes.
struct Trial {
  std::vector<std::string> settings{};   ///< each `VARIABLE=value`
  std::size_t outputs = 0;               ///< how many outputs it compared
  std::size_t equal = 0;                 ///< how many of them were equal
  std::vector<std::string> different{};  ///< the cells of the others: `mathematical_trick @26`
  std::string failure{};                 ///< why the run failed; empty if it did not

  bool makes_all_equal() const { return failure.empty() && equal == outputs && outputs != 0; }
};

/// What is known of the reasons why bits differ.
struct Explanation {
  std::vector<golden::Cause>
      causes;                   ///< the differences of the fingerprints; any of them may be without effect
  std::vector<Trial> trials{};  ///< the runs with settings, the fewest settings first
  /// What the traces show of the first cell that differs, in one line, unless that is another kernel. Then no
  /// setting is the cause. Empty if there are no traces.
  std::string traced{};
  std::string how_to_trace{};  ///< what names the operation, in one line; empty if there are traces
  /// The operations that are off by more than rounding without the settings that make all outputs equal, a
  /// line each.
  std::vector<std::string> beyond_rounding{};
  std::string not_judged{};  ///< why it is not known which operations are; empty if it is

  /// Returns the run with the fewest settings that made all outputs equal; nullptr if none did.
  const Trial* makes_all_equal() const;
  /// Returns makes_all_equal() if what differs without its settings is known to be rounding, otherwise
  /// nullptr.
  const Trial* explained_by() const;
  /// Returns the run that says most: makes_all_equal(), or the one with the most equal outputs; nullptr if
  /// there was none.
  const Trial* best() const;
  /// Returns whether neither settings nor traces explain all: settings were tried, or there are none.
  bool is_fault() const;
};

/// Returns the settings of all causes, each `VARIABLE=value`.
std::vector<std::string> settings(const std::vector<golden::Cause>& causes);

/// Returns the text of a cause, and if it has a setting, `… (OPENBLAS_CORETYPE=Haswell makes it the same)`.
std::string with_remedy(const golden::Cause& cause);

/// Returns a line that says what explains the bits, or that nothing does, and unless traces explain them, a
/// line for each cause. Each ends with a newline.
std::string explanation_text(const Explanation& explanation);

}  // namespace torchbook::report
