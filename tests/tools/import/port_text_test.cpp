// Tests that a new port has the notebook's cells, and that no text of the notebook ends a comment or a
// literal.
#include <gtest/gtest.h>
#include <support/texts.h>
#include <tools/import/notebooks.h>
#include <tools/import/port_text.h>
#include <torchbook/notebook/cells/port.h>

#include <string>

namespace torchbook::importing {
namespace {

TEST(PortText, HasTheCellsOfTheNotebookWhateverTheyHold) {
  const std::string evil = "x = 1 \\\n*/ ?\?/\n/* }\n\");\n'\n\u202e\n\x1b\n\x01 \\ \n";
  const auto draft = test::draft_of_cells(test::code_cell(evil) + "," +
                                          test::markdown_cell("a \"quote\" \\ ?\?/ \\n };\x01 \u202e") + "," +
                                          test::code_cell("2", "", "2"));
  const auto port = port_text(draft);
  const auto cells = notebook::parse_port(port, "nb");
  ASSERT_EQ(cells.size(), 2U) << port;
  test::expect_part(port, "// # x = 1 \\ //\n");
  test::expect_part(port, "nb.note(\"a \\\"quote\\\" \\\\ ?\\?/ \\\\n };<U+0001> <U+202E>\");");
  EXPECT_EQ(port.find("\u202e"), port.npos);
}

TEST(PortText, LeavesCellsThatNeedNoPortAlone) {
  const auto port = port_text(test::draft_of_cells(test::code_cell("%load_ext autoreload\n# x") + "," +
                                                   test::code_cell("!ls", test::stdout_of("a\n"), "2")));
  test::expect_part(port, "  // # %load_ext autoreload\n  // # x\n\n  nb.cell(\"2\")");
  test::expect_part(port, "  // # !ls\n  nb.not_ported(\"only Jupyter runs !ls\");\n");
}

TEST(PortText, BreaksLongNotesIntoLines) {
  const auto text = port_notes({std::string(50, 'a') + " " + std::string(60, 'b'), std::string(200, 'c')});
  EXPECT_EQ(text, "  nb.note(\n      \"" + std::string(50, 'a') + " \"\n      \"" + std::string(60, 'b') +
                      "\");\n\n  nb.note(\n      \"" + std::string(96, 'c') + "\"\n      \"" +
                      std::string(96, 'c') + "\"\n      \"cccccccc\");\n\n");
}

TEST(PortText, KeepsTheLinesOfNotes) {
  EXPECT_EQ(port_notes({"# One\n\n- *two*"}),
            "  nb.note(\n      \"# One\\n\"\n      \"\\n\"\n      \"- *two*\");\n\n");
}

TEST(ExceptionsText, HasALineForEachCell) {
  const auto draft = test::draft_of_cells(
      test::code_cell("1") + "," + test::code_cell("!ls", test::stdout_of("a\n")) + "," +
      test::code_cell("plt.show()", R"({"output_type": "display_data", "data": {"image/png": ""}})"));
  EXPECT_EQ(exceptions_text(draft), "exceptions of nb\n\n@2 not ported: only Jupyter runs !ls\n@3 picture\n");
  EXPECT_EQ(exceptions_text(test::draft_of_cells(test::code_cell("1"))), "");
}

}  // namespace
}  // namespace torchbook::importing
