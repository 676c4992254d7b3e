// Reads files, and reads and writes the standard streams.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchbook::cli {

/// Returns the content of a file. Throws UsageError with its name and the reason if it cannot be read or
/// exceeds `most` bytes, 64 MiB by default: enough for a golden, a twin or a recording.
std::string read_file(const std::string& path, std::size_t most = std::size_t{64} << 20);

/// Returns the rest of stdin. Its errors are those of read_file() and name /dev/stdin.
std::string read_stdin();

/// Writes a text to stdout. Throws UsageError if that fails, but not if the reader has closed the pipe (`|
/// head -1`).
void write_stdout(std::string_view text);

/// Writes a line to stderr if possible. A failure changes no exit code.
void say_on_stderr(std::string line);

/// Makes a folder and its missing parents. Throws UsageError with the name and the reason.
void make_folder(const std::string& path);

/// Returns whether stdout is a terminal that wants colour: it is not dumb, and NO_COLOR is not set.
bool stdout_wants_colour();

}  // namespace torchbook::cli
