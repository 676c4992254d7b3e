// Reports errors in texts that a person wrote: ports, twins, goldens.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace torchbook::notebook {

/// A text that cannot be used. what() says in one line what is wrong and what would be right.
struct TextError : std::runtime_error {
  /// `line_number` is counted from 1; 0 means the text as a whole.
  TextError(std::size_t line_number, const std::string& what) : std::runtime_error(what), line(line_number) {}

  std::size_t line;

  /// Returns `file:line: what`, or `file: what` if the text as a whole is meant.
  std::string in_file(std::string_view file) const {
    std::string text(file);
    if (line != 0) text += ':' + std::to_string(line);
    return text + ": " + what();
  }
};

/// Calls `read` and returns what it returns. If that throws TextError, throws an `Error` that names the file.
template <class Error = std::runtime_error, class Read>
auto in_file(std::string_view file, const Read& read) {
  try {
    return read();
  } catch (const TextError& error) {
    throw Error(error.in_file(file));
  }
}

}  // namespace torchbook::notebook
