// Defines what parts of the translator give each other.
#pragma once

#include <torchbook/translate/scope.h>

#include <cstddef>
#include <string>
#include <vector>

namespace torchbook::translate {

/// What stands in the brackets of `x[…]`: an int, or the list of indices that LibTorch takes.
struct Index {
  std::string code{};
  bool is_one = false;  ///< it is an int
};

/// What was translated up to a moment.
struct Progress {
  std::size_t lines = 0;
  int changes = 0;
  int acts = 0;
  int reads = 0;
};

/// What the translation of a loop's head depends on.
struct LoopSite {
  Names changed{};         ///< names that the body assigns
  Names reassigned{};      ///< names of the loop that the body gives another value
  bool continues = false;  ///< the body has a continue
  bool of_comprehension = false;
};

/// The head of a loop in C++, and what its body begins and ends with.
struct LoopHead {
  std::string opening{};
  std::vector<std::string> first{};
  std::vector<std::string> last{};
  std::string broken{};  ///< the variable that tells whether `break` left the loop; empty if none does
};

/// A name that holds a module, whose class a block knows.
struct Narrowed {
  std::string name;
  Variable before;  ///< what it is outside of the block
};

}  // namespace torchbook::translate
