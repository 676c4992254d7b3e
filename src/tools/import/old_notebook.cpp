// Splits the files at the cells that the build finds, and keeps every byte between them.
#include <fmt/format.h>
#include <tools/import/old_notebook.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/table.h>
#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <stdexcept>

namespace torchbook::importing {
namespace {

using notebook::in_file;
using notebook::PortCell;
using notebook::TwinCell;

std::size_t line_begin(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at;
}

void cut_port(const std::string& text, std::string_view slug, const std::vector<PortCell>& cells,
              OldNotebook& old) {
  const auto function = text.find(fmt::format("\nvoid {}(", slug));
  std::size_t done =
      function < cells[0].begin ? text.find('\n', function + 1) + 1 : line_begin(text, cells[0].begin);
  old.head = text.substr(0, done);
  for (const auto& cell : cells) {
    if (cell.restored) continue;
    const auto begin = line_begin(text, cell.begin);
    const auto end = line_begin(text, cell.end);
    old.units.push_back({.label = cell.label,
                         .above = text.substr(done, begin - done),
                         .body = text.substr(cell.body, end - cell.body),
                         .source = cell.source});
    done = end;
  }
  old.tail = text.substr(done);
}

/// Returns the offset of each line, followed by the size of the text.
std::vector<std::size_t> line_offsets(std::string_view text) {
  std::vector<std::size_t> offsets = {0};
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1))
    offsets.push_back(end + 1);
  offsets.push_back(text.size());
  return offsets;
}

void cut_twin(const std::string& text, const std::vector<TwinCell>& cells, OldNotebook& old) {
  const auto offsets = line_offsets(text);
  const auto heading = [&](const TwinCell& cell) { return offsets[cell.line - 2]; };
  std::size_t done = heading(cells[0]), unit = 0;
  old.twin_head = text.substr(0, done);
  for (const auto& cell : cells) {
    if (cell.restored) continue;
    auto& one = old.units.at(unit++);
    one.twin_above = text.substr(done, heading(cell) - done);
    one.twin = cell.source;
    done = offsets[cell.line - 1] + cell.source.size();
    while (done < text.size() && text[done] == '\n') ++done;
  }
  old.twin_tail = text.substr(done);
}

/// Assigns each line `@3 …` to its unit. Comments stay with the line below them.
void cut_exceptions(std::string_view text, OldNotebook& old) {
  std::string pending;
  bool is_head = true;  // the title, and empty lines below it
  for (const auto line : notebook::lines_of(text)) {
    pending.append(line).push_back('\n');
    is_head = is_head && (old.exceptions_head.empty() || line.empty());
    if (is_head) {
      old.exceptions_head += std::exchange(pending, {});
    } else if (line.starts_with('@')) {
      const auto number = line.substr(1, line.find_first_of(" \t") - 1);
      const auto position = notebook::parse_integer<std::size_t>(number);
      const auto above = std::exchange(pending, {});
      if (!position || *position == 0 || *position > old.units.size()) {
        old.exceptions_tail += above;
        continue;
      }
      old.units[*position - 1].exceptions.emplace_back(above.substr(0, above.size() - line.size() - 1),
                                                       line.substr(1 + number.size()));
    }
  }
  old.exceptions_tail += pending;
}

}  // namespace

OldNotebook read_old(const OldFiles& files, std::string_view slug) {
  const auto port = notebook::with_newlines(files.port), twin = notebook::with_newlines(files.twin),
             exceptions = notebook::with_newlines(files.exceptions);
  const auto port_cells = in_file(files.port_name, [&] { return notebook::parse_port(port, slug); });
  const auto twin_cells = in_file(files.twin_name, [&] { return notebook::parse_twin(twin); });
  in_file(files.twin_name, [&] { return notebook::table_of(port_cells, twin_cells, files.port_name); });
  OldNotebook old;
  if (port_cells.empty() || twin_cells.empty()) {
    throw std::runtime_error(fmt::format(
        "{}: it has no cell, so there is nothing to keep; move it away and import without --update",
        port_cells.empty() ? files.port_name : files.twin_name));
  }
  cut_port(port, slug, port_cells, old);
  cut_twin(twin, twin_cells, old);
  cut_exceptions(exceptions, old);
  return old;
}

}  // namespace torchbook::importing
