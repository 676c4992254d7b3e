// A cell's own text, cut from the file in which it stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchbook::notebook {

/// The body of the lambda that a call starting on `line` (from 1) of `source` takes as its last argument,
/// without the common indent. The file is laid out as clang-format leaves it: the call ends either on its own
/// line, with
/// `});`, or on the first later line that holds just `});` at the indent of the call. Throws
/// std::logic_error, naming the line, where that is not so.
std::string call_body(std::string_view source, std::size_t line);

}  // namespace torchbook::notebook
