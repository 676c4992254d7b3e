// Tests how a port says that a cell is not ported.
#include <gtest/gtest.h>
#include <torchbook/notebook/cells/port.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {
namespace {

std::vector<PortCell> cells_in(std::string_view body) {
  return parse_port("void book(torchbook::Notebook& nb) {" + std::string(body) + "}\n", "book");
}

void expect_refusal(std::string_view body, std::string_view why) {
  try {
    cells_in(body);
    ADD_FAILURE() << body << " was taken";
  } catch (const TextError& error) {
    EXPECT_NE(std::string_view(error.what()).find(why), std::string_view::npos) << error.what();
  }
}

TEST(NotPorted, ACellSaysOnceInALiteralWhyItIsNotPorted) {
  const auto cells = cells_in(R"y(
  nb.cell("1");
  nb.not_ported("needs "
                R"x(a tokenizer)x");
  nb.cell("2");
  nb.not_ported("too");
  nb.display(1);
)y");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[1].source, "nb.not_ported(\"too\");\nnb.display(1);");
  expect_refusal("nb.not_ported(\"why\"); nb.cell(\"1\");", "nb.not_ported stands in no cell");
  expect_refusal("nb.restored(\"r\"); nb.not_ported(\"why\");", "restored state, which shows nothing");
  expect_refusal("nb.cell(\"1\"); nb.not_ported();", "needs the reason as a string literal");
  expect_refusal("nb.cell(\"1\"); nb.not_ported(why);", "must be a plain string literal");
  expect_refusal("nb.cell(\"1\"); nb.not_ported(\"a\"); nb.not_ported(\"b\");", "says a second time");
}

}  // namespace
}  // namespace torchbook::notebook
