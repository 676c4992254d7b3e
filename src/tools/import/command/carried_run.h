// Holds the values of a notebook's names after a run of its Python.
#pragma once

#include <tools/import/command/wrong_cells.h>
#include <tools/import/translate/translate.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/temporary_file.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// The text of carry.py, which writes the values of names after each cell of a twin.
extern const std::string_view carry;

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

/// The files of carry.py.
class CarriedRun {
 public:
  /// Return the paths under which this program and its children can open the files.
  std::string values_file() const { return values_.path(); }
  std::string types_file() const { return types_.path(); }

  /// Adds to each cell the variables that changed in its run, and whether it drew random numbers.
  /// The cells are in document order.
  void describe(std::vector<translate::PythonCell>& cells) const;

  /// Returns the tensors of ids that a cell made from words, and the words: by the cell's position, and by
  /// name.
  std::map<std::size_t, std::map<std::string, std::vector<std::string>>> words() const;

  /// Returns the values after each cell, with which a port is proved.
  RecordedCells cells() const;

  /// Returns the record of the run as lines of JSON: a head with the version of the format, and a line for
  /// each cell with carry.py's values and the cell's output, which `shown` has.
  std::string record(std::string_view notebook, const golden::Golden& shown, std::string_view torch) const;

  /// Returns the file of carried values. `twin` has the notebook's Python. Throws UsageError if a value that
  /// is carried is lacking.
  std::string file_for(const CarriedPlaces& places, const std::vector<std::string>& twin) const;

  /// Returns the file of carried values for a translation; empty if it carries none.
  std::string file_for(const translate::Port& port, const std::vector<std::string>& twin) const;

 private:
  notebook::TemporaryFile values_{}, types_{};
};

}  // namespace torchbook::cli
