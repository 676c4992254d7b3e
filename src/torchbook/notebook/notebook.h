// What a ported notebook is written with: cells, notes and Python's print.
#pragma once

#include <fmt/format.h>
#include <torchbook/notebook/recording.h>
#include <torchbook/notebook/transcript.h>
#include <torchbook/pyrepr/format.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace torchbook::notebook {

/// Runs the cells of one notebook, in the order in which they stand, and records what each produced. A
/// notebook is a function that takes one of these and calls it once a cell.
class Notebook {
 public:
  /// Which cells to run.
  struct Plan {
    bool execute = true;  ///< false: record the cells, run none
    std::optional<std::set<std::size_t>>
        positions{};  ///< the cells asked for; those before them run silently
  };

  /// `source` is the text of the file in which the notebook function stands; it must outlive this object.
  Notebook(std::string_view source, Plan plan);

  /// A cell of the document. `body` takes nothing; what it returns is displayed as Jupyter displays the last
  /// expression of a cell (a tensor, size, tuple, bool, number or string, as Python's repr), unless it is
  /// void. `label` is the number in the document's `In [n]`, `None` where it shows none.
  template <class Body>
  void cell(std::string_view label, Body&& body, std::size_t line = __builtin_LINE()) {
    run_cell(label, line, [&]() -> std::optional<std::string> {
      if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
        body();
        return std::nullopt;
      } else {
        const auto value = body();
        record(cell_->tensors, value);
        return pyrepr::repr(value);
      }
    });
  }

  /// State that the original kernel held and the document does not show. It is no cell: it has no position
  /// and must print nothing. `note` says what is restored and how that is known.
  template <class Body>
  void restored(std::string_view note, Body&& body, std::size_t line = __builtin_LINE()) {
    run_restored(note, line, std::forward<Body>(body));
  }

  /// An explanation between cells, one paragraph.
  void note(std::string_view text);

  /// Python's `print(f"…")`: each `{}` is what the f-string would hold.
  template <class... T>
  void print(fmt::format_string<pyrepr::FormatAs<std::remove_cvref_t<T>>...> format, const T&... values) {
    write([](fmt::string_view text, const auto&... args) {
      return fmt::vformat(text, fmt::make_format_args(args...));
    }(format, pyrepr::format_as_python(values)...));
    (record(cell_->tensors, values), ...);
  }

  /// Python's `print(value)` of anything but a string: its str.
  template <class T>
  requires(!pyrepr::Text<T>) void print(const T& value) {
    write(pyrepr::str(value));
    record(cell_->tensors, value);
  }

  /// What was recorded so far.
  const Transcript& transcript() const { return transcript_; }

  /// The cell that is running now; nullptr between cells.
  const Cell* running_cell() const { return cell_; }

 private:
  using Display = std::function<std::optional<std::string>()>;

  void run_cell(std::string_view label, std::size_t line, const Display& body);
  void run_restored(std::string_view note, std::size_t line, const std::function<void()>& body);
  bool wanted(std::size_t position) const;
  bool running() const;
  void write(std::string_view text);

  std::string_view source_;
  Plan plan_;
  Transcript transcript_;
  std::size_t position_ = 0;
  Cell* cell_ = nullptr;  // the cell that is running, to which print writes
  bool failed_ = false;
};

}  // namespace torchbook::notebook

// What a notebook file uses.
namespace torchbook {

using notebook::Notebook;
using pyrepr::round;
using pyrepr::shape;

}  // namespace torchbook
