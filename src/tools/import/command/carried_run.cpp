// Reads the output of carry.py, and makes `<slug>.carried` from it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/command/carried_run.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/notebook/carried.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace torchbook::cli {
namespace {

using golden::field;
using golden::field_or;
using golden::Json;
using translate::CarriedValue;
using translate::Kind;
using translate::Numbers;
using translate::Type;
using List = translate::types::List;

Numbers numbers_of(const std::string& name) {
  static const std::map<std::string_view, Numbers> all = {
      {"boolean", Numbers::boolean}, {"integer", Numbers::integer}, {"floating", Numbers::floating}};
  const auto found = all.find(name);
  return found == all.end() ? Numbers::unknown : found->second;
}

/// Returns the kinds of values that have no parts, by their names.
const std::map<std::string_view, Kind>& plain_kinds() {
  static const std::map<std::string_view, Kind> kinds = {
      {"none", Kind::none},         {"boolean", Kind::boolean}, {"integer", Kind::integer},
      {"floating", Kind::floating}, {"string", Kind::string},   {"tensor", Kind::tensor},
      {"array", Kind::array}};
  return kinds;
}

/// Returns a type as carry.py describes it.
Type type_of(const Json& json) {
  static const std::map<std::string_view, Kind> others = {{"list", Kind::list},
                                                          {"tuple", Kind::tuple},
                                                          {"dict", Kind::dict},
                                                          {"module", Kind::module},
                                                          {"optimizer", Kind::optimizer}};
  const auto kind = field<std::string>(json, "kind");
  const auto& kinds = plain_kinds().contains(kind) ? plain_kinds() : others;
  const auto found = kinds.find(kind);
  if (found == kinds.end()) throw golden::GoldenError(0, "a carried value has an unknown kind");
  Type type = found->second;
  if (type.is(Kind::tensor) || type.is(Kind::array)) {
    type.know({.numbers = numbers_of(field<std::string>(json, "numbers")),
               .dimensions = field<int>(json, "dimensions"),
               .detached = !field_or(json, "gradient", false)});
  }
  for (const auto& item : field_or(json, "items", Json::array())) type.items.push_back(type_of(item));
  return type;
}

std::optional<Type> observed_type(const Json& json);

/// Returns the key of the definition of a function or class that observe.py describes.
std::string key_of(const Json& json, const char* name) {
  return translate::key_of_definition(field<std::size_t>(json, "cell"), field<int>(json, "line"),
                                      field<int>(json, "column"), field<std::string>(json, name));
}

/// Returns the types of several values as observe.py describes them; nullopt if one is not known.
std::optional<std::vector<Type>> observed_types(const Json& values) {
  std::vector<Type> types;
  for (const auto& each : values) {
    const auto type = observed_type(each);
    if (!type) return std::nullopt;
    types.push_back(*type);
  }
  return types;
}

/// Returns the type of a list, dict or the like with the types of all items; nullopt if one is not known.
std::optional<Type> observed_container(const Json& json, const std::string& kind) {
  const Json& items = golden::part_of(json, "items");
  if (kind == "dict") {
    const auto keys = observed_types(items.at(0));
    const auto values = observed_types(items.at(1));
    if (!keys || !values) return std::nullopt;
    if (keys->empty()) return Type(Kind::dict);
    return translate::dict_type(Type(List{}, *keys), Type(List{}, *values));
  }
  const auto types = observed_types(items);
  if (!types) return std::nullopt;
  if (kind == "list") return Type(List{}, *types);
  if (kind == "set") return Type(List{translate::types::Sequence::set}, *types);
  if (kind == "tuple") return types->empty() ? std::nullopt : std::optional(translate::tuple_type(*types));
  return translate::named_type(kind == "counter" ? Kind::counter : Kind::deque, {}, *types);
}

/// Returns a type as observe.py describes it, as SeenType; nullopt if it has no counterpart.
std::optional<Type> observed_type(const Json& json) {
  static const std::set<std::string_view> containers = {"list", "dict", "set", "tuple", "counter", "deque"};
  const auto kind = field<std::string>(json, "kind");
  const bool defined = json.contains("cell");
  if (containers.contains(kind)) return observed_container(json, kind);
  if (kind == "library") {
    const auto items = observed_types(field_or(json, "items", Json::array()));
    return items ? translate::library_type(field<std::string>(json, "class"), *items) : std::nullopt;
  }
  if (kind == "builtin") {
    const auto path = field<std::string>(json, "name");
    return path.starts_with("torch.") ? std::optional(translate::named_type(Kind::function, path))
                                      : std::nullopt;
  }
  if (kind == "function") return translate::named_type(Kind::function, key_of(json, "name"));
  if (kind == "class" && defined) return translate::named_type(Kind::new_class, key_of(json, "class"));
  if (kind == "object" && defined) return translate::named_type(Kind::object, key_of(json, "class"));
  if (!plain_kinds().contains(kind)) return std::nullopt;
  auto type = type_of(json);
  if (!field_or(json, "parameter", false)) return type;
  auto parameter = translate::parameter_type();
  parameter.know(type.known());
  return parameter;
}

/// Adds the types of a parameter, a local, an attribute or the result between two lines of carry.py.
void add_types(const std::string& name, const Json& types, translate::SeenTypes& of) {
  for (const auto& each : types) of[name].push_back(observed_type(each));
}

/// Whether an int of more than 64 bits is among these types.
bool has_large_int(const Json& types) {
  return std::any_of(types.begin(), types.end(),
                     [](const Json& each) { return field_or(each, "large", false); });
}

/// Returns the keys of the classes of the notebook whose objects are in lists of these types.
std::set<std::string> classes_in(const Json& types) {
  std::set<std::string> keys;
  for (const auto& list : types) {
    if (field<std::string>(list, "kind") != "list") continue;
    for (const auto& each : golden::part_of(list, "items")) {
      if (field<std::string>(each, "kind") == "object" && each.contains("cell"))
        keys.insert(key_of(each, "class"));
    }
  }
  return keys;
}

/// Adds the observations in a line of carry.py about functions and blocks of this or earlier cells.
void add_observed(const Json& note, std::vector<translate::PythonCell>& cells) {
  const auto observed_in = [&](const Json& cell) {
    const auto position = cell.get<std::size_t>();
    if (position > cells.size()) throw golden::GoldenError(0, "a function or block is in no cell");
    return position == 0 ? nullptr
                         : &cells[position - 1].observed;  // a restored state may be above all cells
  };
  for (const auto& each : golden::part_of(note, "functions")) {
    auto* const of = observed_in(golden::part_of(each, "cell"));
    if (of == nullptr) continue;
    auto& function = of->functions[{field<int>(each, "line"), field<int>(each, "column")}];
    for (const auto& [name, types] : golden::part_of(each, "parameters").items())
      add_types(name, types, function.types);
    for (const auto& [name, types] : golden::part_of(each, "attributes").items())
      add_types(name, types, function.attributes);
    add_types(translate::CalledFunction::result, golden::part_of(each, "result"), function.types);
    if (has_large_int(golden::part_of(each, "result"))) function.large = "its result";
    for (const auto& [name, types] : golden::part_of(each, "locals").items()) {
      add_types(name, types, function.locals);
      if (has_large_int(types)) function.large = name;
    }
  }
  for (const auto& each : golden::part_of(note, "branches")) {
    auto* const of = observed_in(each.at(0));
    if (of != nullptr) of->blocks.emplace(each.at(1).get<int>(), each.at(2).get<int>());
  }
  for (const auto& each : golden::part_of(note, "values")) {
    auto* const of = observed_in(golden::part_of(each, "cell"));
    if (of == nullptr) continue;
    const Json& types = golden::part_of(each, "types");
    auto& values = of->values[{field<int>(each, "line"), field<int>(each, "column")}];
    for (const auto& type : types) values.push_back(observed_type(type));
    if (auto classes = classes_in(types); classes.size() > 1) of->met.push_back(std::move(classes));
  }
}

CarriedValue value_of(const Json& json) {
  CarriedValue value;
  value.shares = field_or(json, "shares", std::vector<std::string>());
  value.same = field_or(json, "same", std::vector<std::string>());
  value.parts = field_or(json, "parts", std::vector<std::string>());
  if (const auto why = golden::text_if_any(json, "why")) {
    value.why = *why;
    return value;
  }
  const Json& type = golden::part_of(json, "type");
  value.type = type_of(type);
  value.is_new = field_or(type, "new", false);
  if (value.type.is(Kind::tensor)) {
    value.shape = fmt::format("({})", fmt::join(field<std::vector<std::int64_t>>(type, "shape"), ", "));
    value.gradient = field_or(type, "gradient", false);
  }
  return value;
}

/// Converts a value from the JSON that carry.py writes.
c10::IValue ivalue_of(const Json& json, const std::map<std::string, at::Tensor>& tensors) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_string()) return json.get<std::string>();
  if (json.contains("floating")) return std::stod(json.at("floating").get<std::string>());
  if (json.contains("tensor")) return tensors.at(json.at("tensor").get<std::string>());
  if (json.contains("dict")) {
    c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
    for (const auto& pair : json.at("dict"))
      dict.insert(ivalue_of(pair.at(0), tensors), ivalue_of(pair.at(1), tensors));
    return dict;
  }
  const bool tuple = json.contains("tuple");
  std::vector<c10::IValue> items;
  for (const auto& item : json.at(tuple ? "tuple" : "list")) items.push_back(ivalue_of(item, tensors));
  if (tuple) return c10::ivalue::Tuple::create(std::move(items));
  c10::impl::GenericList list(c10::AnyType::get());
  for (auto& item : items) list.push_back(std::move(item));
  return list;
}

