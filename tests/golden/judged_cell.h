// Judges a notebook of one cell by a golden of one cell, for tests.
#pragma once

#include <torchbook/golden/verdict.h>

#include <optional>
#include <string>

namespace torchbook::golden {

/// A displayed value, or nullopt.
using Text = std::optional<std::string>;

/// Returns the run of a cell with these outputs.
inline notebook::Transcript ran(const std::string& out, const Text& result) {
  notebook::Cell cell;
  cell.position = 1;
  cell.label = "4";
  cell.out = out;
  cell.result = result;
  cell.ran = true;
  notebook::Transcript transcript;
  transcript.slug = "sample";
  transcript.items.emplace_back(cell);
  return transcript;
}

/// Returns the golden of a cell with these outputs.
inline Golden golden(const std::string& out, const Text& result) {
  return {.slug = "sample",
          .document = "",
          .cells = {{.position = 1, .label = "4", .out = out, .result = result}}};
}

/// Returns the judgement of the one cell.
inline Judgement judged(const notebook::Transcript& transcript, const Golden& expected) {
  return judge(transcript, expected).judgements.at(1);
}

}  // namespace torchbook::golden
