// Compares what Python's run and the proving program hold, for cells that are written out here.
#include <gtest/gtest.h>
#include <tools/import/command/wrong_cells.h>
#include <torchbook/golden/golden.h>

namespace torchbook::cli {
namespace {

/// Returns what is wrong with a cell that leaves one name, `x`, with these texts.
std::string fault(const std::string& python, const std::string& here) {
  const auto faults = wrong_cells({{.changed = {{"x", python}}}}, "1\tx\t" + here + '\n', {});
  return faults.empty() ? "" : faults.at(1);
}

/// A cell that changes `name`, and reads what `read` names.
RecordedCell cell(const std::string& name, const std::string& text, std::set<std::string> read = {}) {
  return {.changed = {{name, text}}, .read = std::move(read)};
}

TEST(WrongCells, ADifferenceNamesItsPlaceAndBothValues) {
  EXPECT_EQ(fault(R"("1")", R"("0")"), "x is 1 in Python and 0 in C++");
  EXPECT_EQ(fault(R"(["1",["2","3"]])", R"(["1",["2","4"]])"), "x[1][1] is 3 in Python and 4 in C++");
  EXPECT_EQ(
      fault(R"({"members":{"a":{"members":{"b":["1"]}}}})", R"({"members":{"a":{"members":{"b":["2"]}}}})"),
      "x.a.b[0] is 1 in Python and 2 in C++");
  EXPECT_EQ(fault(R"(["1","2"])", R"(["1"])"), "x is of size 2 in Python and of size 1 in C++");
  EXPECT_EQ(fault(R"("'a\nb'")", R"("'a'")"), "x is 'a␊b' in Python and 'a' in C++");
}

TEST(WrongCells, TheItemOfADictIsNamedByItsKey) {
  EXPECT_EQ(fault(R"({"dict":[["'a'","1"],["'b'",["2"]]]})", R"({"dict":[["'a'","1"],["'b'",["3"]]]})"),
            "x['b'][0] is 2 in Python and 3 in C++");
  EXPECT_EQ(fault(R"({"dict":[["'a'","1"]]})", R"({"dict":[["'b'","1"]]})"),
            "a key of x is 'a' in Python and 'b' in C++");
  EXPECT_EQ(fault(R"({"dict":[["'a'","1"]]})", R"({"dict":[]})"),
            "x is of size 1 in Python and of size 0 in C++");
}

TEST(WrongCells, ATensorIsComparedByDtypeElementsAndGradient) {
  const std::string python = R"j(["tensor float32 (2)",["1.0","2.0"],"no gradient"])j";
  EXPECT_EQ(fault(python, R"j(["tensor float64 (2)",["1.0","2.0"],"no gradient"])j"),
            "x is tensor float32 (2) in Python and tensor float64 (2) in C++");
  EXPECT_EQ(fault(python, R"j(["tensor float32 (2)",["1.0","3.0"],"no gradient"])j"),
            "x[1] is 2.0 in Python and 3.0 in C++");
  EXPECT_EQ(fault(python, R"j(["tensor float32 (2)",["1.0","2.0"],"tensor float32 (2)",["1.0","1.0"]])j"),
            "x.grad is no gradient in Python and tensor float32 (2) in C++");
  EXPECT_EQ(fault(python, R"("1")"), "x is tensor float32 (2) in Python and 1 in C++");
}

TEST(WrongCells, OfATensorThatVariesAllElseIsCompared) {
  RecordedCells run = {cell("x", R"j(["tensor int64 (2)",["1","5"],"no gradient"])j")};
  remove_what_varies(run, {cell("x", R"j(["tensor int64 (2)",["1","6"],"no gradient"])j")});
  const auto found = [&](const std::string& here) {
    return wrong_cells(run, "1\tx\t" + here + '\n', {}).size();
  };
  EXPECT_EQ(found(R"j(["tensor int64 (2)",["1","7"],"no gradient"])j"), 0U);
  EXPECT_EQ(found(R"j(["tensor int64 (2)",["2","7"],"no gradient"])j"), 1U);
  EXPECT_EQ(found(R"j(["tensor int32 (2)",["1","7"],"no gradient"])j"), 1U);
  EXPECT_EQ(found(R"j(["tensor int64 (1, 2)",["1","7"],"no gradient"])j"), 1U);
}

TEST(WrongCells, WhatOneSideCannotTellIsNotCompared) {
  EXPECT_EQ(fault("null", R"("1")"), "");
  EXPECT_EQ(fault(R"("1")", "null"), "");
  EXPECT_EQ(fault(R"([null,"1"])", R"(["5","1"])"), "");
  EXPECT_EQ(fault(R"([null,"1"])", R"(["5","2"])"), "x[1] is 1 in Python and 2 in C++");
  EXPECT_EQ(fault(R"({"members":{"a":"1"}})", R"({"members":{"b":"1"}})"), "");
  EXPECT_TRUE(wrong_cells({cell("x", R"("1")")}, "1\ty\t\"2\"\n", {}).empty());
  EXPECT_TRUE(wrong_cells({cell("x", R"("1")")}, "", {}).empty());
}

TEST(WrongCells, AnObjectIsComparedWhereverItIsWrittenOut) {
  const std::string one = R"([{"id":0,"members":{"a":"1","o":{"id":0}}},{"id":0}])";
  EXPECT_EQ(fault(one, R"([{"members":{"a":"1"}},{"members":{"a":"1"}}])"), "");
  EXPECT_EQ(fault(one, R"([{"members":{"a":"1"}},{"members":{"a":"2"}}])"),
            "x[1].a is 1 in Python and 2 in C++");
  EXPECT_EQ(fault(one, R"([{"id":5,"members":{"o":{"id":7,"members":{"a":"3","o":{"id":5}}}}},{"id":7}])"),
            "x[0].o.a is 1 in Python and 3 in C++");
  EXPECT_EQ(fault(R"([{"id":1,"list":[{"id":2,"members":{"a":"1"}}]},{"id":1}])",
                  R"([[{"members":{"a":"1"}}],[{"members":{"a":"2"}}]])"),
            "x[1][0].a is 1 in Python and 2 in C++");
  EXPECT_EQ(fault(R"({"id":4})", R"({"members":{"a":"1"}})"), "");
}

TEST(WrongCells, OnlyPartsThatVaryAreNotCompared) {
  RecordedCells run = {
      cell("x", R"([{"id":0,"members":{"a":"1","b":"2"}},{"dict":[["'k'","3"],["'l'","4"]]}])"), {}};
  remove_what_varies(
      run, {cell("x", R"([{"id":0,"members":{"a":"1","b":"9"}},{"dict":[["'k'","8"],["'l'","4"]]}])"), {}});
  const auto found = [&](const std::string& here) {
    const auto faults = wrong_cells(run, "1\tx\t" + here + '\n', {});
    return faults.empty() ? "" : faults.at(1);
  };
  EXPECT_EQ(found(R"([{"members":{"a":"1","b":"7"}},{"dict":[["'k'","7"],["'l'","4"]]}])"), "");
  EXPECT_EQ(found(R"([{"members":{"a":"2","b":"7"}},{"dict":[["'k'","7"],["'l'","4"]]}])"),
            "x[0].a is 1 in Python and 2 in C++");
  EXPECT_EQ(found(R"([{"members":{"a":"1","b":"7"}},{"dict":[["'k'","7"],["'l'","5"]]}])"),
            "x[1]['l'] is 4 in Python and 5 in C++");
}

TEST(WrongCells, WhoReadsAWrongNameIsNotBlamed) {
  const RecordedCells run = {cell("x", R"("1")"), cell("y", R"("2")", {"x"}), cell("z", R"("3")", {"w"})};
  const std::string one = "1\tx\t\"9\"\n2\tx\t=\n2\ty\t\"10\"\n", other = "3\tx\t=\n3\ty\t=\n3\tz\t\"4\"\n";
  const std::string x = "x is 1 in Python and 9 in C++", z = "z is 3 in Python and 4 in C++";
  EXPECT_EQ(wrong_cells(run, one, {}), (Faults{{1, x}}));
  EXPECT_EQ(wrong_cells(run, one + other, {}), (Faults{{1, x}, {3, z}}));
}

TEST(WrongCells, WhatACellWithoutCppLeavesWrongIsNoExcuse) {
  const RecordedCells run = {cell("x", R"("1")"), cell("y", R"("2")", {"x"}), cell("x", R"("3")", {"x"}),
                             cell("z", R"("4")", {"x"})};
  const std::string proof_log =
      "1\tx\t\"9\"\n2\tx\t=\n2\ty\t\"8\"\n3\tx\t\"7\"\n3\ty\t=\n4\tx\t=\n4\ty\t=\n4\tz\t\"6\"\n";
  const std::string x = "x is 3 in Python and 7 in C++", y = "y is 2 in Python and 8 in C++",
                    z = "z is 4 in Python and 6 in C++";
  EXPECT_EQ(wrong_cells(run, proof_log, {}), (Faults{{1, "x is 1 in Python and 9 in C++"}}));
  EXPECT_EQ(wrong_cells(run, proof_log, {}, {1}),
            (Faults{{2, y}, {3, x}}));  // the fourth reads what the third left
  EXPECT_EQ(wrong_cells(run, proof_log, {}, {1, 2}), (Faults{{3, x}}));
  EXPECT_EQ(wrong_cells(run, proof_log, {}, {1, 2, 3}), (Faults{{4, z}}));
  EXPECT_EQ(wrong_cells(run, proof_log, {{2, "golden a, here b"}}, {1, 2, 3, 4}), Faults{});
  EXPECT_EQ(wrong_cells({cell("x", R"("1")"), cell("y", R"("2")", {"x"})},
                        "1\tx\t\"9\"\n2\tx\t=\n2\ty\t\"2\"\n", {{2, "golden a, here b"}}, {1}),
            (Faults{{2, "golden a, here b"}}));
}

TEST(WrongCells, ASettingIsReadByWhatChangesIt) {
  const std::string state = "torch.get_rng_state()";
  const RecordedCells run = {cell(state, R"("a")"), cell("x", R"("1")"), cell(state, R"("b")")};
  const auto proof_log = [&](const char* x) {
    return "1\t" + state + "\t\"z\"\n2\t" + state + "\t=\n2\tx\t" + x + "\n3\t" + state + "\t\"y\"\n";
  };
  const std::string drawn = state + " is a in Python and z in C++";
  EXPECT_EQ(wrong_cells(run, proof_log(R"("1")"), {}), (Faults{{1, drawn}}));  // the third begins wrong
  EXPECT_EQ(wrong_cells(run, proof_log(R"("2")"), {}),
            (Faults{{1, drawn}, {2, "x is 1 in Python and 2 in C++"}}));
}

TEST(WrongCells, ARestoredStateIsWhatTheNextCellBeginsWith) {
  RecordedCells run = {cell("x", R"("1")"), {}};
  run[0].restored = {{"x", R"("2")"}};
  EXPECT_TRUE(wrong_cells(run, "1\tx\t\"1\"\n2\tx\t\"2\"\n", {}).empty());
  EXPECT_EQ(wrong_cells(run, "1\tx\t\"1\"\n2\tx\t=\n", {}), (Faults{{2, "x is 2 in Python and 1 in C++"}}));
}

TEST(WrongCells, WhatTwoRunsDoNotHaveInCommonVaries) {
  RecordedCells run = {
      {.changed = {{"x", R"("1")"}, {"y", R"("1")"}}}, cell("z", R"("2")"), cell("x", R"("3")")};
  const RecordedCells other = {
      {.changed = {{"x", R"("8")"}, {"y", R"("1")"}}}, cell("z", R"("2")"), cell("x", R"("3")")};
  remove_what_varies(run, other);
  EXPECT_EQ(run[0].changed, (std::map<std::string, std::string>{{"x", "null"}, {"y", R"("1")"}}));
  EXPECT_EQ(run[1].changed, other[1].changed);
  EXPECT_EQ(run[2].changed, other[2].changed);
}

TEST(WrongCells, ALineThatWasCutOffIsNotRead) {
  const RecordedCells run = {cell("x", R"("1")"), cell("y", R"("2")")};
  EXPECT_TRUE(wrong_cells(run, "1\tx\t\"1\"\n2\ty\t\"7", {}).empty());
  EXPECT_TRUE(wrong_cells(run, "1\tx\t\"1\"\n2", {}).empty());
  EXPECT_EQ(last_cell_in("1\tx\t\"1\"\n2\ty\t\"7"), 1);
  EXPECT_EQ(last_cell_in("1\tx\t\"1\"\n2\ty\t\"7\"\n"), 2);
  EXPECT_EQ(last_cell_in(""), 0);
}

TEST(WrongCells, ABrokenLineIsRefused) {
  for (const auto* const proof_log : {"x\n", "1\n", "1\tx\n", "one\tx\t\"1\"\n", "\n"})
    EXPECT_THROW(wrong_cells({cell("x", R"("1")")}, proof_log, {}), golden::GoldenError) << proof_log;
  EXPECT_THROW(wrong_cells({cell("x", R"("1")")}, "1\tx\t{\n", {}), golden::GoldenError);
}

}  // namespace
}  // namespace torchbook::cli
