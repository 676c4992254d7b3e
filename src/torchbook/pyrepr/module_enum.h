// Names the values of LibTorch's option enumerations as Python does.
#pragma once

#include <torch/enum.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace torchbook::pyrepr::inline v1 {

/// Returns Python's word for a value: torch::kBilinear is `bilinear`.
template <class Variant>
std::string enum_name(const Variant& value) {
  std::string name = torch::enumtype::get_enum_name(value).substr(1);  // without its k
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

}  // namespace torchbook::pyrepr::inline v1
