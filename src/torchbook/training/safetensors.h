// Reads and writes the format of https://huggingface.co/docs/safetensors: a header of JSON, and the data.
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torchbook/training/input_file.h>
#include <torchbook/training/output_file.h>

#include <string>

namespace torchbook::training {

/// Returns a dict of tensors. Throws std::runtime_error unless the data of each tensor follow those of
/// another one.
c10::IValue read_safetensors(InputFile& file);

/// Writes tensors, those of the largest elements first.
void write_safetensors(const c10::Dict<std::string, at::Tensor>& tensors, OutputFile& file);

}  // namespace torchbook::training
