// Changes texts at random, the same way in every run, for tests that readers crash on none.
#pragma once

#include <gtest/gtest.h>
#include <torchbook/notebook/cells/text_error.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>

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

/// Calls `read` with many changed texts. It must accept some, and reject at least `fewest` with one line of
/// at most a few hundred characters. Any exception other than a TextError fails the test.
template <class Read>
void expect_read_or_refused(const std::string& text, const Read& read, int fewest = 1) {
  int taken = 0, refused = 0;
  for (int seed = 0; seed < mutants(); ++seed) {
    SCOPED_TRACE(seed);
    const std::string changed = Mutator(static_cast<unsigned>(seed)).changed(text);
    try {
      read(changed);
      ++taken;
    } catch (const notebook::TextError& error) {
      ++refused;
      const std::string_view what = error.what();
      EXPECT_FALSE(what.empty());
      EXPECT_LE(what.size(), 400U) << what;
      const auto lines = static_cast<std::size_t>(std::count(changed.begin(), changed.end(), '\n'));
      EXPECT_LE(error.line, lines + 1) << what;
    }
  }
  EXPECT_GE(refused, fewest);
  EXPECT_GT(taken, 0);
}

}  // namespace torchbook::test
