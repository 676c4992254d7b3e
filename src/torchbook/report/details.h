// What differs in a cell, in words, for every report.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

// `against` names the other side: `golden`, or `PyTorch`.

/// Returns why values cannot be compared: `shape (2, 3) here, (3, 3) in the golden`.
std::string mismatch_text(const golden::Mismatch& mismatch, std::string_view against = "golden");

/// Returns what became of a cell that is not equal: `differs from its golden`, that it is equal as
/// printed, or that it threw.
std::string relation(const golden::Judgement& judgement, std::string_view against = "golden");

/// In a few words, without the values: `largest 3 ulps, first at [2, 1]`. Empty where no value is known to
/// differ.
std::string brief(const golden::Judgement& judgement, std::string_view against = "golden");

/// The verdict and the first difference in one line: `different: tensor 2 of its stdout, element [2, 1]:
/// golden 4.6668, here 4.6667`.
std::string headline(const golden::Judgement& judgement, std::string_view against = "golden");

/// Everything that is known of the difference, in indented lines: tensor, index, both values, ulps, absolute
/// and relative error; the first differing line of both texts. Empty if there is none.
std::string difference_lines(const golden::Judgement& judgement, std::string_view against = "golden");

/// What a cell threw and what its twin raised: `boom`, `PyTorch: sums.py:3: ValueError: no`. Empty if neither
/// did.
std::string error_text(const notebook::Cell& cell, const golden::Judgement& judgement,
                       std::string_view against = "golden");

/// Everything that threw in a run, a line each: which cell or restored state, of the port or of its twin, and
/// what.
std::vector<std::string> thrown(const golden::JudgedTranscript& judged);

/// What the cell threw and its twin raised, in indented lines, and its difference_lines().
std::string details(const notebook::Cell& cell, const golden::Judgement& judgement,
                    std::string_view against = "golden");

/// In one line what computed, as far as it is known: `LibTorch 1.13.1, AVX2, libopenblas.so.0, 2 threads, …`.
std::string fingerprint_line(const notebook::Fingerprint& fingerprint);

}  // namespace torchbook::report
