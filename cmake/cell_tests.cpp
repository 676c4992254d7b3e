// Tests each cell of the notebooks that this program links: it prints what its golden has. The build compiles
// this file for torchbook_add_tests.
#include <gtest/gtest.h>
#include <torchbook/cli/shared/cell_tests.h>

namespace {

class Cells : public testing::TestWithParam<torchbook::CellTest> {};

TEST_P(Cells, PrintsWhatItsGoldenHas) {
  const auto result = torchbook::run_cell_test(GetParam());
  if (!result.passed) FAIL() << result.text;
  if (!result.text.empty()) GTEST_SKIP() << result.text;
}

INSTANTIATE_TEST_SUITE_P(Notebooks, Cells, testing::ValuesIn(torchbook::cell_tests()),
                         testing::PrintToStringParamName());

}  // namespace
