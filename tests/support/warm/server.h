// Runs torchbook's programs in processes that are forked after LibTorch has started.
#pragma once

namespace torchbook::test::warm {

/// Starts a server in a process that ends with this one, and names it in the environment. Call it before
/// anything starts a thread. Throws std::system_error if it cannot.
void start_server();

}  // namespace torchbook::test::warm
