// What the client of the warm programs sends to a server: one message with six file descriptors.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace torchbook::test::warm {

/// The variable with the name of the servers' sockets. The sockets are abstract, so they are not
/// files.
constexpr const char* server_variable = "TORCHBOOK_WARM";

/// The name of the Python among the warm programs. It follows that of its server's socket, too.
constexpr const char* python_name = "python3";

/// The descriptors of a request: a file in memory with the arguments and the environment, the
/// working directory, and the descriptors 0 to 3. run_twins.py answers on descriptor 3.
enum Place { words, folder, standard, passed = 4, count = standard + passed };

/// The only byte of a request says which of the descriptors 0 to 3 are open, by its bits 0 to 3. In place of
/// a closed one, a request has its folder.
using Open = unsigned char;

/// The answer is the number of the process, as a pid_t, and at its end the status that waitpid gives. The
/// number is `declined` if the client must become the program.
using Status = int;
constexpr Status declined = -2;

/// Returns the address of a server.
inline sockaddr_un address_of(std::string_view name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 2);
  return address;
}

/// The buffers of a message with the descriptors of a request.
struct Message {
  Open open = 0;
  iovec bytes = {&open, sizeof open};
  alignas(cmsghdr) char control[CMSG_SPACE(count * sizeof(int))] = {};
  msghdr header = {};

  Message() {
    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
};

}  // namespace torchbook::test::warm
