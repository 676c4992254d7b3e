// Makes judged transcripts for the tests of the reports.
#pragma once

#include <support/recorded_tensor.h>
#include <torchbook/golden/judge.h>
#include <torchbook/notebook/fingerprint.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::test {

inline constexpr float inf = std::numeric_limits<float>::infinity();

inline notebook::Cell cell(std::size_t position, std::string label, std::string out,
                           std::optional<std::string> result) {
  notebook::Cell cell;
  cell.position = position;
  cell.label = std::move(label);
  cell.source = "return f(" + std::to_string(position) + ");\n// done";
  cell.out = std::move(out);
  cell.result = std::move(result);
  cell.line = 10 * position;
  cell.ran = true;
  return cell;
}

/// Returns a run of three cells, a note and restored state. If `different`, the second cell differs from its
/// golden.
inline golden::JudgedTranscript sample(bool different = false) {
  notebook::Transcript transcript;
  transcript.slug = "sample";
  transcript.document = "000.txt";
  transcript.port_file = "sample.cpp";
  transcript.items.emplace_back(cell(1, "3", "", std::nullopt));
  transcript.items.emplace_back(notebook::Note{"What comes next."});
  transcript.items.emplace_back(
      notebook::Restored{.note = "The seed.", .source = "seed(1);", .twin = "", .error = {}});
  transcript.items.emplace_back(cell(2, "7", "a\nb\n", "tensor([1.])"));
  transcript.items.emplace_back(cell(3, "None", "", "True"));
  golden::Golden golden{.slug = "sample", .document = "000.txt", .cells = {}};
  golden.cells.push_back({.position = 1, .label = "3", .out = "", .result = std::nullopt});
  golden.cells.push_back(
      {.position = 2, .label = "7", .out = different ? "a\nB\n" : "a\nb\n", .result = "tensor([1.])"});
  golden.cells.push_back({.position = 3, .label = "None", .out = "", .result = "True"});
  return judge(transcript, golden);
}

/// Returns a run in which the second cell threw after it printed, so that the third did not run.
inline golden::JudgedTranscript sample_that_threw() {
  golden::JudgedTranscript judged = sample();
  notebook::Cell& threw = std::get<notebook::Cell>(judged.transcript.items[3]);
  threw.result.reset();
  threw.error = "boom";
  judged.judgements.at(2) = {.verdict = golden::Verdict::threw, .golden_has_output = true};
  std::get<notebook::Cell>(judged.transcript.items[4]).result.reset();
  judged.judgements.erase(3);
  return judged;
}

/// Returns a run in which the twin of the second cell raised, so that the third cell of the twin did not run.
inline golden::JudgedTranscript sample_whose_twin_raised() {
  golden::JudgedTranscript judged = sample();
  judged.against = "PyTorch";
  judged.judgements.at(2) = {
      .verdict = golden::Verdict::threw, .raised = "sample.py:7: ValueError: no", .golden_has_output = true};
  judged.judgements.erase(3);
  return judged;
}

/// Returns a run whose second cell, which has an output, is not ported.
inline golden::JudgedTranscript sample_not_ported() {
  golden::JudgedTranscript judged = sample();
  judged.judgements.at(2) = {
      .verdict = golden::Verdict::not_ported, .not_ported = "needs *x*", .golden_has_output = true};
  return judged;
}

/// Returns a run whose second cell has an exception of this kind. If `hold` is false, the cell is
/// equal, so that the exception is untrue.
inline golden::JudgedTranscript sample_excepted(golden::ExceptionKind kind, bool hold) {
  golden::JudgedTranscript judged = kind == golden::ExceptionKind::differs && hold ? sample(true) : sample();
  auto& judgement = judged.judgements.at(2);
  if (hold && kind == golden::ExceptionKind::picture)
    judgement = {.verdict = golden::Verdict::not_compared, .golden_has_output = true};
  if (hold && kind == golden::ExceptionKind::not_ported) judgement = sample_not_ported().judgements.at(2);
  judgement.exception = {
      .position = 2, .kind = kind, .reason = "the *why*", .line = 3, .place = "sample.exceptions:3"};
  judgement.exception_holds = hold;
  return judged;
}

/// Returns a run that was not judged because its golden was broken.
inline golden::JudgedTranscript sample_not_judged() {
  golden::JudgedTranscript judged = sample();
  judged.judgements.clear();
  judged.failure = "sample.txt:4: expected a cell's <heading>";
  return judged;
}

/// Returns a run in which two of the four elements of the second cell's tensor have other bits.
inline golden::JudgedTranscript sample_of_other_bits() {
  golden::JudgedTranscript judged = sample();
  golden::Judgement& judgement = judged.judgements.at(2);
  judgement.verdict = golden::Verdict::equal_as_printed;
  judgement.elements.push_back({.where = "result",
                                .tensor = 1,
                                .recorded = true,
                                .values = {.index = {0, 1},
                                           .golden = "1.0",
                                           .actual = "1.0000001",
                                           .absolute = 0x1p-23,
                                           .relative = 0x1p-23,
                                           .ulps = 1,
                                           .elements = 4,
                                           .differing = 2,
                                           .largest_ulps = 3,
                                           .largest_at = {1, 1}}});
  return judged;
}

inline notebook::Fingerprint sample_fingerprint() {
  return {.torch = "LibTorch 1.13.1",
          .build = "GCC 12.2, \"-O2\"",
          .cpu_capability = "AVX2",
          .onednn = 0x27,
          .blas = "libopenblas.so.0",
          .threads = 2,
          .compiler = "g++ 12.2.0"};
}

/// Returns a run with hostile text in every field, which a page, a notebook or a terminal might
/// execute: markup, fences, formulas, escape sequences, control characters and invalid UTF-8.
inline golden::JudgedTranscript hostile() {
  const std::string text =
      "```\n<script>alert(1)</script> $x_1$ *a* \x1b[31mred\x1b[0m\a\r\xff &amp; ````\n# h";
  notebook::Transcript transcript;
  transcript.slug = "a_b<i>";
  transcript.document = "*000*.txt";
  transcript.items.emplace_back(
      notebook::Note{"- <b>*a*</b> _b_ [c](d) $e$ ~~f~~ &amp; `g<i>` `` | \\ \x1b\xff\n\n# h"});
  transcript.items.emplace_back(
      notebook::Restored{.note = "1. `", .source = text, .twin = text, .error = {}});
  notebook::Cell strange = cell(1, "<u>", text + '\n', text);
  strange.source = text;
  strange.twin = text;
  transcript.items.emplace_back(strange);
  golden::Golden golden{.slug = "a_b<i>", .document = "*000*.txt", .cells = {}};
  golden.cells.push_back({.position = 1, .label = "<u>", .out = text + '\n', .result = text});
  return judge(transcript, golden);
}

}  // namespace torchbook::test
