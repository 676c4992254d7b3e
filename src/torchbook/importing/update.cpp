// Finds for each cell what a person has written for it, and writes the files anew.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <torchbook/importing/old_notebook.h>
#include <torchbook/importing/port_text.h>
#include <torchbook/importing/update.h>
#include <torchbook/importing/update_translation.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/cells/cpp_tokens.h>
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
  std::size_t next_ = 0;  // after the old cell that was matched last
};

/// Writes one notebook.
class Updater {
 public:
  Updater(const Draft& draft, OldNotebook& old, std::string_view old_port)
      : draft_(draft), old_(old), matcher_(old) {
    for (const auto line : notebook::lines_of(old_port)) old_lines_.insert(line);
  }

  Updated updated() {
    std::vector<const Unit*> units;
    std::vector<std::optional<OldCpp>> kept;
    for (const auto& cell : draft_.cells) {
      const auto* unit = units.emplace_back(matcher_.match(cell));
      kept.push_back(unit == nullptr ? std::nullopt : std::optional(OldCpp{unit->source, unit->above}));
    }
    const auto taken = taken_translations(draft_, kept);
    result_.port = with_needs(old_.head, draft_, taken);
    result_.twin = old_.twin_head;
    for (std::size_t i = 0; i < draft_.cells.size(); ++i) {
      if (units[i] != nullptr) {
        keep(draft_.cells[i], *units[i], i + 1);
      } else {
        add(draft_.cells[i], i + 1, taken[i]);
      }
    }
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
  void keep(const DraftCell& cell, const Unit& unit, std::size_t position) {
    ++result_.kept;
    const bool restores = cell.restored && !contains(unit.above, "nb.restored(");
    if (cell.restored) {
      result_.changes.push_back(fmt::format(
          "@{} In [{}]: {}", position, cell.label,
          restores ? "the state above it is restored" : "a state above it was restored before, and is kept"));
    }
    result_.port +=
        unit.above + (restores ? restored_port(cell) : "") + "  nb.cell(\"" + cell.label + "\");" + unit.body;
    result_.twin += unit.twin_above + (restores ? restored_twin(cell) + '\n' : "") +
                    twin_cell(cell.label, unit.twin) + "\n";
    for (const auto& [above, rest] : unit.exceptions)
      exceptions_ += fmt::format("{}@{}{}\n", above, position, rest);
    list_new_notes(cell.notes, fmt::format("above @{} In [{}]", position, cell.label));
    if (unit.exceptions.empty()) add_exception(cell, position);
  }

  void add(const DraftCell& cell, std::size_t position, const TakenTranslation& taken) {
    ++result_.added;
    result_.changes.push_back(
        fmt::format("@{} In [{}] is new{}", position, cell.label, taken.is_taken ? " and translated" : ""));
    if (!result_.port.ends_with("\n\n") && !result_.port.ends_with("{\n")) result_.port += '\n';
    result_.port += port_notes(cell.notes) + restored_port(cell) +
                    (taken.is_taken ? written_cell(cell.label, cell.cpp)
                                    : port_cell(cell.label, cell.twin.text, taken.why));
    if (cell.restored) result_.twin += restored_twin(cell) + '\n';
    result_.twin += twin_cell(cell.label, cell.twin.text) + "\n";
    add_exception(cell, position);
  }

  void add_exception(const DraftCell& cell, std::size_t position) {
    if (!cell.exception.empty()) exceptions_ += fmt::format("@{} {}\n", position, cell.exception);
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
