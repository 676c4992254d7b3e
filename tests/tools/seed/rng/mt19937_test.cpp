// Tests the generator against LibTorch's.
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>
#include <tools/seed/rng/mt19937.h>

namespace torchbook::test {
namespace {

at::CPUGeneratorImpl& generator_of(at::Generator& generator) {
  return *generator.get<at::CPUGeneratorImpl>();
}

TEST(Mt19937, DrawsWhatLibTorchDraws) {
  for (const std::uint32_t seed : {0U, 1U, 42U, 1431708788U, 0xffffffffU}) {
    auto theirs = at::detail::createCPUGenerator(seed);
    rng::Mt19937 ours(seed);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(ours(), generator_of(theirs).random()) << seed << " " << i;
  }
}

TEST(Mt19937, KeepsOnlyThirtyTwoBitsOfASeed) {
  const std::uint64_t wide = 0xdeadbeef00000007ULL;
  auto theirs = at::detail::createCPUGenerator(wide);
  rng::Mt19937 narrow(7);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(narrow(), generator_of(theirs).random());
}

TEST(Mt19937, LeavesOutDraws) {
  for (const int left_out : {0, 1, 623, 624, 625, 10000}) {
    rng::Mt19937 one(5), other(5);
    one.discard(left_out);
    for (int i = 0; i < left_out; ++i) other();
    EXPECT_EQ(one(), other()) << left_out;
  }
}

}  // namespace
}  // namespace torchbook::test
