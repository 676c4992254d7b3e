// What differs in a cell, in words, for every report.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/trace/fingerprint.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

// In all of these functions, `against` names the other side: `golden`, or `PyTorch`.

/// Returns why values cannot be compared: `shape (2, 3) here, (3, 3) in the golden`.
std::string mismatch_text(const golden::Mismatch& mismatch, std::string_view against = "golden");

/// Returns what is known of the cell beforehand: `as expected: prints the release` if it is so, otherwise the
/// line that says so: `sample.exceptions:3 says that it differs`. Empty if nothing is known.
std::string expectation(const golden::Judgement& judgement);

/// Returns how a cell relates to its golden: `differs from its golden`, that it is equal as printed, or that
/// it is not ported, and why. Its expectation() follows.
std::string relation(const golden::Judgement& judgement, std::string_view against = "golden");

/// Returns the expectation() of the cell, or why it is not ported, or the difference in a few words, without
/// the values: `largest 3 ulps, first at [2, 1]`. Empty if there is none of these.
std::string brief(const golden::Judgement& judgement, std::string_view against = "golden");

/// Returns the verdict with the expectation(), or with the first difference, in one line: `different: tensor
/// 2 of its stdout, element [2, 1]: golden 4.6668, here 4.6667`.
std::string headline(const golden::Judgement& judgement, std::string_view against = "golden");

/// Returns everything that is known of the difference, in indented lines: tensor, index, both values, ulps,
/// absolute and relative error, and the first differing line of both texts. Empty if there is no difference.
std::string difference_lines(const golden::Judgement& judgement, std::string_view against = "golden");

/// Returns what a cell threw and what its twin raised: `boom`, `PyTorch: sums.py:3: ValueError: no`. Empty if
/// neither failed.
std::string error_text(const notebook::Cell& cell, const golden::Judgement& judgement,
                       std::string_view against = "golden");

/// Returns the line that says what a restored state of a twin raised.
std::string twin_error(std::string_view raised);

/// Returns the line that says what a cell of a twin raised.
std::string twin_error(std::string_view label, std::size_t position, std::string_view raised);

/// Returns a line for everything that threw in a run. It names the cell or restored state, of the port or of
/// its twin.
std::vector<std::string> thrown(const golden::JudgedTranscript& judged);

/// Returns what the cell threw and its twin raised, in indented lines, then its difference_lines()
/// and partings.
std::string details(const notebook::Cell& cell, const golden::Judgement& judgement,
                    std::string_view against = "golden");

/// Returns the known parts of a fingerprint in one line: `LibTorch 1.13.1, AVX2, libopenblas.so.0, 2 threads,
/// …`.
std::string fingerprint_line(const trace::Fingerprint& fingerprint);

}  // namespace torchbook::report
