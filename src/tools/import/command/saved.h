// Waits until a file is saved, for the commands that watch.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchbook::cli {

/// When each of some files was saved. A file that does not exist has a time of its own.
using Saved = std::vector<std::filesystem::file_time_type>;

Saved saved(const std::vector<std::string>& files);

/// Waits until one of the files is saved after `before`.
void wait_until_saved(const std::vector<std::string>& files, const Saved& before);

}  // namespace torchbook::cli
