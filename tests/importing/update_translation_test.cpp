// Tests that an update takes the translation of a new cell only where it is certain.
#include <gtest/gtest.h>
#include <importing/notebooks.h>
#include <support/texts.h>
#include <torchbook/importing/update.h>

#include <set>
#include <string>
#include <vector>

namespace torchbook::importing {
namespace {

/// A cell with its translation, as `torchbook import` hands it over.
struct Translated {
  std::string python{};
  std::vector<std::string> cpp{};
  std::set<std::string> uses{}, changes{};
  std::string why{};  // why it is not ported
};

const Translated first{"a = 1", {"  const int64_t a = 1;"}, {"a"}, {"a"}};
const Translated second{"b = a", {"  const int64_t b = a;"}, {"a", "b"}, {"b"}};
const Translated display{"a", {"  nb.display(a);"}, {"a"}, {}};
const Translated of_second{"b", {"  nb.display(b);"}, {"b"}, {}};

/// Returns the port of a notebook that had the first two cells and now has these, too. `body` is in its
/// first cell.
Updated updated(const std::string& body, const std::vector<Translated>& more,
                const std::string& head = "#include <torch/torch.h>\n\n",
                const std::string& twin = "# %% [1]\na = 1\n\n# %% [1]\nb = a\n",
                const Translated& begin = first) {
  std::vector<Translated> all = {begin, second};
  all.insert(all.end(), more.begin(), more.end());
  std::string cells;
  for (const auto& one : all) cells += (cells.empty() ? "" : ",") + test::code_cell(one.python);
  auto draft = test::draft_of_cells(cells);
  for (std::size_t i = 0; i < all.size(); ++i) {
    draft.cells[i].cpp = all[i].cpp;
    draft.cells[i].uses = all[i].uses;
    draft.cells[i].changes = all[i].changes;
    draft.cells[i].why = all[i].why;
  }
  draft.needs = {"#include <tuple>", "using torch::Tensor;", "using torchbook::f;"};
  const auto port = head + "void nb(torchbook::Notebook& nb) {\n  nb.cell(\"1\");\n" + body +
                    "\n  nb.cell(\"1\");\n  const int64_t b = a;\n}\n";
  return update(draft,
                {.port = port, .twin = twin, .exceptions = "", .port_name = "nb.cpp", .twin_name = "nb.py"});
}

const std::string as_imported = "  const int64_t a = 1;\n";

TEST(UpdateTranslates, NewCellsBelowWhatImportWrites) {
  const auto more = updated(as_imported, {display});
  test::expect_part(more.port, "b = a;\n\n  nb.cell(\"1\");\n  nb.display(a);\n}\n");
  EXPECT_EQ(more.changes, std::vector<std::string>{"@3 In [1] is new and translated"});
  const auto commented = updated("  // a comment of mine\n  const int64_t\n      a = 1;  // ()\n", {display});
  test::expect_part(commented.port, "  nb.display(a);\n");
}

TEST(UpdateTranslates, NothingThatReliesOnOtherCpp) {
  const auto changed = updated("  const int a = 1;\n", {display, of_second});
  test::expect_part(
      changed.port,
      "  // a\n  nb.not_ported(\"a depends on cell @1, whose C++ is not what import writes\");\n");
  test::expect_part(
      changed.port,
      "  // b\n  nb.not_ported(\"b depends on cell @1, whose C++ is not what import writes\");\n");
  EXPECT_EQ(changed.changes, (std::vector<std::string>{"@3 In [1] is new", "@4 In [1] is new"}));
  const auto restored =
      updated(as_imported + "\n  nb.restored(\"It was there.\");\n", {of_second}, "",
              "# %% [1]\na = 1\n\n# %% [restored] it was there\nr = 1\n\n# %% [1]\nb = a\n");
  test::expect_part(restored.port, "  nb.not_ported(\"b depends on cell @2, whose");
}

TEST(UpdateTranslates, WhatReliesOnThatPartOfACellWhichImportKeeps) {
  auto partly = first;
  partly.why = "it prints";
  const std::string head = "#include <torch/torch.h>\n\n", twin = "# %% [1]\na = 1\n\n# %% [1]\nb = a\n";
  const std::string frame = "  // a = 1\n  nb.not_ported(\"it prints\");\n";
  const auto kept = updated(frame + as_imported, {display}, head, twin, partly);
  test::expect_part(kept.port, "  nb.display(a);\n");
  const auto lost = updated(frame, {display}, head, twin, partly);
  test::expect_part(lost.port,
                    "  nb.not_ported(\"a depends on cell @1, whose C++ is not what import writes\");");
}

TEST(UpdateTranslates, NothingThatDeclaresANameOfOtherCpp) {
  const Translated other{"c = 2", {"  const int64_t c = 2;"}, {"c"}, {"c"}};
  const Translated plain{"d = 2", {"  const int64_t d = 2;"}, {"d"}, {"d"}};
  const auto clash = updated("  const int c = 7, a = c.d;\n", {other, plain});
  test::expect_part(clash.port, "  // c = 2\n  nb.not_ported(\"cell @1 has another c\");\n");
  test::expect_part(clash.port, "  const int64_t d = 2;\n");
}

TEST(UpdateTranslates, AddsWhatTheTranslationNeeds) {
  const Translated printed{"print(a)", {"  nb.print(f(\"{}\", a));"}, {"a"}, {}};
  const auto more = updated(as_imported, {printed});
  test::expect_part(more.port,
                    "#include <torch/torch.h>\n#include <tuple>\n\nusing torchbook::f;\n\nvoid nb(");
  const auto others = updated(as_imported, {printed}, "#include <torch/torch.h>\n\nusing torch::Tensor;\n\n");
  test::expect_part(
      others.port,
      "#include <torch/torch.h>\n#include <tuple>\n\nusing torch::Tensor;\nusing torchbook::f;\n\n");
  EXPECT_EQ(updated("  const int a = 1;\n", {printed}).port.find("torchbook::f"), std::string::npos);
}

}  // namespace
}  // namespace torchbook::importing
