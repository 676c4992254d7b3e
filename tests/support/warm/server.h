// Runs torchbook's programs in processes that are forked after LibTorch has started.
#pragma once

namespace torchbook::test::warm {

/// Starts the servers in processes that end with this one, and names them in the environment. Call it before
/// anything starts a thread. Throws std::system_error if it cannot.
void start_servers();

}  // namespace torchbook::test::warm
