// The text that Python shows for an error of LibTorch.
#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <string>

namespace torchbook {

/// Returns Python's `str(error)` for an error of LibTorch: its message without the backtrace.
inline std::string error_text(const std::exception& error) {
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  return of_torch == nullptr ? error.what() : of_torch->what_without_backtrace();
}

}  // namespace torchbook
