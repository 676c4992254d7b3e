// Tests the options for the amount of detail and the format of a report.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/temporary_folder.h>
#include <support/texts.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

/// Writes a golden with a changed number in cell 45. Returns its name.
std::string golden_of_another_number(const TemporaryFolder& folder) {
  auto text = golden_text("mathematical_trick");
  const std::string number = "4.6667";
  text.replace(text.find(number), number.size(), "4.6668");
  const auto path = (folder.path() / "golden.txt").string();
  std::ofstream(path) << text;
  return path;
}

/// Returns the text that answers a command line such as `--help`.
std::string answer(const std::vector<std::string>& arguments) { return torchbook(arguments).out; }

TEST(Quiet, ShowsTheSummaryOnlyIfEverythingPasses) {
  EXPECT_EQ(torchbook({"run", "math", "--quiet"}).out, "1 notebook, 14 cells, 12 outputs: 12 equal\n");
  EXPECT_EQ(torchbook({"check", "math", "--quiet"}).out, "1 notebook, 14 cells, 12 outputs: 12 equal\n");
}

TEST(Quiet, ShowsWhatFails) {
  const TemporaryFolder folder;
  const auto golden = golden_of_another_number(folder);
  const auto quiet = torchbook({"check", "math", "--quiet", "--golden", golden});
  EXPECT_EQ(quiet.code, 1);
  EXPECT_TRUE(quiet.out.starts_with("mathematical_trick @10 In [45] differs from its golden\n")) << quiet.out;
  expect_part(quiet.out, " check mathematical_trick --golden " + golden + " --cell @10\n1 notebook, ");
  expect_end(quiet.out, "outputs: 11 equal, 1 different\n");
}

TEST(Failed, ShowsOnlyCellsThatDoNotPass) {
  const TemporaryFolder folder;
  const auto golden = golden_of_another_number(folder);
  const auto check = torchbook({"check", "math", "--failed", "--golden", golden});
  EXPECT_EQ(check.code, 1);
  EXPECT_TRUE(
      check.out.starts_with("== mathematical_trick, from 004_dc603b281e79ef93.txt\n"
                            " @10  In [45]   different         first at [2, 0]\n\n"))
      << check.out;
  expect_end(check.out, "\n1 notebook, 14 cells, 12 outputs: 11 equal, 1 different\n");
  const auto run = torchbook({"run", "math", "--failed", "--source", "none", "--golden", golden});
  EXPECT_TRUE(run.out.starts_with("== mathematical_trick, from 004_dc603b281e79ef93.txt\n\nIn [45]:\n\nb = "))
      << run.out;
  const auto json = torchbook({"run", "math", "--failed", "--format", "json", "--golden", golden});
  const auto cells = nlohmann::json::parse(json.out)["notebooks"][0]["cells"];
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0]["label"], "45");
}

TEST(Failed, LeavesOutNotebooksInWhichAllPass) {
  const auto run = torchbook({"run", "--failed"});
  EXPECT_EQ(run.out, torchbook({"check", "--quiet"}).out);
}

TEST(Failed, LeavesTheJunitReportWhole) {
  const auto junit = [](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"check", "math", "-o", "r.txt", "--junit", "-"};
    words.insert(words.end(), more.begin(), more.end());
    return std::regex_replace(torchbook(words).out, std::regex(" time=\"[^\"]*\""), "");
  };
  EXPECT_EQ(junit({"--failed"}), junit({}));
  EXPECT_NE(junit({}), "");
}

TEST(Times, StandBesideLabelsAndVerdicts) {
  const auto run = torchbook({"run", "math", "--cell", "26", "--times"}).out;
  EXPECT_TRUE(std::regex_search(run, std::regex("\nIn \\[26\\]:  [0-9]+\\.[0-9]+ m?s\n"))) << run;
  const auto check = torchbook({"check", "math", "--cell", "26", "--times"}).out;
  EXPECT_TRUE(std::regex_search(check, std::regex("\n  @7  In \\[26\\] +[0-9]+\\.[0-9]+ m?s  equal\n")))
      << check;
  const auto json =
      nlohmann::json::parse(torchbook({"check", "math", "--cell", "26", "--times", "--format", "json"}).out);
  EXPECT_EQ(json["notebooks"].size(), 1U);
  const auto& cell = json["notebooks"][0]["cells"][0];
  EXPECT_GT(cell["seconds"], 0);
  EXPECT_EQ(cell["verdict"], "equal");
}

TEST(Times, AreThereOnlyIfTheyAreAskedFor) {
  const auto json = torchbook({"check", "math", "--cell", "26", "--format", "json"}).out;
  EXPECT_EQ(json.find("seconds"), json.npos);
}

TEST(Colour, IsAlwaysOrNeverThereIfTheUserSaysSo) {
  const auto coloured = [](const std::string& environment, const std::string& option) {
    const auto run = shell(environment + " $BIN/mathematical_trick --cell 49 " + option);
    EXPECT_EQ(run.code, 0) << run.err;
    return run.out.find("\033[32mIn [49]:\033[0m") != run.out.npos;
  };
  EXPECT_TRUE(coloured("", "--color always"));
  EXPECT_TRUE(coloured("NO_COLOR=1 TERM=dumb", "--color always"));
  EXPECT_TRUE(coloured("", "--color always -o r.txt && cat r.txt"));
  EXPECT_FALSE(coloured("TERM=xterm", "--color auto"));
  EXPECT_FALSE(coloured("TERM=xterm", "--color never"));
}

