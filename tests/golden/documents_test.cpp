// Tests that the goldens hold exactly what the documents print, so that no golden can come from a port.
//
// In a document, empty lines join the parts of a cell: its code, what it printed (with its own last newline),
// what it displayed, and prose. The golden's cell must stand there in this form, and the rest must hold no
// output.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/texts.h>
#include <torchbook/golden/golden.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

const std::vector<std::string> slugs = {"attention_by_hand", "keys_queries_values",
                                        "self_attention_in_three_steps", "attention_as_alignment",
                                        "mathematical_trick"};

struct DocumentCell {
  std::string label;
  std::string text;  // the text between its heading and the next one
};

std::vector<DocumentCell> cells_of(const std::string& document) {
  static const std::regex heading("(^|\n)In \\[([^\\]]+)\\]:\n");
  std::vector<DocumentCell> cells;
  for (std::sregex_iterator it(document.begin(), document.end(), heading), end; it != end; ++it) {
    const auto next = std::next(it);
    const auto from = static_cast<std::size_t>(it->position() + it->length());
    const auto to = next == end ? document.size() : static_cast<std::size_t>(next->position());
    cells.push_back({(*it)[2], document.substr(from, to - from)});
  }
  return cells;
}

/// Returns a cell's outputs as the document lays them out: its parts joined by an empty line.
std::string laid_out(const GoldenCell& cell) {
  if (!cell.result) return cell.out;
  return cell.out.empty() ? *cell.result : cell.out + "\n\n" + *cell.result;
}

/// Removes the output from a cell's text. Returns false if the output does not stand there as a whole,
/// between the code and the end or prose.
bool take_output(std::string& text, const std::string& output) {
  const std::string before = "\n\n" + output;
  const auto at = text.find(before);
  if (at == text.npos) return false;
  const auto rest = text.substr(at + before.size());
  // The document's cell ends with an empty line, which the heading's own line break ends, or with prose after
  // one.
  const bool prose = rest.size() > 2 && rest.starts_with("\n\n") && rest[2] != '\n';
  const bool ends = rest.empty() || rest == "\n" || prose;
  text = text.substr(0, at) + "\n" + rest;
  return ends;
}

/// Returns whether a program would have printed this line: a bare value, or a value in a line that is no
/// code.
bool looks_like_output(const std::string& line) {
  static const std::regex value(
      R"(^ ?(\(?tensor\(|\(?torch\.Size\(|True$|False$|None$|-?\d+(\.\d+)?(e[-+]?\d+)?$|'(?!'')|\[)|: +torch\.Size|[=:] tensor\()");
  return std::regex_search(line, value);
}

class DocumentsTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (std::filesystem::is_directory(TORCHBOOK_DOCUMENTS)) return;
    TORCHBOOK_CANNOT_TEST("THE GOLDENS ARE NOT COMPARED WITH THE DOCUMENTS: there is no folder "
                          << TORCHBOOK_DOCUMENTS << " (-DTORCHBOOK_DOCUMENTS=… names another)");
  }
};

TEST_P(DocumentsTest, HoldsWhatTheDocumentPrints) {
  const Golden golden = parse_golden(test::golden_text(GetParam()));
  EXPECT_EQ(golden.slug, GetParam());
  const auto cells = cells_of(test::read_file(std::filesystem::path(TORCHBOOK_DOCUMENTS) / golden.document));
  ASSERT_EQ(cells.size(), golden.cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    SCOPED_TRACE(fmt::format("cell @{}", i + 1));
    EXPECT_EQ(cells[i].label, golden.cells[i].label);
    std::string rest = cells[i].text;
    if (golden.cells[i].has_output()) {
      EXPECT_TRUE(take_output(rest, laid_out(golden.cells[i]))) << rest;
    }
    std::istringstream lines(rest);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_FALSE(looks_like_output(line)) << "the document prints what the golden lacks: " << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Goldens, DocumentsTest, testing::ValuesIn(slugs),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace torchbook::golden
