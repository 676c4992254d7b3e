// Reads files of exceptions: the known deviations of a notebook's cells from their golden.
#pragma once

#include <torchbook/golden/element.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

struct Golden;

/// What an exception says of its cell.
enum class ExceptionKind {
  differs,     ///< it differs from its golden
  varies,      ///< its outputs change from run to run, or from build to build of PyTorch
  tolerance,   ///< its numbers are near those of its golden
  kernels,     ///< other kernels round otherwise; `compare` finds that out, and no file says it
  printed,     ///< it equals its golden as printed, but not in every byte
  picture,     ///< it makes a picture, so its outputs are not compared
  not_ported,  ///< the port has no code for it
};

/// The row of a kind of exception.
struct ExceptionRow {
  ExceptionKind kind;
  std::string_view name;   ///< in files of exceptions and in JSON
  std::string_view claim;  ///< what it says of its cell, for people
  bool of_the_port;        ///< whether it describes the port, so that it also holds for other goldens
};

inline constexpr std::array exception_kinds = {
    ExceptionRow{ExceptionKind::differs, "differs", "that it differs", false},
    ExceptionRow{ExceptionKind::varies, "varies", "that its outputs vary", true},
    ExceptionRow{ExceptionKind::tolerance, "tolerance", "that only its numbers differ, and by how much",
                 true},
    ExceptionRow{ExceptionKind::kernels, "kernels", "that only other kernels round otherwise", false},
    ExceptionRow{ExceptionKind::printed, "printed", "that it is equal as printed, not in every byte", false},
    ExceptionRow{ExceptionKind::picture, "picture", "that it makes a picture", true},
    ExceptionRow{ExceptionKind::not_ported, "not ported", "that it is not ported", true},
};

constexpr const ExceptionRow& row_of(ExceptionKind kind) {
  return exception_kinds[static_cast<std::size_t>(kind)];
}

/// Returns the kind with this name; nullopt if there is none.
std::optional<ExceptionKind> kind_named(std::string_view name);

/// How many words an exception names at most.
inline constexpr std::size_t most_words = 1000;

/// A word of a cell's outputs, all counted from 1. The lines of its result follow those of stdout.
struct WordPlace {
  std::size_t line = 0;
  std::size_t word = 0;    ///< in its line, between spaces
  std::size_t number = 0;  ///< in the word; 0: all of them, or the whole word if it has none

  bool operator==(const WordPlace&) const = default;
};

/// The parts of a cell's outputs that an exception excuses: all outputs if nothing is set.
struct ExcusedParts {
  std::string text{};              ///< as the file has them: `/[0-9.]+ s/`, `words 1.2 3.1`, `rtol=1e-5`
  std::string pattern{};           ///< what this POSIX extended regular expression matches in a line
  std::vector<WordPlace> words{};  ///< these words
  std::optional<Tolerance> tolerance{};  ///< numbers, by so much
};

/// A line of a file of exceptions.
struct Exception {
  std::size_t position = 0;  ///< of the cell
  ExceptionKind kind = ExceptionKind::differs;
  std::string reason{};     ///< only that of a picture may be empty
  std::size_t line = 0;     ///< from 1
  std::string place{};      ///< the file and the line: `sample.exceptions:3`
  ExcusedParts parts{};     ///< all else is compared
  bool is_built_in = true;  ///< otherwise --exceptions named its file
};

/// The exceptions of a notebook.
struct Exceptions {
  std::string slug;
  std::vector<Exception> cells;  ///< in the order of the file
};

/// Reads a file of exceptions:
///
///     exceptions of <slug>
///     @1 differs /1\.13\.[01]/: prints the release
///     @3 varies words 2.4: two runs of Python differ there
///     @4 tolerance rtol=1e-5 atol=1e-8: exp of float32 on arm64
///     @5 printed: stored by 2.10, last digits
///     @14 picture
///     @32 not ported: needs tiktoken
///
/// A line has the position of a cell, a kind, the parts of its outputs that are excused, and a reason, which
/// is optional for `picture` only. `differs` and `varies` without parts excuse all outputs. `tolerance` has
/// rtol, atol or ulps. Empty lines and lines that start with `#` are ignored everywhere. `file` is the name
/// of the file, for messages. Throws GoldenError if the text is malformed or names a cell twice.
Exceptions parse_exceptions(std::string_view text, std::string_view file);

/// Reads exceptions of several notebooks, each line with the slug before it: `<slug> @1 differs: …`. Or those
/// of one notebook, as parse_exceptions() does. They are not built in. Throws GoldenError as
/// parse_exceptions() does.
std::vector<Exceptions> parse_exceptions_of_several(std::string_view text, std::string_view file);

/// Throws GoldenError if the exceptions belong to a notebook other than `slug`, or if a position is
/// larger than `cells`.
void require_cells(const Exceptions& exceptions, std::string_view slug, std::size_t cells);

/// Returns the exceptions that also hold if the port is compared with something other than its golden.
Exceptions of_the_port(Exceptions exceptions);

/// Adds the exceptions to the cells of a golden that has these cells.
void add_exceptions(Golden& golden, const Exceptions& exceptions);

}  // namespace torchbook::golden