/// Returns the lines of carry.py. The last one may be cut off, if Python was ended.
std::vector<Json> notes_in(std::string_view types) {
  std::vector<Json> notes;
  for (auto end = types.find('\n'); end != types.npos; end = types.find('\n')) {
    notes.push_back(golden::parse_json(types.substr(0, end)));
    types.remove_prefix(end + 1);
  }
  return notes;
}

/// Returns {"3": {"names", "texts", "generator", "writes"}} of the cells that ended.
Json cells_of(const std::vector<Json>& notes) {
  Json cells = Json::object();
  for (const auto& line : notes) {
    auto& cell =
        cells[golden::part_of(line, "cell").dump()];  // a restored state belongs to the cell before it
    if (cell.is_null())
      cell = {
          {"names", Json::object()}, {"texts", Json::object()}, {"generator", nullptr}, {"writes", false}};
    for (const auto* part : {"names", "texts"}) {
      for (const auto& [name, value] : golden::part_of(line, part).items()) cell[part][name] = value;
    }
    if (!golden::part_of(golden::part_of(line, "files"), "written").empty()) cell["writes"] = true;
    if (const auto& generator = golden::part_of(line, "generator"); !generator.is_null())
      cell["generator"] = generator;
  }
  return cells;
}

/// Returns the tensors of the cells that ended, by number.
std::map<std::string, at::Tensor> tensors_of(const std::vector<Json>& notes, std::string_view values) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& line : notes) {
    const auto size = line.at("bytes").get<std::size_t>();
    if (size > 0) tensors.merge(notebook::tensors_in(values.substr(0, size)));
    values.remove_prefix(std::min(size, values.size()));
  }
  return tensors;
}

