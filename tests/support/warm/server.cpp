// Defines the main of cli_test, which answers the client of the warm programs.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <support/folders.h>
#include <support/warm/request.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <torchbook/cli/main/notebooks_main.h>
#include <torchbook/cli/shared/main.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace torchbook::test::warm {
namespace {

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// Returns the variables of this process that LibTorch and its libraries read when they start.
std::set<std::string> start_variables() {
  std::set<std::string> found;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    for (const char* prefix : {"ATEN_", "LD_", "MKL_", "OMP_", "OPENBLAS_"}) {
      if (variable.starts_with(prefix)) found.emplace(variable);
    }
  }
  return found;
}

/// Reads a request's arguments and environment. Sets the environment, and returns the arguments.
std::vector<std::string> take_words(int file) {
  std::string text(static_cast<std::size_t>(checked(static_cast<int>(::lseek(file, 0, SEEK_END)), "lseek")),
                   '\0');
  checked(static_cast<int>(::pread(file, text.data(), text.size(), 0)), "pread");
  ::clearenv();
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::string one = text.substr(at + 1, text.find('\0', at) - at - 1);
    const auto equals = one.find('=');
    if (text[at] == '\1') {
      words.push_back(one);
    } else if (equals != one.npos) {
      ::setenv(one.substr(0, equals).c_str(), one.c_str() + equals + 1, 1);
    }
    at += one.size() + 2;
  }
  return words;
}

/// Runs the program that the first argument names.
int run(const std::vector<std::string>& words) {
  const auto name = std::filesystem::path(words.front()).filename().string();
  std::vector<const char*> argv;
  for (const auto& word : words) argv.push_back(word.c_str());
  const int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return cli::notebooks_main({.name = name, .path = argv[0], .several = name == "torchbook"}, argc,
                             argv.data());
}

/// Runs the program of a request in this process, and ends.
[[noreturn]] void carry_out(const std::vector<std::string>& request_words,
                            const std::array<int, count>& descriptors, Open open) {
  checked(::fchdir(descriptors[folder]), "fchdir");
  for (int fd = 0; fd < 3; ++fd) {
    if ((open >> fd & 1) != 0) {
      checked(::dup2(descriptors[static_cast<std::size_t>(standard + fd)], fd), "dup2");
    } else {
      ::close(fd);
    }
  }
  for (const int fd : descriptors) ::close(fd);
  cli::end_program(run(request_words));
}

/// Receives a request, runs its program in a child, and sends its status. Declines the request if
/// LibTorch would have started differently in its environment.
void answer(int client) {
  Message message;
  checked(static_cast<int>(::recvmsg(client, &message.header, MSG_CMSG_CLOEXEC)), "recvmsg");
  const auto* const header = CMSG_FIRSTHDR(&message.header);
  if (header == nullptr) return;
  std::array<int, count> descriptors{};
  std::memcpy(descriptors.data(), CMSG_DATA(header), sizeof descriptors);
  const auto own_start = start_variables();
  const auto request_words = take_words(descriptors[words]);
  const auto program = start_variables() == own_start ? checked(::fork(), "fork") : declined;
  if (program == 0) carry_out(request_words, descriptors, message.open);
  for (const int fd : descriptors) ::close(fd);
  ::send(client, &program, sizeof program, MSG_NOSIGNAL);
  if (program == declined) return;
  Status status = 0;
  checked(::waitpid(program, &status, 0), "waitpid");
  ::send(client, &status, sizeof status, MSG_NOSIGNAL);
}

[[noreturn]] void serve(int listening) {
  std::signal(SIGCHLD, SIG_IGN);  // nothing waits for those that answer
  for (;;) {
    const int client = checked(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC), "accept");
    if (checked(::fork(), "fork") == 0) {
      std::signal(SIGCHLD, SIG_DFL);
      ::close(listening);
      answer(client);
      ::_exit(0);
    }
    ::close(client);
  }
}

/// Starts a process that ends with this one and passes a socket at `name` to `serve_at`.
template <typename Serve>
void start_one(const std::string& name, Serve serve_at) {
  const auto address = address_of(name);
  const int listening = checked(::socket(AF_UNIX, SOCK_STREAM, 0), "socket");
  checked(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
  checked(::listen(listening, SOMAXCONN), "listen");
  const auto parent = ::getpid();
  if (checked(::fork(), "fork") == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    serve_at(listening);
  }
  ::close(listening);
}

/// Starts the servers in processes that end with this one, and names them in the environment. Nothing may
/// have started a thread before.
void start_servers() {
  const auto name = "torchbook-warm-" + std::to_string(::getpid());
  start_one(name, serve);
  start_one(name + python_name, [](int listening) {
    const auto socket = std::to_string(listening);
    ::execl(TORCHBOOK_PYTHON, TORCHBOOK_PYTHON,
            (source_folder() + "/tests/support/warm/warm_python.py").c_str(), socket.c_str(), nullptr);
    ::_exit(127);
  });
  ::setenv(server_variable, name.c_str(), 1);
}

}  // namespace
}  // namespace torchbook::test::warm

/// Overrides libc's posix_spawnp() in the programs that are served, so that they start the warm Python.
extern "C" int posix_spawnp(pid_t* process, const char* file, const posix_spawn_file_actions_t* files,
                            const posix_spawnattr_t* attributes, char* const* words,
                            char* const* environment) {
  static const auto start = reinterpret_cast<decltype(&posix_spawnp)>(::dlsym(RTLD_NEXT, "posix_spawnp"));
  const std::string python = torchbook::test::warm_folder() + "/python3";
  const bool is_python = std::strcmp(file, TORCHBOOK_PYTHON) == 0;
  return start(process, is_python ? python.c_str() : file, files, attributes, words, environment);
}

int main(int argc, char** argv) {
  // A comparison whose bits differ runs its own program again with other settings. In some tests,
  // that program is this one.
  if (argc > 1 && argv[1][0] != '-') {
    return torchbook::cli::notebooks_main({.name = "torchbook", .path = argv[0]}, argc, argv);
  }
  torchbook::test::warm::start_servers();
  if (argc > 1 && std::string_view(argv[1]) == "--serve") {  // for Python tests, until stdin ends
    std::puts(std::getenv("TORCHBOOK_WARM"));
    std::fflush(stdout);
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) continue;
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