TEST(Dash, IsStdout) {
  EXPECT_EQ(shell("$BIN/mathematical_trick --check -o - && ls").out,
            shell("$BIN/mathematical_trick --check").out);
  const auto junit = shell("$BIN/mathematical_trick --check --junit - -o r.txt && ls");
  EXPECT_TRUE(junit.out.starts_with("<?xml")) << junit.out;
  expect_end(junit.out, "</testsuites>\nr.txt\n");
}

TEST(Dash, IsStdin) {
  const auto golden = source_folder() + "/notebooks_ported/mathematical_trick.golden";
  EXPECT_EQ(shell("$BIN/mathematical_trick --quiet --golden - <" + golden).code, 0);
  const auto other =
      shell("sed 's/4.6667/4.6668/' " + golden + " | $BIN/mathematical_trick --quiet --golden -");
  EXPECT_EQ(other.code, 1);
  expect_part(other.out, " --golden - --cell @10\n");
  expect_refused("head -n 30 " + golden + " | $BIN/mathematical_trick --golden -",
                 "mathematical_trick: /dev/stdin:30: the file breaks off: ");
}

TEST(Dash, IsNoFolder) {
  EXPECT_EQ(refusal({"site", "--no-python", "-o", "-"}), "--output -: the pages need a folder, not stdout");
}

TEST(Slug, IsKnownByAPart) {
  EXPECT_EQ(torchbook({"check", "math", "attention_as"}).out,
            torchbook({"check", "attention_as_alignment", "mathematical_trick"}).out);
  EXPECT_EQ(torchbook({"check", "three"}).out, torchbook({"check", "self_attention_in_three_steps"}).out);
  EXPECT_EQ(refusal({"check", "att"}),
            "att is a part of several names: attention_by_hand, self_attention_in_three_steps, "
            "attention_as_alignment");
  EXPECT_EQ(refusal({"check", "mathemtical_trick"}),
            "no notebook is named mathemtical_trick; did you mean mathematical_trick?");
  EXPECT_EQ(refusal({"run", ""}),
            "no notebook is named ''; there are attention_by_hand, keys_queries_values, "
            "self_attention_in_three_steps, attention_as_alignment, mathematical_trick");
}

TEST(MissingValue, IsNamed) {
  EXPECT_EQ(refusal({"run", "--color"}),
            "--color: 1 required auto|always|never missing (see torchbook run --help)");
  EXPECT_EQ(refusal({"check", "--cell"}), "--cell: 1 required CELL missing (see torchbook check --help)");
  EXPECT_EQ(refusal({"run", "--format", ""}),
            "--format: an empty text is none of text, json, ipynb (see torchbook run --help)");
}

const std::vector<std::string> commands = {"run", "check",  "compare", "golden", "list", "doctor", "site",
                                           "new", "import", "watch",   "carry",  "part", "seed"};

TEST(Help, IsTheSameByCommandAndByOption) {
  EXPECT_EQ(answer({"help"}), answer({"--help"}));
  expect_part(answer({"help"}), "Without arguments: check every notebook");
  for (const auto& command : commands) {
    EXPECT_EQ(answer({"help", command}), answer({command, "--help"}));
    expect_part(answer({"help", command}), "Usage: torchbook " + command + " [OPTIONS]");
  }
  EXPECT_EQ(refusal({"help", "chek"}), "there is no command chek; did you mean check?");
}

TEST(Help, FitsAScreenOf80Columns) {
  std::vector<std::vector<std::string>> all = {{"--help"}, {"help", "--help"}};
  for (const auto& command : commands) all.push_back({command, "--help"});
  for (const auto& words : all) {
    std::istringstream lines(answer(words));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
    EXPECT_GT(count, 5U);
  }
}

TEST(Help, WrapsBetweenWords) {
  expect_part(answer({"run", "--help"}),
              " show only these cells: 26, In [26], @7, a\n"
              "                                  range 26-40 or @7-@9, or a list 3,13,@7-@9;\n");
}

TEST(UnknownWord, GetsTheNearestOne) {
  EXPECT_EQ(refusal({"chek"}), "there is no command chek; did you mean check? (see torchbook --help)");
  EXPECT_EQ(
      refusal({"math"}),
      "there is no command math; did you mean torchbook run mathematical_trick? (see torchbook --help)");
  const std::string unexpected = "The following argument was not expected: ";
  EXPECT_EQ(refusal({"run", "--heatmp"}),
            unexpected + "--heatmp; did you mean --heatmap? (see torchbook run --help)");
  EXPECT_EQ(refusal({"run", "--sorce=none"}),
            unexpected + "--sorce=none; did you mean --source? (see torchbook run --help)");
  EXPECT_EQ(refusal({"run", "--nonesuch"}), unexpected + "--nonesuch (see torchbook run --help)");
  EXPECT_EQ(refusal({"--python=p", "compare"}),
            unexpected + "--python=p; write it after compare (see torchbook compare --help)");
  EXPECT_EQ(
      refusal({"run", "--format", "jsn"}),
      "--format: jsn is none of text, json, ipynb; did you mean json? (see torchbook run --help)");
  EXPECT_EQ(refusal({"list", "nonesuch"}),
            "no notebook is named nonesuch; there are attention_by_hand, keys_queries_values, "
            "self_attention_in_three_steps, attention_as_alignment, mathematical_trick");
  EXPECT_EQ(refusal({"new", "-x"}), unexpected + "-x (see torchbook new --help)");
}

}  // namespace
}  // namespace torchbook::test
