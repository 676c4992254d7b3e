// A known deviation of one cell from its golden, with the reason.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook::golden {

/// What an exception says of its cell.
enum class ExceptionKind {
  differs,     ///< it differs from its golden
  varies,      ///< its outputs change from run to run
  printed,     ///< it equals its golden as printed, but not in every byte
  picture,     ///< it makes a picture, so its outputs are not compared
  not_ported,  ///< the port has no code for it
};

/// Returns `differs`, `varies`, `printed`, `picture` or `not ported`.
std::string_view kind_name(ExceptionKind kind);

/// Returns the kind with this name; nullopt if there is none.
std::optional<ExceptionKind> kind_named(std::string_view name);

/// A line of a file of exceptions.
struct Exception {
  std::size_t position = 0;  ///< of the cell
  ExceptionKind kind = ExceptionKind::differs;
  std::string reason;    ///< only that of a picture may be empty
  std::size_t line = 0;  ///< from 1
  std::string place;     ///< the file and the line: `sample.exceptions:3`
};

}  // namespace torchbook::golden
