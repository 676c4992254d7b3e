// Defines a case of the differential test, as record.py writes it.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::differential {

using Integers = std::vector<std::int64_t>;

/// A node of a tree of values or of modules. trees.py and modules.py say what its parts mean.
struct Node {
  std::string tag;   ///< the kind of value, or the class of a module
  std::string name;  ///< in the parent module
  std::string text;
  Integers integers;
  std::vector<double> reals;
  std::vector<Node> children;
};

/// A case as record.py writes it.
struct Case {
  std::string kind;
  pyrepr::PrintOptions options;
  at::ScalarType default_dtype{};
  std::vector<at::Tensor> tensors;
  Integers integers;
  double real = 0;
  std::string text;
  std::vector<Node> trees;  ///< one or none
};

/// Takes cases off the front of a file's bytes.
class Cases {
 public:
  explicit Cases(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return bytes_.empty(); }
  Case take();

 private:
  std::string_view bytes_;
};

// Each returns the text of the tree of a case.
std::string container_text(const Case& c);
std::string ivalue_text(const Case& c);
std::string pretty_container_text(const Case& c);
std::string pretty_ivalue_text(const Case& c);
std::string module_text(const Case& c);

}  // namespace torchbook::differential
