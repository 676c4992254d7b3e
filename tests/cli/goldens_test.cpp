// Tests which golden a notebook is compared with, and which exceptions hold for it.
#include <gtest/gtest.h>
#include <support/texts.h>
#include <torchbook/cli/commands/comparison.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/recording.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {
namespace {

constexpr std::array<notebook::TableEntry, 4> four = {
    {{.label = "1"}, {.label = "2"}, {.label = "3"}, {.label = "4"}}};

std::string golden_from_text(std::string_view from) {
  return "golden of book, from " + std::string(from) +
         "\n\n@1 In [1]\n> one\n\n@2 In [2]\n\n@3 In [3]\n\n@4 In [4]\n\nend: 4 cells, 1 with output\n";
}

const std::string of_the_document = golden_from_text("book.ipynb");
const std::string of_two_six = golden_from_text("PyTorch 2.6.0 and book.py");
const std::string of_two_six_one = golden_from_text("PyTorch 2.6.1 and book.py");
constexpr std::string_view exceptions =
    "exceptions of book\n@1 differs: a\n@2 picture\n@3 not ported: b\n@4 not ported: c\n";

/// Returns a notebook with goldens of two releases. The first of them has exceptions of its own.
notebook::PortedNotebook book() {
  static const std::array<notebook::ReleaseReference, 2> releases = {
      {{.release = "2.6",
        .golden_file = "book.2.6.golden",
        .golden = of_two_six,
        .exceptions_file = "book.2.6.exceptions",
        .exceptions = "exceptions of book\n@3 printed: d\n"},
       {.release = "2.6.1", .golden_file = "book.2.6.1.golden", .golden = of_two_six_one}}};
  return {.slug = "book",
          .document = "book.ipynb",
          .define = nullptr,
          .port_file = "book.cpp",
          .table = four,
          .golden_file = "book.golden",
          .golden = of_the_document,
          .exceptions_file = "book.exceptions",
          .exceptions = exceptions,
          .releases = releases};
}

/// Returns the fingerprint of this release of LibTorch.
notebook::Fingerprint on(std::string_view torch) {
  notebook::Fingerprint here{};
  here.torch = torch;
  return here;
}

/// Returns the file and the line of the exception of each cell.
std::vector<std::string> places(const golden::Golden& golden) {
  std::vector<std::string> all;
  for (const auto& cell : golden.cells) all.push_back(cell.exception ? cell.exception->place : "");
  return all;
}

using Places = std::vector<std::string>;

TEST(Goldens, AreThoseOfTheReleaseThatRuns) {
  const auto file_for = [](std::string_view torch) { return built_in_golden(book(), on(torch)).file; };
  EXPECT_EQ(file_for("LibTorch 2.6.0"), "book.2.6.golden");
  EXPECT_EQ(file_for("LibTorch 2.6.1"), "book.2.6.1.golden");
  EXPECT_EQ(file_for("LibTorch 2.6.1+cpu"), "book.2.6.1.golden");
  EXPECT_EQ(file_for("LibTorch 2.6.10"), "book.2.6.golden");
  EXPECT_EQ(file_for("LibTorch 2.60.0"), "book.golden");
  EXPECT_EQ(file_for("LibTorch 1.13.1"), "book.golden");
  EXPECT_EQ(file_for(""), "book.golden");
}

TEST(Goldens, ThatAreNotTheDocumentsAreNamed) {
  const auto from = [](std::string_view torch) {
    return golden_from(built_in_golden(book(), on(torch)), book());
  };
  EXPECT_EQ(from("LibTorch 1.13.1"), "");
  EXPECT_EQ(from("LibTorch 2.6.0"), "book.2.6.golden, from PyTorch 2.6.0 and book.py");
  auto made = book();
  made.golden = of_two_six;
  EXPECT_EQ(golden_from(built_in_golden(made, {}), made), "book.golden, from PyTorch 2.6.0 and book.py");
}

TEST(Goldens, TakeTheExceptionsThatHoldForThem) {
  EXPECT_EQ(places(built_in_golden(book(), on("LibTorch 1.13.1")).golden),
            (Places{"book.exceptions:2", "book.exceptions:3", "book.exceptions:4", "book.exceptions:5"}));
  EXPECT_EQ(places(built_in_golden(book(), on("LibTorch 2.6.0")).golden),
            (Places{"", "book.exceptions:3", "book.2.6.exceptions:2", "book.exceptions:5"}));
  EXPECT_EQ(places(built_in_golden(book(), on("LibTorch 2.6.1")).golden),
            (Places{"", "book.exceptions:3", "book.exceptions:4", "book.exceptions:5"}));
}

TEST(Goldens, WithBrokenExceptionsAreRefusedWithFileAndLine) {
  auto broken = book();
  broken.exceptions = "exceptions of book\n@5 picture\n";
  for (const std::string_view torch : {"LibTorch 1.13.1", "LibTorch 2.6.0"}) {
    try {
      built_in_golden(broken, on(torch));
      FAIL() << torch;
    } catch (const UsageError& error) {
      EXPECT_STREQ(error.what(), "book.exceptions:2: there is no cell @5; the notebook book has 4 cells");
    }
  }
}

/// Compares mathematical_trick with its recording, as if its file of exceptions had these lines.
golden::JudgedTranscript compared_with_recording(std::string_view lines) {
  for (auto notebook : notebook::linked_notebooks()) {
    if (notebook.slug != "mathematical_trick") continue;
    notebook.exceptions_file = "mathematical_trick.exceptions";
    notebook.exceptions = lines;
    return cli::compare({{notebook, {}}}, {.reference = std::string(built_in)}).front();
  }
  return {};
}

TEST(Goldens, OnlyExceptionsOfThePortHoldInAComparisonWithPyTorch) {
  const auto judged = compared_with_recording(
      "exceptions of mathematical_trick\n@2 differs: a\n@3 printed: b\n@4 picture\n@5 not ported: c\n");
  ASSERT_EQ(judged.failure.value_or(""), "");
  EXPECT_FALSE(judged.judgements.at(2).exception);
  EXPECT_FALSE(judged.judgements.at(3).exception);
  EXPECT_EQ(judged.judgements.at(4).verdict, golden::Verdict::not_compared);
  EXPECT_TRUE(golden::has_untrue_exception(judged.judgements.at(5)));
  EXPECT_EQ(
      compared_with_recording("exceptions of mathematical_trick\n@15 picture\n").failure,
      "mathematical_trick.exceptions:2: there is no cell @15; the notebook mathematical_trick has 14 cells");
}

TEST(BuiltInRecording, IsThatOfTheReleaseOrTheCommonOne) {
  static const std::array<notebook::ReleaseReference, 3> releases = {
      {{.release = "2.6", .recording_file = "book.2.6.json", .recording = "{}"},
       {.release = "2.6.1", .golden_file = "book.2.6.1.golden", .golden = of_two_six_one},
       {.release = "2.14", .recording_file = "book.2.14.json", .recording = "[]"}}};
  auto notebook = book();
  notebook.recording_file = "book.json";
  notebook.releases = releases;
  EXPECT_EQ(built_in_recording(notebook, "LibTorch 2.6.1").file, "book.2.6.json");
  EXPECT_EQ(built_in_recording(notebook, "LibTorch 2.14.0").text, "[]");
  EXPECT_EQ(built_in_recording(notebook, "LibTorch 2.14.0").base.name, "book.json");
  EXPECT_EQ(built_in_recording(notebook, "LibTorch 2.1.4").file, "book.json");
  try {
    built_in_golden(notebook, on("LibTorch 2.6.1"));
    FAIL() << "a recording without cells";
  } catch (const UsageError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("book.2.6.json: ")) << error.what();
  }
}

TEST(Goldens, HaveTheTensorsOfTheRecordingToTheBitOnItsKernels) {
  for (const auto& notebook : notebook::linked_notebooks()) {
    const auto recording = golden::parse_recording(notebook.recording);
    auto here = recording.fingerprint;
    const auto exact = built_in_golden(notebook, here).golden;
    EXPECT_EQ(exact.closeness, golden::Closeness::bits) << notebook.slug;
    for (std::size_t i = 0; i < exact.cells.size(); ++i)
      EXPECT_EQ(exact.cells[i].tensors, recording.golden.cells[i].tensors) << notebook.slug << " @" << i + 1;
    here.threads += 1;
    EXPECT_EQ(built_in_golden(notebook, here).golden.closeness, golden::Closeness::bits) << notebook.slug;
    here.cpu_capability = "DEFAULT";
    const auto elsewhere = built_in_golden(notebook, here).golden;
    EXPECT_EQ(elsewhere.closeness, golden::Closeness::rounding) << notebook.slug;
    EXPECT_EQ(elsewhere.cells[0].tensors, exact.cells[0].tensors) << notebook.slug;
  }
}

}  // namespace
}  // namespace torchbook::cli
