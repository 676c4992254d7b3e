#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <torchbook/pyrepr/dtype.h>

#include <algorithm>
#include <cctype>

namespace torchbook::pyrepr::inline v1 {

std::string dtype_name(at::ScalarType type) {
  switch (type) {
    case at::kByte:
      return "torch.uint8";
    case at::kChar:
      return "torch.int8";
    case at::kShort:
      return "torch.int16";
    case at::kInt:
      return "torch.int32";
    case at::kLong:
      return "torch.int64";
    case at::kHalf:
      return "torch.float16";
    case at::kFloat:
      return "torch.float32";
    case at::kDouble:
      return "torch.float64";
    case at::kComplexHalf:
      return "torch.complex32";
    case at::kComplexFloat:
      return "torch.complex64";
    case at::kComplexDouble:
      return "torch.complex128";
    default: {  // the others have C++'s name in lower case: torch.bfloat16, torch.bool, torch.uint16
      std::string name = at::toString(type);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      return "torch." + name;
    }
  }
}

at::ScalarType default_dtype() { return c10::typeMetaToScalarType(c10::get_default_dtype()); }

bool is_understood(at::ScalarType type) {
  const bool doubles = default_dtype() == at::kDouble;
  return type == default_dtype() || type == (doubles ? at::kComplexDouble : at::kComplexFloat) ||
         type == at::kLong || type == at::kBool;
}

}  // namespace torchbook::pyrepr::inline v1