/// Returns `place.from` if it is set, or else the last cell, up to `place.cell`, that changed the
/// carried value according to `has`. Throws std::runtime_error if there is none.
template <class Has>
std::string changed_by(const Json& cells, const CarriedPlace& place, const Has& has) {
  if (place.from != 0) return std::to_string(place.from);
  if (!cells.contains(std::to_string(place.cell)))
    throw std::runtime_error(fmt::format("cell @{} did not end", place.cell));
  for (auto cell = place.cell; cell > 0; --cell) {
    const auto found = cells.find(std::to_string(cell));
    if (found != cells.end() && has(*found)) return found.key();
  }
  throw std::runtime_error(fmt::format("no cell up to @{} sets {}", place.cell,
                                       place.name.empty() ? "the generator" : place.name));
}

/// Returns the value that carry.py saved for a name. Throws std::runtime_error if it cannot be
/// carried.
const Json& kept_value(const Json& cell, const std::string& name) {
  const auto& kept = cell.at("names").at(name);
  if (kept.contains("why"))
    throw std::runtime_error(fmt::format("{}: {}", name, kept.at("why").get<std::string>()));
  return kept.at("value");
}

/// Returns the text of the file. `types` and `values` are the outputs of carry.py; `twin` is the
/// notebook's Python. Throws UsageError if they lack a value that is carried.
std::string carried_file(const CarriedPlaces& places, const std::string& types, std::string_view values,
                         const std::vector<std::string>& twin) try {
  const auto notes = notes_in(types);
  const auto cells = cells_of(notes);
  const auto tensors = tensors_of(notes, values);
  notebook::CarriedValues carried;
  for (const auto& place : places.values) {
    const auto& name = place.name;
    const auto from =
        changed_by(cells, place, [&](const Json& cell) { return cell.at("names").contains(name); });
    carried.values[fmt::format("{}/{}", place.cell, name)] =
        ivalue_of(kept_value(cells.at(from), name), tensors);
  }
  for (const auto& place : places.generators) {
    const auto from =
        changed_by(cells, place, [](const Json& cell) { return !cell.at("generator").is_null(); });
    carried.generators[std::to_string(place.cell)] =
        tensors.at(cells.at(from).at("generator").get<std::string>());
  }
  const std::vector<std::string_view> python(twin.begin(), twin.end());
  return notebook::carried_file(carried, notebook::hash_of_python(python));
} catch (const std::exception& error) {  // a notebook may write into these files
  throw UsageError(fmt::format("the notebook's values cannot be carried: {}", error.what()));
}

}  // namespace

