// Translates the Python of a notebook into the C++ of its port.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// A cell to be translated.
struct PythonCell {
  const nlohmann::json* tree =
      nullptr;        ///< as translate/tree.py gives it; nullptr if the cell is not to be translated
  std::string why{};  ///< why it is not to be translated, if it is not
  int raised_line =
      0;  ///< of a cell that raised: what stands above this line is translated although `why` is given
};

/// A cell in C++.
struct CellPort {
  std::vector<std::string> lines{};  ///< with their indent and without newlines
  std::string why{};                 ///< why there are none; empty if the cell is ported
};

/// A port in C++.
struct Port {
  std::vector<CellPort> cells{};
  /// What stands above the function: `#include <tuple>`, `using torch::Tensor;`.
  std::set<std::string> needs{};
};

/// Translates all cells of a notebook, which share their names. Throws NotPorted if a tree is none of Python's.
Port translate(const std::vector<PythonCell>& cells);

}  // namespace torchbook::translate
