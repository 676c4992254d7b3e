// Tests what Jupyter shows: which containers it breaks into lines, and where.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <support/value.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

using test::Value;
using Values = std::vector<Value>;

TEST(Pretty, IsTheReprOfWhatFitsInALine) {
  EXPECT_PYTHON("pretty(None)", pretty(nullptr), "None");
  EXPECT_PYTHON("pretty('a')", pretty("a"), "'a'");
  EXPECT_PYTHON("pretty([])", pretty(Values()), "[]");
  EXPECT_PYTHON("pretty((1,))", pretty(std::make_tuple(1)), "(1,)");
  EXPECT_PYTHON("pretty(())", pretty(std::tuple<>()), "()");
  EXPECT_PYTHON("pretty(set())", pretty(std::set<int>()), "set()");
  EXPECT_PYTHON("pretty({'a': [1, None]})", pretty(std::map<std::string, Values>{{"a", {1, nullptr}}}),
                "{'a': [1, None]}");
  EXPECT_PYTHON("pretty([torch.ones(2, 2), torch.ones(1)][0])", pretty(at::ones({2, 2})),
                "tensor([[1., 1.],\n        [1., 1.]])");
}

TEST(Pretty, BreaksALongListBehindEachComma) {
  const std::vector<std::string> fits(8, "123456");
  EXPECT_PYTHON("pretty(['123456'] * 7 + ['12345'])",
                pretty(Values{"123456", "123456", "123456", "123456", "123456", "123456", "123456", "12345"}),
                "['123456', '123456', '123456', '123456', '123456', '123456', '123456', '12345']");
  EXPECT_PYTHON(
      "pretty(['123456'] * 8)", pretty(fits),
      "['123456',\n '123456',\n '123456',\n '123456',\n '123456',\n '123456',\n '123456',\n '123456']");
}

TEST(Pretty, LeavesAListInALineOfItsOwnUnbroken) {
  const std::string a(40, 'a');
  EXPECT_PYTHON("pretty([['a' * 40], ['a' * 40, 'b']])", pretty(Values{Values{a}, Values{a, "b"}}),
                "[['" + a + "'],\n ['" + a + "', 'b']]");
}

TEST(Pretty, BreaksALineInTheGroupsThatAreLeftInIt) {
  using Inner = std::map<std::string, std::string>;
  using Outer = std::map<std::tuple<int, std::string>, Inner>;
  const auto text = [](std::size_t count, char c) { return std::string(count, c); };
  EXPECT_PYTHON("pretty([[], [[], torch.ones(2, 1), 'a' * 65]])",
                pretty(Values{Values(), Values{Values(), at::ones({2, 1}), text(65, 'a')}}),
                "[[],\n"
                " [[], tensor([[1.],\n"
                "          [1.]]), '" +
                    text(65, 'a') + "']]");
  EXPECT_PYTHON("pretty([{(1, 'b' * 22): {'c' * 5: 'd' * 35}}, {(1, 'e' * 20): {'f' * 40: 'g', 'h': 'i'}}])",
                pretty(std::vector{Outer{{{1, text(22, 'b')}, {{text(5, 'c'), text(35, 'd')}}}},
                                   Outer{{{1, text(20, 'e')}, {{text(40, 'f'), "g"}, {"h", "i"}}}}}),
                "[{(1,\n"
                "   '" +
                    text(22, 'b') + "'): {'ccccc': '" + text(35, 'd') +
                    "'}},\n"
                    " {(1,\n"
                    "   '" +
                    text(20, 'e') + "'): {'" + text(40, 'f') +
                    "': 'g',\n"
                    "   'h': 'i'}}]");
}

TEST(Pretty, ShowsAThousandParts) {
  const auto end = [](std::size_t count) {
    const std::string shown = pretty(std::vector<int>(count));
    return shown.substr(shown.size() - 12);
  };
  EXPECT_PYTHON("pretty([0] * 1000)[-12:]", end(1000), "\n 0,\n 0,\n 0]");
  EXPECT_PYTHON("pretty([0] * 1001)[-12:]", end(1001), "0,\n 0,\n ...]");
}

TEST(Pretty, CountsCharactersAndNotBytes) {
  const std::string dots(36, '.');
  EXPECT_PYTHON("pretty(['\\u00fc' + '.' * 34, '.' * 36])",
                pretty(std::vector<std::string>{"\u00fc" + dots.substr(2), dots}),
                "['\u00fc..................................', '....................................']");
}

TEST(Pretty, HoldsWhatAnIValueHolds) {
  const auto list = test::ivalue_list({at::ones({2, 1}), 1});
  EXPECT_PYTHON("pretty([torch.ones(2, 1), 1])", pretty(list), "[tensor([[1.],\n         [1.]]),\n 1]");
}

}  // namespace
}  // namespace torchbook::pyrepr
