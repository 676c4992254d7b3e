// Formats counts, durations and fingerprints, for all reports.
#pragma once

#include <fmt/format.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/lines.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::report {

using notebook::counted;

/// Returns `1 ulp` or `2 ulps`. Returns an empty text if the distance is unknown, or above a million: then
/// the values themselves say more.
inline std::string counted_ulps(const std::optional<std::uint64_t>& ulps) {
  constexpr std::uint64_t most = 1'000'000;
  return ulps && *ulps <= most ? counted(*ulps, "ulp") : "";
}

/// Returns how long something took: `0.4 ms` or `12.34 s`.
inline std::string duration_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.1f} ms", seconds * 1000) : fmt::format("{:.2f} s", seconds);
}

/// Returns the known parts of a fingerprint in one line: `LibTorch 1.13.1, AVX2, libopenblas.so.0, 2 threads,
/// …`.
std::string fingerprint_line(const notebook::Fingerprint& fingerprint);

/// Returns the fields of a fingerprint, by their names in the reports for programs: `torch`, `build`,
/// `cpu_capability`, `onednn`, `blas`, `threads`, `compiler`, `library`. Leaves out `onednn` and `library` if
/// they are unknown.
std::vector<std::pair<std::string_view, std::string>> fingerprint_fields(
    const notebook::Fingerprint& fingerprint);

}  // namespace torchbook::report
