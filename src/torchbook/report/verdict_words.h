// Describes judgements in words, for all reports: how a cell relates to its golden, and its differences.
#pragma once

#include <torchbook/golden/judge.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

// In all of these functions, `against` names the other side: `golden`, `PyTorch`, or on pages `the document`.

/// Returns what a cell that is not ported takes from Python: `carried from Python: x, y`.
std::string carried_text(const std::vector<std::string>& names);

/// Returns the side whose values a difference has: `recording` if a golden's or document's recorded tensors
/// have them, otherwise `against`.
std::string_view source_of(const golden::ElementDifference& element, std::string_view against);

/// Returns why values cannot be compared: `shape (2, 3) here, (3, 3) in the golden`.
std::string mismatch_text(const golden::Mismatch& mismatch, std::string_view against = "golden");

/// Returns the exception of a cell in words. If it is true, `as expected: prints the release`. If
/// it is untrue, its place and claim: `sample.exceptions:3 says that it differs`. Empty if the cell
/// has none.
std::string expectation(const golden::Judgement& judgement);

/// Returns the sentence of the cell's verdict, such as `differs from its golden`, or why it is not ported,
/// followed by its expectation().
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

/// Returns the error of a cell and that of its twin, separated by `; `: `boom`, or `PyTorch:
/// sums.py:3: ValueError: no`. Empty if neither failed.
std::string error_text(const notebook::Cell& cell, const golden::Judgement& judgement,
                       std::string_view against = "golden");

/// Returns a line about the error of a twin's restored state.
std::string twin_error(std::string_view raised);

/// Returns a line about the error of a twin's cell.
std::string twin_error(std::string_view label, std::size_t position, std::string_view raised);

/// Returns a line for everything that threw in a run. It names the cell or restored state, of the port or of
/// its twin.
std::vector<std::string> thrown(const golden::JudgedTranscript& judged);

/// Returns what the cell threw and its twin raised, in indented lines, then its difference_lines()
/// and partings.
std::string details(const notebook::Cell& cell, const golden::Judgement& judgement,
                    std::string_view against = "golden");

/// Returns `mathematical_trick @6 In [25] differs from its golden`, for a cell that does not pass.
std::string heading(const golden::JudgedTranscript& judged, const notebook::Cell& cell,
                    const golden::Judgement& judgement);

}  // namespace torchbook::report
