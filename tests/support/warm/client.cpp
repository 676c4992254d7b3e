// Replaces a program of torchbook in tests, under its name. Lets a server run the program, because
// starting LibTorch takes half a second and the server has done so already. The server forks a
// process for the program, with the arguments, environment, folder and descriptors of this one.
// Under the name python3, this replaces the Python that runs twins. Its server, warm_python.py, has
// imported PyTorch, which takes even longer.
//
// Executes the real program if the result could differ: if there is no server, if file sizes are
// limited, or if the server declines. A server declines if a variable that LibTorch reads at start
// differs from its own. Signals that ask a program to end are forwarded.
#include <fcntl.h>
#include <support/folders.h>
#include <support/warm/request.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using namespace torchbook::test::warm;

bool must_start() {
  rlimit files{};
  return ::getrlimit(RLIMIT_FSIZE, &files) != 0 || files.rlim_cur != RLIM_INFINITY;
}

/// Moves a descriptor after those that are passed on, of which some may be closed.
int above_passed(int fd) {
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, passed);
  ::close(fd);
  return moved;
}

/// Returns the words, each after a 1, and the environment, each after a 2.
int written(const std::string& program, char** words_behind, char** environment) {
  std::string text = '\1' + program + '\0';
  for (; *words_behind != nullptr; ++words_behind) text += '\1' + std::string(*words_behind) + '\0';
  for (; *environment != nullptr; ++environment) text += '\2' + std::string(*environment) + '\0';
  const int file = above_passed(::memfd_create("words", MFD_CLOEXEC));
  if (::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return -1;
  return file;
}

pid_t running = 0;

extern "C" void pass_on(int signal) { ::kill(running, signal); }

/// Waits for the program. Returns its status, -1 if there is none, or `declined`.
Status wait_for_program(int socket) {
  if (::read(socket, &running, sizeof running) != sizeof running) return -1;
  if (running == declined) return declined;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
  Status status = -1;
  return ::read(socket, &status, sizeof status) == sizeof status ? status : -1;
}

/// Sends a request. Returns the result of wait_for_program().
Status ask(int socket, int words_file) {
  Message message;
  int descriptors[count] = {words_file, above_passed(::open(".", O_PATH | O_CLOEXEC))};
  for (int fd = 0; fd < passed; ++fd) {
    const bool is_open = ::fcntl(fd, F_GETFD) >= 0;
    if (is_open) message.open = static_cast<Open>(message.open | 1 << fd);
    descriptors[standard + fd] = is_open ? fd : descriptors[folder];
  }
  auto* const header = CMSG_FIRSTHDR(&message.header);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
  return ::sendmsg(socket, &message.header, MSG_NOSIGNAL) < 0 ? -1 : wait_for_program(socket);
}

int connected(const std::string& server) {
  const int socket = above_passed(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto address = address_of(server);
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? socket : -1;
}

}  // namespace

int main(int, char** words, char** environment) {
  const std::string path = words[0];
  const auto name = path.substr(path.rfind('/') + 1);
  const bool is_python = name == python_name;
  auto program = is_python ? TORCHBOOK_PYTHON : torchbook::test::bin_folder() + "/" + name;
  const char* const server = std::getenv(server_variable);
  Status status = declined;
  if (server != nullptr && *server != '\0' && !must_start()) {
    const int socket = connected(is_python ? std::string(server) + python_name : server);
    status = socket < 0 ? -1 : ask(socket, written(program, words + 1, environment));
  }
  if (status == declined) {
    words[0] = program.data();  // it names itself in what it prints
    ::execve(program.c_str(), words, environment);
    std::perror(program.c_str());
    return 127;
  }
  if (status < 0) {
    std::perror("the server of the warm programs");
    return 127;
  }
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  std::signal(WTERMSIG(status), SIG_DFL);
  ::raise(WTERMSIG(status));
}
