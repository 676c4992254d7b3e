#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tools/import/trial.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <new>

namespace torchbook::importing {

std::optional<std::size_t> failing_step(
    const std::function<void(const std::function<void(std::size_t)>&)>& work) {
  using Step = std::atomic<std::size_t>;
  constexpr int access = PROT_READ | PROT_WRITE;
  void* const shared = ::mmap(nullptr, sizeof(Step), access, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return std::nullopt;  // then the work is not tried
  auto* const step = new (shared) Step(0);
  const auto child = ::fork();
  if (child == 0) {
    constexpr rlimit seconds{.rlim_cur = 120, .rlim_max = 120}, no_core{};
    ::setrlimit(RLIMIT_CPU, &seconds);
    ::setrlimit(RLIMIT_CORE, &no_core);
#ifndef __SANITIZE_ADDRESS__  // which maps terabytes
    constexpr rlimit bytes{.rlim_cur = 8UL << 30, .rlim_max = 8UL << 30};
    ::setrlimit(RLIMIT_AS, &bytes);
#endif
    for (const int fault : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) ::signal(fault, SIG_DFL);
    try {
      work([&](std::size_t begun) { *step = begun; });
      ::_exit(0);
    } catch (const std::exception&) {
      ::_exit(1);
    }
  }
  int status = 0;
  if (child > 0) ::waitpid(child, &status, 0);
  const auto last = step->load();
  ::munmap(shared, sizeof(Step));
  return status == 0 ? std::nullopt : std::optional(last);
}

}  // namespace torchbook::importing
