// The functions that a port is written with: cells, notes and Python's print.
#pragma once

#include <torchbook/notebook/carried.h>
#include <torchbook/notebook/f_string.h>
#include <torchbook/notebook/tensor_recorder.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace torchbook::notebook {

/// Records what the cells of one notebook print and display, in the order in which they run. A notebook is a
/// function that takes one of these, `void slug(torchbook::Notebook& nb)`, and reads from top to bottom like
/// the original.
class Notebook {
 public:
  Notebook() = default;
  virtual ~Notebook() = default;
  Notebook(const Notebook&) = delete;
  Notebook& operator=(const Notebook&) = delete;

  /// Ends what was before it and begins a cell of the document. `label` is the number in the document's
  /// `In [n]`, or `None` if it shows none; it is a string literal. Cells are at the top level of the
  /// function. Throws std::logic_error if the table has another cell here.
  virtual void cell(std::string_view label) = 0;

  /// Ends what was before it and begins a section that restores state: what the original kernel held,
  /// but no cell of the document shows. It has no position and shows nothing. `why` says what is restored
  /// and how that is known.
  virtual void restored(std::string_view why) = 0;

  /// Ends what was before it. `text` explains what comes next, in one paragraph.
  virtual void note(std::string_view text) = 0;

  /// Displays a value as Jupyter displays the last expression of a cell: as its repr, with long
  /// lists, tuples, sets and dicts on several lines. Displays nothing for None. Accepts any value
  /// that pyrepr can print. Throws std::logic_error if the cell has already displayed a value.
  template <class T>
  void display(const T& value) {
    set_result(pyrepr::pretty(value));
  }

  /// Python's `print(a, b, …)`: the str of each value, a space between two, a newline at the end. The keyword
  /// arguments come last: `nb.print(a, b, torchbook::sep(", "), torchbook::end(""))`.
  template <class... T>
  void print(const T&... values) {
    static_assert((!std::is_same_v<T, pyrepr::file> && ...), "a cell prints to its output, and to no file");
    pyrepr::detail::require_keywords_last<T...>();
    std::vector<RecordedRange> of_f_strings;
    (note_range(of_f_strings, values), ...);
    reorder(of_f_strings);
    pyrepr::detail::PrintedText printed;
    (printed.add(values), ...);
    write(printed.text());
  }

  /// Names the entries of a tensor along a dimension; pages show these names. The twin has them in a comment.
  /// Throws std::runtime_error, with the file and the line of the call, if the dimension has another number
  /// of entries. The type of `names` lets several axes share a list: `const auto times = {"t0", "t1"};`.
  void axis(const at::Tensor& tensor, std::int64_t dim, std::initializer_list<const char*> names,
            std::string_view file = __builtin_FILE(), int line = __builtin_LINE()) {
    name_axis(tensor, dim, std::vector<std::string_view>(names.begin(), names.end()), file, line);
  }

  /// Names what the entries of a tensor of ids are: the words of a vocabulary, of which an id is the index.
  /// Pages show the words, and what is made from the ids has their names. The twin has them in a comment.
  /// Throws std::runtime_error, with the file and the line of the call, for an entry that is no index of
  /// them.
  void words(const at::Tensor& ids, std::initializer_list<const char*> vocabulary,
             std::string_view file = __builtin_FILE(), int line = __builtin_LINE()) {
    name_axis(ids, -1, std::vector<std::string_view>(vocabulary.begin(), vocabulary.end()), file, line);
  }

  /// Runs the statement with which the running cell raised an error in Python. What it throws ends the cell
  /// as it does in Python, and no more. Throws std::runtime_error if it throws nothing, or says something
  /// other than `error`, Python's text in one line; without that, it may say anything.
  template <class Statement>
  void throws(const Statement& statement, std::string_view error = {}) {
    try {
      statement();
    } catch (const std::exception& thrown) {
      return note_error(thrown, error);
    }
    throw std::runtime_error("C++ throws nothing here, where Python raises an error");
  }

  /// Marks the running cell as not ported. `why` is a string literal. A cell calls it at most once.
  /// The outputs of the cell are still recorded, but not compared. Throws std::logic_error between
  /// cells.
  virtual void not_ported(std::string_view why) = 0;

  /// Returns the value that a name had in Python after the running cell, which is not ported. Reads
  /// it from `<slug>.carried`. Throws std::runtime_error if that file is missing, cannot be read,
  /// was made by other Python text, or lacks the value.
  template <class T>
  T carried(std::string_view name) {
    return detail::carried_as<T>(carried_value(name));
  }

  /// Sets the generator to the state that it had in Python after the running cell. Throws as
  /// carried() does.
  virtual void carried_generator() = 0;

 private:
  template <class T>
  static void note_range(std::vector<RecordedRange>& ranges, const T& value) {
    if constexpr (std::is_same_v<T, FString>) ranges.push_back(value.tensors);
  }

  virtual void reorder(const std::vector<RecordedRange>& of_f_strings) = 0;
  virtual void write(const std::string& text) = 0;
  virtual void set_result(std::string repr) = 0;
  virtual void note_error(const std::exception& thrown, std::string_view error) = 0;
  virtual void name_axis(const at::Tensor& tensor, std::int64_t dim, std::span<const std::string_view> names,
                         std::string_view file, int line) = 0;
  virtual c10::IValue carried_value(std::string_view name) = 0;
};

}  // namespace torchbook::notebook

namespace torchbook {

// The names that a port uses.
using notebook::f;
using notebook::Notebook;
using pyrepr::end;
using pyrepr::Parameter;
using pyrepr::return_type;
using pyrepr::round;
using pyrepr::sep;
using pyrepr::shape;
using pyrepr::Size;

}  // namespace torchbook
