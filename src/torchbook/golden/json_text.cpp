// Parses with nlohmann-json and watches its progress, because the library bounds neither depth nor names.
#include <fmt/format.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/json_text.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace torchbook::golden {
namespace {

constexpr int most_depth = 16;            // an answer with a recording has 7
constexpr std::size_t most_names = 1000;  // each new name is compared with the others of its object

/// Reads a text and tells how far the parser has come.
class WatchedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedText(const char* at, const char** reached) : at_(at), reached_(reached) {}

  reference operator*() const { return *at_; }
  WatchedText& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const WatchedText& other) const { return at_ == other.at_; }
  bool operator!=(const WatchedText& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

std::size_t line_of_end(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Returns the type of a JSON value, in words.
std::string_view kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::boolean:
      return "true or false";
    case Json::value_t::null:
      return "null";
    default:
      return "a number";
  }
}

bool is_whole(const Json& value, std::int64_t most) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
}

/// Returns a whole number as it stands in the text, and the type of any other value.
std::string shown(const Json& value) {
  const bool whole = value.is_number() && !value.is_number_float();
  return whole ? value.dump() : std::string(kind_of(value));
}

std::string range_text(std::int64_t most) { return fmt::format("a whole number from 0 to {}", most); }

constexpr std::int64_t most_number = std::numeric_limits<std::int64_t>::max();

/// Parses a text. `watch` is called for each step of the parser, with the depth, the event, the parsed value
/// and a function that throws an error with line and column.
template <class AnyJson, class Watch>
AnyJson parse_watched(std::string_view text, const Watch& watch) {
  const char* reached = text.data();
  const auto fail = [&](std::string_view what) {
    const auto read = text.substr(0, static_cast<std::size_t>(reached - text.data()));
    const auto column = read.size() - (read.rfind('\n') + 1);  // npos + 1 is 0
    throw GoldenError(line_of_end(read), fmt::format("column {}: {}", column, what));
  };
  try {
    return AnyJson::parse(WatchedText(reached, &reached), WatchedText(text.data() + text.size(), &reached),
                          [&](int depth, typename AnyJson::parse_event_t event, AnyJson& parsed) {
                            watch(depth, event, parsed, fail);
                            return true;
                          });
  } catch (const typename AnyJson::parse_error& error) {
    if (error.byte > text.size()) throw GoldenError(line_of_end(text), "the JSON breaks off");
    fail("no JSON goes on like this");
  } catch (const typename AnyJson::out_of_range&) {
    fail("the number is too large");
  }
  return {};
}

template <class Event>
bool opens(Event event) {
  return event == Event::object_start || event == Event::array_start;
}

/// Fails if a bracket stands deeper than `most`.
template <class Fail>
void refuse_depth(int depth, int most, const Fail& fail) {
  if (depth >= most) fail(fmt::format("it is nested deeper than {} brackets", most));
}

}  // namespace

Json parse_json(std::string_view text) {
  using Event = Json::parse_event_t;
  std::vector<std::vector<std::string>> names;  // of the open objects
  return parse_watched<Json>(text, [&](int depth, Event event, const Json& parsed, const auto& fail) {
    if (opens(event)) refuse_depth(depth, most_depth, fail);
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event != Event::key) return;
    auto name = parsed.template get<std::string>();
    auto& known = names.back();
    if (std::find(known.begin(), known.end(), name) != known.end()) fail("a name stands twice in one object");
    if (known.size() == most_names) fail(fmt::format("an object has more than {} names", most_names));
    known.push_back(std::move(name));
  });
}

nlohmann::json parse_json(std::string_view text, const JsonBounds& bounds) {
  using Event = nlohmann::json::parse_event_t;
  std::size_t values = 0;
  return parse_watched<nlohmann::json>(
      text, [&](int depth, Event event, const nlohmann::json&, const auto& fail) {
        if (opens(event)) refuse_depth(depth, bounds.depth, fail);
        const bool is_value = opens(event) || event == Event::value || event == Event::key;
        if (is_value && ++values > bounds.values)
          fail(fmt::format("it has more than {} values", bounds.values));
      });
}

JsonObject::JsonObject(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
  if (!json.is_object()) fail(fmt::format("{} stands where an object must stand", kind_of(json)));
}

void JsonObject::fail(const std::string& what) const {
  throw GoldenError(0, place_.empty() ? what : fmt::format("{}: {}", place_, what));
}

void JsonObject::refuse(const char* name, const Json& value, const std::string& wanted) const {
  fail(fmt::format("\"{}\" is {}; it must be {}", name, shown(value), wanted));
}

const Json& JsonObject::field(const char* name) const {
  const auto found = json_.find(name);
  if (found == json_.end()) fail(fmt::format("the field \"{}\" is missing", name));
  return *found;
}

std::string JsonObject::text(const char* name) const {
  const Json& value = field(name);
  if (!value.is_string()) refuse(name, value, "a text");
  return value.get<std::string>();
}

std::optional<std::string> JsonObject::text_or_null(const char* name) const {
  const Json& value = field(name);
  if (value.is_null()) return std::nullopt;
  if (!value.is_string()) refuse(name, value, "a text or null");
  return value.get<std::string>();
}

std::optional<std::string> JsonObject::text_if_any(const char* name) const {
  return json_.contains(name) ? std::optional(text(name)) : std::nullopt;
}

bool JsonObject::truth_or(const char* name, bool otherwise) const {
  if (!json_.contains(name)) return otherwise;
  const Json& value = field(name);
  if (!value.is_boolean()) refuse(name, value, "true or false");
  return value.get<bool>();
}

std::int64_t JsonObject::number(const char* name, std::int64_t most) const {
  const Json& value = field(name);
  if (!is_whole(value, most)) refuse(name, value, range_text(most));
  return value.get<std::int64_t>();
}

std::vector<std::int64_t> JsonObject::numbers(const char* name) const {
  std::vector<std::int64_t> all;
  for (const Json& value : list(name)) {
    if (!is_whole(value, most_number)) {
      fail(fmt::format("\"{}\" holds {}; each of its values must be {}", name, shown(value),
                       range_text(most_number)));
    }
    all.push_back(value.get<std::int64_t>());
  }
  return all;
}

std::vector<std::string> JsonObject::texts_if_any(const char* name) const {
  std::vector<std::string> all;
  if (!json_.contains(name)) return all;
  for (const Json& value : list(name)) {
    if (!value.is_string()) fail(fmt::format("\"{}\" holds {}; it must hold texts", name, kind_of(value)));
    all.push_back(value.get<std::string>());
  }
  return all;
}

const Json& JsonObject::list(const char* name) const {
  const Json& value = field(name);
  if (!value.is_array()) refuse(name, value, "a list");
  return value;
}

}  // namespace torchbook::golden
