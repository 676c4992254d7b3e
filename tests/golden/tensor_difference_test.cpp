// Tests how the difference of two recorded tensors is derived from their bits.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <support/recorded_tensor.h>
#include <torchbook/golden/tensor_difference.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

using test::floats;
using test::tensor;

/// Returns the whole difference in one line.
std::string told(const notebook::RecordedTensor& golden, const notebook::RecordedTensor& actual) {
  const auto found = tensor_difference(golden, actual);
  if (!found) return "nothing";
  if (found->mismatch) {
    EXPECT_TRUE(found->elements == 0 && found->differing == 0 && found->golden.empty() && !found->ulps);
    return found->mismatch->actual + " here, " + found->mismatch->golden + " expected";
  }
  const auto number = [](const auto& value) -> std::string {
    if (!value) return "-";
    return *value != *value ? "nan" : fmt::format("{}", *value);  // with either sign
  };
  return fmt::format("[{}] {} {} abs {} rel {} ulps {}; {} of {}, {} at [{}]", fmt::join(found->index, ","),
                     found->golden, found->actual, number(found->absolute), number(found->relative),
                     number(found->ulps), found->differing, found->elements, number(found->largest_ulps),
                     fmt::join(found->largest_at, ","));
}

TEST(TensorDifference, IsNoneOfEqualBits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(told(floats({1, nan, -0.0F}), floats({1, nan, -0.0F})), "nothing");
  EXPECT_EQ(told(floats({}), floats({})), "nothing");
}

TEST(TensorDifference, NamesTheFirstElementAndTheLargestUlps) {
  const float up = std::nextafter(1.0F, 2.0F);
  const float far = std::nextafter(std::nextafter(2.0F, 4.0F), 4.0F);
  const notebook::RecordedTensor golden = tensor<float>("torch.float32", {2, 3}, {1, 1, 1, 2, 2, 8});
  EXPECT_EQ(
      told(golden, tensor<float>("torch.float32", {2, 3}, {1, up, 1, 2, far, 8})),
      "[0,1] 1.0 1.0000001 abs 1.1920928955078125e-07 rel 1.1920928955078125e-07 ulps 1; 2 of 6, 2 at [1,1]");
  EXPECT_EQ(told(tensor<float>("torch.float32", {}, {4}), tensor<float>("torch.float32", {}, {5})),
            "[] 4.0 5.0 abs 1 rel 0.25 ulps 2097152; 1 of 1, 2097152 at []");
}

TEST(TensorDifference, OfALargeTensorIsThatOfAllItsElements) {
  const std::vector<float> ones(5000, 1);
  auto others = ones;
  const auto set_ulps = [&](std::size_t at, int ulps) {
    others[at] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(1.0F) + ulps);
  };
  set_ulps(1500, 2);
  set_ulps(2047, 9);
  set_ulps(2048, 9);
  set_ulps(4999, 3);
  others[3000] = std::numeric_limits<float>::quiet_NaN();
  const auto golden = tensor<float>("torch.float32", {50, 100}, ones);
  const auto words = told(golden, tensor<float>("torch.float32", {50, 100}, others));
  EXPECT_TRUE(words.starts_with("[15,0] 1.0 1.0000002 ")) << words;
  EXPECT_TRUE(words.ends_with(" ulps 2; 5 of 5000, 9 at [20,47]")) << words;
  EXPECT_EQ(tensor_difference(golden, tensor<float>("torch.float32", {50, 100}, others))->without_ulps, 1U);
  others[2049] = -1;
  EXPECT_TRUE(told(golden, tensor<float>("torch.float32", {50, 100}, others))
                  .ends_with("; 6 of 5000, 2130706432 at [20,49]"));
}

