// Makes `<slug>.carried` of what carry.py wrote.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// A value that a cell carries, and the cell whose Python gave the name that value.
struct CarriedPlace {
  std::size_t cell = 0;
  std::string name{};
  std::size_t from = 0;  ///< 0: the last cell up to this one that changed it
};

/// All that a port carries.
struct CarriedPlaces {
  std::vector<CarriedPlace> values{}, generators{};
};

/// Returns the file. `types` and `values` are the texts that carry.py wrote, `twin` is the notebook's Python.
/// Throws UsageError if they do not have what is carried.
std::string carried_file(const CarriedPlaces& places, const std::string& types, std::string_view values,
                         const std::vector<std::string>& twin);

}  // namespace torchbook::cli
