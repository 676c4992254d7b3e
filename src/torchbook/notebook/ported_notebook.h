// A ported notebook as it is built into a program: its function, its source and its golden.
#pragma once

#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string_view>

namespace torchbook::notebook {

class Notebook;

/// One `<slug>.cpp`, with what the build embeds beside it.
struct PortedNotebook {
  std::string_view slug;
  std::string_view document;     ///< the name of the file that holds the original
  void (*define)(Notebook&);     ///< the notebook itself
  std::string_view source;       ///< the text of `<slug>.cpp`
  std::string_view golden;       ///< the text of its golden file
  std::string_view twin{};       ///< the text of `<slug>.py`, its PyTorch counterpart, if it has one
  std::string_view reference{};  ///< the recording of that twin (golden/recording.h), if it has one
};

/// The notebooks linked into this program, in the order of their documents. Defined by the build.
std::span<const PortedNotebook> linked_notebooks();

/// The notebook's cells with their source, none of them run.
Transcript outline(const PortedNotebook& notebook);

/// Runs the notebook. With `positions`, only those cells are selected: the cells before the last of them run
/// silently, those after it do not run. What a cell throws ends the run and is recorded in the transcript.
Transcript run(const PortedNotebook& notebook, std::optional<std::set<std::size_t>> positions = std::nullopt);

/// Runs the whole notebook, and keeps the tensors that its products and softmaxes take and give (trace.h).
Transcript run_traced(const PortedNotebook& notebook);

}  // namespace torchbook::notebook
