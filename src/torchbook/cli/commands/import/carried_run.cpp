// Reads what carry.py wrote.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/commands/import/carried_run.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <unistd.h>

#include <map>

namespace torchbook::cli {
namespace {

using golden::Json;
using golden::JsonObject;
using translate::CarriedValue;
using translate::Kind;
using translate::Numbers;
using translate::Type;

std::string name_of(const Descriptor& file) { return fmt::format("/proc/{}/fd/{}", ::getpid(), file.get()); }

std::string text_of(const Descriptor& file) {
  const MappedFile mapped(name_of(file));
  const auto bytes = mapped.bytes();
  return {bytes.begin(), bytes.end()};
}

Numbers numbers_of(const std::string& name) {
  static const std::map<std::string_view, Numbers> all = {
      {"boolean", Numbers::boolean}, {"integer", Numbers::integer}, {"floating", Numbers::floating}};
  const auto found = all.find(name);
  return found == all.end() ? Numbers::unknown : found->second;
}

/// Returns a type as carry.py describes it.
Type type_of(const Json& described, const std::string& place) {
  const JsonObject json(described, place);
  static const std::map<std::string_view, Kind> kinds = {
      {"none", Kind::none},         {"boolean", Kind::boolean}, {"integer", Kind::integer},
      {"floating", Kind::floating}, {"string", Kind::string},   {"tensor", Kind::tensor},
      {"array", Kind::array},       {"list", Kind::list},       {"tuple", Kind::tuple},
      {"dict", Kind::dict}};
  const auto found = kinds.find(json.text("kind"));
  if (found == kinds.end()) json.fail("its kind is not known");
  Type type = found->second;
  if (type.is(Kind::tensor) || type.is(Kind::array)) {
    constexpr std::int64_t most = 64;
    const auto& dimensions = json.field("dimensions");
    type.know({.numbers = numbers_of(json.text("numbers")),
               .dimensions = dimensions == -1 ? -1 : static_cast<int>(json.number("dimensions", most)),
               .detached = !json.truth_or("gradient", false)});
  }
  if (described.contains("items")) {
    for (const auto& item : json.list("items")) type.items.push_back(type_of(item, place));
  }
  return type;
}

CarriedValue value_of(const JsonObject& json) {
  CarriedValue value;
  if (const auto why = json.text_if_any("why")) {
    value.why = *why;
    return value;
  }
  const JsonObject type(json.field("type"), json.place());
  value.type = type_of(json.field("type"), json.place());
  value.shares = json.texts_if_any("shares");
  if (value.type.is(Kind::tensor)) {
    value.shape = fmt::format("({})", fmt::join(type.numbers("shape"), ", "));
    value.gradient = type.truth_or("gradient", false);
  }
  return value;
}

}  // namespace

CarriedRun::CarriedRun() : values_(memory_file()), types_(memory_file()) {}
std::string CarriedRun::values_file() const { return name_of(values_); }
std::string CarriedRun::types_file() const { return name_of(types_); }

void CarriedRun::describe(std::vector<translate::PythonCell>& cells) const {
  const auto text = text_of(types_);
  if (text.empty()) return;  // its Python ended before the last cell
  const auto json = golden::parse_json(text);
  const JsonObject all(json, "what the cells left");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].is_carried = true;
    const auto& noted = all.field("cells");
    const auto found = noted.find(std::to_string(i + 1));
    if (found == noted.end()) continue;
    const JsonObject cell(*found, fmt::format("cell @{}", i + 1));
    cells[i].draws = cell.text_or_null("generator").has_value();
    for (const auto& [name, value] : cell.field("names").items())
      cells[i].carried.emplace(name, value_of(JsonObject(value, name)));
  }
}

std::string CarriedRun::file_for(const CarriedPlaces& places, const std::vector<std::string>& twin) const {
  const MappedFile values(name_of(values_));
  return carried_file(places, text_of(types_), values.bytes(), twin);
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
