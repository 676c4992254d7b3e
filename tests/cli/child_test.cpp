// Tests that another program is started, gets its input, is read and awaited, and killed if it takes too
// long.
#include <gtest/gtest.h>
#include <signal.h>
#include <support/temporary_folder.h>
#include <sys/wait.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/ported_notebook.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

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

TEST(Child, ThatWritesTooMuchIsKilled) {
  const auto ended = shell("truncate -s 1G /proc/self/fd/3; exec sleep 1000");
  EXPECT_TRUE(ended.too_much);
  EXPECT_EQ(ended.answer, "");
}

TEST(Child, ThatWroteTooMuchAndEndedBeforeALookIsSeen) {
  Child child({"truncate", "-s", "1G", "/proc/self/fd/3"}, "");
  siginfo_t info{};
  ::waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
  const auto ended = child.wait(60s, [](auto) {});
  EXPECT_TRUE(ended.too_much);
  EXPECT_EQ(ended.answer, "");
}

TEST(Child, TellsTheSignalThatEndedIt) { EXPECT_EQ(shell("kill -SEGV $$").code, 128 + 11); }

TEST(Child, IsWaitedForInTheNameOfTheProgram) {
  testing::internal::CaptureStderr();
  cli::tell_waiting(std::chrono::seconds(2), "PyTorch");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            std::string(notebook::program_name()) + ": 2 s, waiting for PyTorch\n");
}

TEST(Child, TellsHowItEnded) {
  EXPECT_EQ(how_it_ended(shell("echo one; echo two >&2; exit 5")), "ended with exit code 5: two");
  EXPECT_EQ(how_it_ended(shell("exit 2")), "ended with exit code 2");
  EXPECT_EQ(how_it_ended(shell("kill -ILL $$")), "was ended by signal 4");
}

/// Waits until the file exists, which a program makes when it is ready.
void await_file(const std::filesystem::path& path) {
  while (!std::filesystem::exists(path)) std::this_thread::sleep_for(10ms);
}

TEST(Child, IsAskedToEndAfterItsTime) {
  const test::TemporaryFolder folder;
  const auto ready = (folder.path() / "ready").string();
  Child child({"sh", "-c",
               "trap 'echo late >&3; exit 7' TERM; echo early >&3; >$0; while :; do sleep 0.1; done", ready},
              "");
  await_file(ready);
  const auto ended = child.wait(0s, [](auto) {});
  EXPECT_TRUE(ended.timed_out);
  EXPECT_EQ(ended.answer, "early\nlate\n");
  EXPECT_EQ(ended.code, 7);
}

TEST(Child, IsKilledIfItDoesNotEndWhenAsked) {
  const test::TemporaryFolder folder;
  const auto ready = (folder.path() / "ready").string();
  Child child({"sh", "-c", "trap '' TERM; >$0; exec sleep 1000", ready}, "");
  await_file(ready);
  EXPECT_EQ(child
                .wait(
                    0s, [](auto) {}, 1s)
                .code,
            128 + 9);
}

TEST(Child, IsKilledWhenNobodyWaits) {
  const Child child({"sleep", "1000"}, "");  // the test would not end
}

TEST(Child, EndsWithWhatItStarted) {
  const auto ended = shell("sleep 1000 & echo $! >&3");
  const auto status = "/proc/" + std::to_string(std::stoi(ended.answer)) + "/stat";
  for (std::string number, name, state = "R"; state == "R" || state == "S";) {  // the test would not end
    state.clear();
    std::ifstream(status) >> number >> name >> state;
  }
}

TEST(Child, CountsTheSeconds) {
  const test::TemporaryFolder folder;
  const auto enough = (folder.path() / "enough").string();
  std::vector<std::int64_t> counted;
  Child({"sh", "-c", "while [ ! -e $0 ]; do sleep 0.1; done", enough}, "").wait(600s, [&](auto passed) {
    counted.push_back(passed.count());
    if (passed >= 2s) std::ofstream(enough) << "enough";
  });
  ASSERT_FALSE(counted.empty());
  EXPECT_GE(counted.front(), 1);
  EXPECT_GE(counted.back(), 2);
  EXPECT_EQ(std::adjacent_find(counted.begin(), counted.end(), std::greater_equal<>()), counted.end());
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
