#include <torchbook/pyrepr/dtype.h>

#include <string_view>
#include <utility>

namespace torchbook::pyrepr::inline v1 {
namespace {

// The others have C++'s name in lower case: torch.bfloat16, torch.bool, torch.uint16.
constexpr std::pair<at::ScalarType, std::string_view> names[] = {{at::kByte, "uint8"},
                                                                 {at::kChar, "int8"},
                                                                 {at::kShort, "int16"},
                                                                 {at::kInt, "int32"},
                                                                 {at::kLong, "int64"},
                                                                 {at::kHalf, "float16"},
                                                                 {at::kFloat, "float32"},
                                                                 {at::kDouble, "float64"},
                                                                 {at::kComplexHalf, "complex32"},
                                                                 {at::kComplexFloat, "complex64"},
                                                                 {at::kComplexDouble, "complex128"}};

}  // namespace

std::string dtype_name(at::ScalarType type) {
  for (const auto& [known, name] : names) {
    if (known == type) return "torch." + std::string(name);
  }
  return "torch." + lower_case(at::toString(type));
}

}  // namespace torchbook::pyrepr::inline v1
