// Starts a program, waits for it, and kills it together with its children.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/installation.h>
#include <torchbook/report/quoted.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

namespace torchbook::cli {
namespace {

constexpr int answer_descriptor = 3;
constexpr std::size_t most_said = std::size_t{64} << 10;
constexpr auto between_looks = std::chrono::milliseconds(5);

/// Returns the last line of a program's output, because Python prints the error there.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Moves a file to a descriptor above those that the program gets, so that dup2 cannot overwrite
/// it.
int above(Descriptor file) { return ::fcntl(file.get(), F_DUPFD_CLOEXEC, answer_descriptor + 1); }

std::size_t size_of(const Descriptor& file) {
  struct stat now {};
  return ::fstat(file.get(), &now) == 0 ? static_cast<std::size_t>(now.st_size) : 0;
}

/// Returns the last bytes of a file, at most `most`.
std::string end_of(const Descriptor& file, std::size_t most) {
  std::string text(std::min(size_of(file), most), '\0');
  const auto start = static_cast<off_t>(size_of(file) - text.size());
  const auto got = ::pread(file.get(), text.data(), text.size(), start);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

/// The files of a program by descriptor, and the write end of a pipe that reports why it did not
/// start.
struct Plan {
  std::array<int, answer_descriptor + 1> files;
  int why_not;
  pid_t parent;
};

/// Replaces this process by another program. Runs after fork(), so it makes only calls that are
/// safe there.
[[noreturn]] void become(char* const* arguments, const Plan& plan) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != plan.parent) ::_exit(1);
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);  // torchbook ignores them
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (std::size_t i = 0; i < plan.files.size(); ++i) ::dup2(plan.files[i], static_cast<int>(i));
  ::execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(plan.why_not, &error, sizeof error);
  ::_exit(127);
}

/// Starts a program. Returns its process, or -1 and sets errno.
pid_t start(const std::vector<std::string>& command, int input, int answer, int said) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  const Descriptor reader(ends[0]);
  Descriptor writer(above(Descriptor(ends[1])));
  const Plan plan{{input, said, said, answer}, writer.get(), ::getpid()};
  const pid_t process = ::fork();
  if (process == 0) become(arguments.data(), plan);
  if (process < 0) return -1;
  writer.close();
  int error = 0;
  // A successful start closes the pipe, so nothing can be read.
  if (read_some(reader.get(), reinterpret_cast<char*>(&error), sizeof error) <= 0) return process;
  ::waitpid(process, nullptr, 0);
  errno = error;
  return -1;
}

}  // namespace

Descriptor memory_file() {
  Descriptor file(above(Descriptor(::memfd_create("torchbook", MFD_CLOEXEC | MFD_ALLOW_SEALING))));
  if (!file.open()) throw UsageError(fmt::format("cannot make a file in memory: {}", std::strerror(errno)));
  return file;
}

Child::Child(const std::vector<std::string>& command, const std::string& input)
    : answer_(memory_file()), said_(memory_file()) {
  const Descriptor question = memory_file();
  if (const int error = write_all(question.get(), input); error != 0) {
    throw UsageError(fmt::format("cannot write a file in memory: {}{}", std::strerror(error),
                                 error == EFBIG ? "; ulimit -f sets the limit" : ""));
  }
  ::lseek(question.get(), 0, SEEK_SET);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // so that something_runs() sees what outlived the program
  process_ = start(command, question.get(), answer_.get(), said_.get());
  if (process_ < 0) throw UsageError(fmt::format("cannot start {}: {}", command[0], std::strerror(errno)));
  doomed_.emplace(process_);
}

Child::~Child() { kill_all(); }

bool Child::has_ended() {
  siginfo_t info{};
  const auto process = static_cast<id_t>(process_);
  // WNOWAIT leaves the program a zombie, so that no other process gets the number of its group
  // before kill_all().
  const int result = ::waitid(P_PID, process, &info, WEXITED | WNOHANG | WNOWAIT);
  if (result != 0 || info.si_pid != 0) return true;
  std::this_thread::sleep_for(between_looks);
  return false;
}

bool Child::wrote_too_much() const { return size_of(answer_) > most_bytes || size_of(said_) > most_bytes; }

/// Reaps the processes of the group that have ended. Returns whether others still run.
bool Child::something_runs() {
  for (;;) {
    int status = 0;
    const pid_t process = ::waitpid(-process_, &status, WNOHANG);
    if (process <= 0) return process == 0;
    if (process != process_) continue;
    status_ = status;
    leader_ended_ = true;
  }
}

void Child::kill_all() {
  if (process_ == 0) return;
  if (!leader_ended_ || something_runs()) ::kill(-process_, SIGKILL);  // otherwise the number may be free
  while (!leader_ended_ && ::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
  }
  doomed_->release();
  process_ = 0;
}

Child::Ended Child::ended() {
  kill_all();
  if (wrote_too_much()) {
    Ended how;
    how.too_much = true;
    return how;
  }
  return {.answer = end_of(answer_, most_bytes),
          .said = end_of(said_, most_said),
          .code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_)};
}

Child::Ended Child::timed_out(std::chrono::seconds grace) {
  const auto end = std::chrono::steady_clock::now() + grace;
  ::kill(process_, SIGTERM);
  while (something_runs() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(between_looks);
  }
  Ended how = ended();
  how.timed_out = true;
  return how;
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
