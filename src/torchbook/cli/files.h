// Reads and writes files and loses nothing silently.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// Returns the content of a file. Throws UsageError with its name and the reason if it cannot be read or
/// exceeds 64 MiB.
std::string read_file(const std::string& path);

/// Writes a text to stdout. Throws UsageError if that fails, but not if the reader has closed the pipe (`|
/// head -1`).
void write_stdout(std::string_view text);

/// Writes a line to stderr if possible. A failure changes no exit code.
void say_on_stderr(std::string line);

/// Writes a file completely or not at all: a regular file is replaced only after its new text is on the disk.
/// Devices and pipes are written directly. Throws UsageError with the name and the reason.
void write_file(const std::string& path, std::string_view text);

/// Makes a folder and its missing parents. Throws UsageError with the name and the reason.
void make_folder(const std::string& path);

/// Returns whether two paths lead to the same place, with links and dots resolved. Neither needs to exist.
bool same_path(const std::string& one, const std::string& other);

/// Returns whether stdout is a terminal that wants colour: it is not dumb, and NO_COLOR is not set.
bool stdout_wants_colour();

}  // namespace torchbook::cli
