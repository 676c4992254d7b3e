#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/draft.h>
#include <tools/import/jupyter_remarks.h>
#include <tools/import/notes.h>
#include <tools/import/port_text.h>
#include <tools/import/text.h>
#include <tools/import/visible.h>
#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/python_lines.h>
#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::importing {
namespace {

constexpr std::string_view not_ported = "not ported: ";

/// Returns whether the stored output is a syntax error.
bool raised_syntax_error(const SourceCell& cell) {
  const auto& exception = cell.exception;
  return exception.ends_with("it raised SyntaxError") || exception.ends_with("it raised IndentationError") ||
         exception.ends_with("it raised TabError");
}

/// Returns whether a cell needs C++. Comments, and magics that show nothing, need none.
bool needs_port(const DraftCell& cell, const SourceCell& source) {
  return has_code(cell.twin.text) || !cell.exception.empty() || source.shown.has_output();
}

std::string why_not_ported(const std::string& exception) {
  if (exception.starts_with(not_ported)) return exception.substr(not_ported.size());
  return exception.starts_with("picture") ? "it shows a picture" : "it is not written yet";
}

constexpr std::string_view shows_nul = "not ported: it shows a NUL character, which no golden can hold";

/// Removes NUL characters from the outputs of a cell. Returns whether there were any.
bool remove_nul(golden::GoldenCell& cell) {
  const auto count = std::erase(cell.out, '\0');
  return (cell.result && std::erase(*cell.result, '\0') > 0) || count > 0;
}

/// Reads the items of a notebook in their order.
class Drafter {
 public:
  Drafter(const SourceNotebook& notebook, Draft& draft) : draft_(draft) { draft_.remarks = notebook.remarks; }

  void take(const SourceText& text) {
    auto note = note_of(text.markdown);
    if (!note.markdown.empty()) {
      ++draft_.notes;
      draft_.last_notes.push_back(std::move(note.markdown));
    }
    for (auto& what : note.left_out) draft_.remarks.push_back({draft_.cells.size(), {}, std::move(what)});
  }

  void take(const SourceCell& source) {
    DraftCell cell{.label = source.shown.label,
                   .notes = std::exchange(draft_.last_notes, {}),
                   .twin = twin_of(source),
                   .exception = source.exception,
                   .why = {}};
    cell.raised_line = source.raised_line;
    cell.raises = source.raises;
    draft_.cells.push_back(std::move(cell));
    draft_.golden.cells.push_back(source.shown);
    remark_commands(source, draft_.cells.back());
    if (remove_nul(draft_.golden.cells.back())) draft_.cells.back().exception = shows_nul;
    auto& added = draft_.cells.back();
    if (needs_port(added, source)) added.why = why_not_ported(added.exception);
  }

 private:
  TwinSource twin_of(const SourceCell& source) const {
    if (!source.why_no_python.empty()) return as_comments(source.python, source.why_no_python);
    if (raised_syntax_error(source)) return as_comments(source.python, "Python cannot read it");
    return twin_source(source.python, known_);
  }

  void remark_commands(const SourceCell& source, DraftCell& cell) {
    for (auto& what : jupyter_remarks(cell.twin, known_)) {
      draft_.remarks.push_back({source.shown.position, source.shown.label, std::move(what)});
    }
    if (cell.exception.empty()) cell.exception = jupyter_exception(source.shown, cell.twin);
  }

