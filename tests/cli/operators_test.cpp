// Tests `torchbook check --operators`.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <nlohmann/json.hpp>

namespace torchbook::cli {
namespace {

// A program with an operator that no document has: attention over a batch
const std::string traced =
    test::bin_folder() + "/where_they_part here.trace && $BIN/torchbook check --operators here.trace ";

TEST(Operators, OfATraceThatTheNotebooksDoNotCallAreNamed) {
  const auto run = test::shell(traced + "mathematical_trick");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("here.trace calls ")) << run.out;
  test::expect_part(run.out, "\nnot called by the notebooks:\n");
  test::expect_part(run.out, "  aten::bmm ");
}

TEST(Operators, AreCountedInJson) {
  const auto report = nlohmann::json::parse(test::shell(traced + "mathematical_trick --format json").out);
  EXPECT_GT(report["program"]["aten::matmul"], 0);
  EXPECT_GT(report["notebooks"]["aten::tril"], 0);
  EXPECT_FALSE(report["not_called"].contains("aten::matmul"));
  EXPECT_TRUE(report["not_called"].contains("aten::bmm"));
}

TEST(Operators, AreThoseOfATrace) {
  test::expect_refused("echo nothing >no.trace; $BIN/torchbook check --operators no.trace",
                       "torchbook: no.trace: ");
  test::expect_refused("$BIN/torchbook check --operators missing.trace", "torchbook: ");
  test::expect_refused("$BIN/torchbook check --operators x.trace --cell 1", "--cell excludes --operators");
}

}  // namespace
}  // namespace torchbook::cli
