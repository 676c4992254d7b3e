// Tests Python's text on a std::ostream.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/stream.h>

#include <sstream>
#include <string>

namespace torchbook::pyrepr {
namespace {

template <class T>
std::string streamed(const T& value) {
  std::ostringstream out;
  out << python(value);
  return out.str();
}

TEST(Stream, WritesWhatPythonPrints) {
  EXPECT_EQ(streamed(at::ones({2})), "tensor([1., 1.])");
  EXPECT_EQ(streamed(shape(at::ones({2, 3}))), "torch.Size([2, 3])");
  EXPECT_EQ(streamed(true), "True");
  EXPECT_EQ(streamed(std::string("it's")), "it's");
}

TEST(Stream, LeavesLibTorchsOwnOperatorAlone) {
  std::ostringstream out;
  out << python(at::ones({1})) << "|" << at::ones({1});
  EXPECT_EQ(out.str(), "tensor([1.])| 1\n[ CPUFloatType{1} ]");
}

}  // namespace
}  // namespace torchbook::pyrepr
