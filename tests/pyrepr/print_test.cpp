// Tests print, streams and f-strings. refused.cpp shows what must not compile.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <system_error>

#include "judged.h"

/// A user's type, as docs/printing.md shows it.
struct Point {
  double x, y;
};

template <>
struct torchbook::pyrepr::Printer<Point> {
  static std::string repr(const Point& p) { return f("Point(x={!r}, y={!r})", p.x, p.y); }
};

namespace torchbook::pyrepr {
namespace {

template <class... T>
std::string printed(const T&... values) {
  std::ostringstream out;
  print(values..., file(out));
  return out.str();
}

TEST(Print, JoinsTheStrOfEachValue) {
  EXPECT_PYTHON("printed('loss', torch.tensor(0.5), [1], None)",
                printed("loss", at::full({}, 0.5), std::vector{1}, nullptr),
                "loss tensor(0.5000) [1] None\n");
  EXPECT_PYTHON("printed()", printed(), "\n");
  EXPECT_PYTHON("printed(1, 2, sep=', ', end='')", printed(1, 2, sep(", "), end("")), "1, 2");
}

TEST(Print, WritesToAFileAsAWhole) {
  std::FILE* const full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  EXPECT_THROW(print("text", file(full)), std::system_error);
  std::fclose(full);
  std::ostringstream closed;
  closed.setstate(std::ios::badbit);
  EXPECT_THROW(print("text", file(closed)), std::ios_base::failure);
}

TEST(Print, RefusesAFileThatIsNotOpen) {
  EXPECT_THROW(print("x", file(std::fopen("/no/such/folder/file", "w"))), std::invalid_argument);
}

TEST(Stream, WritesWhatPythonPrints) {
  std::ostringstream out;
  out << python(at::ones({1})) << "|" << python(true) << "|" << python(std::string("it's"));
  EXPECT_EQ(out.str(), "tensor([1.])|True|it's");
}

TEST(Stream, LeavesLibTorchsOwnOperatorAlone) {
  std::ostringstream out;
  out << python(at::ones({1})) << "|" << at::ones({1});
  EXPECT_EQ(out.str(), "tensor([1.])| 1\n[ CPUFloatType{1} ]");
}

TEST(Stream, KeepsATemporary) {
  const auto kept = python(std::string("it's ") + "here");
  std::ostringstream out;
  out << kept;
  EXPECT_EQ(out.str(), "it's here");
  EXPECT_EQ(fmt::format("{}", python(std::vector{at::ones({1})})), "[tensor([1.])]");
}

TEST(FormatText, IsPythonsFString) {
  const auto loss = at::full({}, 0.125);
  EXPECT_PYTHON("f'{torch.tensor(0.125):.2f} {torch.tensor(0.125)!r}'", f("{:.2f} {!r}", loss, loss),
                "0.12 tensor(0.1250)");
  EXPECT_PYTHON("'{!r:>6}|{!s:<4}|{}'.format('ab', 'c', True)", f("{!r:>6}|{!s:<4}|{}", "ab", "c", true),
                "  'ab'|c   |True");
  EXPECT_PYTHON("'{1} {0} {1}'.format(1.0, 'a')", f("{1} {0} {1}", 1.0, "a"), "a 1.0 a");
  EXPECT_PYTHON("'{{{0}}} {0}'.format(1)", f("{{{0}}} {0}", 1), "{1} 1");
  EXPECT_PYTHON("'{:{}{}.{}f}|{}'.format(3.14159, '>', 8, 2, 'x')",
                f("{:{}{}.{}f}|{}", 3.14159, '>', 8, 2, "x"), "    3.14|x");
  EXPECT_PYTHON("'{:,}'.format(1234567)", f("{:,}", 1234567), "1,234,567");
  EXPECT_PYTHON("'no braces {{}}'.format()", f("no braces {{}}"), "no braces {}");
  EXPECT_PYTHON("'{}'.format([torch.ones(1)])", f("{}", std::vector{at::ones({1})}), "[tensor([1.])]");
  EXPECT_PYTHON_RAISES("'{:{}}'.format('a', 'd')", "ValueError", f("{:{}}", "a", "d"), fmt::format_error);
}

TEST(FormatText, CountsTheArgumentsOfItsBraces) {
  const auto taken = [](std::string_view text) constexpr {
    detail::FormatReader reader(text);
    while (!reader.done()) reader.within(reader.take().spec, [](const detail::FormatPiece&) {});
    return reader.taken();
  };
  static_assert(taken("") == 0);
  static_assert(taken("{{}}") == 0);
  static_assert(taken("{}") == 1);
  static_assert(taken("{:.2f} {{ {:>{}}") == 3);
  static_assert(taken("{1} {0} {1}") == 2);
  static_assert(taken("{12:>3}") == 13);
}

TEST(UsersType, PrintsEverywhere) {
  const Point p{1, 0.5};
  EXPECT_EQ(repr(p), "Point(x=1.0, y=0.5)");
  EXPECT_EQ(str(p), "Point(x=1.0, y=0.5)");
  EXPECT_EQ(f("{} {!r}", p, p), "Point(x=1.0, y=0.5) Point(x=1.0, y=0.5)");
  EXPECT_EQ(repr(std::map<std::string, std::vector<Point>>{{"a", {p}}}), "{'a': [Point(x=1.0, y=0.5)]}");
  EXPECT_EQ(printed(p), "Point(x=1.0, y=0.5)\n");
  EXPECT_EQ(fmt::format("{}", python(p)), "Point(x=1.0, y=0.5)");
  EXPECT_THROW(format(p, "d"), fmt::format_error);
}

}  // namespace
}  // namespace torchbook::pyrepr
