// Tests that another program is started, gets its input, is read and awaited, and killed if it takes too
// long.
#include <gtest/gtest.h>
#include <torchbook/cli/child.h>
#include <torchbook/cli/exit.h>

#include <chrono>
#include <string>

namespace torchbook::cli {
namespace {

using namespace std::chrono_literals;

Child::Ended shell(const std::string& script, const std::string& input = "",
                   std::chrono::seconds limit = 60s) {
  return Child({"sh", "-c", script}, input).wait(limit, [](auto) {});
}

TEST(Child, ReadsStdinAndAnswersOnDescriptor3) {
  const auto ended = shell("cat >&3; echo out; echo err >&2; exit 5", "a question\n");
  EXPECT_EQ(ended.answer, "a question\n");
  EXPECT_EQ(ended.said, "out\nerr\n");
  EXPECT_EQ(ended.code, 5);
  EXPECT_FALSE(ended.timed_out);
}

TEST(Child, CarriesMoreThanAPipeHolds) {
  const std::string much(3'000'000, 'x');
  const auto ended = shell("cat >&3", much);
  EXPECT_EQ(ended.answer, much);
  EXPECT_EQ(ended.code, 0);
}

TEST(Child, TellsTheSignalThatEndedIt) { EXPECT_EQ(shell("kill -SEGV $$").code, 128 + 11); }

TEST(Child, TellsHowItEnded) {
  EXPECT_EQ(how_it_ended(shell("echo one; echo two >&2; exit 5")), "ended with exit code 5: two");
  EXPECT_EQ(how_it_ended(shell("exit 2")), "ended with exit code 2");
  EXPECT_EQ(how_it_ended(shell("kill -ILL $$")), "was ended by signal 4");
}

TEST(Child, IsKilledAfterItsTime) {
  const auto started = std::chrono::steady_clock::now();
  const auto ended = shell("echo early >&3; exec sleep 100", "", 1s);
  EXPECT_TRUE(ended.timed_out);
  EXPECT_EQ(ended.answer, "early\n");
  EXPECT_EQ(ended.code, 128 + 9);
  EXPECT_LT(std::chrono::steady_clock::now() - started, 50s);
}

TEST(Child, IsKilledWhenNobodyWaits) {
  const auto started = std::chrono::steady_clock::now();
  { const Child child({"sleep", "100"}, ""); }
  EXPECT_LT(std::chrono::steady_clock::now() - started, 50s);
}

TEST(Child, CountsTheSeconds) {
  std::string ticks;
  Child({"sleep", "2.5"}, "").wait(60s, [&](std::chrono::seconds passed) {
    ticks += std::to_string(passed.count());
  });
  EXPECT_EQ(ticks.substr(0, 2), "12");
}

TEST(Child, ThatIsNotThereIsAnError) {
  try {
    Child({"/no/such/program"}, "");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "cannot start /no/such/program: No such file or directory");
  }
}

}  // namespace
}  // namespace torchbook::cli
