// Matches old and new cells, and writes the files again with the hand-written parts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/old_notebook.h>
#include <tools/import/port_text.h>
#include <tools/import/source.h>
#include <tools/import/text.h>
#include <tools/import/update.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace torchbook::importing {
namespace {

/// Returns the comments at the beginning of C++, without their indent.
std::string comments_of(std::string_view source) {
  std::string text;
  for (const auto line : notebook::lines_of(source)) {
    if (!without_indent(line).starts_with("//")) break;
    text.append(without_indent(line)).push_back('\n');
  }
  return text;
}

/// Finds the old cell of each new one.
class Matcher {
 public:
  explicit Matcher(std::vector<Unit>& units) : units_(units) {}

  /// Returns an unused old cell with the same Python, or nullptr. Prefers the one after the last
  /// match, then the first one. C++ that a person wrote may have that Python in comments.
  Unit* match(const DraftCell& cell) {
    const auto comments = comments_of(python_comment(cell.twin.text));
    const auto has_python = [&](const Unit& unit) { return !unit.used && unit.twin == cell.twin.text; };
    const auto has_comments = [&](const Unit& unit) {
      return !unit.used && unit.is_owners && !comments.empty() && comments_of(unit.source) == comments;
    };
    auto found = units_.begin() + next_;
    if (found == units_.end() || !(has_python(*found) || has_comments(*found)))
      found = std::find_if(units_.begin(), units_.end(), has_python);
    if (found == units_.end()) found = std::find_if(units_.begin(), units_.end(), has_comments);
    if (found == units_.end()) return nullptr;
    found->used = true;
    next_ = found - units_.begin() + 1;
    return &*found;
  }

 private:
  std::vector<Unit>& units_;
  std::ptrdiff_t next_ = 0;  // after the old cell that was matched last
};

/// Returns the text after a cell's `nb.cell(…);` in the port that import writes.
std::string body_of(const DraftCell& cell) {
  const auto text = port_cell(cell);
  return text.substr(text.find('\n'));
}

/// Returns the C++ of a cell that import writes, in the form of Unit::source.
std::string source_of(const DraftCell& cell) {
  constexpr std::string_view indent = "  ";
  std::string source;
  const auto body = body_of(cell);
  for (auto line : notebook::lines_of(body)) {
    if (line.starts_with(indent)) line.remove_prefix(indent.size());
    source.append(line).push_back('\n');
  }
  return std::string(stripped(source));
}

/// Whether a cell has only comments and nb.not_ported().
bool is_frame(std::string_view source) {
  bool is_reason = false;  // a reason may have several lines
  for (const auto line : notebook::lines_of(source)) {
    is_reason = is_reason || line.starts_with("nb.not_ported(");
    if (!is_reason && !line.empty() && !line.starts_with("//")) return false;
    is_reason = is_reason && !line.ends_with(");");
  }
  return true;
}

/// Hashes of the parts that import writes: comments and code above the first cell, the text above each cell,
/// its C++ and exception, and the text after the last cell.
using Marks = std::set<std::string>;

std::string mark_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : stripped(text)) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08x}", hash);
}

/// Splits the text above the first cell after the comments with which it begins.
std::pair<std::string_view, std::string_view> cut_head(std::string_view head) {
  std::size_t end = 0;
  while (head.substr(end).starts_with("//")) end = std::min(head.find('\n', end), head.size() - 1) + 1;
  return {head.substr(0, end), head.substr(end)};
}

/// Returns the text after the last cell.
std::string tail_of(const Draft& draft) {
  auto text = port_notes(draft.last_notes);
  if (!text.empty()) text.pop_back();
  return text + "}\n";
}

Marks marks_of(const Draft& draft) {
  const auto text = port_head(draft);
  const auto [comments, code] = cut_head(text);
  Marks marks = {mark_of(comments), mark_of(code), mark_of(tail_of(draft))};
  std::size_t position = 0;
  for (const auto& cell : draft.cells) {
    ++position;
    for (const auto& part : {port_notes(cell.notes), source_of(cell)}) {
      if (!part.empty()) marks.insert(mark_of(part));
    }
    if (!cell.exception.empty()) marks.insert(mark_of(fmt::format("@{} {}", position, cell.exception)));
  }
  return marks;
}

constexpr std::string_view begin_of_marks = " Hashes of what import wrote:";

/// Returns the first line of a twin: the cells, and the marks.
std::string first_line(const Draft& draft) {
  return fmt::format("{}{} {}\n", twin_title(draft), begin_of_marks, fmt::join(marks_of(draft), " "));
}

/// Returns the marks in the first line of a twin; none if torchbook 1.0 or a person wrote it.
std::string read_marks(std::string_view twin) {
  twin = twin.substr(0, twin.find('\n'));
  return std::string(twin.substr(std::min(twin.rfind(begin_of_marks), twin.size())));
}

