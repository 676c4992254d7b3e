// Reads recordings: the outputs of a twin under PyTorch as texts and bits, and the fingerprint.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/notebook/fingerprint.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// What one run of a twin produced.
struct Recording {
  Golden golden;                               ///< its outputs, with the bits of their tensors
  notebook::Fingerprint fingerprint;           ///< the PyTorch that ran it
  std::vector<std::string> restored_errors{};  ///< what its restored states raised, with file and line
  /// The fields of the fingerprint (Cause::about) that its bits depend on, by no more than rounding
  /// (is_rounding()), as a person measured; empty if nobody did.
  std::vector<std::string> depends_on{};
};

/// The recording of all releases, to which partial recordings refer.
struct RecordingFile {
  std::string_view name{};  ///< without its folder
  std::string_view text{};
};

/// Reads a recording: `{"notebook", "cells": [{"label", "stdout", "result", "tensors": [{"dtype", "shape",
/// "bits"}]}], "fingerprint"}`. `bits` holds the elements in row-major order, each as a hexadecimal number. A
/// complex element has two numbers. A cell that raised also has `"error"`, and `"raised"`, its line, if that
/// is known; a cell that did not run has `"ran": false`. A cell may have `"shapes"` and `"missing"`. If
/// restored states raised, the recording has `"restored_errors"`, a list of texts. It may have
/// `"depends_on"`, a list of texts.
///
/// A partial recording has `"differs_from"`, the name of `base`, and only the cells that differ from that
/// recording, each with its `"position"` (1 for the first cell). The other cells are those of `base`.
///
/// Throws GoldenError if the text is anything else, with the line, or with the cell and the field.
Recording parse_recording(std::string_view text, const RecordingFile& base = {});

/// Adds the recorded tensors to each cell of a golden that has the same outputs in the recording. Other cells
/// are compared by their texts. Does nothing if the recording has another number of cells.
void add_tensors(Golden& golden, const Recording& recording);

}  // namespace torchbook::golden
