// Describes verdicts in words, for all reports: how a cell relates to its golden, its differences,
// and the counts of many cells.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/summary.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

// In all of these functions, `against` names the other side: `golden`, or `PyTorch`.

/// Returns what a cell that is not ported takes from Python: `carried from Python: x, y`.
std::string carried_text(const std::vector<std::string>& names);

/// Returns why values cannot be compared: `shape (2, 3) here, (3, 3) in the golden`.
std::string mismatch_text(const golden::Mismatch& mismatch, std::string_view against = "golden");

/// Returns the exception of a cell in words. If it is true, `as expected: prints the release`. If
/// it is untrue, its place and claim: `sample.exceptions:3 says that it differs`. Empty if the cell
/// has none.
std::string expectation(const golden::Judgement& judgement);

/// Returns how a cell relates to its golden, such as `differs from its golden`, or why it is not
/// ported, followed by its expectation().
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

/// Returns the verdict for a page: `equals the document as printed, not in every byte`.
/// `against` is a document or a release of PyTorch. If `with_bits`, bits were compared as well.
std::string page_relation(const golden::Judgement& judgement, std::string_view against, bool with_bits);

/// Returns `all 32 outputs equal …`, or `31 of 32 outputs equal …` and the verdicts on the others.
/// `of` is the number of outputs that could have been compared with the other side.
std::string outputs_text(const Outputs& outputs, std::size_t of, std::string_view against);

/// Returns `5 notebooks, 124 cells, 83 outputs: 83 equal`, followed by the counts that are not 0, such as
/// `, 1 equal as printed`, `, 2 different` and `, 1 differs as expected`.
std::string summary_text(const Summary& summary);

}  // namespace torchbook::report
