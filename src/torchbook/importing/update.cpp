// Cuts port and twin into units: a cell, with the restored states and notes above it.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <torchbook/importing/port_text.h>
#include <torchbook/importing/update.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/table.h>
#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/whole_number.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

namespace torchbook::importing {
namespace {

using notebook::in_file;
using notebook::PortCell;
using notebook::TwinCell;

/// A cell of the old notebook and what belongs to it.
struct Unit {
  std::string label{};
  std::string above{};   ///< C++ above the cell: notes and restored states
  std::string body{};    ///< C++ behind its `nb.cell`
  std::string source{};  ///< the same, as the table of the cells has it
  std::string twin_above{};
  std::string twin{};  ///< its Python
  /// Its lines of the file of exceptions: the comments above each, and what follows its position.
  std::vector<std::pair<std::string, std::string>> exceptions{};
  bool used = false;
};

/// The old port and twin.
struct OldNotebook {
  std::string head{}, tail{};  ///< of the port
  std::string twin_head{}, twin_tail{};
  std::string exceptions_head{}, exceptions_tail{};
  std::vector<Unit> units{};
};

std::size_t line_begin(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at;
}

void cut_port(const std::string& text, const std::vector<PortCell>& cells, OldNotebook& old) {
  std::size_t done = line_begin(text, cells[0].begin);
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

/// Returns the offset of each line of a text, and its size behind them.
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

/// Gives each line `@3 …` to its unit. Comments stay with the line below them.
void cut_exceptions(std::string_view text, OldNotebook& old) {
  std::string pending;
  bool is_head = true;  // the title, and empty lines below it
  for (const auto line : notebook::lines_of(text)) {
    pending.append(line).push_back('\n');
    is_head = is_head && (old.exceptions_head.empty() || line.empty());
    if (is_head) {
      old.exceptions_head += std::exchange(pending, {});
    } else if (line.starts_with('@')) {
      const auto number = line.substr(1, line.find(' ') - 1);
      const auto position = notebook::whole_number<std::size_t>(number);
      const auto above = std::exchange(pending, {});
      if (!position || *position == 0 || *position > old.units.size()) continue;
      old.units[*position - 1].exceptions.emplace_back(above.substr(0, above.size() - line.size() - 1),
                                                       line.substr(1 + number.size()));
    }
  }
  old.exceptions_tail = pending;
}

OldNotebook read_old(const OldFiles& files, std::string_view slug) {
  const auto port = notebook::with_newlines(files.port), twin = notebook::with_newlines(files.twin);
  const auto port_cells = in_file(files.port_name, [&] { return notebook::parse_port(port, slug); });
  const auto twin_cells = in_file(files.twin_name, [&] { return notebook::parse_twin(twin); });
  in_file(files.twin_name, [&] { return notebook::table_of(port_cells, twin_cells, files.port_name); });
  OldNotebook old;
  if (port_cells.empty() || twin_cells.empty()) {
    throw std::runtime_error(
        fmt::format("{}: it has no cell; without --update's old port, import anew elsewhere",
                    port_cells.empty() ? files.port_name : files.twin_name));
  }
  cut_port(port, port_cells, old);
  cut_twin(twin, twin_cells, old);
  cut_exceptions(files.exceptions, old);
  return old;
}

/// Finds the old cell of each new one.
class Matcher {
 public:
  explicit Matcher(OldNotebook& old) : old_(old) {
    for (std::size_t i = 0; i < old_.units.size(); ++i) {
      by_python_[old_.units[i].twin].units.push_back(i);
      by_comment_[comment_of(old_.units[i])].units.push_back(i);
    }
  }

  /// Returns the old cell with the same Python that comes next in the old notebook, or else the first one.
  Unit* match(const DraftCell& cell) {
    if (next_ < old_.units.size() && fits(old_.units[next_], cell)) return use(next_);
    if (const auto unit = first_unused(by_python_, cell.twin.text)) return use(*unit);
    const auto comment = stripped_comment(python_comment(cell.twin.text));
    if (comment.empty()) return nullptr;
    const auto unit = first_unused(by_comment_, comment);
    return unit ? use(*unit) : nullptr;
  }

 private:
  /// Old cells with the same text, in their order.
  struct Queue {
    std::vector<std::size_t> units{};
    std::size_t next = 0;
  };
  using Index = std::map<std::string, Queue, std::less<>>;

  static std::string stripped_comment(std::string_view comment) {
    std::string text;
    for (const auto line : notebook::lines_of(comment)) text.append(without_indent(line)).push_back('\n');
    return text;
  }

  /// Returns the comments with which the C++ of a cell begins.
  static std::string comment_of(const Unit& unit) {
    std::string text;
    for (const auto line : notebook::lines_of(unit.source)) {
      if (!line.starts_with("//")) break;
      text.append(line).push_back('\n');
    }
    return text;
  }

  static bool fits(const Unit& unit, const DraftCell& cell) {
    if (unit.used) return false;
    const auto comment = stripped_comment(python_comment(cell.twin.text));
    return unit.twin == cell.twin.text || (!comment.empty() && comment_of(unit) == comment);
  }

  std::optional<std::size_t> first_unused(Index& index, const std::string& key) {
    const auto found = index.find(key);
    if (found == index.end()) return std::nullopt;
    auto& [units, next] = found->second;
    while (next < units.size() && old_.units[units[next]].used) ++next;
    return next < units.size() ? std::optional(units[next]) : std::nullopt;
  }

  Unit* use(std::size_t unit) {
    old_.units[unit].used = true;
    next_ = unit + 1;
    return &old_.units[unit];
  }

  OldNotebook& old_;
  Index by_python_{}, by_comment_{};
  std::size_t next_ = 0;  // behind the old cell that was matched last
};

/// Writes one notebook.
class Updater {
 public:
  Updater(const Draft& draft, OldNotebook& old, std::string_view old_port)
      : draft_(draft), old_(old), matcher_(old) {
    for (const auto line : notebook::lines_of(old_port)) old_lines_.insert(line);
  }

  Updated updated() {
    result_.port = old_.head;
    result_.twin = old_.twin_head;
    for (std::size_t i = 0; i < draft_.cells.size(); ++i) add(draft_.cells[i], i + 1);
    list_new_notes(draft_.last_notes, "behind the last cell");
    list_removed();
    if (old_.tail.starts_with('}') && result_.port.ends_with("\n\n")) result_.port.pop_back();
    result_.port += old_.tail;
    result_.twin += old_.twin_tail;
    while (result_.twin.ends_with("\n\n")) result_.twin.pop_back();
    add_exceptions();
    return std::move(result_);
  }

 private:
  void add(const DraftCell& cell, std::size_t position) {
    const Unit* unit = matcher_.match(cell);
    if (unit != nullptr) {
      ++result_.kept;
      result_.port += unit->above + "  nb.cell(\"" + cell.label + "\");" + unit->body;
      result_.twin += unit->twin_above + twin_cell(cell.label, unit->twin) + "\n";
      for (const auto& [above, rest] : unit->exceptions)
        exceptions_ += fmt::format("{}@{}{}\n", above, position, rest);
      list_new_notes(cell.notes, fmt::format("above @{} In [{}]", position, cell.label));
    } else {
      ++result_.added;
      result_.changes.push_back(fmt::format("@{} In [{}] is new", position, cell.label));
      result_.port += port_notes(cell.notes) + port_cell(cell.label, cell.twin.text, cell.why);
      result_.twin += twin_cell(cell.label, cell.twin.text) + "\n";
    }
    const bool known = unit != nullptr && !unit->exceptions.empty();
    if (!known && !cell.exception.empty()) exceptions_ += fmt::format("@{} {}\n", position, cell.exception);
  }

  /// Lists notes of the notebook that the old port lacks, because the cell below them keeps its own.
  void list_new_notes(const std::vector<std::string>& notes, const std::string& place) {
    for (const auto& note : notes) {
      const auto text = port_notes({note});
      const auto lines = notebook::lines_of(text);
      const bool known =
          std::all_of(lines.begin(), lines.end(), [&](auto line) { return old_lines_.contains(line); });
      if (!known) result_.changes.push_back(fmt::format("{}: a text is new, and not taken: {}", place, note));
    }
  }

  void list_removed() {
    for (std::size_t i = 0; i < old_.units.size(); ++i) {
      const auto& unit = old_.units[i];
      if (unit.used) continue;
      ++result_.removed;
      result_.changes.push_back(fmt::format("In [{}], which was @{}, is removed", unit.label, i + 1));
      for (const auto& [above, rest] : unit.exceptions)
        result_.changes.push_back(fmt::format("its exception is removed: @{}{}", i + 1, rest));
      result_.loses_code = result_.loses_code || !contains(unit.source, "not_ported(");
    }
  }

  void add_exceptions() {
    auto head = old_.exceptions_head;
    if (head.empty() && !exceptions_.empty()) head = fmt::format("exceptions of {}\n\n", draft_.golden.slug);
    result_.exceptions = head + exceptions_ + old_.exceptions_tail;
  }

  const Draft& draft_;
  OldNotebook& old_;
  Matcher matcher_;
  std::set<std::string_view> old_lines_{};  // of the old port
  Updated result_{};
  std::string exceptions_{};
};

}  // namespace

Updated update(const Draft& draft, const OldFiles& files) {
  auto old = read_old(files, draft.golden.slug);
  const auto port = notebook::with_newlines(files.port);
  return Updater(draft, old, port).updated();
}

}  // namespace torchbook::importing
