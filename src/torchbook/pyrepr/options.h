// Sets how tensors are printed: torch.set_printoptions for C++.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// The options of `torch.set_printoptions`, with Python's names and defaults.
struct PrintOptions {
  /// The threshold that no tensor exceeds: Python's `threshold=float('inf')`.
  static constexpr std::int64_t no_threshold = std::numeric_limits<std::int64_t>::max();

  int precision = 4;                  ///< digits after the decimal point, 0 or more
  std::int64_t threshold = 1000;      ///< a tensor with more elements is summarised
  std::int64_t edgeitems = 3;         ///< elements shown at each end of a summarised dimension
  std::int64_t linewidth = 80;        ///< columns after which a line is broken
  std::optional<bool> sci_mode = {};  ///< scientific notation: forced on, forced off, or chosen by the values

  /// Returns the options of Python's `profile="default"`.
  static constexpr PrintOptions default_profile() { return {}; }
  /// Returns the options of Python's `profile="short"`: two digits, two edge items.
  static constexpr PrintOptions short_profile() { return {.precision = 2, .edgeitems = 2}; }
  /// Returns the options of Python's `profile="full"`, which never summarises.
  static constexpr PrintOptions full_profile() { return {.threshold = no_threshold}; }

  /// Returns whether all options are equal.
  friend bool operator==(const PrintOptions&, const PrintOptions&) = default;
};

/// Returns `options`. Throws std::invalid_argument if precision, edgeitems or linewidth is
/// negative. Every function that takes options checks them in this way.
const PrintOptions& checked(const PrintOptions& options);

/// Returns the options in force on this thread: the innermost ScopedPrintOptions if there is one, otherwise
/// the options of the process.
PrintOptions print_options();

/// Sets the options of the process, for every thread. As in Python, options that do not name `sci_mode` reset
/// it. Throws as checked() does.
void set_print_options(const PrintOptions& options);

/// Sets the options of the calling thread for this object's lifetime. Scopes nest. Throws as
/// checked() does.
class ScopedPrintOptions {
 public:
  /// Sets the options.
  explicit ScopedPrintOptions(const PrintOptions& options);
  /// Restores the options that were in force before.
  ~ScopedPrintOptions();
  ScopedPrintOptions(const ScopedPrintOptions&) = delete;
  ScopedPrintOptions& operator=(const ScopedPrintOptions&) = delete;

 private:
  std::optional<PrintOptions> outer_;
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
