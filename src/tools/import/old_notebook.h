// Splits a notebook that is to be updated into units: a cell, with the restored states and notes above it.
#pragma once

#include <tools/import/update.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::importing {

/// A cell of the old notebook, with its notes, restored states and exceptions.
struct Unit {
  std::string label{};
  std::string above{};   ///< C++ above the cell: notes and restored states
  std::string body{};    ///< C++ after its `nb.cell`
  std::string source{};  ///< the same, as the table of the cells has it
  std::string twin_above{};
  std::string twin{};  ///< its Python
  /// Its lines of the file of exceptions: the comments above each, and the text after its position.
  std::vector<std::pair<std::string, std::string>> exceptions{};
  bool is_owners = false;  ///< whether a person wrote its C++
  bool used = false;
};

/// The old port and twin.
struct OldNotebook {
  std::string head{}, tail{};  ///< of the port
  std::string twin_head{}, twin_tail{};
  std::string exceptions_head{}, exceptions_tail{};
  std::vector<Unit> units{};
};

/// Reads the files of a notebook. If they do not match, throws std::runtime_error, whose text
/// begins with the file's name.
OldNotebook read_old(const OldFiles& files, std::string_view slug);

}  // namespace torchbook::importing
