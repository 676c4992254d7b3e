#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/installation.h>
#include <torchbook/report/quoted.h>
#include <unistd.h>

#include <cstring>
#include <thread>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr std::size_t most_said = std::size_t{64} << 10;

/// Returns the last line of a program's output, because Python prints the error there.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Starts a program with these descriptors as its first ones. Returns the error, or 0.
int start(const std::vector<std::string>& command, const std::vector<int>& descriptors, pid_t& process) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (std::size_t i = 0; i < descriptors.size(); ++i)
    ::posix_spawn_file_actions_adddup2(&files, descriptors[i], static_cast<int>(i));
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  sigset_t ignored;  // by torchbook, and not by what it starts
  ::sigemptyset(&ignored);
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaddset(&ignored, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &ignored);
  const int error = ::posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const std::string& input) {
  const notebook::TemporaryFile question;
  if (const int error = write_all(question.descriptor(), input); error != 0)
    throw UsageError(fmt::format("cannot write a temporary file: {}", std::strerror(error)));
  ::lseek(question.descriptor(), 0, SEEK_SET);
  const Undisturbed until_known;
  const int said = said_.descriptor();
  if (const int error = start(command, {question.descriptor(), said, said, answer_.descriptor()}, process_))
    throw UsageError(fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
  end_on_signals(process_);
}

Child::~Child() { end(std::chrono::seconds(2)); }

bool Child::wrote_too_much() const { return answer_.size() > most_bytes || said_.size() > most_bytes; }

void Child::end(std::chrono::seconds grace) {
  if (process_ == 0) return;
  end_group(std::exchange(process_, 0), grace, status_);
  end_on_signals(0);
}

Child::Ended Child::wait(std::chrono::seconds limit, const std::function<void(std::chrono::seconds)>& tick,
                         std::chrono::seconds grace) {
  const auto started = std::chrono::steady_clock::now();
  std::chrono::seconds told{0};
  Ended ended;
  while (::waitpid(process_, &status_, WNOHANG) == 0 && !ended.timed_out && !wrote_too_much()) {
    const auto passed = std::chrono::steady_clock::now() - started;
    ended.timed_out = passed > limit;
    if (passed - told > std::chrono::seconds(1)) tick(++told);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  end(ended.timed_out ? grace : std::chrono::seconds(0));
  if (wrote_too_much()) return {.too_much = true};
  ended.answer = answer_.bytes();
  ended.said = said_.bytes(most_said);
  ended.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return ended;
}

Child::Ended run_again(const std::vector<std::string>& settings, const std::vector<std::string>& arguments,
                       std::chrono::seconds limit, const std::function<void(std::chrono::seconds)>& tick) {
  std::vector<std::string> command = {"env"};
  command.insert(command.end(), settings.begin(), settings.end());
  command.insert(command.end(), {"sh", "-c", "exec \"$0\" \"$@\" >&3", this_program().string()});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Child(command, "").wait(limit, tick);
}

std::string how_it_ended(const Child::Ended& ended) {
  const std::string said = report::shortened(last_line(ended.said));
  const std::string how = ended.code > 128 ? fmt::format("was ended by signal {}", ended.code - 128)
                                           : fmt::format("ended with exit code {}", ended.code);
  return said.empty() ? how : fmt::format("{}: {}", how, said);
}

}  // namespace torchbook::cli
