// Checks a text with the SAX parser of nlohmann-json before parsing it, because the library limits
// neither depth nor names.
#include <fmt/format.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/json_text.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace torchbook::golden {
namespace {

constexpr int most_depth = 16;            // an answer with a recording has 7
constexpr std::size_t most_names = 1000;  // each new name is compared with the others of its object

/// An iterator over a text that records how far the parser has read.
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

/// Returns a whole number as it is in the text, and the type of any other value.
std::string shown(const Json& value) {
  const bool whole = value.is_number() && !value.is_number_float();
  return whole ? value.dump() : std::string(kind_of(value));
}

std::string range_text(std::int64_t most) { return fmt::format("a whole number from 0 to {}", most); }

/// A SAX handler that counts and builds nothing. Each function returns whether to go on.
struct BoundsCheck {
  using Value = nlohmann::json;

  JsonBounds bounds;
  std::string_view text;
  int depth = 0;
  std::size_t values = 0;
  /// The names of each open object; nullopt if an object may repeat a name.
  std::optional<std::vector<std::vector<std::string>>> names{};
  std::string fault{};       ///< what exceeds the bounds, or what the parser refuses
  std::size_t refused_at{};  ///< the byte that the parser refuses, from 1

  bool null() { return count(); }
  bool boolean(bool) { return count(); }
  bool number_integer(Value::number_integer_t) { return count(); }
  bool number_unsigned(Value::number_unsigned_t) { return count(); }
  bool number_float(Value::number_float_t, const std::string&) { return count(); }
  bool string(const std::string&) { return count(); }
  bool binary(const Value::binary_t&) { return count(); }
  bool key(const std::string& name) { return count() && (!names || is_new(name)); }
  bool start_object(std::size_t) {
    if (names) names->emplace_back();
    return open();
  }
  bool start_array(std::size_t) { return open(); }
  bool end_object() {
    if (names) names->pop_back();
    return depth-- > 0;
  }
  bool end_array() { return depth-- > 0; }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) {
    refused_at = byte;
    constexpr int out_of_range = 406;
    fault = error.id == out_of_range ? "the number is too large" : why_refused(error.what());
    return false;
  }

 private:
  /// Explains why the parser refused the text. Python's json writes NaN and Infinity, which JSON
  /// lacks.
  std::string why_refused(std::string_view error) const {
    const auto rest = text.substr(std::min(refused_at > 0 ? refused_at - 1 : 0, text.size()));
    for (const std::string_view number : {"NaN", "Infinity"}) {
      if (rest.starts_with(number)) return fmt::format("{} is no number of JSON; null would be one", number);
    }
    if (error.find("surrogate") != error.npos) {
      return "half of a character is escaped here; \\ud83d\\ude00 would be a whole one";
    }
    return "no JSON goes on like this";
  }

  bool open() {
    if (depth++ < bounds.depth) return count();
    fault = fmt::format("it is nested deeper than {} brackets", bounds.depth);
    return false;
  }

  bool is_new(const std::string& name) {
    auto& known = names->back();
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      fault = "a name stands twice in one object";
    } else if (known.size() == most_names) {
      fault = fmt::format("an object has more than {} names", most_names);
    } else {
      known.push_back(name);
      return true;
    }
    return false;
  }

  bool count() {
    if (++values <= bounds.values) return true;
    fault = fmt::format("it has more than {} values", bounds.values);
    return false;
  }
};

constexpr std::int64_t most_number = std::numeric_limits<std::int64_t>::max();

/// Checks a text without building anything, then parses it. A parser callback instead of the check
/// would take quadratic time: for each element of a list, the library visits the whole list.
template <class Value>
Value parse(std::string_view text, BoundsCheck check) {
  const char* reached = text.data();
  if (!nlohmann::json::sax_parse(WatchedText(reached, &reached),
                                 WatchedText(text.data() + text.size(), &reached), &check)) {
    const auto read = text.substr(0, static_cast<std::size_t>(reached - text.data()));
    if (check.refused_at > text.size()) throw GoldenError(line_of_end(text), "the JSON breaks off");
    const auto column = read.size() - (read.rfind('\n') + 1);  // npos + 1 is 0
    throw GoldenError(line_of_end(read), fmt::format("column {}: {}", column, check.fault));
  }
  return Value::parse(text);
}

}  // namespace

Json parse_json(std::string_view text) {
  constexpr JsonBounds bounds{.depth = most_depth, .values = std::numeric_limits<std::size_t>::max()};
  return parse<Json>(text,
                     {.bounds = bounds, .text = text, .names = std::vector<std::vector<std::string>>()});
}

nlohmann::json parse_json(std::string_view text, const JsonBounds& bounds) {
  return parse<nlohmann::json>(text, {.bounds = bounds, .text = text});
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

std::int64_t JsonObject::number_or(const char* name, std::int64_t most, std::int64_t otherwise) const {
  return json_.contains(name) ? number(name, most) : otherwise;
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
