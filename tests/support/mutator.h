// Changes texts at random, the same way in every run.
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace torchbook::test {

/// Returns how many changed texts a test tries: 150, or what the environment variable TORCHBOOK_MUTANTS says,
/// for a longer run by hand.
int mutants();

/// Changes a text: bytes become others, and pieces are removed, doubled, moved or replaced.
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
