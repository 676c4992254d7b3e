// Writes what follows a tensor's contents: device, size, dtype, layout, grad_fn, names …
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <string>

namespace torchbook::pyrepr::inline v1 {

/// Appends the suffixes of a tensor to its text, each on the last line if it fits there, otherwise on a new
/// line, which begins with `indent` spaces.
void append_suffixes(std::string& text, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options);

/// Returns whether a tensor wraps another one for functionalization.
inline bool is_functional(const at::Tensor& tensor) {
  return tensor.key_set().has(at::DispatchKey::Functionalize);
}

/// During its lifetime, grad_fn_name() on this thread names operators on a tensor and a number as
/// Python does, which converts the number to a tensor first: `MulBackward0` for C++'s
/// `MulBackward1`.
class PythonOperators {
 public:
  PythonOperators();
  ~PythonOperators();
  PythonOperators(const PythonOperators&) = delete;
  PythonOperators& operator=(const PythonOperators&) = delete;

 private:
  bool before_;
};

/// Returns Python's name for the operation that computed the tensor (`AddBackward0`), or an empty string for
/// a leaf.
std::string grad_fn_name(const at::Tensor& tensor);

/// Returns the name of the class that derives from torch::autograd::Function by the name of its node; empty
/// for other nodes. Python appends `Backward` to it.
std::string custom_function_name(const std::string& node);

}  // namespace torchbook::pyrepr::inline v1
