#include <signal.h>
#include <sys/wait.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/notebook/running_position.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace torchbook::cli {
namespace {

constexpr std::chrono::milliseconds between_looks(5);
constexpr std::chrono::seconds rest(2);  // the time of a group after its leader has ended

std::atomic<pid_t> group_to_end = 0;
std::atomic<const char*> file_to_remove = nullptr;
std::atomic<const char*> folder_to_remove = nullptr;
std::atomic<int> undisturbed = 0;  // how many Undisturbed there are
std::atomic<int> delayed = 0;      // a signal that came

/// Says which cell was running, because it may be in an endless loop.
void name_running_cell() {
  const std::size_t position = notebook::running_position;
  if (position == 0) return;
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%s%zu\n", running_cell.data(), position);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, static_cast<std::size_t>(size));
}

/// Removes a folder by another program, because a signal handler may not open folders.
void remove_folder(const char* folder) {
  const pid_t child = ::_Fork();  // fork() would wait for locks that the interrupted code may hold
  if (child == 0) {
    ::execl("/bin/rm", "rm", "-rf", "--", folder, nullptr);
    ::_exit(1);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

void clean_up(int signal) {
  delayed = signal;
  if (undisturbed > 0) return;
  if (signal == SIGTERM) name_running_cell();
  if (const char* file = file_to_remove) ::unlink(file);
  int status = 0;
  if (const pid_t group = group_to_end; group != 0) end_group(group, rest, status);
  if (const char* folder = folder_to_remove) remove_folder(folder);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // ends the program when this handler returns
}

}  // namespace

void clean_up_on_signals() {
  struct sigaction action {};
  action.sa_handler = clean_up;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    ::sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

void end_on_signals(pid_t group) { group_to_end = group; }

void remove_on_signals(const char* path) { file_to_remove = path; }

void remove_folder_on_signals(const char* path) { folder_to_remove = path; }

void end_group(pid_t group, std::chrono::milliseconds grace, int& status) {
  ::kill(-group, SIGTERM);
  for (auto looks = grace / between_looks; looks > 0; --looks) {
    if (::waitpid(group, &status, WNOHANG) > 0)
      looks = std::min<decltype(looks)>(looks, rest / between_looks);
    if (::kill(-group, 0) != 0) return;  // all of it has ended
    constexpr timespec pause{.tv_sec = 0, .tv_nsec = std::chrono::nanoseconds(between_looks).count()};
    ::nanosleep(&pause, nullptr);
  }
  ::kill(-group, SIGKILL);
  ::waitpid(group, &status, 0);
}

Undisturbed::Undisturbed() { ++undisturbed; }

Undisturbed::~Undisturbed() {
  if (--undisturbed > 0) return;
  if (const int signal = delayed.exchange(0); signal != 0) ::raise(signal);
}

}  // namespace torchbook::cli
