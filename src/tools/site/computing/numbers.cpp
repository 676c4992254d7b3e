#include <fmt/format.h>
#include <tools/site/computing/numbers.h>
#include <torchbook/golden/element.h>

#include <cmath>
#include <cstdlib>

namespace torchbook::site {
namespace {

constexpr double largest_whole = 9007199254740992;  // 2^53: above it, doubles have gaps

/// Returns the double with the fewest digits that rounds to this float.
double shortest(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

}  // namespace

Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

Json numbers_json(const notebook::RecordedTensor& tensor) {
  Json list = Json::array();
  const auto values = golden::values_of(tensor);
  if (!values) return nullptr;
  for (const double value : *values) {
    if (tensor.dtype == "torch.bool") {
      list.push_back(value != 0);
    } else if (tensor.dtype == "torch.int64") {
      if (std::fabs(value) >= largest_whole) return nullptr;
      list.push_back(static_cast<std::int64_t>(value));
    } else if (tensor.dtype == "torch.float64") {
      list.push_back(number_json(value));
    } else {
      list.push_back(std::isfinite(value) ? Json(shortest(static_cast<float>(value))) : number_json(value));
    }
  }
  return list;
}

}  // namespace torchbook::site
