// What a PyTorch gave for the twins of notebooks: text, bits, and what computed them.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/notebook/fingerprint.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// One twin's run.
struct Recording {
  Golden golden;                               ///< its outputs, with the bits of the tensors among them
  notebook::Fingerprint fingerprint;           ///< the PyTorch that ran it
  std::vector<std::string> restored_errors{};  ///< what its restored states raised, with file and line
};

/// Reads a recording: `{"notebook", "cells": [{"label", "stdout", "result", "tensors": [{"dtype", "shape",
/// "bits"}]}], "fingerprint"}`. `bits` holds the elements in row-major order, each as the hexadecimal number
/// that its bits make (the parts of a complex one are two). A cell that raised also has `"error"`, one that
/// did not run `"ran": false`. If restored states raised, the recording has `"restored_errors"`, a list of
/// texts. Throws GoldenError if the text is anything else.
Recording parse_recording(std::string_view json);

/// Gives a golden the bits that belong to its texts, to tell by how much a text is off that differs from
/// them. They do not decide: where the texts are equal, they are not asked. Does nothing where the cells are
/// others.
void add_bits(Golden& golden, const Recording& recording);

}  // namespace torchbook::golden
