// Writes files so that they appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// Writes a text to a file. Throws UsageError with the name and the reason.
///
/// A regular file is replaced only after its new text is on the disk, so it appears whole or not at
/// all. It keeps its permissions, but its other hard links keep the old text. A pipe, a device, or
/// a descriptor such as `/dev/stdout` is written in place.
void write_file(const std::string& path, std::string_view text);

}  // namespace torchbook::cli
