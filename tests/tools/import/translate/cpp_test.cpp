// Tests the tree of C++: its effects, its order, and how it is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tools/import/translate/cpp/order.h>
#include <tools/import/translate/cpp/print.h>

namespace torchbook::translate::cpp {
namespace {

Expr draw() { return call("torch::rand", {number(2)}); }
Expr sum_of(const std::string& tensor) { return method(name(tensor), "sum"); }

std::string lines(const Stmts& statements) {
  std::string text;
  for (const auto& line : printed(statements, 0)) text += line + "\n";
  return text;
}

/// Returns a statement in Python's evaluation order. New names are the ones that in_order() asks
/// for.
std::string ordered(const Stmt& statement) {
  return lines(in_order(statement, [](std::string_view wish) { return std::string(wish); }));
}
std::string ordered(const Expr& expr) { return ordered(Stmt{.kind = Evaluate{expr}}); }

TEST(Print, AddsParenthesesWhereOperatorsNeedThem) {
  const auto a = name("a"), b = name("b"), c = name("c");
  EXPECT_EQ(printed(binary(a, "-", binary(b, "-", c))), "a - (b - c)");
  EXPECT_EQ(printed(binary(binary(a, "-", b), "-", c)), "a - b - c");
  EXPECT_EQ(printed(binary(binary(a, "+", b), "*", c)), "(a + b) * c");
  EXPECT_EQ(printed(unary("-", unary("-", a))), "-(-a)");
  EXPECT_EQ(printed(unary("-", number(-1))), "-(-1)");
  EXPECT_EQ(printed(binary(a, "-", number(-1))), "a - -1");
  EXPECT_EQ(printed(method(binary(a, "+", b), "sum")), "(a + b).sum()");
  EXPECT_EQ(printed(method(unary("-", a), "sum")), "(-a).sum()");
  EXPECT_EQ(printed(binary(binary(a, "&&", b), "||", c)), "(a && b) || c");
  EXPECT_EQ(printed(binary(binary(a, "<", b), "==", c)), "(a < b) == c");
  EXPECT_EQ(printed(choice(choice(a, b, c), a, choice(a, b, c))), "(a ? b : c) ? a : a ? b : c");
  EXPECT_EQ(printed(binary(binary(a, "&", b), "==", c)), "(a & b) == c");
  EXPECT_EQ(printed(call("f", {string("a\n\"b\"")})), R"(f("a\n\"b\""))");
}

// The lines are those of clang-format 14.
TEST(Print, BreaksLongLinesAsClangFormatDoes) {
  const std::string w(40, 'w');
  const std::string longer(80, 'f');
  const auto line = [](const Expr& value) { return lines({{.kind = Evaluate{value}}}); };
  const auto inner = call("inner", {name(w), name(w)});
  EXPECT_EQ(line(call("outer", {inner, name(w)})), "outer(inner(" + w + ", " + w + "),\n      " + w + ");\n");
  EXPECT_EQ(line(call(longer, {name(w), name(w)})), longer + "(\n    " + w + ", " + w + ");\n");
  const auto sum = binary(name(w), "+", name(w));
  EXPECT_EQ(line(call("f", {binary(sum, "*", name(w))})), "f((" + w + " + " + w + ") *\n  " + w + ");\n");
  const auto row = braces({name(w), name(w)});
  EXPECT_EQ(line(call("f", {braces({row, row})})),
            "f({{" + w + ", " + w + "},\n   {" + w + ", " + w + "}});\n");
}

TEST(Print, BreaksBehindAnAssignmentIfTheValueThenFits) {
  const std::string w(40, 'w');
  const auto assigned = [&](const Expr& value) {
    return lines({{.kind = Declare{.type = "const auto", .name = "value", .value = value}}});
  };
  EXPECT_EQ(assigned(call("f", {name(w), call("g", {name(w)})})),
            "const auto value = f(" + w + ", g(" + w + "));\n");
  EXPECT_EQ(assigned(call("number", {name(w), call("g", {name(w)})})),
            "const auto value =\n    number(" + w + ", g(" + w + "));\n");
  EXPECT_EQ(assigned(call("f", {name(w), name(w), name(w)})),
            "const auto value = f(" + w + ", " + w + ",\n                     " + w + ");\n");
}

TEST(Print, SplitsLongStringsAtBlanks) {
  const std::string words(60, 'w');
  EXPECT_EQ(lines({{.kind = Evaluate{call("f", {string(words + " " + words)})}}}),
            "f(\"" + words + " \"\n  \"" + words + "\");\n");
}

TEST(Print, ShortFunctionsAreOneLine) {
  const auto function = lambda("", {{"int64_t", "n"}}, {{.kind = Return{name("n")}}});
  EXPECT_EQ(lines({{.kind = Declare{.type = "const auto", .name = "f", .value = function}}}),
            "const auto f = [](int64_t n) { return n; };\n");
}

TEST(Print, NamesOfUnusedParametersAreComments) {
  const auto function =
      lambda("", {{"int64_t", "used"}, {"int64_t", "unused"}}, {{.kind = Return{name("used")}}});
  EXPECT_EQ(lines({{.kind = Declare{.type = "const auto", .name = "f", .value = function}}}),
            "const auto f = [](int64_t used, int64_t /*unused*/) { return used; };\n");
}

TEST(Effects, ComeFromNamesAndParts) {
  EXPECT_TRUE(draw().acts());
  EXPECT_TRUE(binary(name("a"), "+", draw()).acts());
  EXPECT_FALSE(sum_of("x").acts());
  EXPECT_TRUE(method(name("x"), "add_", {number(1)}).acts());
  EXPECT_TRUE(method(name("xs"), "push_back", {number(1)}).acts());
  EXPECT_FALSE(lambda("&", {}, {{.kind = Evaluate{draw()}}}).acts());
}

TEST(Effects, ConflictOnlyWhereOneWritesWhatTheOtherReadsOrWrites) {
  const auto append = [](const std::string& list) { return method(name(list), "push_back", {number(1)}); };
  const auto size = [](const std::string& list) { return method(name(list), "size"); };
  EXPECT_TRUE(conflict(draw().effects(), draw().effects()));
  EXPECT_FALSE(conflict(draw().effects(), sum_of("x").effects()));
  EXPECT_TRUE(conflict(method(name("x"), "add_", {number(1)}).effects(), sum_of("y").effects()));
  EXPECT_TRUE(conflict(append("xs").effects(), size("xs").effects()));
  EXPECT_FALSE(conflict(append("xs").effects(), size("ys").effects()));
  EXPECT_FALSE(conflict(sum_of("x").effects(), sum_of("x").effects()));
}

TEST(Effects, OperationsOnARecordedTensorConflict) {
  const auto x = name("x").recorded();
  EXPECT_TRUE(conflict(method(x, "sin").effects(), method(x, "exp").effects()));
  EXPECT_FALSE(conflict(x.effects(), method(x, "exp").effects()));
  EXPECT_FALSE(conflict(method(name("y").recorded(), "sin").effects(), method(x, "exp").effects()));
}

TEST(Order, HoldsAllButTheLastOfOperandsWhoseOrderShows) {
  EXPECT_EQ(ordered(binary(draw(), "+", draw())),
            "const auto rand_value = torch::rand(2);\nrand_value + torch::rand(2);\n");
  EXPECT_EQ(ordered(binary(sum_of("x"), "+", sum_of("y"))), "x.sum() + y.sum();\n");
  EXPECT_EQ(ordered(binary(draw(), "+", sum_of("y"))), "torch::rand(2) + y.sum();\n");
}

TEST(Order, HoldsWhatALaterOperandChanges) {
  const auto change = method(name("x"), "add_", {number(1)});
  EXPECT_EQ(ordered(binary(sum_of("x"), "*", method(change, "sum"))),
            "const auto sum_value = x.sum();\nsum_value * x.add_(1).sum();\n");
  EXPECT_EQ(ordered(call("f", {name("x"), change})), "f(x, x.add_(1));\n");
}

TEST(Order, LeavesBracesAndReceiversAsTheyAre) {
  EXPECT_EQ(ordered(call("f", {braces({draw(), draw()})})), "f({torch::rand(2), torch::rand(2)});\n");
  EXPECT_EQ(ordered(method(draw(), "add", {draw()})), "torch::rand(2).add(torch::rand(2));\n");
}

TEST(Order, ConstructsWithBracesIfTheOrderShows) {
  EXPECT_EQ(ordered(construct("T", {draw(), draw()})), "T{torch::rand(2), torch::rand(2)};\n");
  EXPECT_EQ(ordered(construct("T", {draw(), name("x")})), "T(torch::rand(2), x);\n");
}

TEST(Order, HoldsAPlaceThatAConstructorReadsLate) {
  const auto field = name("n").with(reads(Place::field, "n"));
  const auto bump = call("bump", {}).with_only(writes(Place::field, "n"));
  EXPECT_EQ(ordered(construct("std::make_tuple", {field, bump})),
            "const auto n_value = n;\nstd::make_tuple(n_value, bump());\n");
}

TEST(Order, FollowsPythonWhereTheCallHasAnother) {
  EXPECT_EQ(ordered(call("torch::rsub", {draw(), method(name("x"), "uniform_")}).in_order({1, 0})),
            "const auto uniform_value = x.uniform_();\ntorch::rsub(torch::rand(2), uniform_value);\n");
}

TEST(Order, PutsStatementsOfAnOperandBehindThoseBefore) {
  const auto collected =
      let({{.kind = Declare{.type = "const auto", .name = "items", .value = draw()}}}, name("items"));
  EXPECT_EQ(
      ordered(call("f", {draw(), collected})),
      "const auto rand_value = torch::rand(2);\nconst auto items = torch::rand(2);\nf(rand_value, items);\n");
}

TEST(Order, WrapsStatementsOfWhatMayNotRun) {
  const auto collected =
      let({{.kind = Declare{.type = "const auto", .name = "items", .value = draw()}}}, name("items"));
  EXPECT_EQ(ordered(binary(name("a"), "&&", collected)),
            "a && [&] { const auto items = torch::rand(2); return items; }();\n");
}

TEST(Order, ReadsThePlaceOfAnAugmentedAssignmentFirst) {
  const auto field = name("n").with(reads(Place::field, "n"));
  const auto bump = call("bump", {}).with_only(writes(Place::field, "n"));
  EXPECT_EQ(ordered({.kind = Assign{.to = field, .value = bump, .sign = "+="}}),
            "const auto n_before = n;\nn = n_before + bump();\n");
  EXPECT_EQ(ordered({.kind = Assign{.to = field, .value = number(2), .sign = "+="}}), "n += 2;\n");
}

TEST(Order, EvaluatesAnIndexOfAnAugmentedAssignmentOnce) {
  const auto at = method(name("hist"), "at", {draw()});
  EXPECT_EQ(ordered({.kind = Assign{.to = at, .value = number(1), .sign = "+="}}),
            "hist.at(torch::rand(2)) += 1;\n");
  EXPECT_EQ(ordered({.kind = Assign{.to = at, .value = draw(), .sign = "+="}}),
            "const auto rand_value = torch::rand(2);\nconst auto before = hist.at(rand_value);\n"
            "hist.at(rand_value) = before + torch::rand(2);\n");
}

}  // namespace
}  // namespace torchbook::translate::cpp
