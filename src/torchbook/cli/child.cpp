// Starts a program, waits for it and kills it.
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <torchbook/cli/child.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

extern char** environ;

namespace torchbook::cli {
namespace {

constexpr int answer_descriptor = 3;
constexpr auto between_looks = std::chrono::milliseconds(5);
constexpr int seconds_of_silence = 2;
constexpr int seconds_between_words = 15;

/// Returns the last line of what a program wrote, because Python says there what went wrong.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::string content(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[1 << 14];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
    text.append(buffer, count);
  }
  return text;
}

/// The files to which the program's descriptors are redirected.
class Redirections {
 public:
  Redirections() { posix_spawn_file_actions_init(&actions_); }
  ~Redirections() { posix_spawn_file_actions_destroy(&actions_); }
  Redirections(const Redirections&) = delete;
  Redirections& operator=(const Redirections&) = delete;

  void add(std::FILE* file, int descriptor) {
    posix_spawn_file_actions_adddup2(&actions_, ::fileno(file), descriptor);
  }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

}  // namespace

Child::File Child::temporary_file() {
  File file(std::tmpfile(), &std::fclose);
  if (!file) throw UsageError(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  return file;
}

Child::Child(const std::vector<std::string>& command, const std::string& input)
    : input_(temporary_file()), answer_(temporary_file()), said_(temporary_file()) {
  if (std::fwrite(input.data(), 1, input.size(), input_.get()) != input.size() ||
      std::fflush(input_.get()) != 0) {
    throw UsageError(fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  }
  std::rewind(input_.get());
  Redirections redirections;
  redirections.add(input_.get(), STDIN_FILENO);
  redirections.add(said_.get(), STDOUT_FILENO);
  redirections.add(said_.get(), STDERR_FILENO);
  redirections.add(answer_.get(), answer_descriptor);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int error =
      posix_spawnp(&process_, arguments[0], redirections.actions(), nullptr, arguments.data(), environ);
  if (error != 0) {
    process_ = 0;
    throw UsageError(fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
  }
}

Child::~Child() {
  if (process_ != 0) killed();
}

bool Child::has_ended() {
  if (::waitpid(process_, &status_, WNOHANG) == process_) {
    process_ = 0;
    return true;
  }
  std::this_thread::sleep_for(between_looks);
  return false;
}

Child::Ended Child::ended() const {
  return {.answer = content(answer_.get()),
          .said = content(said_.get()),
          .code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_)};
}

Child::Ended Child::killed() {
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  Ended how = ended();
  how.timed_out = true;
  return how;
}

std::string how_it_ended(const Child::Ended& ended) {
  const std::string said = last_line(ended.said);
  const std::string how = ended.code > 128 ? fmt::format("was ended by signal {}", ended.code - 128)
                                           : fmt::format("ended with exit code {}", ended.code);
  return said.empty() ? how : fmt::format("{}: {}", how, said);
}

void tell_waiting(std::chrono::seconds passed, std::string_view what) {
  const auto seconds = passed.count();
  if (seconds == seconds_of_silence || seconds % seconds_between_words == 0) {
    say_on_stderr(fmt::format("torchbook: {} s, waiting for {}", seconds, what));
  }
}

}  // namespace torchbook::cli
