// Tests the five executables as a user runs them.
#include <cli/command.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/texts.h>
#include <torchbook/golden/golden.h>
#include <torchbook/pyrepr/version.h>

#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::test {
namespace {

struct Program {
  const char* slug;
  const char* summary;
};

class ProgramTest : public testing::TestWithParam<Program> {
 protected:
  std::string slug() const { return GetParam().slug; }
  Finished run(const std::string& options) const { return shell("$BIN/" + slug() + " " + options); }
  golden::Golden golden() const { return golden::parse_golden(golden_text(slug())); }
};

/// Expects the pieces to occur in this order.
void expect_in_order(const std::string& text, const std::vector<std::string>& pieces) {
  std::size_t at = 0;
  for (const auto& piece : pieces) {
    const auto found = text.find(piece, at);
    ASSERT_NE(found, text.npos) << piece << "\nis missing behind byte " << at << " of\n" << text;
    at = found + piece.size();
  }
}

TEST_P(ProgramTest, WithoutOptionsShowsEveryCellWithItsOutput) {
  const auto finished = run("");
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.err, "");
  std::vector<std::string> pieces;
  for (const auto& cell : golden().cells) {
    pieces.push_back("\nIn [" + cell.label + "]:\n    ");
    if (!cell.out.empty()) pieces.push_back("\n\n" + cell.out);
    if (cell.result) pieces.push_back("\n" + *cell.result + "\n");
  }
  pieces.push_back(GetParam().summary);
  expect_in_order(finished.out, pieces);
}

TEST_P(ProgramTest, WithoutSourceIsTheOutputsAlone) {
  const auto finished = run("--source none");
  EXPECT_EQ(finished.code, 0);
  std::string expected;
  for (const auto& cell : golden().cells) {
    expected += "In [" + cell.label + "]:\n";
    if (!cell.out.empty()) expected += "\n" + cell.out;
    if (cell.result) expected += "\n" + *cell.result + "\n";
  }
  std::string got;  // without the title, the notes, the summary and empty lines
  std::string rest = finished.out.substr(0, finished.out.rfind("\n1 notebook, "));
  for (std::size_t at = rest.find("\nIn ["); at != rest.npos; at = rest.find("\nIn [", at + 1)) {
    std::string cell = rest.substr(at + 1, rest.find("\nIn [", at + 1) - at - 1);
    cell = cell.substr(0, std::min(cell.find("\n# "), cell.size()));
    got += cell;
  }
  EXPECT_EQ(got, expected);
}

TEST_P(ProgramTest, CheckGivesAVerdictForEveryCell) {
  const auto finished = run("--check");
  EXPECT_EQ(finished.code, 0);
  std::string expected;
  for (const auto& cell : golden().cells) {
    expected += fmt::format("{:>4}  In [{:<5} {}\n", fmt::format("@{}", cell.position), cell.label + "]",
                            cell.has_output() ? "equal" : "no-output");
  }
  const auto start = fmt::format("== {}, from {}\n{}\ncomputed by ", slug(), golden().document, expected);
  EXPECT_TRUE(finished.out.starts_with(start)) << finished.out;
  const auto summary = fmt::format("\n{}\n", GetParam().summary);
  ASSERT_TRUE(finished.out.ends_with(summary)) << finished.out;
  const auto fingerprint = std::string_view(finished.out).substr(start.size());
  const auto lines = fingerprint.substr(0, fingerprint.size() - summary.size());
  for (auto at = lines.find('\n'); at != lines.npos; at = lines.find('\n', at + 1)) {
    EXPECT_EQ(lines.substr(at + 1, 2), "  ") << finished.out;  // the fingerprint goes on
  }
}

