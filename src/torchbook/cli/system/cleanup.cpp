#include <signal.h>
#include <sys/wait.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/notebook/running_position.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <vector>

namespace torchbook::cli {
namespace {

constexpr std::chrono::milliseconds between_looks(5);
constexpr std::chrono::seconds rest(2);  // the time of a group after its leader has ended

std::atomic<pid_t> group_to_end = 0;
std::atomic<const char*> folder_to_remove = nullptr;
std::atomic<int> undisturbed = 0;  // how many Undisturbed there are
std::atomic<int> delayed = 0;      // a signal that came
struct sigaction before[NSIG];  // the handlers of faults before this one: a library's, a sanitizer's or none

char crashes[4096] = "TORCHBOOK_CRASHES=";  // in the environment: slug, position and signal of each
std::vector<char*> arguments;               // of the process that starts again; empty if none does

/// Returns what a signal that ends a program by itself means, or nullptr for other signals.
const char* fault_of(int signal) {
  switch (signal) {
    case SIGILL:
      return "signal 4, an instruction that this processor does not have";
    case SIGABRT:
      return "signal 6, abort";
    case SIGBUS:
      return "signal 7, memory that does not exist";
    case SIGFPE:
      return "signal 8, an integer divided by 0";
    case SIGSEGV:
      return "signal 11, an invalid address";
    default:
      return nullptr;
  }
}

/// Says which cell was running, because it may be in an endless loop, or break LibTorch.
void name_running_cell(const char* fault) {
  const std::size_t position = notebook::running_position;
  if (position == 0) return;
  char text[256];
  const int size = std::snprintf(text, sizeof text, "%s: %s%s%s%zu\n", notebook::running_slug.load(),
                                 fault == nullptr ? "" : fault, fault == nullptr ? "" : ": ",
                                 running_cell.data(), position);
  const auto length = std::min(static_cast<std::size_t>(size), sizeof text - 1);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, length);
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

/// Adds the running cell to the crashes, and starts this command again. Returns if that is not possible.
[[maybe_unused]] void start_again(int signal) {
  const auto used = std::strlen(crashes);
  const int size = std::snprintf(crashes + used, sizeof crashes - used, "%s %zu %d\n",
                                 notebook::running_slug.load(), notebook::running_position.load(), signal);
  // A cell that crashed already does not run again; another part of this command runs it.
  const bool is_known =
      std::string_view(crashes, used).find(std::string_view(crashes + used, size)) != std::string_view::npos;
  if (used + static_cast<std::size_t>(size) < sizeof crashes && !is_known)
    ::execve("/proc/self/exe", arguments.data(), environ);
}

void clean_up(int signal, siginfo_t* info, void* /*context*/) {
  const char* const fault = fault_of(signal);
  if (fault != nullptr)
    ::sigaction(signal, &before[signal], nullptr);  // for a second fault, here or in a thread
  delayed = signal;
  if (undisturbed > 0 && fault == nullptr) return;
  if (signal == SIGTERM || fault != nullptr) name_running_cell(fault);
  int status = 0;
  if (const pid_t group = group_to_end; group != 0) end_group(group, rest, status);
  if (const char* folder = folder_to_remove) remove_folder(folder);
#ifndef __SANITIZE_ADDRESS__  // whose handler reports the fault
  if (fault != nullptr && !arguments.empty() && notebook::running_position != 0) start_again(signal);
#endif
  if (fault == nullptr) ::signal(signal, SIG_DFL);
  const bool comes_again = fault != nullptr && info->si_code > 0;  // the instruction runs again
  if (!comes_again) ::raise(signal);  // ends the program when this handler returns
}

/// Lets clean_up() handle these signals, except ignored ones.
void handle(std::initializer_list<int> signals, int flags) {
  struct sigaction action {};
  action.sa_sigaction = clean_up;
  action.sa_flags = SA_SIGINFO | flags;
  for (const int signal : signals) {
    ::sigaction(signal, nullptr, &before[signal]);
    if (before[signal].sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void clean_up_on_signals() {
  handle({SIGINT, SIGTERM, SIGHUP}, SA_RESTART);
  // A stack that is full has no room for the handler.
  static char stack[1U << 16U];
  const stack_t other{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
  ::sigaltstack(&other, nullptr);
  handle({SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV}, SA_ONSTACK | SA_NODEFER);
}

void start_again_on_faults() {
  static std::vector<std::string> words;
  std::ifstream line("/proc/self/cmdline");
  for (std::string word; std::getline(line, word, '\0');) words.push_back(word);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (const char* known = std::getenv("TORCHBOOK_CRASHES"))
    std::snprintf(crashes, sizeof crashes, "TORCHBOOK_CRASHES=%s", known);
  ::putenv(crashes);
}

std::optional<Crash> crash_of(std::string_view slug) {
  const char* known = std::getenv("TORCHBOOK_CRASHES");
  std::istringstream lines(known == nullptr ? "" : known);
  std::optional<Crash> last;
  std::string of;
  int signal = 0;
  for (Crash crash; lines >> of >> crash.position >> signal;) {
    const char* const what = fault_of(signal);
    if (of == slug && what != nullptr) last = {crash.position, what};
  }
  return last;
}

void end_on_signals(pid_t group) { group_to_end = group; }

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
