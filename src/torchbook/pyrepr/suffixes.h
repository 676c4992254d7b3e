// Writes what follows a tensor's contents: device, size, dtype, layout, grad_fn, names …
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::pyrepr::inline v1 {

/// Returns the suffixes of a tensor in Python's order, each without its comma: `dtype=torch.float64`.
std::vector<std::string> suffixes_of(const at::Tensor& tensor, const PrintOptions& options);

/// The rules by which suffixes start new lines.
struct SuffixLayout {
  std::size_t indent;      ///< columns in front of a suffix on a line of its own
  std::int64_t linewidth;  ///< PrintOptions::linewidth
  bool first_breaks;       ///< the first suffix always starts a new line
};

/// Appends the suffixes, each on the last line of `text` if it fits there, otherwise on a new line.
void append_suffixes(std::string& text, const std::vector<std::string>& suffixes, const SuffixLayout& layout);

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

}  // namespace torchbook::pyrepr::inline v1
