// What a PyTorch gave for the twins of notebooks: text, bits, and what computed them.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/notebook/fingerprint.h>

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::golden {

/// One twin's run.
struct Recording {
  Golden golden;                      ///< its outputs, with the bits of the tensors among them
  notebook::Fingerprint fingerprint;  ///< the PyTorch that ran it
  std::size_t cells_run =
      0;  ///< how many cells ran to their end; what the golden holds of the others is void
  std::optional<std::string> error;  ///< what the cell behind them raised, and which cell that was
};

/// Reads a recording: `{"notebook", "cells": [{"label", "stdout", "result", "tensors": [{"dtype", "shape",
/// "bits"}]}], "fingerprint"}`, and where a cell raised `"error"` and `"cells_run"`. `bits` holds the
/// elements in row-major order, each as the hexadecimal number that its bits make (the parts of a complex one
/// are two). Throws GoldenError where the text is anything else.
Recording parse_recording(std::string_view json);

/// Gives a golden the bits that belong to its texts, to tell by how much a text is off that differs from
/// them. They do not decide: where the texts are equal, they are not asked. Does nothing where the cells are
/// others.
void add_bits(Golden& golden, const Recording& recording);

}  // namespace torchbook::golden