TEST(TensorDifference, IsAskedForOneElement) {
  const notebook::RecordedTensor golden = tensor<float>("torch.float32", {2, 3}, {1, 1, 1, 2, 2, 8});
  const notebook::RecordedTensor other = tensor<float>("torch.float32", {2, 3}, {1, 1, 1, 2, 3, 8});
  EXPECT_TRUE(differ_at(golden, other, 4));
  EXPECT_FALSE(differ_at(golden, other, 3));
  EXPECT_TRUE(differ_at(tensor<float>("torch.float32", {}, {4}), tensor<float>("torch.float32", {}, {5}), 0));
}

TEST(TensorDifference, OfZerosNansAndInfinities) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::bit_cast<float>(0x7FC00000U);
  const float other_nan = std::bit_cast<float>(0x7FC00001U);
  EXPECT_EQ(told(floats({0}), floats({-0.0F})), "[0] 0.0 -0.0 abs 0 rel nan ulps 0; 1 of 1, 0 at [0]");
  EXPECT_EQ(told(floats({0}), floats({1})),
            "[0] 0.0 1.0 abs 1 rel inf ulps 1065353216; 1 of 1, 1065353216 at [0]");
  EXPECT_EQ(told(floats({inf}), floats({-inf})),
            "[0] inf -inf abs inf rel nan ulps 4278190080; 1 of 1, 4278190080 at [0]");
  EXPECT_EQ(told(floats({nan, 1}), floats({1, 1})),
            "[0] nan (0x7fc00000) 1.0 abs nan rel nan ulps -; 1 of 2, - at []");
  EXPECT_EQ(told(floats({nan}), floats({other_nan})),
            "[0] nan (0x7fc00000) nan (0x7fc00001) abs nan rel nan ulps -; 1 of 1, - at []");
  EXPECT_EQ(told(floats({1e-45F}), floats({-1e-45F})).substr(0, 16), "[0] 1e-45 -1e-45");
}

/// Returns the distance of two numbers, which must be the same in both directions.
template <class T>
std::optional<std::uint64_t> ulps(const std::string& dtype, T one, T other) {
  const auto left = tensor<T>(dtype, {}, {one}), right = tensor<T>(dtype, {}, {other});
  const auto there = tensor_difference(left, right)->ulps;
  EXPECT_EQ(tensor_difference(right, left)->ulps, there) << one;
  return there;
}

TEST(Ulps, CountTheStepsOfNextafter) {
  const float starts[] = {1.0F, -1.0F, 0.0F, 1e-45F, -3e-45F, 1.17549435e-38F, 3.4028235e+38F, 0.99999994F};
  for (const float start : starts) {
    float value = start;
    for (std::uint64_t steps = 1; steps <= 5 && !std::isinf(value); ++steps) {
      value = std::nextafter(value, std::numeric_limits<float>::infinity());
      EXPECT_EQ(ulps("torch.float32", start, value), steps) << start;
    }
  }
}

TEST(Ulps, GoAcrossZeroAndToInfinity) {
  EXPECT_EQ(ulps("torch.float32", 1e-45F, -1e-45F), 2U);
  EXPECT_EQ(ulps("torch.float64", 5e-324, -5e-324), 2U);
  EXPECT_EQ(ulps("torch.float64", -0.0, 5e-324), 1U);
  const auto infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ulps("torch.float64", infinity, std::numeric_limits<double>::max()), 1U);
  EXPECT_EQ(ulps("torch.float64", infinity, -infinity), 2 * 0x7FF0000000000000U);
  EXPECT_EQ(ulps<std::uint16_t>("torch.bfloat16", 0x0001, 0x8001), 2U);
}

