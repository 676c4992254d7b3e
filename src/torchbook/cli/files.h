// Reading and writing, with nothing lost silently.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// The whole file. Throws UsageError, naming it and why, where it cannot be read or holds more than 64 MiB.
std::string read_file(const std::string& path);

/// Writes the text to stdout. Throws UsageError where it cannot be written in full; a reader that has gone
/// away (`| head -1`) is no error.
void write_stdout(std::string_view text);

/// Says a line on stderr, as far as that can be written to; what cannot be said changes no exit code.
void say_on_stderr(std::string line);

/// Writes the file as a whole or not at all: a regular file is replaced only once its text is on the disk.
/// Devices and pipes are written to directly. Throws UsageError, naming it and why.
void write_file(const std::string& path, std::string_view text);

/// Makes the folder, and those that it is in. Throws UsageError, naming it and why.
void make_folder(const std::string& path);

/// Whether two paths lead to one place, as far as links and dots tell; neither need be there.
bool same_path(const std::string& one, const std::string& other);

/// Whether stdout is a terminal that wants colour: not a dumb one, and NO_COLOR is not set.
bool stdout_wants_colour();

}  // namespace torchbook::cli
