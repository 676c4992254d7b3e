// Tests that files of exceptions are read strictly, and what they make of verdicts.
#include <golden/judged_cell.h>
#include <gtest/gtest.h>
#include <torchbook/golden/exceptions.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace torchbook::golden {
namespace {

constexpr std::string_view file = "sample.exceptions";

Exceptions exceptions_of(const std::string& lines) {
  return parse_exceptions("exceptions of sample\n" + lines, file);
}

TEST(Exceptions, AreReadLineByLine) {
  const auto all = exceptions_of(
      "\n# Why: see the notes.\n@1 differs: prints the release\n@5 printed: stored by 2.10, last digits\n"
      "  \n@14 picture\n@15 picture:\n@2  not ported :  needs: tiktoken \n@16\tpicture: drawn");
  EXPECT_EQ(all.slug, "sample");
  using Line = std::tuple<std::size_t, ExceptionKind, std::string, std::size_t, std::string>;
  std::vector<Line> lines;
  for (const auto& one : all.cells)
    lines.emplace_back(one.position, one.kind, one.reason, one.line, one.place);
  const std::vector<Line> expected = {
      {1, ExceptionKind::differs, "prints the release", 4, "sample.exceptions:4"},
      {5, ExceptionKind::printed, "stored by 2.10, last digits", 5, "sample.exceptions:5"},
      {14, ExceptionKind::picture, "", 7, "sample.exceptions:7"},
      {15, ExceptionKind::picture, "", 8, "sample.exceptions:8"},
      {2, ExceptionKind::not_ported, "needs: tiktoken", 9, "sample.exceptions:9"},
      {16, ExceptionKind::picture, "drawn", 10, "sample.exceptions:10"}};
  EXPECT_EQ(lines, expected);
  EXPECT_TRUE(exceptions_of("").cells.empty());
}

TEST(Exceptions, OfWindowsAreReadToo) {
  const auto all = parse_exceptions(
      "\xEF\xBB\xBF"
      "exceptions of sample\r\n@3 differs: why\r\n",
      file);
  EXPECT_EQ(all.slug, "sample");
  ASSERT_EQ(all.cells.size(), 1U);
  EXPECT_EQ(all.cells[0].reason, "why");
}

/// Returns the error of a reader, with its line: `3: a line must be …`.
template <class Read>
std::string refusal_of(const Read& reader) {
  try {
    reader();
    return "nothing";
  } catch (const GoldenError& error) {
    return error.in_file("file");
  }
}

void expect_refused(const std::string& lines, const std::string& why) {
  const auto refusal = refusal_of([&] { exceptions_of(lines); });
  EXPECT_EQ(refusal.substr(0, why.size()), why) << lines;
}

TEST(Exceptions, ThatAreMalformedAreRefusedWithTheirLine) {
  for (const std::string text :
       {"", "\n", "@1 differs: why\n", "golden of sample, from x\n", "exceptions of \n"}) {
    EXPECT_EQ(refusal_of([&] { parse_exceptions(text, file); }),
              "file:1: the first line must be 'exceptions of <slug>'")
        << text;
  }
  for (const std::string line :
       {"1 differs: why", "@ differs: why", "@0 differs: why", "@-1 differs: why", "@1x differs: why",
        "@1: why", "@99999999999999999999 differs: why", " @1 differs: why"}) {
    expect_refused("\n" + line, "file:3: a line must be '@POSITION KIND: REASON'");
  }
  for (const std::string line : {"@1", "@1 ", "@1 differ: why", "@1 Differs: why", "@1 not-ported: why"}) {
    expect_refused(line,
                   "file:2: the kind of an exception must be 'differs', 'varies', 'tolerance', 'printed', "
                   "'picture' or 'not ported'");
  }
  expect_refused("@1 differs why", "file:2: 'why' names no parts");
  for (const std::string kind : {"differs", "varies", "printed", "not ported"}) {
    for (const std::string end : {"", ":", ": "}) {
      expect_refused("@7 " + kind + end, "file:2: the reason is missing; it comes after '@7 " + kind + ": '");
    }
  }
  const std::string rule = "file:2: a reason must have at most 200 bytes and no control characters";
  expect_refused("@7 differs: " + std::string(201, 'x'), rule);
  for (const std::string control : {"\x1b[31m", "\a", "a\rb", "\x7f", "\xc2\x9b"}) {
    expect_refused("@7 differs: x" + control + "x\n", rule);
  }
  EXPECT_EQ(exceptions_of("@7 differs: " + std::string(200, 'x')).cells.size(), 1U);
  expect_refused("@1 picture\n@2 picture\n@1 differs: why\n",
                 "file:4: cell @1 has an exception already, in line 2; a cell has one");
}

TEST(Exceptions, OfAnotherNotebookOrOfOtherCellsAreRefused) {
  const auto all = exceptions_of("@2 picture\n@5 picture\n");
  EXPECT_EQ(refusal_of([&] { require_cells(all, "sample", 5); }), "nothing");
  EXPECT_EQ(refusal_of([&] { require_cells(all, "sample", 4); }),
            "file:3: there is no cell @5; the notebook sample has 4 cells");
  EXPECT_EQ(refusal_of([&] { require_cells(all, "other", 5); }),
            "file:1: this belongs to the notebook sample, not to other");
}

TEST(Exceptions, OfThePortHoldForEveryGolden) {
  const auto port = of_the_port(
      exceptions_of("@1 differs: a\n@2 printed: b\n@3 picture\n@4 not ported: c\n@5 varies: d\n"));
  ASSERT_EQ(port.cells.size(), 3U);
  EXPECT_EQ(port.cells[0].kind, ExceptionKind::picture);
  EXPECT_EQ(port.cells[1].kind, ExceptionKind::not_ported);
}

// ------------------------------------------------------------ verdicts

/// Returns the judgement of a cell that printed `out` where the golden has 0.5000, with an exception.
Judgement judged_with(const std::string& exception, const std::string& out,
                      const std::optional<std::string>& not_ported = std::nullopt) {
  auto transcript = ran(out, std::nullopt);
  cell_of(transcript).not_ported = not_ported;
  auto expected = golden("0.5000\n", std::nullopt);
  add_exceptions(expected, exceptions_of("@1 " + exception));
  return judged(transcript, expected);
}

TEST(Exceptions, ThatAreTruePassAndOthersFail) {
  struct Case {
    std::string exception, out;
    std::optional<std::string> not_ported;
    Verdict verdict;
    bool holds;
  };
  const Case cases[] = {{"differs: why", "0.6\n", std::nullopt, Verdict::different, true},
                        {"differs: why", "", std::nullopt, Verdict::different, true},
                        {"differs: why", "0.5000\n", std::nullopt, Verdict::equal, false},
                        {"differs: why", "5.0000e-01\n", std::nullopt, Verdict::equal_as_printed, false},
                        {"varies: why", "0.6\n", std::nullopt, Verdict::different, true},
                        {"varies: why", "0.5000\n", std::nullopt, Verdict::equal, true},
                        {"varies: why", "5.0000e-01\n", std::nullopt, Verdict::equal_as_printed, true},
                        {"printed: why", "5.0000e-01\n", std::nullopt, Verdict::equal_as_printed, true},
                        {"printed: why", "0.5000\n", std::nullopt, Verdict::equal, false},
                        {"printed: why", "0.6\n", std::nullopt, Verdict::different, false},
                        {"picture", "", std::nullopt, Verdict::not_compared, true},
                        {"picture", "0.5000\n", std::nullopt, Verdict::not_compared, true},
                        {"not ported: why", "", "why", Verdict::not_ported, true},
                        {"not ported: why", "0.5000\n", std::nullopt, Verdict::equal, false},
                        {"not ported: why", "0.6\n", std::nullopt, Verdict::different, false}};
  for (const auto& [exception, out, not_ported, verdict, holds] : cases) {
    const auto judgement = judged_with(exception, out, not_ported);
    EXPECT_EQ(judgement.verdict, verdict) << exception;
    ASSERT_TRUE(judgement.exception);
    EXPECT_EQ(is_expected(judgement), holds) << exception;
    EXPECT_EQ(has_untrue_exception(judgement), !holds) << exception;
    EXPECT_EQ(passes(judgement, holds ? Accept::equal : Accept::printed), holds) << exception;
  }
}

TEST(Exceptions, OfACellThatIsNotPortedAreUndecided) {
  for (const std::string exception : {"differs: why", "varies: why", "printed: why", "picture"}) {
    const auto judgement = judged_with(exception, "", "why");
    EXPECT_EQ(judgement.verdict, Verdict::not_ported);
    EXPECT_FALSE(is_expected(judgement));
    EXPECT_FALSE(has_untrue_exception(judgement));
    EXPECT_FALSE(passes(judgement, Accept::printed));
  }
}

TEST(Exceptions, SayNothingOfACellThatThrew) {
  auto transcript = ran("", std::nullopt);
  cell_of(transcript).error = "boom";
  for (const std::string exception :
       {"differs: why", "varies: why", "printed: why", "picture", "not ported: why"}) {
    auto expected = golden("0.5000\n", std::nullopt);
    add_exceptions(expected, exceptions_of("@1 " + exception));
    const auto judgement = judged(transcript, expected);
    EXPECT_EQ(judgement.verdict, Verdict::threw);
    EXPECT_FALSE(has_untrue_exception(judgement));
    EXPECT_FALSE(passes(judgement, Accept::printed));
  }
}

}  // namespace
}  // namespace torchbook::golden
