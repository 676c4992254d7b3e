// Tests the trace of a notebook's run: the cells of its operations, and the tensors that cells
// show.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/temporary_folder.h>
#include <tools/part/trace_file.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/temporary_file.h>
#include <torchbook/notebook/transcript.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::trace_diff {
namespace {

constexpr notebook::TableEntry table[] = {
    {.label = "1", .source = "", .line = 1},
    {.restored = true, .source = "", .line = 2},
    {.label = "2", .source = "", .line = 3},
    {.label = "None", .source = "", .line = 4},
};

void sample(notebook::Notebook& nb) {
  nb.cell("1");
  at::Tensor x = at::ones({2});
  nb.print(x);
  nb.restored("x was more.");
  x.add_(1);
  nb.cell("2");
  nb.print(notebook::f("{}", x), notebook::f("{}", x.neg()));
  nb.display(x.exp());
  nb.cell("None");
  static_cast<void>(notebook::f("{}", x.sin()));  // a text that it does not print
}

class NotebookTrace : public testing::Test {
 protected:
  explicit NotebookTrace(std::optional<std::set<std::size_t>> positions = std::nullopt) {
    const torchbook::test::TemporaryFolder folder;
    const auto file = (folder.path() / "sample.trace").string();
    {
      notebook::RunTrace recording(torchbook::test::trace_library(), file, {});
      notebook::run({.slug = "sample", .document = "sample.txt", .define = sample, .table = table}, positions,
                    &recording);
      recording.finish();
    }
    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    bytes_ = content.str();
    trace_ = read_trace(bytes_, texts_);
  }

  /// Returns the marks of all operations of a name.
  std::vector<std::string> marks_of(std::string_view name) const {
    std::vector<std::string> marks;
    for (const auto& one : trace_.operations) {
      if (texts_[one.name] == name) marks.push_back(texts_[one.mark]);
    }
    return marks;
  }

  std::string bytes_;
  Texts texts_;
  ReadTrace trace_;
};

class SelectedNotebookTrace : public NotebookTrace {
 protected:
  SelectedNotebookTrace() : NotebookTrace(std::set<std::size_t>{1}) {}
};

using Words = std::vector<std::string>;

TEST_F(NotebookTrace, SaysToWhichCellEachOperationBelongs) {
  EXPECT_EQ(marks_of("aten::ones"), Words{"@1"});
  EXPECT_EQ(marks_of("aten::add_.Scalar"), Words{"restored before @2"});
  EXPECT_EQ(marks_of("aten::neg"), Words{"@2"});
  EXPECT_EQ(marks_of("aten::exp"), Words{"@2"});
  EXPECT_EQ(marks_of("aten::sin"), Words{"@3"});
}

TEST_F(NotebookTrace, NamesWhatCellsShowInTheOrderOfTheText) {
  std::vector<std::pair<std::string, float>> shown;
  for (const auto& one : trace_.shown) {
    const auto held = trace_.bytes.find(trace_.tensors[one.tensor].hash);
    ASSERT_NE(held, trace_.bytes.end());
    float first = 0;
    ASSERT_GE(held->second.bytes.size(), sizeof first);
    std::memcpy(&first, held->second.bytes.data(), sizeof first);
    shown.emplace_back(texts_[one.name], first);
  }
  const std::vector<std::pair<std::string, float>> expected = {{"shown @1.1", 1.0F},
                                                               {"shown @2.1", 2.0F},
                                                               {"shown @2.2", -2.0F},
                                                               {"shown @2.3", 7.389056F},
                                                               {"shown @3.1", 0.9092974F}};
  EXPECT_EQ(shown, expected);
  EXPECT_TRUE(trace_.named.empty());
}

TEST_F(NotebookTrace, SaysAfterWhichOperationATensorIsShown) {
  ASSERT_FALSE(trace_.shown.empty());
  const auto behind = trace_.shown.front().operation;
  ASSERT_GT(behind, 0U);
  ASSERT_LT(behind, trace_.operations.size());
  EXPECT_EQ(texts_[trace_.operations[behind - 1].mark], "@1");
  EXPECT_EQ(texts_[trace_.operations[behind].mark], "restored before @2");
}

TEST(TraceOfARun, IsFinished) {
  const auto transcript =
      notebook::run_traced({.slug = "sample", .document = "sample.txt", .define = sample, .table = table},
                           torchbook::test::trace_library());
  Texts texts;
  EXPECT_TRUE(read_trace(transcript.trace, texts).finished);
}

TEST(TraceOfARun, IsCutOffIfNothingFinishesIt) {
  for (int i = 0; i < 2; ++i) {  // the thread can record again
    const notebook::TemporaryFile file;
    { const notebook::RunTrace recording(torchbook::test::trace_library(), file.path(), {}); }
    Texts texts;
    const auto bytes = file.bytes();
    EXPECT_FALSE(read_trace(bytes, texts).finished);
  }
}

TEST_F(SelectedNotebookTrace, EndsWhereTheRunEnds) {
  EXPECT_EQ(marks_of("aten::ones"), Words{"@1"});
  EXPECT_TRUE(marks_of("aten::add_.Scalar").empty());
  EXPECT_TRUE(trace_.finished);
}

}  // namespace
}  // namespace torchbook::trace_diff