TEST(TensorDifference, OfOtherFloatingDtypes) {
  EXPECT_EQ(told(tensor<double>("torch.float64", {1}, {0.5}), tensor<double>("torch.float64", {1}, {0.75})),
            "[0] 0.5 0.75 abs 0.25 rel 0.5 ulps 2251799813685248; 1 of 1, 2251799813685248 at [0]");
  EXPECT_EQ(told(tensor<std::uint16_t>("torch.float16", {1}, {0x3C00}),
                 tensor<std::uint16_t>("torch.float16", {1}, {0x3C01})),
            "[0] 1.0 1.0009766 abs 0.0009765625 rel 0.0009765625 ulps 1; 1 of 1, 1 at [0]");
  EXPECT_EQ(told(tensor<std::uint16_t>("torch.bfloat16", {1}, {0x3F80}),
                 tensor<std::uint16_t>("torch.bfloat16", {1}, {0x3F82})),
            "[0] 1.0 1.015625 abs 0.015625 rel 0.015625 ulps 2; 1 of 1, 2 at [0]");
}

TEST(TensorDifference, OfComplexIsByParts) {
  using Complex = std::complex<float>;
  EXPECT_EQ(told(tensor<Complex>("torch.complex64", {2}, {{1, 0}, {3, 4}}),
                 tensor<Complex>("torch.complex64", {2}, {{1, 0}, {3, -4}})),
            "[1] 3.0+4.0j 3.0-4.0j abs 8 rel 1.6 ulps 2164260864; 1 of 2, 2164260864 at [1]");
  EXPECT_EQ(told(tensor<std::complex<double>>("torch.complex128", {}, {{3, 4}}),
                 tensor<std::complex<double>>("torch.complex128", {}, {{std::nextafter(3.0, 4.0), 4}}))
                .substr(0, 41),
            "[] 3.0+4.0j 3.0000000000000004+4.0j abs 4");
  EXPECT_EQ(told(tensor<std::uint16_t>("torch.complex32", {1}, {0x3C00, 0}),
                 tensor<std::uint16_t>("torch.complex32", {1}, {0x3C00, 0x8000})),
            "[0] 1.0+0.0j 1.0-0.0j abs 0 rel 0 ulps 0; 1 of 1, 0 at [0]");
}

TEST(TensorDifference, OfIntegersAndBoolsHasNoUlps) {
  EXPECT_EQ(told(tensor<std::int64_t>("torch.int64", {2}, {-4, 5}),
                 tensor<std::int64_t>("torch.int64", {2}, {-4, -5})),
            "[1] 5 -5 abs 10 rel 2 ulps -; 1 of 2, - at []");
  const auto lowest = std::numeric_limits<std::int64_t>::min();
  const auto highest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(
      told(tensor<std::int64_t>("torch.int64", {}, {lowest}),
           tensor<std::int64_t>("torch.int64", {}, {highest})),
      "[] -9223372036854775808 9223372036854775807 abs 1.8446744073709552e+19 rel 2 ulps -; 1 of 1, - at []");
  EXPECT_EQ(told(tensor<std::int8_t>("torch.int8", {}, {-2}), tensor<std::int8_t>("torch.int8", {}, {-1})),
            "[] -2 -1 abs 1 rel 0.5 ulps -; 1 of 1, - at []");
  EXPECT_EQ(
      told(tensor<std::uint8_t>("torch.uint8", {}, {200}), tensor<std::uint8_t>("torch.uint8", {}, {100})),
      "[] 200 100 abs 100 rel 0.5 ulps -; 1 of 1, - at []");
  EXPECT_EQ(told(tensor<char>("torch.bool", {2}, {1, 0}), tensor<char>("torch.bool", {2}, {1, 1})),
            "[1] False True abs - rel - ulps -; 1 of 2, - at []");
  EXPECT_EQ(told(tensor<std::int32_t>("torch.quint8", {2}, {1, 2}),
                 tensor<std::int32_t>("torch.quint8", {2}, {1, 3})),
            "[1] 0x02000000 0x03000000 abs - rel - ulps -; 1 of 2, - at []");
}

