// Writes files without a loss of what stood there, as far as the system lets it.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// Writes a text to a file. Throws UsageError with the name and the reason.
///
/// A regular file is replaced only after its new text is on the disk, so it appears whole or not at all. It
/// is overwritten in place if replacing it would change more than its text: if it has several names, is a
/// mount point, stands in a folder that takes no new file, or belongs to somebody else and cannot be given
/// back. Then space for the new text is reserved first. Owner and permissions stay; set-user and set-group
/// bits go.
///
/// A link is followed, and its target is made if it does not exist. The names of descriptors, as
/// `/dev/stdout` and `/dev/fd/3`, devices and pipes are written to as they are. A descriptor of another
/// process is refused.
void write_file(const std::string& path, std::string_view text);

}  // namespace torchbook::cli
