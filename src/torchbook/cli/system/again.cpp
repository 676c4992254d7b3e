// Starts this program through env, which sets the variables, and a shell, which redirects stdout.
#include <torchbook/cli/system/again.h>

#include <filesystem>

namespace torchbook::cli {

Child::Ended run_again(const std::vector<std::string>& settings, const std::vector<std::string>& arguments,
                       std::chrono::seconds limit, const std::function<void(std::chrono::seconds)>& tick) {
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  std::vector<std::string> command = {"env"};
  command.insert(command.end(), settings.begin(), settings.end());
  command.insert(command.end(), {"sh", "-c", "exec \"$0\" \"$@\" >&3", program.string()});
  command.insert(command.end(), arguments.begin(), arguments.end());
  Child child(command, "");
  return child.wait(limit, [&](std::chrono::seconds passed) {
    if (tick) tick(passed);
  });
}

}  // namespace torchbook::cli