TEST(TensorDifference, NamesOtherDtypesAndShapes) {
  EXPECT_EQ(told(floats({1}), tensor<double>("torch.float64", {1}, {1})),
            "dtype torch.float64 here, torch.float32 expected");
  EXPECT_EQ(told(tensor<float>("torch.float32", {2, 1}, {1, 2}), floats({1, 2})),
            "shape (2,) here, (2, 1) expected");
  EXPECT_EQ(told(floats({1, 2, 3}), tensor<double>("torch.float64", {1}, {1})),
            "shape (1,) here, (3,) expected");
  EXPECT_EQ(told(tensor<float>("torch.float32", {}, {1}), floats({1})), "shape (1,) here, () expected");
}

TEST(TensorDifference, OfRecordsThatAreBrokenIsNoCrash) {
  notebook::RecordedTensor torn = floats({1, 2});
  torn.bytes.pop_back();
  EXPECT_EQ(told(floats({1, 2}), torn), "7 bytes here, 8 expected");
  notebook::RecordedTensor other = torn;
  other.bytes[0] = 'x';
  EXPECT_EQ(told(torn, other), "bytes that do not fit its shape here, others expected");
}

TEST(Rounding, IsBoundByTheLargestMagnitude) {
  const float eps = std::numeric_limits<float>::epsilon();
  const auto rounding = [](const std::vector<float>& expected, const std::vector<float>& actual) {
    return is_rounding(floats(expected), floats(actual));
  };
  EXPECT_TRUE(rounding({0.25F, -8}, {0.25F + 32 * eps, -8}));
  EXPECT_FALSE(rounding({0.25F, -8}, {0.25F + 33 * eps, -8}));
  EXPECT_TRUE(rounding({0, 1}, {-4 * eps, 1}));
  EXPECT_TRUE(rounding({0}, {-0.0F}));
  EXPECT_FALSE(rounding({0}, {1e-45F}));
  EXPECT_TRUE(rounding({}, {}));
}

TEST(Rounding, ChangesNeitherNanNorInfinity) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto as_is = floats({1, nan, infinity, -infinity});
  EXPECT_TRUE(is_rounding(as_is, floats({1, -nan, infinity, -infinity})));
  EXPECT_FALSE(is_rounding(as_is, floats({nan, nan, infinity, -infinity})));
  EXPECT_FALSE(is_rounding(as_is, floats({1, 1, infinity, -infinity})));
  EXPECT_FALSE(is_rounding(as_is, floats({1, nan, 1, -infinity})));
  EXPECT_FALSE(is_rounding(as_is, floats({1, nan, infinity, infinity})));
  EXPECT_FALSE(is_rounding(as_is, floats({infinity, nan, infinity, -infinity})));
}

TEST(Rounding, ConcernsFloatingAndComplexElementsOfOneShape) {
  const double eps = std::numeric_limits<double>::epsilon();
  const auto wide = [](double value) { return tensor<double>("torch.float64", {}, {value}); };
  EXPECT_TRUE(is_rounding(wide(1), wide(1 + 4 * eps)));
  EXPECT_FALSE(is_rounding(wide(1), wide(1 + 5 * eps)));
  const auto pair = [](float real, float imaginary) {
    return tensor<float>("torch.complex64", {}, {real, imaginary});
  };
  EXPECT_TRUE(is_rounding(pair(1, 2), pair(std::nextafter(1.0F, 2.0F), 2)));
  EXPECT_FALSE(is_rounding(pair(1, 2), pair(1, 2.00001F)));
  const auto whole = [](std::int64_t value) { return tensor<std::int64_t>("torch.int64", {}, {value}); };
  EXPECT_TRUE(is_rounding(whole(1000000000), whole(1000000000)));
  EXPECT_FALSE(is_rounding(whole(1000000000), whole(1000000001)));
  EXPECT_FALSE(is_rounding(wide(1), tensor<float>("torch.float32", {}, {1})));
  EXPECT_FALSE(is_rounding(floats({1}), tensor({1, 1}, {1})));
}

}  // namespace
}  // namespace torchbook::golden
