// Tests what a program says that a signal ends.
#include <gtest/gtest.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace torchbook::cli {
namespace {

/// The handler of a library.
void earlier(int signal) {
  constexpr std::string_view text = "earlier\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Runs a notebook whose second cell ends the program. SIGILL comes from an instruction.
void run_until(int signal) {
  static int ends;
  ends = signal;
  static constexpr notebook::TableEntry table[] = {{.label = "1"}, {.label = "2"}};
  std::signal(SIGILL, earlier);
  std::signal(SIGFPE, earlier);
  clean_up_on_signals();
  run(notebook::PortedNotebook{.slug = "book",
                               .document = "",
                               .define =
                                   [](notebook::Notebook& nb) {
                                     nb.cell("1");
                                     nb.cell("2");
                                     if (ends == SIGILL) __builtin_trap();
                                     std::raise(ends);
                                   },
                               .table = table});
}

TEST(CleanUpDeathTest, TheNotebookAndTheCellOfAFaultAreNamedBeforeAnEarlierHandlerRuns) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using ended_by = testing::KilledBySignal;
  EXPECT_EXIT(run_until(SIGTERM), ended_by(SIGTERM), "^book: ended while it ran cell @2\n$");
  EXPECT_EXIT(run_until(SIGILL), ended_by(SIGILL),
              "^book: signal 4, an instruction that this processor does not have: ended while it "
              "ran cell @2\nearlier\n$");
  EXPECT_EXIT(run_until(SIGFPE), ended_by(SIGFPE),
              "^book: signal 8, an integer divided by 0: ended while it ran cell @2\nearlier\n$");
  EXPECT_EXIT(run_until(SIGABRT), ended_by(SIGABRT), "^book: signal 6, abort: ended while it ran cell @2\n");
  EXPECT_EXIT(run_until(SIGINT), ended_by(SIGINT), "^$");
}

}  // namespace
}  // namespace torchbook::cli
