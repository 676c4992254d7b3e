// Finds the file behind a path that is written or read, however the path spells it.
#pragma once

#include <optional>
#include <string>

namespace torchbook::cli {

/// Where a path leads: to a descriptor of this process, or to a path that is no link.
struct Target {
  std::optional<int> descriptor{};
  std::string path{};
  std::string error{};  ///< why the path leads to no file that can be written; otherwise empty
};

/// Follows the links of a path. The names of descriptors, as `/dev/stdout` and `/dev/fd/3`, lead to the
/// descriptor, not to the file behind it.
Target target_of(const std::string& given);

/// Returns whether both are the same descriptor or the same regular file. Neither file needs to exist.
bool same_file(const Target& one, const Target& other);

}  // namespace torchbook::cli
