// Matches old and new cells, and writes the files again with the hand-written parts.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <tools/import/old_notebook.h>
#include <tools/import/port_text.h>
#include <tools/import/source.h>
#include <tools/import/text.h>
#include <tools/import/update.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace torchbook::importing {
namespace {

/// Finds the old cell of each new one.
class Matcher {
 public:
  explicit Matcher(OldNotebook& old) : old_(old) {
    for (std::size_t i = 0; i < old_.units.size(); ++i) {
      by_python_[old_.units[i].twin].units.push_back(i);
      by_comment_[comment_of(old_.units[i])].units.push_back(i);
    }
  }

  /// Returns an unused old cell with the same Python, or nullptr. Prefers the one after the last
  /// match, then the first one.
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

  /// Returns the comments at the beginning of a cell's C++.
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
  std::size_t next_ = 0;  // after the old cell that was matched last
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

/// Whether a cell is as import left it to be written: below an `nb.not_ported`, each line but comments is in
/// one of two other texts or carries a value.
bool is_unwritten(std::string_view mine, std::string_view base, std::string_view theirs) {
  if (!mine.starts_with("nb.not_ported(") && !contains(mine, "\nnb.not_ported(")) return false;
  std::set<std::string_view> known;
  for (const auto source : {base, theirs}) {
    for (const auto line : notebook::lines_of(source)) known.insert(line);
  }
  bool is_reason = false;  // a reason may have several lines
  for (const auto line : notebook::lines_of(mine)) {
    is_reason = is_reason || line.starts_with("nb.not_ported(");
    const bool ours = line.empty() || is_reason || line.starts_with("//") || known.contains(line) ||
                      contains(line, "nb.carried");
    if (!ours) return false;
    is_reason = is_reason && !line.ends_with(");");
  }
  return true;
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
  Updater(const Draft& draft, const Draft& base, OldNotebook& old, std::string_view old_port)
      : draft_(draft), base_(base), old_(old), matcher_(old) {
    for (const auto line : notebook::lines_of(old_port)) old_lines_.insert(line);
  }

  Updated updated() {
    result_.port = old_.head;
    add_needs(result_.port, draft_.needs);
    result_.twin = old_.twin_head;
    for (std::size_t i = 0; i < draft_.cells.size(); ++i) {
      if (auto* const unit = matcher_.match(draft_.cells[i])) {
        keep(*unit, i);
      } else {
        add(i);
      }
    }
    list_new_notes(draft_.last_notes, "after the last cell");
    list_removed();
    if (old_.tail.starts_with('}') && result_.port.ends_with("\n\n")) result_.port.pop_back();
    result_.port += old_.tail;
    result_.twin += old_.twin_tail;
    while (result_.twin.ends_with("\n\n")) result_.twin.pop_back();
    add_exceptions();
    return std::move(result_);
  }

 private:
  /// Returns the C++ that import would write now for an old cell.
  std::string base_of(const Unit& old) const {
    return source_of(base_.cells.at(static_cast<std::size_t>(&old - old_.units.data())));
  }

  void keep(Unit& unit, std::size_t i) {
    const auto& cell = draft_.cells[i];
    const auto place = fmt::format("@{} In [{}]", i + 1, cell.label);
    ++result_.kept;
    const bool restores = cell.restored && !contains(unit.above, "nb.restored(");
    if (cell.restored) {
      result_.changes.push_back(place + (restores ? ": the state above it is restored"
                                                  : ": a state above it was restored before, and is kept"));
    }
    add_above(unit.above + (restores ? restored_port(cell) : ""));
    result_.port += "  nb.cell(\"" + cell.label + "\");" + merged(unit, cell, i + 1, place);
    result_.twin += unit.twin_above + (restores ? restored_twin(cell) + '\n' : "") +
                    twin_cell(cell.label, unit.twin) + "\n";
    for (const auto& [above, rest] : unit.exceptions)
      exceptions_ += fmt::format("{}@{}{}\n", above, i + 1, rest);
    list_new_notes(cell.notes, "above " + place);
    if (unit.exceptions.empty()) add_exception(cell, i + 1);
  }

  /// Returns the C++ of a cell whose Python has not changed.
  std::string merged(Unit& mine, const DraftCell& cell, std::size_t position, const std::string& place) {
    const auto base = base_of(mine), theirs = source_of(cell);
    if (mine.source == theirs) return mine.body;
    if (mine.source != base && !is_unwritten(mine.source, base, theirs)) {
      if (base != theirs && !contains(theirs, "nb.not_ported("))
        result_.changes.push_back(place + " keeps your C++, although import would now write other C++");
      result_.written.insert(position);
      return mine.body;
    }
    const bool now = cell.why.empty();
    const bool before = !contains(mine.source, "nb.not_ported(");
    const auto line = line_that_differs(mine.source, theirs);
    const bool of_torchbook =
        !before && !contains(base, "nb.not_ported(");  // the old notebook would be translated now, too
    const auto why =
        of_torchbook ? "this torchbook translates differently" : "other cells or their data have changed";
    const auto now_text = before ? fmt::format("is translated anew, because {}: {}", why, line)
                                 : fmt::format("is translated now, because {}", why);
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
    if (!result_.port.ends_with("\n\n") && !result_.port.ends_with("{\n")) result_.port += '\n';
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
      const auto base = base_of(unit);
      const bool own = unit.source != base && !is_unwritten(unit.source, base, base);
      result_.loses_code = result_.loses_code || own;
      result_.changes.push_back(fmt::format("In [{}], which was @{}, is removed{}", unit.label, i + 1,
                                            own ? "; your C++ of it is in the .cpp.orig" : ""));
      for (const auto& [above, rest] : unit.exceptions)
        result_.changes.push_back(fmt::format("its exception is removed: @{}{}", i + 1, rest));
    }
  }

  void add_exceptions() {
    auto head = old_.exceptions_head;
    if (head.empty() && !exceptions_.empty()) head = fmt::format("exceptions of {}\n\n", draft_.golden.slug);
    result_.exceptions = head + exceptions_ + old_.exceptions_tail;
  }

  const Draft& draft_;
  const Draft& base_;  // the old cells, translated now
  OldNotebook& old_;
  Matcher matcher_;
  std::set<std::string_view> old_lines_{};  // of the old port
  Updated result_{};
  std::string exceptions_{};
};

}  // namespace

Draft old_draft(const OldFiles& files, std::string_view slug) {
  Draft draft;
  draft.golden.slug = slug;
  for (auto& unit : read_old(files, slug).units)
    draft.cells.push_back(
        {.label = unit.label, .notes = {}, .twin = {.text = unit.twin}, .exception = {}, .why = {}});
  return draft;
}

Updated update(const Draft& draft, const Draft& base, const OldFiles& files) {
  auto old = read_old(files, draft.golden.slug);
  const auto port = notebook::with_newlines(files.port);
  return Updater(draft, base, old, port).updated();
}

}  // namespace torchbook::importing
