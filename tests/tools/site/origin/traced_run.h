// Runs cells as a traced notebook, for tests of what the pages draw.
#pragma once

#include <ATen/ATen.h>
#include <notebook/table_of_ones.h>
#include <support/folders.h>
#include <tools/site/origin/pictures.h>
#include <torchbook/golden/judge.h>
#include <torchbook/notebook/notebook_run.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/temporary_file.h>

#include <functional>
#include <string>
#include <vector>

namespace torchbook::test {

using TracedCells = std::vector<std::function<void(notebook::Notebook&)>>;

/// Runs a notebook with these cells, each with the label `1`.
inline golden::JudgedTranscript traced_run(const TracedCells& cells) {
  const notebook::TemporaryFile file;
  notebook::RunTrace trace(trace_library(), file.path(), {});
  notebook::NotebookRun run(table_of_ones(cells.size()), std::nullopt, &trace);
  for (const auto& body : cells) {
    run.cell("1");
    body(run);
  }
  run.finish();
  trace.finish();
  golden::JudgedTranscript judged{.transcript = run.transcript(), .judgements = {}};
  judged.transcript.trace = file.bytes();
  return judged;
}

/// Returns the origin of a picture as a text with the ids of other pictures: `u1-1[2] @ t2-1.T`.
inline std::string words_of(const site::Picture& picture, const std::vector<site::Picture>& all) {
  if (!picture.origin) return "";
  const auto& origin = *picture.origin;
  const auto side = [&](const site::Operand& operand) {
    return all[operand.tensor].id + (operand.row ? "[" + std::to_string(*operand.row) + "]" : "");
  };
  using Kind = site::Origin::Kind;
  if (origin.kind == Kind::softmax)
    return "softmax(" + side(origin.left) + ", " + std::to_string(origin.dim) + ")" +
           (origin.by_hand ? " by hand" : "");
  if (origin.kind == Kind::scaled) return side(origin.left) + " / " + origin.divisor;
  if (origin.kind == Kind::product)
    return side(origin.left) + " @ " + side(origin.right) + (origin.transposed ? ".T" : "");
  std::string words = "formula: ";
  for (const auto& part : origin.formula) words += part.text + (part.tensor ? all[*part.tensor].id : "");
  return words;
}

/// Returns the ids of all pictures with their origins, if they have one: `t2-1 = softmax(t1-1, 0)`.
inline std::vector<std::string> origins(const TracedCells& cells) {
  const auto all = site::pictures_of(traced_run(cells));
  std::vector<std::string> words;
  for (const auto& picture : all) {
    const auto origin = words_of(picture, all);
    words.push_back(picture.id + (origin.empty() ? "" : " = " + origin));
  }
  return words;
}

/// Returns a matrix that counts 1, 2, 3 … row by row.
inline at::Tensor counted(std::int64_t rows, std::int64_t columns) {
  return at::arange(1, rows * columns + 1, at::kFloat).view({rows, columns});
}

}  // namespace torchbook::test