TEST_P(ProgramTest, JsonHoldsExactlyWhatPythonWouldHaveWritten) {
  const auto finished = run("--format json");
  EXPECT_EQ(finished.code, 0);
  const auto report = nlohmann::json::parse(finished.out);
  const auto expected = golden();
  EXPECT_EQ(report["notebook"], slug());
  EXPECT_EQ(report["document"], expected.document);
  ASSERT_EQ(report["cells"].size(), expected.cells.size());
  for (std::size_t i = 0; i < expected.cells.size(); ++i) {
    const auto& cell = report["cells"][i];
    EXPECT_EQ(cell["position"], i + 1);
    EXPECT_EQ(cell["label"], expected.cells[i].label);
    EXPECT_EQ(cell["stdout"], expected.cells[i].out);
    EXPECT_EQ(cell["result"],
              expected.cells[i].result ? nlohmann::json(*expected.cells[i].result) : nlohmann::json());
    EXPECT_EQ(cell["verdict"], expected.cells[i].has_output() ? "equal" : "no-output");
    EXPECT_NE(cell["source"], "");
  }
}

TEST_P(ProgramTest, ListNamesEveryCellAndRunsNone) {
  const auto finished = run("--list");
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(line_count(finished.out), golden().cells.size());
  const auto json = nlohmann::json::parse(run("--list --format json").out);
  EXPECT_EQ(json["cells"].size(), golden().cells.size());
}

TEST_P(ProgramTest, EachCellAloneGivesTheSame) {
  const auto cells = golden().cells;
  for (const auto position : {std::size_t{1}, cells.size() / 2, cells.size()}) {
    const auto& cell = cells[position - 1];
    const auto finished = run(fmt::format("--format json --cell @{}", position));
    EXPECT_EQ(finished.code, 0);
    const auto report = nlohmann::json::parse(finished.out);
    ASSERT_EQ(report["cells"].size(), 1U);
    EXPECT_EQ(report["cells"][0]["stdout"], cell.out);
    EXPECT_EQ(report["cells"][0]["verdict"], cell.has_output() ? "equal" : "no-output");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cli, ProgramTest,
    testing::Values(Program{"attention_by_hand", "1 notebook, 39 cells, 32 outputs: 32 equal"},
                    Program{"keys_queries_values", "1 notebook, 53 cells, 23 outputs: 23 equal"},
                    Program{"self_attention_in_three_steps", "1 notebook, 12 cells, 10 outputs: 10 equal"},
                    Program{"attention_as_alignment", "1 notebook, 6 cells, 6 outputs: 6 equal"},
                    Program{"mathematical_trick", "1 notebook, 14 cells, 12 outputs: 12 equal"}),
    [](const auto& test) { return std::string(test.param.slug); });

TEST(Cells, AreNamedByLabelOrPositionAndShownInOrder) {
  const auto by_label = shell("$BIN/mathematical_trick --cell 49 --cell 26 --source none");
  EXPECT_EQ(by_label.code, 0);
  EXPECT_EQ(by_label.out,
            "== mathematical_trick, from 004_dc603b281e79ef93.txt\n\n"
            "In [26]:\n\ntensor([[1., 0., 0.],\n        [1., 1., 0.],\n        [1., 1., 1.]])\n\n"
            "In [49]:\n\nTrue\n\n"
            "1 notebook, 2 cells, 2 outputs: 2 equal\n");
  EXPECT_EQ(shell("$BIN/mathematical_trick --cell @11 --cell @7 --source none").out, by_label.out);
}

TEST(Programs, RunFromAnyFolderAndNeedNoArgument) {
  EXPECT_EQ(shell("cd / && $BIN/attention_as_alignment").code, 0);
}

TEST(Programs, TellTheirVersionAndOptions) {
  const auto version = shell("$BIN/mathematical_trick --version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.find("mathematical_trick " TORCHBOOK_PYREPR_VERSION " (LibTorch "), 0U)
      << version.out;
  const auto help = shell("$BIN/mathematical_trick --help");
  EXPECT_EQ(help.code, 0);
  for (const char* option : {"--list", "--check", "--cell", "--golden", "--format", "--source", "--output",
                             "--accept", "--junit", "--help", "--version", "Exit codes: 0"}) {
    EXPECT_NE(help.out.find(option), std::string::npos) << option << "\n" << help.out;
  }
}

}  // namespace
}  // namespace torchbook::test
