// Changes texts at random, the same way in every run, for tests that readers crash on none.
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace torchbook::test {

/// Returns the number of changed texts that a test tries: 150, or TORCHBOOK_MUTANTS from the
/// environment, for longer manual runs.
int mutants();

/// Changes a text: replaces bytes, and removes, doubles, moves or replaces pieces.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  /// Returns the text with one to six changes.
  std::string changed(std::string text);

 private:
  std::size_t below(std::size_t end);
  void change(std::string& text);

  std::mt19937 random_;
};

}  // namespace torchbook::test
