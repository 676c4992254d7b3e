// Tests that the compiler, the formatter and Python accept the same format specs for each type.
#include <ATen/core/ivalue.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <complex>
#include <string>
#include <variant>
#include <vector>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

const std::vector<std::string> specs = {
    "d",    "b",      "c",       "n",   "x",   "s",   "e",   "f",   "g",   "%",   "q",  "zz",   "é",
    ".",    ".2",     ".f",      ".2f", ".3s", ".2d", ".2c", ".3x", ",",   ",d",  ",f", ",s",   ",x",
    ",n",   ",c",     "_",       "_x",  "_f",  "_n",  ",_",  ",,",  "z",   "zd",  "zf", "z.2e", "zs",
    "#",    "#x",     "#c",      "#s",  "#f",  "+",   "+d",  "+c",  "+s",  "-f",  " f", "f ",   "5 ",
    "<9",   ">9d",    "^9s",     "=9",  "=9d", "*=9", "*>9", "é^9", "0=9", "0>9", "09", "09d",  "09s",
    "*<09", "12,.2f", "+#012_x", ">",   "<<5", "<<<", "9.3", "-",   "- 9"};

template <class T>
bool takes(const T& value, const std::string& spec) {
  try {
    pyrepr::format(value, spec);  // newer compilers would also find std::format
    return true;
  } catch (const fmt::format_error&) {
    return false;
  }
}

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, "|")); }

/// Returns the specs that the compiler takes for a T. Expects that printing takes them for one of the values.
template <class T>
std::string taken(const std::vector<T>& values) {
  std::vector<std::string> result;
  for (const std::string& spec : specs) {
    const bool compiles = !detail::spec_fault<T>(spec);
    bool printed = false;
    for (const T& value : values) printed = printed || takes(value, spec);
    EXPECT_EQ(compiles, printed) << spec;
    if (compiles) result.push_back(spec);
  }
  return joined(result);
}

/// Returns the Python expression of the specs that one of the values takes.
std::string taken_in_python(const std::string& values) {
  return "'|'.join(s for s in " + repr(specs) + " if any(takes(value, s) for value in [" + values + "]))";
}

TEST(SpecFault, OfANumberIsPythons) {
  const char* const ints =
      "d|b|c|n|x|e|f|g|%|.2f|,|,d|,f|_|_x|_f|zf|z.2e|#|#x|#f|+|+d|-f| f|<9|>9d|=9|=9d|"
      "*=9|*>9|é^9|0=9|0>9|09|09d|*<09|12,.2f|+#012_x|>|<<5|-";
  EXPECT_PYTHON(taken_in_python("5"), taken(std::vector<std::int64_t>{5}), ints);
  EXPECT_PYTHON(taken_in_python("True"), taken(std::vector<bool>{true}), ints);
  EXPECT_PYTHON(taken_in_python("1.5"), taken(std::vector{1.5}),
                "n|e|f|g|%|.2|.2f|,|,f|_|_f|z|zf|z.2e|#|#f|+|-f| f|<9|=9|*=9|*>9|é^9|0=9|0>9|09"
                "|*<09|12,.2f|>|<<5|9.3|-");
  EXPECT_PYTHON(taken_in_python("1j"), taken(std::vector{std::complex<double>(0, 1)}),
                "n|e|f|g|.2|.2f|,|,f|_|_f|z|zf|z.2e|#|#f|+|-f| f|<9|*>9|é^9|*<09|12,.2f|>|<<5|9"
                ".3|-");
}

TEST(SpecFault, OfATextIsPythons) {
  EXPECT_PYTHON(taken_in_python("'ab'"), taken(std::vector<std::string>{"ab"}),
                "s|.2|.3s|<9|^9s|*>9|é^9|0>9|09|09s|*<09|>|<<5|9.3");
}

TEST(SpecFault, OfATensorIsThatOfAllItems) {
  EXPECT_PYTHON(taken_in_python("torch.tensor(1.5), torch.tensor(5), torch.tensor(1j), torch.ones(2)"),
                taken(std::vector{test::scalar(1.5), test::scalar(5, at::kLong),
                                  test::scalar(c10::complex<double>(0, 1)), at::ones({2})}),
                "d|b|c|n|x|e|f|g|%|.2|.2f|,|,d|,f|_|_x|_f|z|zf|z.2e|#|#x|#f|+|+d|-f| f|<9|>9d|=9"
                "|=9d|*=9|*>9|é^9|0=9|0>9|09|09d|*<09|12,.2f|+#012_x|>|<<5|9.3|-");
}

TEST(SpecFault, IsKnownWhileCompiling) {
  static_assert(detail::spec_fault<double>("d").message == detail::type_not_taken.message);
  static_assert(!detail::spec_fault<int>("\u00e9>+#08,d"));
}

}  // namespace
}  // namespace torchbook::pyrepr
