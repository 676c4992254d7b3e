// Writes reports as JSON. Their structure is stable and described in docs/json.md.
#pragma once

#include <torchbook/golden/judge.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/report/explanation.h>
#include <torchbook/report/shown.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace torchbook::report {

/// The content of each cell in the report, in addition to its outputs.
struct CellContent {
  // NOLINTNEXTLINE(google-explicit-constructor): most reports have only sources
  CellContent(Sources sources_of_cell, bool with_times = false)
      : sources(sources_of_cell), times(with_times) {}

  Sources sources;
  bool times;  ///< how long each cell took, as `"seconds"` after its verdict
};

/// Returns one notebook's run: `{"notebook", "document", "cells": [{"position", "label", "source", "stdout",
/// "result", "verdict"}], "restored": [{"note", "source"}], "fingerprint": {…}}`. `"error"` precedes the
/// fingerprint if a cell threw, and `"failure"` if the run could not be judged. A cell that is not equal has
/// a `"difference"`. `source` is null if the content lacks C++. If it has PyTorch, `"twin"` follows.
std::string json_report(const golden::JudgedTranscript& judged, const CellContent& content,
                        const notebook::Fingerprint& fingerprint);

/// Returns several notebooks' runs: `{"notebooks": [ … ], "fingerprint": {…}}`, and if bits are explained,
/// `"causes"` and `"run_again"` before the fingerprint.
std::string json_report(std::span<const golden::JudgedTranscript> judged, const CellContent& content,
                        const notebook::Fingerprint& fingerprint,
                        const std::optional<Explanation>& explanation = {});

/// Returns one notebook's cells without running any: `{"notebook", "document", "cells": [{"position",
/// "label", "source"}]}`.
std::string json_outline(const notebook::Transcript& outline);

/// Returns several notebooks' cells: `{"notebooks": [ … ]}`.
std::string json_outline(std::span<const notebook::Transcript> outlines);

/// Returns `[{"kind", "what", "advice", "from", "here", "there", "text"}]`.
nlohmann::ordered_json partings_json(const std::vector<golden::Parting>& partings);

/// Returns `{"torch", "build", "cpu_capability", "onednn", "blas", "threads", "compiler", "library"}`,
/// without `onednn` and `library` if they are unknown.
nlohmann::ordered_json fingerprint_json(const notebook::Fingerprint& fingerprint);

}  // namespace torchbook::report
