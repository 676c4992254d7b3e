// Reads the options of `torchbook seed` and the files that they name.
#pragma once

#include <tools/seed/rng/scan.h>
#include <tools/seed/tensor_call.h>
#include <torchbook/cli/shared/options.h>

#include <cstdint>
#include <string>

namespace torchbook::cli {

/// The options of `torchbook seed`.
struct SeedOptions {
  std::string text{};                   ///< a file, or `-` for stdin
  std::string call{};                   ///< in Python; empty: the notebook's
  std::string offsets = "0:609";        ///< how many draws came before
  std::string seeds = "0:4294967296";   ///< the seeds to search
  std::string notebook{};               ///< a file
  std::string cell{};                   ///< a label in it
  std::string python = default_python;  ///< reads the call, and the notebook's cells
};

/// The tensor that is searched for, and where.
struct SeedInput {
  seeds::TensorCall call{};
  std::string text{};  ///< it has one printed tensor
  std::uint32_t first_offset = 0;
  std::uint32_t last_offset = 0;
  rng::Seeds seeds{};
  std::string
      restored_above{};  ///< the notebook's cell that the state belongs above; empty if it is not known
};

/// Reads the input that the options name. Throws UsageError.
SeedInput read_seed_input(const SeedOptions& options);

}  // namespace torchbook::cli
