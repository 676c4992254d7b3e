// Tests that the code that cpp() wrote while building makes tensors of the same bits.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstring>

#include "cpp_tensors.h"

namespace torchbook::test {
namespace {

TEST(Cpp, MakesTheSameTensors) {
  const std::vector<at::Tensor> made = {
#include "cpp_texts.inc"
  };
  const std::vector<at::Tensor> tensors = tensors_of_cpp();
  ASSERT_EQ(made.size(), tensors.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(made[i].scalar_type(), tensors[i].scalar_type());
    ASSERT_EQ(made[i].sizes(), tensors[i].sizes());
    const at::Tensor expected = tensors[i].contiguous();
    ASSERT_TRUE(made[i].is_contiguous());
    if (made[i].numel() == 0) continue;  // without memory to compare
    EXPECT_EQ(std::memcmp(made[i].data_ptr(), expected.data_ptr(), expected.nbytes()), 0)
        << made[i] << expected;
  }
}

}  // namespace
}  // namespace torchbook::test
