// Judges a notebook of one cell by a golden of one cell, for tests.
#pragma once

#include <torchbook/golden/judge.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace torchbook::golden {

/// A displayed value, or nullopt.
using Text = std::optional<std::string>;

using Tensors = std::vector<notebook::RecordedTensor>;

/// Returns the run of a cell with these outputs and tensors.
inline notebook::Transcript ran(const std::string& out, const Text& result, const Tensors& tensors = {}) {
  notebook::Cell cell;
  cell.position = 1;
  cell.label = "4";
  cell.out = out;
  cell.result = result;
  cell.tensors = tensors;
  cell.ran = true;
  notebook::Transcript transcript;
  transcript.slug = "sample";
  transcript.items.emplace_back(cell);
  return transcript;
}

/// Returns the cell of ran().
inline notebook::Cell& cell_of(notebook::Transcript& transcript) {
  return std::get<notebook::Cell>(transcript.items[0]);
}

/// Returns the golden of a cell with these outputs, and with the bits of tensors if they are known.
inline Golden golden(const std::string& out, const Text& result,
                     const std::optional<Tensors>& tensors = std::nullopt) {
  return {.slug = "sample",
          .document = "",
          .cells = {{.position = 1, .label = "4", .out = out, .result = result, .tensors = tensors}}};
}

/// Returns the judgement of the one cell.
inline Judgement judged(const notebook::Transcript& transcript, const Golden& expected) {
  return judge(transcript, expected).judgements.at(1);
}

}  // namespace torchbook::golden
