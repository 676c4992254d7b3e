// Describes values and operations of a trace in a few words.
#pragma once

#include <tools/part/trace_file.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::trace_diff {

/// Returns `float32 (2, 3)`.
std::string tensor_words(const ReadTrace& trace, const Texts& texts, const SeenTensor& tensor);

/// Returns a value as Python writes it, and tensor_words() for a tensor.
std::string value_words(const ReadTrace& trace, const Texts& texts, const Value& value);

/// Returns the name of an operation's argument: `argument alpha`, `argument tensors[1]`, or
/// `argument 3` if the trace lacks its name. `position` counts from 0 and includes the elements of
/// lists.
std::string argument_words(const ReadTrace& trace, const Texts& texts, std::uint32_t operation,
                           std::size_t position);

/// Returns the value of an argument that argument_words() named. Python names the kinds of reductions, which
/// a trace has as numbers.
std::string setting_words(const ReadTrace& trace, const Texts& texts, std::string_view argument,
                          const Value& value);

/// Returns the names of operations, at most six of them: `aten::t, aten::matmul and aten::add_`.
std::string names_of(const ReadTrace& trace, const Texts& texts,
                     const std::vector<std::uint32_t>& operations);

}  // namespace torchbook::trace_diff