  Draft& draft_;
  KnownNames known_{};  // of the cells so far
};

/// Returns why a cell has no port, by its error `nb.py:12: ValueError: …`: `it raised ValueError`, or `it
/// ended by signal 9`.
std::string why_it_failed(std::string_view error) {
  error.remove_prefix(error.find(": ") + 2);
  const auto name = error.substr(0, error.find(':'));
  const bool is_name = name.find(' ') == name.npos;
  return fmt::format("it {}{}", is_name ? "raised " : "", cited(name));
}

void take_error(DraftCell& cell, std::string_view error, int line) {
  cell.why = why_it_failed(error);
  cell.raised_line = line;
  const auto name = error.find(": ") + 2;
  cell.error = error.substr(std::min(error.find(": ", name) + 2, error.size()));
  cell.raises = cell.raised_line > 0 && throws_in_libtorch(cell.why.substr(cell.why.rfind(' ') + 1), error);
}

void take_cell(DraftCell& cell, golden::GoldenCell& golden, const golden::GoldenCell& run) {
  golden.out = run.out;
  golden.result = run.result;
  const bool has_nul = remove_nul(golden);
  const bool shows_text = golden.has_output();
  if (run.draws && !shows_text && cell.exception.empty()) cell.exception = "picture";
  if (cell.exception.starts_with("not ported: it ")) {  // when its outputs were stored
    cell.exception.clear();
    cell.why = "it is not written yet";
  }
  cell.raised_line = 0;
  cell.raises = false;
  // A text beside a picture, or in place of HTML as of a data frame, is compared.
  if (cell.exception.starts_with("picture") && shows_text) cell.exception.clear();
  if (cell.exception.starts_with("varies")) cell.exception.clear();  // as its stored outputs did
  if (!cell.exception.empty()) return;
  if (run.error || !run.ran) {
    cell.why = "it did not run";
    if (run.error) take_error(cell, *run.error, run.raised_line);
    cell.exception = "not ported: " + cell.why;
  } else {
    cell.exception = has_nul ? shows_nul : jupyter_exception(golden, cell.twin);
    if (has_nul) cell.why = why_not_ported(cell.exception);
  }
}

/// Sorts the remarks by position. The sort is stable.
void sort_remarks(Draft& draft) {
  std::stable_sort(draft.remarks.begin(), draft.remarks.end(),
                   [](const Remark& a, const Remark& b) { return a.position < b.position; });
}

/// Returns the Python of a cell in which each comment that names an axis which is not the next one of `axes`
/// has a second space. Adds such comments to `others`. One of those that import added is left out.
std::string with_axes(std::string_view python, std::span<const notebook::NamedAxis> axes,
                      const std::vector<std::string>& added, std::vector<std::string>& others) {
  std::string text;
  notebook::PythonLines lines;
  for (const auto line : notebook::lines_of(python)) {
    const auto named = lines.in_string() ? std::nullopt : notebook::axis_of_comment(line);
    lines.follow(line);
    const bool is_next = named && !axes.empty() && axes.front().comment() == line;
    if (is_next) axes = axes.subspan(1);
    if (named && !is_next && std::ranges::find(added, line) != added.end()) continue;
    if (named && !is_next) others.emplace_back(line);
    text += named && !is_next ? fmt::format("#  {}\n", line.substr(2)) : fmt::format("{}\n", line);
  }
  return notebook::without_blank_end(std::move(text));
}

}  // namespace

Draft draft_of(SourceNotebook notebook, std::string_view slug, std::string_view file) {
  if (notebook.cells == 0) throw ImportError(0, "it has no cell of code, so there is nothing to port");
  notebook.number_unrun_cells();
  Draft draft;
  draft.document = visible(file);
  std::replace(draft.document.begin(), draft.document.end(), '\n', ' ');
  draft.golden.slug = slug;
  draft.golden.document = notebook.release.empty()
                              ? draft.document
                              : fmt::format("{} (PyTorch {})", draft.document, notebook.release);
  Drafter drafter(notebook, draft);
  for (const auto& item : notebook.items) {
    std::visit([&](const auto& one) { drafter.take(one); }, item);
  }
  sort_remarks(draft);
  return draft;
}

Draft read_notebook(std::string_view text, std::string_view slug, std::string_view file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const bool json = file.ends_with(".ipynb") || without_indent(text).starts_with('{');
  return draft_of(json ? read_ipynb(text) : read_printed(text), slug, file);
}

std::size_t cells_that_ended(const golden::Golden& run) {
  const auto slow = std::find_if(run.cells.begin(), run.cells.end(), [](const auto& cell) {
    return cell.error && cell.error->find("--timeout sets another limit") != std::string::npos;
  });
  return static_cast<std::size_t>(slow - run.cells.begin());
}

void take_run(Draft& draft, const golden::Golden& run, std::string_view torch) {
  const auto ended = cells_that_ended(run);
  for (std::size_t i = 0; i < ended; ++i) {
    const auto& cell = run.cells[i];
    draft.cells[i].shapes = cell.shapes;
    take_cell(draft.cells[i], draft.golden.cells[i], cell);
    if (cell.missing) {
      draft.remarks.push_back(
          {cell.position, cell.label,
           fmt::format("this Python does not have {}; {}", cited(*cell.missing),
                       lacks_layout(cell)
                           ? "values that Jupyter displays in several lines are in one line here"
                           : "cells that use it for more than pictures fail here")});
    }
    if (cell.error) {
      draft.remarks.push_back({cell.position, cell.label, "its Python fails here: " + cited(*cell.error)});
    } else if (!cell.ran) {
      draft.remarks.push_back(
          {cell.position, cell.label, "it did not run, because Python ended in a cell above"});
    }
  }
  std::string how_far;
  if (ended < run.cells.size()) {
    const auto& slow = run.cells[ended];
    const auto why = std::string_view(*slow.error).substr(slow.error->find(": ") + 2);
    draft.remarks.push_back(
        {slow.position, slow.label,
         fmt::format("its Python {}; it and the cells below are compared with the stored outputs", why)});
    how_far = fmt::format(" down to @{}", ended);
  }
  sort_remarks(draft);
  if (ended > 0) draft.golden.document = fmt::format("{} ({} ran it{})", draft.document, torch, how_far);
}

