// Tests `torchbook golden`.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/goldens.h>
#include <support/temporary_folder.h>
#include <support/texts.h>
#include <torchbook/cli/commands/golden.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace torchbook::test {
namespace {

/// Returns a text after its first line.
std::string behind_title(const std::string& text) { return text.substr(text.find('\n') + 1); }

TEST(PythonGoldenProgram, IsWhatPyTorchGivesAndSaysSo) {
  const auto made = shell("$BIN/torchbook golden mathematical_trick");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.err, "");
  EXPECT_TRUE(made.out.starts_with("golden of mathematical_trick, from PyTorch ")) << made.out;
  EXPECT_EQ(made.out.substr(0, made.out.find('\n')).find(" and mathematical_trick.py"),
            made.out.find('\n') - 26);
  EXPECT_EQ(behind_title(made.out), behind_title(golden_text("mathematical_trick")));
}

TEST(PythonGoldenProgram, IsReadAndNamedByReports) {
  const auto check = shell(
      "$BIN/torchbook golden mathematical_trick -o made.golden && "
      "$BIN/torchbook check mathematical_trick --golden made.golden | sed -n 2p && "
      "$BIN/torchbook check mathematical_trick --golden made.golden --format json | grep '\"golden\"'");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_TRUE(check.out.starts_with("compared with made.golden, from PyTorch ")) << check.out;
  expect_part(check.out, "\"golden\": \"made.golden, from PyTorch ");
}

/// Runs the command with a twin that `sed` changes and an old file. Prints the exit code and the file.
Finished over_an_old_file(const std::string& sed, const std::string& options) {
  return shell("mkdir t && sed '" + sed + "' " + source_folder() +
               "/notebooks_ported/mathematical_trick.py "
               ">t/mathematical_trick.py; echo old >g; "
               "$BIN/torchbook golden math -o g --twins t " +
               options + "; echo $?; cat g");
}

TEST(PythonGoldenProgram, IsNotWrittenIfTheTwinRaised) {
  const auto made = over_an_old_file("s/^B, T, C = .*/B, T, C = 4, 8/", "");
  EXPECT_EQ(made.out, "3\nold\n");
  expect_end(made.err,
             "torchbook: no golden is made; a cell may raise if its exception is 'not ported: …'\n");
  EXPECT_TRUE(
      made.err.starts_with("torchbook: the twin's cell In [3] (@2) failed: t/mathematical_trick.py:12: "
                           "ValueError: not enough values to unpack"))
      << made.err;
}

TEST(PythonGoldenProgram, HasCellsThatRaiseIfTheyNeedNoPort) {
  const auto notebooks = notebook::linked_notebooks();
  auto notebook = *std::find_if(notebooks.begin(), notebooks.end(),
                                [](const auto& one) { return one.slug == "mathematical_trick"; });
  const TemporaryFolder twins;
  std::ofstream(twins.path() / "mathematical_trick.py")
      << read_file(source_folder() + "/notebooks_ported/mathematical_trick.py") << "1 / 0\n";
  const cli::PythonOptions how{.named = std::nullopt, .twins = twins.path().string()};
  EXPECT_EQ(cli::python_golden(notebook, how).raised.size(), 2U);
  notebook.exceptions = "exceptions of mathematical_trick\n@14 not ported: it raised ZeroDivisionError\n";
  notebook.exceptions_file = "mathematical_trick.exceptions";
  const auto made = cli::python_golden(notebook, how);
  EXPECT_TRUE(made.raised.empty());
  expect_end(made.text, "\n@14 In [76]\n\nend: 14 cells, 11 with output\n");
}

TEST(PythonGoldenProgram, IsNotWrittenIfTheTwinEnded) {
  const auto made = over_an_old_file("s/^B, T, C = .*/import os; os._exit(0)/", "");
  EXPECT_TRUE(made.out == "3\nold\n" || made.out == "2\nold\n") << made.out;
  EXPECT_NE(made.err, "");
}

TEST(PythonGoldenProgram, IsNotWrittenWithoutPyTorch) {
  const auto made = over_an_old_file("", "--python /bin/false");
  EXPECT_EQ(made.out, "2\nold\n");
  EXPECT_EQ(made.err, "torchbook: /bin/false did not run the twins; it ended with exit code 1\n");
}

TEST(PythonGoldenProgram, NeedsOneNotebook) {
  expect_refused("$BIN/torchbook golden",
                 "torchbook: golden is for one notebook; name it: attention_by_hand, ");
  expect_refused(
      "mkdir t; touch t/mathematical_trick.py; $BIN/torchbook golden math --twins t -o "
      "t/mathematical_trick.py",
      "--output would overwrite t/mathematical_trick.py, which --twins reads");
}

}  // namespace
}  // namespace torchbook::test
