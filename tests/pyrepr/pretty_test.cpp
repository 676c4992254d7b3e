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