/// Returns the first line of a cell's C++ that has changed: `const Tensor y = x; is now Tensor y = x;`.
std::string line_that_differs(std::string_view before, std::string_view now) {
  const auto old_lines = notebook::lines_of(before), new_lines = notebook::lines_of(now);
  std::size_t i = 0;
  while (i < std::min(old_lines.size(), new_lines.size()) && old_lines[i] == new_lines[i]) ++i;
  const auto line = [i](const auto& lines) { return i < lines.size() ? stripped(lines[i]) : "nothing"; };
  return fmt::format("{} is now {}", line(old_lines), line(new_lines));
}

/// Adds lines to the text above a port's first cell, each below the last one of its kind.
void add_needs(std::string& head, const std::set<std::string>& needs) {
  for (const auto& need : needs) {
    if (head.starts_with(need + '\n') || contains(head, '\n' + need + '\n')) continue;
    const auto kind = need.substr(0, need.find(' ') + 1);  // `#include `
    std::size_t place = 0, includes = 0, end = 0;
    for (const auto line : notebook::lines_of(head)) {
      end += line.size() + 1;
      if (line.starts_with(kind)) place = end;
      if (line.starts_with("#include ")) includes = end;
    }
    head.insert(place == 0 ? includes : place, (place == 0 ? "\n" : "") + need + '\n');
  }
}

/// Writes one notebook.
class Updater {
 public:
  Updater(const Draft& draft, OldNotebook& old, std::string_view old_port)
      : draft_(draft), old_(old), marks_(read_marks(old.twin_head)) {
    for (const auto line : notebook::lines_of(old_port)) old_lines_.insert(line);
    for (auto& unit : old_.units)
      unit.is_owners = !is_imports(unit.source) && (!marks_.empty() || !is_frame(unit.source));
  }

  Updated updated() {
    Matcher matcher(old_.units);
    for (std::size_t i = 0; i < draft_.cells.size(); ++i) {
      if (auto* const unit = matcher.match(draft_.cells[i])) {
        keep(*unit, i);
      } else {
        add(i);
      }
    }
    list_removed();
    add_tail();
    result_.port.insert(0, head());
    const bool has_title = old_.twin_head.starts_with("# Twin of ");
    if (has_title) old_.twin_head.replace(0, old_.twin_head.find('\n') + 1, first_line(with_owners()));
    result_.twin = old_.twin_head + result_.twin + old_.twin_tail;
    while (result_.twin.ends_with("\n\n")) result_.twin.pop_back();
    add_exceptions();
    return std::move(result_);
  }

 private:
  /// Whether import wrote a part of the old files.
  bool is_imports(std::string_view part) const {
    part = stripped(part);
    return part.empty() || contains(marks_, mark_of(part));
  }

  /// Returns the draft, in which cells that keep the owner's C++ are marked.
  Draft with_owners() const {
    auto draft = draft_;
    for (const auto position : result_.written) draft.cells.at(position - 1).is_owners = true;
    return draft;
  }

  /// Returns the text above the first cell. It keeps what C++ of the owner may need.
  std::string head() const {
    const auto [comments, code] = cut_head(old_.head);
    auto draft = with_owners();
    for (const auto line : notebook::lines_of(code)) {
      const bool is_need =
          line.starts_with("#include ") || line.starts_with("using ") || line.starts_with("namespace ");
      if (is_need && !result_.written.empty()) draft.needs.emplace(line);
    }
    const auto text = port_head(draft);
    const auto [new_comments, new_code] = cut_head(text);
    std::string now(is_imports(code) ? new_code : code);
    if (!is_imports(code)) add_needs(now, draft_.needs);
    return std::string(is_imports(comments) ? new_comments : comments) + now;
  }

  void add_tail() {
    if (is_imports(old_.tail)) {
      old_.tail = tail_of(draft_);
    } else {
      list_new_notes(draft_.last_notes, "after the last cell");
    }
    if (!old_.tail.starts_with('}')) return add_above(old_.tail);
    if (result_.port.ends_with("\n\n")) result_.port.pop_back();
    result_.port += old_.tail;
  }

  void keep(Unit& unit, std::size_t i) {
    const auto& cell = draft_.cells[i];
    const auto place = fmt::format("@{} In [{}]", i + 1, cell.label);
    ++result_.kept;
    unit.is_owners = unit.is_owners && unit.source != source_of(cell);
    if (!unit.is_owners) {
      const auto before = &unit - old_.units.data() + 1;
      std::erase_if(unit.exceptions, [&](const auto& exception) {
        return is_imports(fmt::format("@{}{}", before, exception.second));
      });
    }
    const bool restores = cell.restored && !contains(unit.above, "nb.restored(");
    if (cell.restored) {
      result_.changes.push_back(place + (restores ? ": the state above it is restored"
                                                  : ": a state above it was restored before, and is kept"));
    }
    if (is_imports(unit.above)) {
      unit.above = port_notes(cell.notes);
    } else {
      list_new_notes(cell.notes, "above " + place);
    }
    add_above(unit.above + (restores ? restored_port(cell) : ""));
    result_.port += "  nb.cell(\"" + cell.label + "\");" + merged(unit, cell, i + 1, place);
    result_.twin += unit.twin_above + (restores ? restored_twin(cell) + '\n' : "") +
                    twin_cell(cell.label, unit.twin) + "\n";
    for (const auto& [above, rest] : unit.exceptions)
      exceptions_ += fmt::format("{}@{}{}\n", above, i + 1, rest);
    if (unit.exceptions.empty() && !unit.is_owners) add_exception(cell, i + 1);
  }

