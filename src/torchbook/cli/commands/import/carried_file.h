// Makes `<slug>.carried` from the output of carry.py.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// A value that a cell's C++ takes from a run of the Python, and the cell that assigned it there.
struct CarriedPlace {
  std::size_t cell = 0;
  std::string name{};
  std::size_t from = 0;  ///< 0: the last cell up to this one that changed it
};

/// All values and generator states that a port carries.
struct CarriedPlaces {
  std::vector<CarriedPlace> values{}, generators{};
};

/// Returns the text of the file. `types` and `values` are the outputs of carry.py; `twin` is the
/// notebook's Python. Throws UsageError if they lack a value that is carried.
std::string carried_file(const CarriedPlaces& places, const std::string& types, std::string_view values,
                         const std::vector<std::string>& twin);

}  // namespace torchbook::cli
