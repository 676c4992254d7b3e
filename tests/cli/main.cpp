// Defines the main of these tests.
#include <gtest/gtest.h>
#include <torchbook/cli/options.h>
#include <torchbook/cli/program.h>

int main(int argc, char** argv) {
  // A comparison whose bits differ runs its program again, with other settings. In some tests that is this
  // one.
  if (argc > 1 && argv[1][0] != '-') {
    return torchbook::cli::program_main("torchbook", true,
                                        [&] { return torchbook::cli::parse_torchbook_options(argc, argv); });
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
