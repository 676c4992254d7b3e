// Tests what a program says that a signal ends.
#include <gtest/gtest.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>

#include <csignal>

namespace torchbook::cli {
namespace {

/// Runs a notebook whose second cell ends the program.
void run_until(int signal) {
  static int ends;
  ends = signal;
  static constexpr notebook::TableEntry table[] = {{.label = "1"}, {.label = "2"}};
  clean_up_on_signals();
  run(notebook::PortedNotebook{.slug = "book",
                               .document = "",
                               .define =
                                   [](notebook::Notebook& nb) {
                                     nb.cell("1");
                                     nb.cell("2");
                                     std::raise(ends);
                                   },
                               .table = table});
}

TEST(CleanUpDeathTest, TheNotebookAndTheCellOfAFaultAreNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using ended_by = testing::KilledBySignal;
  EXPECT_EXIT(run_until(SIGTERM), ended_by(SIGTERM), "^book: ended while it ran cell @2\n$");
#ifndef __SANITIZE_ADDRESS__  // whose handler runs after this one, and exits. Some libraries have one that
                              // writes a backtrace.
  EXPECT_EXIT(run_until(SIGILL), ended_by(SIGILL),
              "^book: signal 4, an instruction that this processor does not have: ended while it "
              "ran cell @2\n");
#endif
  EXPECT_EXIT(run_until(SIGABRT), ended_by(SIGABRT), "^book: signal 6, abort: ended while it ran cell @2\n");
  EXPECT_EXIT(run_until(SIGINT), ended_by(SIGINT), "^$");
}

}  // namespace
}  // namespace torchbook::cli
