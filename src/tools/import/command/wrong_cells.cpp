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

/// Whether a value is a tensor: `["tensor float32 (2)",["1.0","2.0"],"no gradient"]`.
bool is_tensor(const Json& value) {
  return value.is_array() && !value.empty() && value[0].is_string() &&
         value[0].get_ref<const std::string&>().starts_with("tensor ");
}

/// Describes a value: `1`, `a dict`.
std::string in_words(const Json& value) {
  if (is_tensor(value)) return value[0].get<std::string>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "…";
  return value.is_array() ? "a list or tuple" : value.contains("dict") ? "a dict" : "an object";
}

/// Compares two values that hold objects, each of which is written out once.
class Comparison {
 public:
  Comparison(const Json& python, const Json& here) {
    list_objects(python, python_), list_objects(here, here_);
  }

  /// Returns where two values differ first: `x[0] is 1 in Python and 2 in C++`. A part that one side cannot
  /// tell does not differ.
  std::optional<std::string> difference(const std::string& place, const Json& python_or_id,
                                        const Json& here_or_id) {
    const Json &python = written_out(python_or_id, python_), &here = written_out(here_or_id, here_);
    if (python.is_null() || here.is_null()) return std::nullopt;
    const auto differs = [&](const std::string& one, const std::string& other) {
      return fmt::format("{} is {} in Python and {} in C++", place, report::shortened(one),
                         report::shortened(other));
    };
    if (python.is_string() && here.is_string()) {
      return python == here ? std::nullopt
                            : std::optional(differs(python.get<std::string>(), here.get<std::string>()));
    }
    if (is_tensor(python) && is_tensor(here)) return in_tensors(place, python, here);
    if (python.is_array() && here.is_array()) {
      if (python.size() != here.size())
        return differs(fmt::format("of size {}", python.size()), fmt::format("of size {}", here.size()));
      return in_lists(place, python, here);
    }
    if (python.is_object() && python.contains("dict") && here.is_object() && here.contains("dict")) {
      const Json &one = python.at("dict"), &other = here.at("dict");
      const bool listed = one.is_array() && other.is_array() && one.size() == other.size();
      return listed ? in_dicts(place, one, other) : difference(place, one, other);
    }
    if (python.is_object() && python.contains("members") && here.is_object() && here.contains("members"))
      return in_objects(place, python, here);
    return differs(in_words(python), in_words(here));
  }

 private:
  using Objects = std::map<std::int64_t, const Json*>;

  /// Returns the number of an object; -1 if it has none.
  static std::int64_t number_of(const Json& object) {
    const auto id = object.find("id");
    return id != object.end() && id->is_number_integer() ? id->get<std::int64_t>() : -1;
  }

  /// Lists what is written out and has a number.
  static void list_objects(const Json& value, Objects& objects) {
    if (value.is_object() && value.size() > 1 && number_of(value) >= 0)
      objects.emplace(number_of(value), &value);
    if (!value.is_structured()) return;
    for (const auto& part : value) list_objects(part, objects);
  }

  /// Returns a value as it is where it is written out; null if it is nowhere.
  static const Json& written_out(const Json& value, const Objects& objects) {
    static const Json nowhere;
    if (!value.is_object() || !value.contains("id")) return value;
    const auto found = objects.find(number_of(value));
    const auto& whole = value.size() > 1 ? value : found == objects.end() ? nowhere : *found->second;
    return whole.contains("list") ? whole.at("list") : whole;
  }

  /// Returns where two tensors differ first, or else their gradients. `x[7]` is the eighth element of all.
  std::optional<std::string> in_tensors(const std::string& place, const Json& python, const Json& here) {
    for (std::size_t i = 0; i < std::min(python.size(), here.size()); ++i) {
      if (auto found = difference(i < 2 ? place : place + ".grad", python[i], here[i])) return found;
    }
    return std::nullopt;
  }

  std::optional<std::string> in_lists(const std::string& place, const Json& python, const Json& here) {
    for (std::size_t i = 0; i < python.size(); ++i) {
      if (python[i].is_string() && python[i] == here[i]) continue;
      if (auto found = difference(fmt::format("{}[{}]", place, i), python[i], here[i])) return found;
    }
    return std::nullopt;
  }

  /// Returns where the items of two dicts of the same size differ first.
  std::optional<std::string> in_dicts(const std::string& place, const Json& python, const Json& here) {
    for (std::size_t i = 0; i < python.size(); ++i) {
      const Json &key = python[i].at(0), &value = python[i].at(1);
      if (auto found = difference(fmt::format("a key of {}", place), key, here[i].at(0))) return found;
      const auto at = fmt::format("{}[{}]", place, report::shortened(in_words(key)));
      if (auto found = difference(at, value, here[i].at(1))) return found;
    }
    return std::nullopt;
  }

  /// Returns where two objects differ first, but not twice. Only members that both sides tell are compared.
  std::optional<std::string> in_objects(const std::string& place, const Json& python, const Json& here) {
    const auto pair = std::pair(number_of(python), number_of(here));
    if (pair.first >= 0 && pair.second >= 0 && !compared_.insert(pair).second) return std::nullopt;
    for (const auto& [name, value] : here.at("members").items()) {
      const auto member = python.at("members").find(name);
      if (member == python.at("members").end()) continue;
      if (auto found = difference(fmt::format("{}.{}", place, name), *member, value)) return found;
    }
    return std::nullopt;
  }

  Objects python_{}, here_{};
  std::set<std::pair<std::int64_t, std::int64_t>> compared_{};
};

/// Returns a value with null for each part in which another run of Python has something else.
Json without_varying(const Json& one, const Json& other) {
  if (one == other) return one;
  const bool both = (one.is_array() && other.is_array() && one.size() == other.size()) ||
                    (one.is_object() && other.is_object());
  if (!both) return nullptr;
  Json result = one;
  for (const auto& [key, value] : one.items()) {
    const bool here = one.is_array() || other.contains(key);
    auto& part = one.is_array() ? result[std::stoul(key)] : result[key];
    part = here ? without_varying(value, one.is_array() ? other[std::stoul(key)] : other.at(key)) : Json();
  }
  return result;
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
    const auto one = golden::parse_json(same->second, bounds), other = golden::parse_json(text, bounds);
    if (const auto differs = Comparison(one, other).difference(name, one, other))
      found.emplace(name, *differs);
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

std::map<std::size_t, std::set<std::string>> remove_what_varies(RecordedCells& run,
                                                                const RecordedCells& other) {
  std::map<std::size_t, std::set<std::string>> varying;
  Texts one, two;
  for (std::size_t i = 0; i < std::min(run.size(), other.size()); ++i) {
    auto changed = run[i].changed;
    for (const auto& [name, text] : other[i].changed) changed.try_emplace(name, text);
    for (const auto& [name, text] : changed) {
      if (run[i].changed.contains(name)) one[name] = run[i].changed[name];
      if (const auto found = other[i].changed.find(name); found != other[i].changed.end())
        two[name] = found->second;
      if (one[name] == two[name]) continue;
      const auto same =
          one[name].empty() || two[name].empty()
              ? Json()
              : without_varying(golden::parse_json(one[name], bounds), golden::parse_json(two[name], bounds));
      run[i].changed[name] = same.dump();
      varying[i + 1].insert(name);
    }
  }
  return varying;
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
