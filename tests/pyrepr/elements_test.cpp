// Tests, on the CPU, which part of a tensor on another device would be copied.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/elements.h>

#include <string>

namespace torchbook::pyrepr {
namespace {

std::string from_part(const at::Tensor& tensor, const PrintOptions& options) {
  std::string text;
  append_elements_of_part(text, shown_part(tensor, options), tensor.sizes(), 7, options);
  return text;
}

std::string from_all(const at::Tensor& tensor, const PrintOptions& options) {
  std::string text;
  append_elements(text, tensor, 7, options);
  return text;
}

TEST(ShownPart, HoldsTheEndsOfEachDimensionThatIsCut) {
  const at::Tensor t = at::arange(5 * 3 * 100).view({5, 3, 100});
  const at::Tensor part = shown_part(t, {.threshold = 1000, .edgeitems = 2});
  EXPECT_EQ(part.sizes(), at::IntArrayRef({4, 3, 4}));
  const at::Tensor rows = at::tensor({0, 1, 3, 4}, at::kLong);
  const at::Tensor columns = at::tensor({0, 1, 98, 99}, at::kLong);
  EXPECT_TRUE(at::equal(part, t.index_select(0, rows).index_select(2, columns)));
}

TEST(ShownPart, IsEverythingWhereNothingIsCut) {
  const at::Tensor t = at::arange(1000);
  EXPECT_EQ(shown_part(t, {}).sizes(), t.sizes());
  EXPECT_EQ(shown_part(t, {.threshold = 10, .edgeitems = 0}).sizes(), t.sizes());
  EXPECT_EQ(shown_part(t, {.threshold = 10, .edgeitems = 500}).sizes(), t.sizes());
  EXPECT_EQ(shown_part(t.view({10, 10, 10}), {.threshold = 10, .edgeitems = 5}).dim(), 3);
}

TEST(ShownPart, PrintsAsTheTensorDoes) {
  const at::Tensor t = at::arange(6 * 50 * 7).view({6, 50, 7});
  const PrintOptions narrow{.threshold = 20, .edgeitems = 1, .linewidth = 30};
  for (const PrintOptions& options :
       {PrintOptions{.threshold = 300}, narrow, PrintOptions{.threshold = 5, .edgeitems = 3}}) {
    for (const at::Tensor& each : {t, t.to(at::kDouble) * 0.5, t.transpose(0, 2), t.flatten(), t[0].t(),
                                   t.to(at::kComplexFloat).conj(), t.select(0, 1).gt(60)}) {
      EXPECT_NE(from_all(each, options).find("..."), std::string::npos);
      EXPECT_EQ(from_part(each, options), from_all(each, options));
    }
  }
}

TEST(ShownPart, KeepsNoGraph) {
  EXPECT_FALSE(shown_part(at::ones({2000}).requires_grad_(), {}).requires_grad());
}

}  // namespace
}  // namespace torchbook::pyrepr
