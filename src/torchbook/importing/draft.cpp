// Puts together what stands in the files of a notebook.
#include <fmt/format.h>
#include <torchbook/importing/draft.h>
#include <torchbook/importing/ipynb.h>
#include <torchbook/importing/notes.h>
#include <torchbook/importing/port_text.h>
#include <torchbook/importing/printed.h>
#include <torchbook/importing/visible.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace torchbook::importing {
namespace {

constexpr std::string_view not_ported = "not ported: ";

/// Whether a cell's Python has anything but comments and empty lines.
bool has_code(std::string_view python) {
  const auto lines = notebook::lines_of(python);
  return std::any_of(lines.begin(), lines.end(), [](auto line) {
    line = without_indent(line);
    return !line.empty() && line[0] != '#';
  });
}

/// Whether an output has the address of an object, as Python prints objects that say nothing of themselves.
bool prints_address(const golden::GoldenCell& cell) {
  constexpr std::string_view address = " at 0x";
  return contains(cell.out, address) || (cell.result && contains(*cell.result, address));
}

/// Whether Jupyter stored that Python could not read the cell.
bool raised_syntax_error(const SourceCell& cell) {
  const auto& exception = cell.exception;
  return exception.ends_with("it raised SyntaxError") || exception.ends_with("it raised IndentationError") ||
         exception.ends_with("it raised TabError");
}

std::string why_not_ported(const std::string& exception) {
  if (exception.starts_with(not_ported)) return exception.substr(not_ported.size());
  return exception.starts_with("picture") ? "it shows a picture" : "it is not written yet";
}

/// Reads the items of a notebook in their order.
class Drafter {
 public:
  Drafter(const SourceNotebook& notebook, Draft& draft) : draft_(draft) { draft_.remarks = notebook.remarks; }

  void take(const SourceText& text) {
    auto notes = notes_of(text.markdown);
    draft_.notes += notes.paragraphs.size();
    std::move(notes.paragraphs.begin(), notes.paragraphs.end(), std::back_inserter(draft_.last_notes));
    for (auto& what : notes.left_out) draft_.remarks.push_back({draft_.cells.size(), {}, std::move(what)});
  }

  void take(const SourceCell& source) {
    DraftCell cell{.label = source.shown.label,
                   .notes = std::exchange(draft_.last_notes, {}),
                   .twin = raised_syntax_error(source) ? as_comments(source.python, "Python cannot read it")
                                                       : twin_source(source.python),
                   .exception = source.exception,
                   .why = {}};
    cell.raised_line = source.raised_line;
    draft_.cells.push_back(std::move(cell));
    draft_.golden.cells.push_back(source.shown);
    remark_commands(source, draft_.cells.back());
    draft_.cells.back().why = why_not_ported(draft_.cells.back().exception);
  }

 private:
  void remark(const SourceCell& cell, std::string what) {
    draft_.remarks.push_back({cell.shown.position, cell.shown.label, std::move(what)});
  }

  /// Lists what only Jupyter knows, and makes an exception of a cell whose output comes from that.
  void remark_commands(const SourceCell& source, DraftCell& cell) {
    const auto& twin = cell.twin;
    if (!twin.why_all.empty()) remark(source, fmt::format("a comment in the twin: {}", twin.why_all));
    for (const auto& command : twin.commented) {
      remark(source, fmt::format("a comment in the twin, because only Jupyter runs it: {}", cited(command)));
    }
    if (!cell.exception.empty() || !source.shown.has_output()) return;
    if (!twin.why_all.empty()) {
      cell.exception = fmt::format("{}{}", not_ported, twin.why_all);
    } else if (!twin.commented.empty() && !has_code(twin.text)) {
      cell.exception = fmt::format("{}only Jupyter runs {}", not_ported, cited(twin.commented[0]));
    } else if (prints_address(source.shown)) {
      cell.exception = "differs: it shows an address";
    } else if (contains(source.shown.out, "Wall time: ") && !twin.commented.empty()) {
      cell.exception = fmt::format("differs: {} prints how long it took", cited(twin.commented[0]));
    }
  }

  Draft& draft_;
};

}  // namespace

Draft draft_of(const SourceNotebook& notebook, std::string_view slug, std::string_view file) {
  if (notebook.cells == 0) throw ImportError(0, "it has no cell of code, so there is nothing to port");
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
  std::stable_sort(draft.remarks.begin(), draft.remarks.end(),
                   [](const Remark& a, const Remark& b) { return a.position < b.position; });
  return draft;
}

Draft read_notebook(std::string_view text, std::string_view slug, std::string_view file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const bool json = file.ends_with(".ipynb") || without_indent(text).starts_with('{');
  return draft_of(json ? read_ipynb(text) : read_printed(text), slug, file);
}

std::string twin_text(const Draft& draft) {
  auto text = fmt::format("# Twin of {}.cpp: the {} cells of {}.\n", draft.golden.slug, draft.cells.size(),
                          draft.document);
  for (const auto& cell : draft.cells) {
    text += '\n' + twin_cell(cell.label, cell.twin.text);
  }
  return text;
}

bool is_to_be_ported(const DraftCell& cell) {
  return !cell.exception.starts_with(not_ported) && !cell.exception.starts_with("picture");
}

std::string port_text(const Draft& draft) {
  auto text = port_head(draft.golden.slug, draft.document, draft.needs);
  for (const auto& cell : draft.cells) {
    text += port_notes(cell.notes);
    text += cell.why.empty() ? written_cell(cell.label, cell.cpp) : port_cell(cell.label, cell.twin.text, cell.why, cell.cpp);
  }
  text += port_notes(draft.last_notes);
  text.pop_back();  // the empty line behind the last cell
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
