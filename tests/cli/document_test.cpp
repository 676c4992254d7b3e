// Tests the commands that make notebooks.
#include <cli/command.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::test {
namespace {

TEST(Ipynb, OfOneNotebookGoesToStdoutOrAFileOrAFolder) {
  const auto stdout_only = shell("$BIN/mathematical_trick --format ipynb");
  EXPECT_EQ(stdout_only.code, 0);
  EXPECT_EQ(nlohmann::json::parse(stdout_only.out)["nbformat"], 4);
  const auto everywhere = shell(
      "$BIN/torchbook run mathematical_trick --format ipynb >out && $BIN/mathematical_trick --format ipynb "
      "-o file && "
      "mkdir folder && $BIN/mathematical_trick --format ipynb -o folder && cmp out file && "
      "cmp out folder/mathematical_trick.ipynb && cat out");
  EXPECT_EQ(everywhere.code, 0) << everywhere.out << everywhere.err;
  EXPECT_EQ(everywhere.out, stdout_only.out);
}

TEST(Ipynb, OfSeveralNotebooksIsAFolder) {
  const auto run = shell("$BIN/torchbook run --format ipynb --output new/folder && cd new/folder && ls");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out,
            "attention_as_alignment.ipynb\nattention_by_hand.ipynb\nkeys_queries_values.ipynb\n"
            "mathematical_trick.ipynb\nself_attention_in_three_steps.ipynb\n");
}

TEST(Ipynb, OfSeveralNotebooksNeedsAFolder) {
  expect_refused("$BIN/torchbook run --format ipynb",
                 "run attention_by_hand --format ipynb, or a folder for all with --output DIR\n");
  expect_refused("touch file; $BIN/torchbook run --format ipynb --output file",
                 "cannot write into the folder file: Not a directory\n");
}

TEST(Ipynb, IsNotMadeWhereTheFolderCannotBe) {
  expect_refused("touch file; $BIN/torchbook run --format ipynb --output file/folder",
                 "cannot write into the folder file/folder: Not a directory\n");
}

TEST(Ipynb, IsInTheLanguageAskedFor) {
  const auto language = [](const std::string& options) {
    const auto run = shell("$BIN/attention_as_alignment --format ipynb " + options);
    return nlohmann::json::parse(run.out)["metadata"]["language_info"]["name"];
  };
  EXPECT_EQ(language(""), "C++");
  EXPECT_EQ(language("--source cpp"), "C++");
  EXPECT_EQ(language("--source python"), "python");
  EXPECT_EQ(language("--source both"), "python");
  expect_refused("$BIN/attention_as_alignment --format ipynb --source none",
                 "--format ipynb needs code, so --source must be cpp or python\n");
  expect_refused("$BIN/throwing --format ipynb --source python",
                 "--source python: throwing has no PyTorch twin\n");
}

TEST(Ipynb, IsOfTranscripts) {
  for (const std::string option : {"--list", "--check"}) {
    expect_refused("$BIN/mathematical_trick " + option + " --format ipynb",
                   option + " does nothing with --format ipynb");
  }
  for (const std::string command : {"", " compare", " list"})
    expect_refused("$BIN/torchbook" + command + " --format ipynb", "is none of text, json");
}

}  // namespace
}  // namespace torchbook::test
