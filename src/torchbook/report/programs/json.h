// The report for programs. Its shape is stable; docs/json.md describes it.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/report/explanation.h>
#include <torchbook/report/sources.h>

#include <optional>
#include <span>
#include <string>

namespace torchbook::report {

/// One notebook's run:
/// `{"notebook", "document", "cells": [{"position", "label", "source", "stdout", "result", "verdict"}],
/// "restored": [{"note", "source"}], "fingerprint": {…}}`, before that `"error"` where a cell threw, and in a
/// cell that is not equal `"difference"`. `source` is null where `sources` leave C++ out; where they have
/// PyTorch, `"twin"` follows it.
std::string json_report(const golden::JudgedTranscript& judged, Sources sources,
                        const notebook::Fingerprint& fingerprint);

/// Several notebooks' runs: `{"notebooks": [ … ], "fingerprint": {…}}`, and if bits are explained, `"causes"`
/// and `"run_again"` before the fingerprint.
std::string json_report(std::span<const golden::JudgedTranscript> judged, Sources sources,
                        const notebook::Fingerprint& fingerprint,
                        const std::optional<Explanation>& explanation = {});

/// One notebook's cells, none of them run: `{"notebook", "document", "cells": [{"position", "label",
/// "source"}]}`.
std::string json_outline(const notebook::Transcript& outline);

/// Several notebooks' cells: `{"notebooks": [ … ]}`.
std::string json_outline(std::span<const notebook::Transcript> outlines);

}  // namespace torchbook::report
