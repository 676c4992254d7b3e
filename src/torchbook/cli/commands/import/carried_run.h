// Holds what a run of a notebook's Python left in its names.
#pragma once

#include <torchbook/cli/commands/import/carried_file.h>
#include <torchbook/cli/system/descriptor.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/translate/translate.h>

#include <memory>
#include <string>
#include <vector>

namespace torchbook::cli {

/// The files of carry.py, in memory: whatever ends this program, nothing of them is left.
class CarriedRun {
 public:
  /// Throws UsageError if there can be no files in memory.
  CarriedRun();

  /// Returns the names by which this program and those that it starts can open the files.
  std::string values_file() const;
  std::string types_file() const;

  /// Notes what each cell has left in its names. The cells are in document order.
  void describe(std::vector<translate::PythonCell>& cells) const;

  /// Returns the file of carried values. `twin` has the notebook's Python.
  std::string file_for(const CarriedPlaces& places, const std::vector<std::string>& twin) const;

  /// Returns that file for a translation; empty if it carries none.
  std::string file_for(const translate::Port& port, const std::vector<std::string>& twin) const;

 private:
  Descriptor values_;
  Descriptor types_;
};

}  // namespace torchbook::cli
