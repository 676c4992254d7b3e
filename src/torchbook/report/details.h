// What differs in a cell, in words: for the terminal and for junit.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

// `against` names the other side: `golden`, or `PyTorch`.

/// In a few words, without the values: `largest 3 ulps, first at [2, 1]`. Empty where no value is known to
/// differ.
std::string brief(const golden::Judgement& judgement);

/// The verdict and the first difference in one line: `different: tensor 2 of its stdout, element [2, 1]:
/// golden 4.6668, here 4.6667`.
std::string headline(const golden::Judgement& judgement, std::string_view against = "golden");

/// What a cell threw and what its twin raised: `boom`, `PyTorch: sums.py:3: ValueError: no`. Empty if neither
/// did.
std::string error_text(const notebook::Cell& cell, const golden::Judgement& judgement,
                       std::string_view against = "golden");

/// Everything that threw in a run, a line each: which cell or restored state, of the port or of its twin, and
/// what.
std::vector<std::string> thrown(const golden::JudgedTranscript& judged);

/// Everything that is known, in indented lines: what threw; tensor, index, both values, ulps, absolute and
/// relative error; the first differing line of both texts.
std::string details(const notebook::Cell& cell, const golden::Judgement& judgement,
                    std::string_view against = "golden");

/// In one line what computed, as far as it is known: `LibTorch 1.13.1, AVX2, libopenblas.so.0, 2 threads, …`.
std::string fingerprint_line(const notebook::Fingerprint& fingerprint);

}  // namespace torchbook::report
