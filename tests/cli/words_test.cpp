// Tests which known word a mistyped one is taken for, and that a shell reads quoted words back.
#include <gtest/gtest.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/child.h>

#include <chrono>
#include <string>
#include <vector>

namespace torchbook::cli {
namespace {

const std::vector<std::string> words = {"run", "check", "compare", "list", "--heatmap", "--color"};

TEST(Nearest, IsTheWordOfTheFewestTypingErrors) {
  EXPECT_EQ(nearest("chek", words), "check");    // a letter is missing
  EXPECT_EQ(nearest("checck", words), "check");  // one is too many
  EXPECT_EQ(nearest("chack", words), "check");   // one is another
  EXPECT_EQ(nearest("--colour", words), "--color");
  EXPECT_EQ(nearest("rn", words), "run");
}

TEST(Nearest, MayBeginWithTheMistypedWord) {
  const std::vector<std::string> slugs = {"mathematical_trick", "attention_by_hand"};
  EXPECT_EQ(nearest("math", slugs), "mathematical_trick");
  EXPECT_EQ(nearest("mathematcal", slugs), "mathematical_trick");
  EXPECT_EQ(nearest("atention", slugs), "attention_by_hand");
  EXPECT_EQ(nearest("--heat", words), "--heatmap");
  EXPECT_EQ(nearest("c", words), "");
}

TEST(Nearest, IsNoneIfMoreThanAThirdIsWrong) {
  EXPECT_EQ(nearest("lust", words), "list");
  EXPECT_EQ(nearest("lusd", words), "");
  EXPECT_EQ(nearest("walk", words), "");
  EXPECT_EQ(nearest("", {"one", "two"}), "");
  EXPECT_EQ(nearest("one", {}), "");
}

TEST(Nearest, IsAsked) {
  EXPECT_EQ(did_you_mean("chek", words), "; did you mean check?");
  EXPECT_EQ(did_you_mean("walk", words), "");
}

TEST(Quote, LeavesSafeWordsAlone) { EXPECT_EQ(shell_quoted("build/bin/a_b-c.txt"), "build/bin/a_b-c.txt"); }

TEST(Quote, IsReadBackByAShell) {
  for (const std::string word : {"", "a b", "it's", "$HOME", "a\"b", "*", "~", "back\\slash", "ä"}) {
    Child echo({"sh", "-c", "printf %s " + shell_quoted(word) + " >&3"}, "");
    EXPECT_EQ(echo.wait(std::chrono::seconds(60), [](auto) {}).answer, word);
  }
}

}  // namespace
}  // namespace torchbook::cli
