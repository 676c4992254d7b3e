// Tests that a shell reads quoted words back.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/texts.h>
#include <torchbook/cli/shared/quote.h>

namespace torchbook::cli {
namespace {

TEST(Quote, LeavesSafeWordsAlone) { EXPECT_EQ(shell_quoted("build/bin/a_b-c.txt"), "build/bin/a_b-c.txt"); }

TEST(Quote, IsReadBackByAShell) {
  for (const std::string word : {"", "a b", "it's", "$HOME", "a\"b", "*", "~", "back\\slash", "ä"}) {
    EXPECT_EQ(test::shell("printf %s " + cli::shell_quoted(word)).out, word);
  }
}

}  // namespace
}  // namespace torchbook::cli
