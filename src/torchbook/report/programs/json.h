// The report for programs. Its shape is stable; docs/json.md describes it.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/report/sources.h>

#include <span>
#include <string>

namespace torchbook::report {

/// One notebook's run:
/// `{"notebook", "document", "cells": [{"position", "label", "source", "stdout", "result", "verdict"}],
/// "restored": [{"note", "source"}], "fingerprint": {…}}`, before that `"error"` if a cell threw and
/// `"failure"` if the run could not be judged, and in a cell that is not equal `"difference"`. `source` is
/// null where `sources` leave C++ out; where they have PyTorch, `"twin"` follows it.
std::string json_report(const golden::JudgedTranscript& judged, Sources sources,
                        const notebook::Fingerprint& fingerprint);

/// Several notebooks' runs: `{"notebooks": [ … ], "fingerprint": {…}}`.
std::string json_report(std::span<const golden::JudgedTranscript> judged, Sources sources,
                        const notebook::Fingerprint& fingerprint);

/// One notebook's cells, none of them run: `{"notebook", "document", "cells": [{"position", "label",
/// "source"}]}`.
std::string json_outline(const notebook::Transcript& outline);

/// Several notebooks' cells: `{"notebooks": [ … ]}`.
std::string json_outline(std::span<const notebook::Transcript> outlines);

}  // namespace torchbook::report
