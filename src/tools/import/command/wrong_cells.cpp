#include <fmt/format.h>
#include <tools/import/command/wrong_cells.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <optional>

namespace torchbook::cli {
namespace {

using golden::Json;
using Texts = std::map<std::string, std::string>;

constexpr golden::JsonBounds bounds{.depth = 1000, .values = 20'000'000};

/// Describes a value: `1`, `a dict`.
std::string in_words(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "…";
  return value.is_array() ? "a list or tuple" : value.contains("dict") ? "a dict" : "an object";
}

std::optional<std::string> difference_of(const std::string& place, const Json& python, const Json& here);

/// Returns where the items of two dicts of the same size differ first.
std::optional<std::string> difference_in_dicts(const std::string& place, const Json& python,
                                               const Json& here) {
  for (std::size_t i = 0; i < python.size(); ++i) {
    const Json &key = python[i].at(0), &value = python[i].at(1);
    if (auto found = difference_of(fmt::format("a key of {}", place), key, here[i].at(0))) return found;
    const auto at = fmt::format("{}[{}]", place, report::shortened(in_words(key)));
    if (auto found = difference_of(at, value, here[i].at(1))) return found;
  }
  return std::nullopt;
}

/// Returns where two values differ first: `x[0] is 1 in Python and 2 in C++`. A value that one side cannot
/// describe counts as equal.
std::optional<std::string> difference_of(const std::string& place, const Json& python, const Json& here) {
  if (python.is_null() || here.is_null() || python == here) return std::nullopt;
  const auto differs = [&](const std::string& one, const std::string& other) {
    return fmt::format("{} is {} in Python and {} in C++", place, report::shortened(one),
                       report::shortened(other));
  };
  if (python.is_string() && here.is_string())
    return differs(python.get<std::string>(), here.get<std::string>());
  if (python.is_array() && here.is_array()) {
    if (python.size() != here.size())
      return differs(fmt::format("of size {}", python.size()), fmt::format("of size {}", here.size()));
    for (std::size_t i = 0; i < python.size(); ++i) {
      if (auto found = difference_of(fmt::format("{}[{}]", place, i), python[i], here[i])) return found;
    }
    return std::nullopt;
  }
  const auto both = [&](const char* key) { return python.contains(key) && here.contains(key); };
  if (python.is_object() && both("dict")) {
    const Json &one = python.at("dict"), &other = here.at("dict");
    const bool listed = one.is_array() && other.is_array() && one.size() == other.size();
    return listed ? difference_in_dicts(place, one, other) : difference_of(place, one, other);
  }
  if (python.is_object() && both("members")) {
    for (const auto& [name, value] : here.at("members").items()) {
      const auto member = python.at("members").find(name);
      if (member == python.at("members").end()) continue;
      if (auto found = difference_of(fmt::format("{}.{}", place, name), *member, value)) return found;
    }
    return std::nullopt;
  }
  return differs(in_words(python), in_words(here));
}

/// Returns the output of the proving program by cell and name. Its last line may be cut off, if it was ended.
std::map<std::size_t, Texts> cells_in(std::string_view proof_log) {
  std::map<std::size_t, Texts> cells;
  Texts last;
  for (auto end = proof_log.find('\n'); end != proof_log.npos; end = proof_log.find('\n')) {
    const auto line = proof_log.substr(0, end);
    proof_log.remove_prefix(end + 1);
    const auto first = std::min(line.find('\t'), line.size()),
               second = std::min(line.find('\t', first + 1), line.size());
    const auto cell = notebook::parse_integer<std::size_t>(line.substr(0, first));
    if (!cell || second == line.size()) throw golden::GoldenError(0, "the proof has a broken line");
    const std::string name(line.substr(first + 1, second - first - 1));
    if (const auto text = line.substr(second + 1); text != "=") last[name] = text;
    cells[*cell][name] = last[name];
  }
  return cells;
}

/// Returns the differences of a cell, by name.
Texts differences(const Texts& python, const Texts& here) {
  Texts found;
  for (const auto& [name, text] : here) {
    const auto same = python.find(name);
    if (same == python.end() || same->second == text) continue;
    const auto differs =
        difference_of(name, golden::parse_json(same->second, bounds), golden::parse_json(text, bounds));
    if (differs) found.emplace(name, *differs);
  }
  return found;
}

/// Whether a name is one of Python's settings, such as the state of a generator, which no cell names.
bool is_setting(std::string_view name) { return name.ends_with("()"); }

/// Whether a cell reads something that differed when it began. A cell that changes a setting also reads it.
bool reads_any(const RecordedCell& cell, const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const auto& name) {
    return is_setting(name) ? cell.changed.contains(name) : cell.read.contains(name);
  });
}

}  // namespace

void remove_what_varies(RecordedCells& run, const RecordedCells& other) {
  Texts one, two;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i >= other.size()) return;
    auto changed = run[i].changed;
    for (const auto& [name, text] : other[i].changed) changed.try_emplace(name, text);
    for (const auto& [name, text] : changed) {
      if (run[i].changed.contains(name)) one[name] = run[i].changed[name];
      if (const auto found = other[i].changed.find(name); found != other[i].changed.end())
        two[name] = found->second;
      if (one[name] != two[name]) run[i].changed[name] = "null";
    }
  }
}

std::size_t last_cell_in(std::string_view proof_log) {
  const auto cells = cells_in(proof_log);
  return cells.empty() ? 0 : cells.rbegin()->first;
}

Faults wrong_cells(const RecordedCells& run, std::string_view proof_log, const Faults& outputs,
                   const std::set<std::size_t>& without_cpp) {
  const auto cells = cells_in(proof_log);
  Faults wrong;
  Texts python, before;
  std::set<std::string> blamed;  // the names of `before` that differ because of C++
  for (std::size_t i = 0; i < run.size(); ++i) {
    const auto position = i + 1;
    for (const auto& [name, text] : run[i].changed) python[name] = text;
    const auto here = cells.find(position);
    const auto now = here == cells.end() ? before : differences(python, here->second);
    const bool is_judged = !without_cpp.contains(position) && !reads_any(run[i], blamed);
    const auto add = [&](const std::string& differs) {
      if (is_judged) wrong.emplace(position, differs);
    };
    for (const auto& [name, differs] : now) {
      if (!run[i].is_ported && is_setting(name)) continue;
      if (before.contains(name) && (blamed.contains(name) || !run[i].changed.contains(name))) continue;
      add(differs);
      if (!without_cpp.contains(position)) blamed.insert(name);
    }
    if (const auto shown = outputs.find(position); shown != outputs.end()) add(shown->second);
    std::erase_if(blamed, [&](const auto& name) { return !now.contains(name); });
    before = now;
    for (const auto& [name, text] : run[i].restored) python[name] = text;
  }
  return wrong;
}

}  // namespace torchbook::cli