  /// Returns the C++ of a cell whose Python has not changed.
  std::string merged(Unit& mine, const DraftCell& cell, std::size_t position, const std::string& place) {
    const auto theirs = source_of(cell);
    if (mine.source == theirs) return mine.body;
    if (mine.is_owners) {
      if (!contains(theirs, "nb.not_ported(") && !is_imports(theirs))
        result_.changes.push_back(place + " keeps your C++, although import would now write other C++");
      result_.written.insert(position);
      return mine.body;
    }
    const bool now = cell.why.empty();
    const bool before = !contains(mine.source, "nb.not_ported(");
    const auto line = line_that_differs(mine.source, theirs);
    const auto now_text = before ? "is translated anew: " + line : "is translated now";
    const auto not_text = fmt::format("is {} translated: {}", before ? "no longer" : "still not",
                                      contains(line, "nb.carried") ? line : cell.why);
    result_.changes.push_back(fmt::format("{} {}", place, now ? now_text : not_text));
    if (now && !before) {
      std::erase_if(mine.exceptions, [&](const auto& exception) {
        const bool untrue = exception.second.starts_with(" not ported");
        if (untrue) result_.changes.push_back(fmt::format("its exception is removed:{}", exception.second));
        return untrue;
      });
    }
    return body_of(cell);
  }

  void add_above(const std::string& text) {
    if (!result_.port.empty() && !result_.port.ends_with("\n\n")) result_.port += '\n';
    result_.port += text;
  }

  void add(std::size_t i) {
    const auto& cell = draft_.cells[i];
    ++result_.added;
    result_.changes.push_back(fmt::format("@{} In [{}] is new{}", i + 1, cell.label,
                                          cell.why.empty() && !cell.cpp.empty() ? " and translated" : ""));
    add_above(port_notes(cell.notes) + restored_port(cell) + port_cell(cell));
    if (cell.restored) result_.twin += restored_twin(cell) + '\n';
    result_.twin += twin_cell(cell.label, cell.twin.text) + "\n";
    add_exception(cell, i + 1);
  }

  void add_exception(const DraftCell& cell, std::size_t position) {
    if (!cell.exception.empty()) exceptions_ += fmt::format("@{} {}\n", position, cell.exception);
  }

  /// Lists new notes that the old port lacks. They are not inserted, because the cell below them
  /// keeps its old notes.
  void list_new_notes(const std::vector<std::string>& notes, const std::string& place) {
    for (const auto& note : notes) {
      const auto text = port_notes({note});
      const auto lines = notebook::lines_of(text);
      const bool known =
          std::all_of(lines.begin(), lines.end(), [&](auto line) { return old_lines_.contains(line); });
      if (!known)
        result_.changes.push_back(fmt::format("{}: a text is new, and is left out: {}", place, cited(note)));
    }
  }

  void list_removed() {
    for (std::size_t i = 0; i < old_.units.size(); ++i) {
      const auto& unit = old_.units[i];
      if (unit.used) continue;
      ++result_.removed;
      const bool loses_code = unit.is_owners || !is_imports(unit.above);
      result_.loses_code = result_.loses_code || loses_code;
      result_.changes.push_back(fmt::format("In [{}], which was @{}, is removed{}", unit.label, i + 1,
                                            loses_code ? "; what you wrote of it is in the .cpp.orig" : ""));
      for (const auto& [above, rest] : unit.exceptions)
        result_.changes.push_back(fmt::format("its exception is removed: @{}{}", i + 1, rest));
    }
  }

  void add_exceptions() {
    const auto title = fmt::format("exceptions of {}\n\n", draft_.golden.slug);
    exceptions_ += old_.exceptions_tail;
    if (exceptions_.empty() && old_.exceptions_head == title) return;  // the file is needless
    result_.exceptions =
        (old_.exceptions_head.empty() && !exceptions_.empty() ? title : old_.exceptions_head) + exceptions_;
  }

  const Draft& draft_;
  OldNotebook& old_;
  std::string marks_;                       // of the old files
  std::set<std::string_view> old_lines_{};  // of the old port
  Updated result_{};
  std::string exceptions_{};
};

}  // namespace

std::string marked_twin(const Draft& draft) {
  const auto text = twin_text(draft);
  return first_line(draft) + text.substr(text.find('\n') + 1);
}

Updated update(const Draft& draft, const OldFiles& files) {
  auto old = read_old(files, draft.golden.slug);
  const auto port = notebook::with_newlines(files.port);
  return Updater(draft, old, port).updated();
}

}  // namespace torchbook::importing
