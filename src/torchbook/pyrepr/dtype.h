// Names dtypes as Python does.
#pragma once

#include <c10/core/ScalarType.h>

#include <cctype>
#include <string>

namespace torchbook::pyrepr::inline v1 {

/// Returns Python's name for a dtype: `torch.float64`, `torch.int32` …
std::string dtype_name(at::ScalarType type);

/// Returns a text in ASCII in lower case. Many of Python's names are those of C++ in lower case.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace torchbook::pyrepr::inline v1
