// Handles the signals that end the program. All calls are async-signal-safe.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/notebook/ported_notebook.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace torchbook::cli {
namespace {

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP};
constexpr timespec look_pause{.tv_sec = 0, .tv_nsec = 5'000'000};
constexpr int most_looks = 400;  // two seconds

pthread_t main_thread;
std::atomic<const char*> temporary = nullptr;  // the name of the file to be removed
std::atomic<pid_t> doomed = 0;                 // the group to be killed

/// Sends SIGTERM to the leader of a group, so that it can end processes that left the group. Then
/// kills the rest.
void end_group(pid_t group) {
  ::kill(group, SIGTERM);
  for (int looks = 0; looks < most_looks; ++looks) {
    const pid_t ended = ::waitpid(-group, nullptr, WNOHANG);
    if (ended < 0) return;  // all have ended, and their number may be free
    if (ended == 0) ::nanosleep(&look_pause, nullptr);
  }
  ::kill(-group, SIGKILL);
}

/// Says which cell was running, because it may be in an endless loop.
void name_running_cell() {
  auto position = notebook::running_position();
  if (position == 0) return;
  std::array<char, 48> text{};
  auto* at = text.end();
  for (*--at = '\n'; position > 0; position /= 10) *--at = static_cast<char>('0' + position % 10);
  for (auto letter = running_cell.rbegin(); letter != running_cell.rend(); ++letter) *--at = *letter;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, at, static_cast<std::size_t>(text.end() - at));
}

void clean_up(int signal) {
  const int before = errno;
  if (::pthread_equal(::pthread_self(), main_thread) == 0) {  // one of LibTorch's threads
    ::pthread_kill(main_thread, signal);
    errno = before;
    return;
  }
  if (signal == SIGTERM) name_running_cell();
  if (const char* name = temporary) ::unlink(name);
  if (const pid_t group = doomed; group != 0) end_group(group);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // ends the program when this handler returns
}

}  // namespace

Undisturbed::Undisturbed() {
  sigemptyset(&kept_);
  for (const int signal : ending) sigaddset(&kept_, signal);
  ::pthread_sigmask(SIG_BLOCK, &kept_, &before_);
}

int Undisturbed::signal_that_waits() const {
  constexpr timespec a_moment{.tv_sec = 0, .tv_nsec = 100'000'000};
  return std::max(::sigtimedwait(&kept_, nullptr, &a_moment), 0);
}

Undisturbed::~Undisturbed() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void clean_up_on_signals() {
  main_thread = ::pthread_self();
  struct sigaction action {};
  action.sa_handler = clean_up;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : ending) {
    struct sigaction now {};
    ::sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

TemporaryFile::TemporaryFile(const std::string& beside)
    : name_((std::filesystem::path(beside).parent_path() / ".torchbook-XXXXXX").string()) {
  const Undisturbed undisturbed;
  descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
  if (descriptor_ >= 0) temporary = name_.c_str();
}

TemporaryFile::~TemporaryFile() {
  if (temporary.exchange(nullptr) == nullptr) return;
  const int before = errno;
  ::unlink(name_.c_str());
  errno = before;
}

int TemporaryFile::rename(const std::string& path) {
  const Undisturbed undisturbed;  // after it, the name may be that of another file
  if (::rename(name_.c_str(), path.c_str()) != 0) return errno;
  temporary = nullptr;
  return 0;
}

DoomedGroup::DoomedGroup(pid_t group) { doomed = group; }

void DoomedGroup::release() { doomed = 0; }

}  // namespace torchbook::cli
