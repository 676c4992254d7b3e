// Tests a cell that throws: exit code 3, the cells before it, and its name.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/texts.h>

#include <nlohmann/json.hpp>

namespace torchbook::test {
namespace {

TEST(Throwing, ShowsTheCellsBeforeAndNamesTheCell) {
  const auto run = shell("$BIN/throwing");
  EXPECT_EQ(run.code, 3);
  expect_part(run.out, "torch.Size([2, 3])\n");
  expect_part(run.out, "\ntwo rows of three\n\nthrew: mat1 and mat2 shapes cannot be multiplied");
  EXPECT_EQ(run.out.find("In [6]"), std::string::npos) << run.out;
  expect_part(run.out, "1 notebook, 3 cells, 1 output: 1 equal, 1 threw, 1 cell not run\n");
  EXPECT_EQ(run.err,
            "throwing: throwing.cpp:10: cell In [5] (@2) threw: mat1 and mat2 shapes cannot be multiplied "
            "(2x3 and 2x3)\n");
}

TEST(Throwing, InACheckHasTheSameCode) {
  const auto check = shell("$BIN/throwing --check");
  EXPECT_EQ(check.code, 3);
  expect_part(check.out, "  @2  In [5]    threw\n");
  expect_part(check.out, "throwing @2 In [5] threw (throwing.cpp:10)\n");
}

TEST(Throwing, BeforeTheCellAskedForIsToldToo) {
  const auto run = shell("$BIN/throwing --cell 6");
  EXPECT_EQ(run.code, 3);
  expect_part(run.err, "In [5] (@2) threw");
}

TEST(Throwing, AfterTheCellAskedForDoesNotRun) {
  const auto run = shell("$BIN/throwing --cell 1");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace torchbook::test
