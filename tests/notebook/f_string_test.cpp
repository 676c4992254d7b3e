// Tests the text of f-strings in notebooks. refused.cpp shows what must not compile.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/notebook/f_string.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <string>

namespace torchbook::notebook {
namespace {

TEST(FString, HoldsWhatPythonsHolds) {
  EXPECT_EQ(f("{} {} {} {}", true, 1.0, 2, "text").text, "True 1.0 2 text");
  EXPECT_EQ(f("{}|{}", at::full({}, 0.5), at::ones({2})).text, "0.5|tensor([1., 1.])");
  EXPECT_EQ(f("{:.2f}", at::full({}, 0.125)).text, "0.12");
  EXPECT_EQ(f("shape: {}", pyrepr::shape(at::ones({2, 3}))).text, "shape: torch.Size([2, 3])");
  EXPECT_EQ(f("{{{0}}} {0}", 1).text, "{1} 1");
  EXPECT_EQ(f("no braces").text, "no braces");
  EXPECT_EQ(f("{} and {:>6}", f("{}", 1.0), f("x")).text, "1.0 and      x");
}

}  // namespace
}  // namespace torchbook::notebook
