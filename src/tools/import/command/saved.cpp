#include <tools/import/command/saved.h>

#include <chrono>
#include <system_error>
#include <thread>

namespace torchbook::cli {

Saved saved(const std::vector<std::string>& files) {
  Saved times;
  for (const auto& file : files) {
    std::error_code none;
    times.push_back(std::filesystem::last_write_time(file, none));
  }
  return times;
}

void wait_until_saved(const std::vector<std::string>& files, const Saved& before) {
  constexpr auto between_looks_at_files = std::chrono::milliseconds(100);
  while (saved(files) == before) std::this_thread::sleep_for(between_looks_at_files);
}

}  // namespace torchbook::cli