void CarriedRun::describe(std::vector<translate::PythonCell>& cells) const {
  const auto notes = notes_in(types_.bytes());
  const auto noted = cells_of(notes);
  translate::Names unrecorded;
  const int numpy = notes.empty() ? translate::PythonCell().numpy : field<int>(notes.back(), "numpy");
  std::string default_dtype = translate::PythonCell().default_dtype;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto found = noted.find(std::to_string(i + 1));
    cells[i].numpy = numpy;
    cells[i].is_recorded = found != noted.end();
    if (!cells[i].is_recorded) continue;  // its Python ended before
    for (const auto& [name, text] : golden::part_of(*found, "texts").items()) {
      cells[i].changed.insert(name);
      unrecorded.erase(name);
      if (text == "null") unrecorded.insert(name);
      if (name == "torch.get_default_dtype()")
        default_dtype = golden::parse_json(text.get<std::string>()).get<std::string>();
    }
    cells[i].unrecorded = unrecorded;
    cells[i].default_dtype = default_dtype;
    cells[i].writes_files = field_or(*found, "writes", false);
    cells[i].draws = golden::text_if_any(*found, "generator").has_value();
    for (const auto& [name, value] : golden::part_of(*found, "names").items())
      cells[i].carried.emplace(name, value_of(value));
  }
  for (const auto& note : notes) add_observed(note, cells);
}

std::map<std::size_t, std::map<std::string, std::vector<std::string>>> CarriedRun::words() const {
  std::map<std::size_t, std::map<std::string, std::vector<std::string>>> found;
  for (const auto& note : notes_in(types_.bytes())) {
    for (const auto& one : golden::part_of(note, "words"))
      found[field<std::size_t>(note, "cell")][one.at(0).get<std::string>()] =
          one.at(1).get<std::vector<std::string>>();
  }
  return found;
}

RecordedCells CarriedRun::cells() const {
  RecordedCells cells;
  std::map<std::string, std::string> first;  // the changes by a restored state above the first cell
  for (const auto& note : notes_in(types_.bytes())) {
    const auto position = field<std::size_t>(note, "cell");
    auto texts = field<std::map<std::string, std::string>>(note, "texts");
    if (position == cells.size() + 1) {
      texts.merge(std::exchange(first, {}));
      const auto read = field<std::vector<std::string>>(note, "read");
      cells.push_back({.changed = std::move(texts), .read = {read.begin(), read.end()}});
    } else if (position == 0) {
      first.merge(texts);
    } else if (position == cells.size()) {
      cells.back().restored = std::move(texts);
    }
  }
  return cells;
}

std::string CarriedRun::record(std::string_view notebook, const golden::Golden& shown,
                               std::string_view torch) const {
  std::string lines;
  const auto add = [&](const Json& line) { lines.append(golden::text_of_json(line, -1)).push_back('\n'); };
  add({{"torchbook_record", 1}, {"notebook", notebook}, {"python", torch}});
  for (auto note : notes_in(types_.bytes())) {
    const auto position = field<std::size_t>(note, "cell");
    if (position > 0 && position <= shown.cells.size()) {
      const auto& cell = shown.cells[position - 1];
      note["stdout"] = cell.out;
      note["result"] = cell.result ? Json(*cell.result) : Json();
      if (cell.error) note["error"] = *cell.error;
    }
    note.erase("bytes");
    add(note);
  }
  return lines;
}

std::string CarriedRun::file_for(const CarriedPlaces& places, const std::vector<std::string>& twin) const {
  return carried_file(places, types_.bytes(), values_.bytes(), twin);
}

std::string CarriedRun::file_for(const translate::Port& port, const std::vector<std::string>& twin) const {
  CarriedPlaces places;
  for (std::size_t i = 0; i < port.cells.size(); ++i) {
    const auto& cell = port.cells[i];
    for (const auto& [name, from] : cell.carried) places.values.push_back({i + 1, name, from});
    if (cell.generator != 0) places.generators.push_back({i + 1, {}, cell.generator});
  }
  return places.values.empty() && places.generators.empty() ? "" : file_for(places, twin);
}

}  // namespace torchbook::cli
