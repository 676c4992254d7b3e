// How tensors are printed: torch.set_printoptions for C++.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace torchbook::pyrepr {

/// What `torch.set_printoptions` sets, with Python's names and defaults.
struct PrintOptions {
  /// A threshold that no tensor exceeds: Python's `threshold=float('inf')`.
  static constexpr std::int64_t no_threshold = std::numeric_limits<std::int64_t>::max();

  int precision = 4;              ///< digits after the decimal point, 0 or more
  std::int64_t threshold = 1000;  ///< a tensor with more elements is summarised
  std::int64_t edgeitems = 3;     ///< elements shown at either end of a summarised dimension
  std::int64_t linewidth = 80;    ///< columns before a line is broken
  std::optional<bool> sci_mode =
      {};  ///< scientific notation: forced on, forced off, or decided by the values

  /// `profile="default"`.
  static constexpr PrintOptions default_profile() { return {}; }
  /// `profile="short"`: two digits, two edge items.
  static constexpr PrintOptions short_profile() { return {.precision = 2, .edgeitems = 2}; }
  /// `profile="full"`: never summarise.
  static constexpr PrintOptions full_profile() { return {.threshold = no_threshold}; }

  friend bool operator==(const PrintOptions&, const PrintOptions&) = default;
};

/// The options in force on this thread: those of the innermost ScopedPrintOptions, else the process's.
PrintOptions print_options();

/// Sets the process's options, for every thread. Throws std::invalid_argument where precision, edgeitems or
/// linewidth is negative. As in Python, options that do not name `sci_mode` reset it.
void set_print_options(const PrintOptions& options);

/// Options for the calling thread while this object lives; they nest. Throws as set_print_options does.
class ScopedPrintOptions {
 public:
  explicit ScopedPrintOptions(const PrintOptions& options);
  ~ScopedPrintOptions();
  ScopedPrintOptions(const ScopedPrintOptions&) = delete;
  ScopedPrintOptions& operator=(const ScopedPrintOptions&) = delete;

 private:
  std::optional<PrintOptions> outer_;
};

}  // namespace torchbook::pyrepr
