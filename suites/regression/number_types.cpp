// Types of numbers: wrap-around, divisions, bits, casts between all types, promotion, rounding, infinities
// and nan. Most results are exact, so that they show each rounding.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

#include <limits>
#include <utility>
#include <vector>

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;

void number_types(torchbook::Notebook& nb) {
  nb.cell("1");
  // The header at the top of this file stands for the import.

  nb.note("Whole numbers wrap around when they leave the range of their type.");

  nb.cell("2");
  const Tensor octets = torch::tensor({0, 1, 127, 128, 255}, torch::kUInt8);  // (5)
  nb.print(octets + 1, octets - 1, octets * 2);
  nb.print(-octets, ~octets);

  nb.cell("3");
  const std::vector<std::pair<torch::ScalarType, int64_t>> ranges = {
      {torch::kInt8, std::numeric_limits<int8_t>::max()},
      {torch::kInt16, std::numeric_limits<int16_t>::max()},
      {torch::kInt32, std::numeric_limits<int32_t>::max()},
      {torch::kInt64, std::numeric_limits<int64_t>::max()}};
  for (const auto& [dtype, max] : ranges) {
    const Tensor largest = torch::tensor({max}, dtype);  // (1)
    nb.print(largest, largest + 1, largest * 2, -largest - 1);
  }

  nb.cell("4");
  const Tensor a = torch::tensor({100, 27, -128}, torch::kInt8);  // (3)
  nb.print(a + a, a * a, a.abs(), -a);
  nb.print(a.sum(), a.prod(), a.cumsum(0));

  nb.note(
      "A division of whole numbers gives floats. The others round down or towards zero, and the "
      "remainder has the sign of the divisor or of the dividend.");

  nb.cell("5");
  const Tensor n = torch::tensor({7, -7, 7, -7, 0});  // (5)
  const Tensor d = torch::tensor({2, 2, -2, -2, 3});  // (5)
  nb.print(n / d);
  nb.print(torch::floor_divide(n, d), torch::floor_divide(n, d));
  nb.print(torch::div(n, d, "trunc"), torch::div(n, d, "floor"));
  nb.print(torch::remainder(n, d), torch::remainder(n, d), torch::fmod(n, d));

  nb.cell("6");
  const Tensor x = torch::tensor({7.5, -7.5, 1.0});  // (3)
  nb.print(torch::floor_divide(x, 2), torch::remainder(x, 2), torch::fmod(x, 2), torch::div(x, 2, "trunc"));
  nb.print(torch::gcd(torch::tensor({12, 18, -8}), torch::tensor({8, 27, 6})),
           torch::lcm(torch::tensor(4), torch::tensor(6)));
  nb.print(n.pow(2), torch::tensor({2, 3}, torch::kInt32).pow(5), torch::pow(2, torch::arange(5)));

  nb.note(
      "Bits: and, or, exclusive or, not, and shifts. The right shift of a negative number keeps its "
      "sign.");

  nb.cell("7");
  const Tensor p = torch::tensor({12, 10, -1, 0});  // (4)
  const Tensor q = torch::tensor({10, 3, 7, 5});    // (4)
  nb.print(p & q, p | q, p ^ q, ~p);
  nb.print(torch::bitwise_left_shift(p, 2), torch::bitwise_right_shift(p, 1),
           torch::bitwise_left_shift(q, torch::tensor({0, 1, 2, 3})));
  nb.print(torch::bitwise_and(p, 6), torch::bitwise_right_shift(torch::tensor({-128, 127}, torch::kInt8), 3));

  nb.cell("8");
  const Tensor t = torch::tensor({true, true, false, false});  // (4)
  const Tensor s = torch::tensor({true, false, true, false});  // (4)
  nb.print(t & s, t | s, t ^ s, ~t);
  nb.print(t + s, t * s, t.sum(), t.to(torch::kInt) - s.to(torch::kInt));
  nb.print(torch::logical_and(p, q), torch::logical_xor(t, s), torch::logical_not(torch::tensor({0.0, 0.5})));

  nb.note(
      "Casts to whole numbers drop the fraction. Casts to a smaller type keep the low bits. Each of "
      "the ten types is cast to each.");

  nb.cell("9");
  const Tensor source = torch::tensor({-3.75, -0.5, 0.0, 1.5, 100.25});  // (5)
  for (const torch::ScalarType dtype : {torch::kInt8, torch::kInt16, torch::kInt32, torch::kInt64,
                                        torch::kBool, torch::kFloat16, torch::kBFloat16, torch::kFloat64}) {
    nb.print(source.to(dtype));
  }

  nb.cell("10");
  const Tensor wide = torch::tensor({300L, -300L, 70000L, 2147483648L, 1099511627781L});  // (5)
  for (const torch::ScalarType dtype : {torch::kUInt8, torch::kInt8, torch::kInt16, torch::kInt32,
                                        torch::kBool, torch::kFloat32, torch::kFloat64}) {
    nb.print(wide.to(dtype));
  }

  nb.cell("11");
  const std::vector<torch::ScalarType> dtypes = {
      torch::kUInt8,   torch::kInt8,     torch::kInt16,   torch::kInt32,   torch::kInt64,
      torch::kFloat16, torch::kBFloat16, torch::kFloat32, torch::kFloat64, torch::kBool};
  for (const torch::ScalarType first : dtypes) {
    const Tensor start = torch::tensor({0, 1, 3, 100}).to(first);  // (4)
    std::vector<double> sums;
    for (const torch::ScalarType second : dtypes) {
      sums.push_back(start.to(second).to(torch::kDouble).sum().item<double>());
    }
    nb.print(sums);
  }

  nb.cell("12");
  for (const torch::ScalarType first : dtypes) {
    std::vector<torch::ScalarType> promoted;
    for (const torch::ScalarType second : dtypes) promoted.push_back(torch::promote_types(first, second));
    nb.print(promoted);
  }

  nb.note(
      "Two types promote to one that can hold both. A number beside a tensor promotes only if it is of "
      "a higher kind: a float beside whole numbers.");

  nb.cell("13");
  nb.print((torch::ones(2, torch::kInt32) + torch::ones(2, torch::kInt8)).scalar_type(),
           (torch::ones(2, torch::kUInt8) + torch::ones(2, torch::kInt8)).scalar_type());
  nb.print((torch::ones(2, torch::kInt8) + 100).scalar_type(),
           (torch::ones(2, torch::kInt8) * 1.5).scalar_type());
  nb.print((torch::ones(2, torch::kFloat16) + torch::ones(2, torch::kBFloat16)).scalar_type(),
           (torch::ones(2, torch::kFloat16) + torch::tensor(1.0)).scalar_type());
  nb.print(torch::result_type(torch::tensor({1, 2}), 1.0), torch::can_cast(torch::kFloat64, torch::kInt32));

  nb.note(
      "A float16 has eleven bits of precision and a bfloat16 eight, but that has the range of a "
      "float32.");

  nb.cell("14");
  // torch::tensor with kFloat16 throws if a number overflows; a cast gives infinity.
  const Tensor h = torch::tensor({1.0, 0.1, 2049.0, 65504.0, 70000.0, 6e-8}).to(torch::kFloat16);  // (6)
  nb.print(h);
  nb.print(h + h, h * 0.5);
  nb.print(h.to(torch::kFloat)[1].item<double>(), h.to(torch::kDouble)[2].item<double>());

  nb.cell("15");
  const Tensor g = torch::tensor({1.0, 0.1, 257.0, 65504.0, 3e38, 1e-40}, torch::kBFloat16);  // (6)
  nb.print(g);
  nb.print(g + g, g / 3);
  nb.print(g.to(torch::kFloat)[1].item<double>(), g.to(torch::kDouble)[2].item<double>(),
           (g.index({Slice(None, 3)}) * g.index({Slice(None, 3)})).sum());

  nb.cell("16");
  const Tensor e = torch::tensor({1.0, 1e-3, 1e-4, 1e-8, 1e-17}, torch::kFloat64);  // (5)
  nb.print(1 + e == 1, 1 + e.to(torch::kFloat) == 1, 1 + e.to(torch::kHalf) == 1,
           1 + e.to(torch::kBFloat16) == 1);
  nb.print(static_cast<double>(std::numeric_limits<c10::Half>::epsilon()),
           static_cast<double>(std::numeric_limits<c10::BFloat16>::max()),
           static_cast<double>(std::numeric_limits<float>::min()), std::numeric_limits<double>::max());

  nb.cell("17");
  const Tensor r = torch::tensor({0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, -2.7});  // (7)
  nb.print(r.round(), r.floor(), r.ceil(), r.trunc());
  nb.print(r.frac(), torch::round(torch::tensor({1.2345, -6.789}), 2));
  nb.print(torch::tensor({2049.0, 2050.0, 2051.0}).to(torch::kHalf),
           torch::tensor({257.0, 258.0, 259.0}).to(torch::kBFloat16));

  nb.note(
      "Infinities and nan go through arithmetic. A comparison with nan is false, even of nan with "
      "itself.");

  nb.cell("18");
  const double inf = std::numeric_limits<double>::infinity();
  // (6)
  const Tensor u = torch::tensor({inf, -inf, std::numeric_limits<double>::quiet_NaN(), 0.0, -0.0, 1.0});
  nb.print(u + 1, u * 0, 1 / u);
  nb.print(u - u, u / u, u.abs());
  nb.print(torch::isinf(u), torch::isnan(u), torch::isfinite(u));

  nb.cell("19");
  nb.print(u == u, u != u, u < 1, u >= 0);
  nb.print(torch::sign(u.index({torch::tensor({0, 1, 3, 5})})), torch::signbit(u),
           torch::nan_to_num(u, 7.0, 100.0, -100.0));
  nb.print(u.max(), u.index({Slice(None, 2)}).sum(),
           torch::maximum(u.index({Slice(None, 4)}), torch::zeros(4)),
           torch::fmax(u.index({Slice(None, 4)}), torch::zeros(4)));

  nb.cell("20");
  nb.print(torch::sqrt(torch::tensor(-1.0)), torch::log(torch::tensor({0.0, -1.0})),
           torch::exp(torch::tensor({1000.0, -1000.0})));
  nb.print(torch::clamp(u, -2, 2), torch::tensor(3.4e38) * 10, torch::tensor(1e-45) / 2);
  nb.print(torch::equal(u, u.clone()),
           torch::allclose(u, u, /*rtol=*/1e-05, /*atol=*/1e-08, /*equal_nan=*/true));

  nb.note(
      "The same number in several types, the first whole number that a float32 cannot hold, and the "
      "parts of a float.");

  nb.cell("21");
  const Tensor third = torch::tensor(1.0, torch::kFloat64) / 3;  // ()
  nb.print(third.item<double>(), third.to(torch::kFloat).item<double>(),
           third.to(torch::kHalf).item<double>(), third.to(torch::kBFloat16).item<double>());
  nb.print(torch::tensor(16777216.0) + 1, torch::tensor(16777216.0, torch::kFloat64) + 1);
  nb.print(
      torch::nextafter(torch::tensor(1.0), torch::tensor(2.0)).item<double>(),
      torchbook::return_type("frexp", {"mantissa", "exponent"}, torch::frexp(torch::tensor({10.0, 0.3}))),
      torch::ldexp(torch::tensor({0.5}), torch::tensor({4})));

  nb.cell("22");
  const Tensor m = torch::tensor({{1, 2}, {3, 4}}, torch::kInt32);  // (2, 2)
  nb.print(torch::matmul(m, m), torch::matmul(m.to(torch::kBFloat16), m.to(torch::kBFloat16)),
           torch::matmul(m.to(torch::kDouble), m.to(torch::kDouble)));
  nb.print(m.to(torch::kFloat).mean(0), m.sum(torch::kFloat64), m.cumsum(1).scalar_type(),
           torchbook::shape(m.view(torch::kUInt8)));
  nb.print(torch::arange(3, torch::kFloat16), torch::linspace(0, 1, 5, torch::kFloat64), torch::full({2}, 3),
           torch::full({2}, 3.0, torch::kBFloat16));
}