std::string twin_title(const Draft& draft) {
  return fmt::format("# Twin of {}.cpp: the {} cells of {}.", draft.golden.slug, draft.cells.size(),
                     draft.document);
}

std::string twin_text(const Draft& draft) {
  auto text = twin_title(draft) + '\n';
  for (const auto& cell : draft.cells) {
    const auto restored = restored_twin(cell);
    text += (restored.empty() ? "" : '\n' + restored) + '\n' + twin_cell(cell.label, cell.twin.text);
  }
  return text;
}

std::string restored_twin(const DraftCell& cell) {
  if (!cell.restored) return {};
  return fmt::format("# %% [restored] {}\n{}\n", cell.restored->why, fmt::join(cell.restored->python, "\n"));
}

std::string restored_port(const DraftCell& cell) {
  if (!cell.restored) return {};
  return fmt::format("{}  {}\n\n", restored_statement(cell.restored->why),
                     fmt::join(cell.restored->cpp, "\n  "));
}

bool is_to_be_ported(const DraftCell& cell) { return !cell.exception.starts_with(not_ported); }

std::string port_cell(const DraftCell& cell) {
  const bool is_ported = cell.why.empty() && !cell.cpp.empty();
  return port_cell(cell.label, is_ported ? "" : cell.twin.text, cell.why, cell.cpp);
}

bool lacks_layout(const golden::GoldenCell& run) {
  return run.missing && contains(*run.missing, "python3-ipython");  // as record_twin.py calls it
}

std::string proving_text(const Draft& draft) {
  auto proving = draft;
  proving.needs.insert("#include <torchbook/runtime/proof.h>");
  for (auto& cell : proving.cells) cell.cpp = cell.proved;
  return port_text(proving);
}

void match_axes(Draft& draft) {
  const auto names_axis = [](const DraftCell& cell) {
    return contains(cell.twin.text, "# axis ") || contains(cell.twin.text, "# words ");
  };
  if (std::none_of(draft.cells.begin(), draft.cells.end(), names_axis)) return;
  auto ported = notebook::parse_port(port_text(draft), draft.golden.slug);
  std::erase_if(ported, [](const auto& cell) { return cell.restored; });
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    auto& cell = draft.cells[i];
    std::vector<std::string> others;
    cell.twin.text = with_axes(cell.twin.text, ported.at(i).axes, cell.words, others);
    for (const auto& other : others) {
      draft.remarks.push_back(
          {i + 1, cell.label,
           "a plain comment in the twin, because the port does not name this axis: " + cited(other)});
    }
  }
  sort_remarks(draft);
}

void make_frame(Draft& draft) {
  draft.needs.clear();
  for (auto& cell : draft.cells) {
    if (!cell.cpp.empty() && cell.why.empty()) cell.why = "it is not proved yet";
    cell.cpp.clear();
  }
  match_axes(draft);
}

std::string port_head(const Draft& draft) {
  std::string proof, varying;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    const auto& cell = draft.cells[i];
    if (cell.is_owners || (!cell.varies.empty() && cell.why.empty()))
      varying += fmt::format("//   @{}: {}\n", i + 1, cell.is_owners ? "yours, not proved" : cell.varies);
  }
  if (!draft.proved.empty())
    proof = fmt::format(
        "// Proved with {}: each cell in C++ ended with the outputs and values of its Python, in one "
        "run{}.\n{}",
        visible(draft.proved),
        varying.empty()
            ? ""
            : ",\n// except for what varies between two runs of its Python, and for C++ that is yours",
        varying);
  return port_head(draft.golden.slug, draft.document, proof, draft.needs);
}

std::string port_text(const Draft& draft) {
  auto text = port_head(draft);
  for (const auto& cell : draft.cells) {
    text += port_notes(cell.notes) + restored_port(cell) + port_cell(cell);
  }
  text += port_notes(draft.last_notes);
  text.pop_back();  // drops the empty line after the last cell
  return text + "}\n";
}

std::string exceptions_text(const Draft& draft) {
  std::string text;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    const auto& exception = draft.cells[i].exception;
    if (!exception.empty()) text += fmt::format("@{} {}\n", i + 1, exception);
  }
  return text.empty() ? text : fmt::format("exceptions of {}\n\n{}", draft.golden.slug, text);
}

}  // namespace torchbook::importing
