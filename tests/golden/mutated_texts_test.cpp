// Tests that no reader of external texts crashes or throws an unexpected exception. The inputs are
// files of the source tree with random changes; the seeds are the same in every run.
#include <golden/judged_cell.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/mutator.h>
#include <support/texts.h>
#include <torchbook/golden/exceptions.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/table.h>
#include <torchbook/notebook/cells/twin.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {
namespace {

constexpr std::string_view slug = "attention_as_alignment";

std::string text_of_tree(const std::string& path) {
  return test::read_file(test::source_folder() + "/" + path);
}

TEST(MutatedTexts, OfGoldensAreReadOrRefused) {
  const auto text = text_of_tree("notebooks_ported/attention_as_alignment.golden");
  const auto whole = parse_golden(text);
  std::vector<std::string_view> labels;
  for (const auto& cell : whole.cells) labels.push_back(cell.label);
  test::expect_read_or_refused(
      text, [&](const std::string& changed) { require_same_cells(parse_golden(changed), slug, labels); });
}

TEST(MutatedTexts, OfExceptionsAreReadOrRefused) {
  const auto text = text_of_tree("tests/excepted.exceptions");
  constexpr std::size_t cells = 10;
  test::expect_read_or_refused(text, [&](const std::string& changed) {
    const auto exceptions = parse_exceptions(changed, "excepted.exceptions");
    require_cells(exceptions, "excepted", cells);
    Golden all{.slug = "excepted", .document = "", .cells = std::vector<GoldenCell>(cells)};
    add_exceptions(all, exceptions);
  });
}

TEST(MutatedTexts, OfRecordingsAreReadOrRefused) {
  std::string text = text_of_tree("notebooks_ported/attention_as_alignment.json");
  const auto first = parse_recording(text);
  test::expect_read_or_refused(text, [&](const std::string& changed) {
    const Recording read = parse_recording(changed);
    // What was read can be judged.
    for (const auto& cell : read.golden.cells) {
      if (cell.error || !cell.ran) continue;
      const auto& known = first.golden.cells[0];
      auto expected = golden(cell.out, cell.result, cell.tensors);
      for (const auto closeness : {Closeness::any, Closeness::rounding, Closeness::bits}) {
        expected.closeness = closeness;
        judged(ran(known.out, known.result, *known.tensors), expected);
      }
    }
  });
}

TEST(MutatedTexts, OfPortsAndTwinsAreReadOrRefused) {
  const auto port = text_of_tree("notebooks_ported/attention_as_alignment.cpp");
  const auto twin = text_of_tree("notebooks_ported/attention_as_alignment.py");
  const auto cells = notebook::parse_port(port, slug);
  const auto twin_cells = notebook::parse_twin(twin);
  test::expect_read_or_refused(port, [&](const std::string& text) {
    notebook::table_of(notebook::parse_port(text, slug), twin_cells, "a.cpp");
  });
  test::expect_read_or_refused(
      twin, [&](const std::string& text) { notebook::table_of(cells, notebook::parse_twin(text), "a.cpp"); });
}

}  // namespace
}  // namespace torchbook::golden
