// Defines the main of these tests.
#include <gtest/gtest.h>
#include <support/warm/server.h>
#include <torchbook/cli/main/program.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int argc, char** argv) {
  // A comparison whose bits differ runs its own program again with other settings. In some tests,
  // that program is this one.
  if (argc > 1 && argv[1][0] != '-') {
    return torchbook::cli::program_main({.name = "torchbook", .path = argv[0]}, argc, argv);
  }
  torchbook::test::warm::start_servers();
  if (argc > 1 && std::string_view(argv[1]) == "--serve") {  // for Python tests, until stdin ends
    std::puts(std::getenv("TORCHBOOK_WARM"));
    std::fflush(stdout);
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) continue;
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
