#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <utility>

namespace torchbook::golden {
namespace {

/// Parses a text, and explains an error of the library with the line and column that it names.
template <class AnyJson>
AnyJson parse(std::string_view text) {
  try {
    return AnyJson::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view what =
        error.what();  // [json.exception.parse_error.101] … column 2: …; last read: '…
    const auto reason = what.substr(std::min(what.find("column"), what.size()));
    throw GoldenError(notebook::line_at(text, error.byte),
                      std::string(reason.substr(0, reason.find("; last read"))));
  } catch (const nlohmann::json::out_of_range&) {
    throw GoldenError(0, "the JSON has a number that is too large");
  }
}

/// Throws GoldenError if the text exceeds the bounds. The library has none.
void require_bounds(std::string_view text, const JsonBounds& bounds) {
  std::size_t depth = 0, values = 1;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text && c == '\\') ++at;
    if (c == '"') in_text = !in_text;
    if (in_text) continue;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == '[' || c == '{' || c == ',' || c == ':') ++values;
    if (depth <= bounds.depth && values <= bounds.values) continue;
    throw GoldenError(notebook::line_at(text, at),
                      depth > bounds.depth
                          ? "it is nested deeper than " + std::to_string(bounds.depth) + " brackets"
                          : "it has more than " + std::to_string(bounds.values) + " values");
  }
}

/// Returns the text of readable_text() for a part of the JSON, without the last newline.
std::string readable_part(const Json& json, std::size_t indent) {
  constexpr std::size_t longest_line = 100;
  if (!json.is_structured() || json.empty()) return json.dump();
  std::vector<std::string> parts;
  for (const auto& [name, value] : json.items())
    parts.push_back((json.is_object() ? Json(name).dump() + ": " : "") + readable_part(value, indent + 1));
  const auto [start, end] = json.is_object() ? std::pair('{', '}') : std::pair('[', ']');
  auto line = fmt::format("{}{}{}", start, fmt::join(parts, ", "), end);
  if (line.size() <= longest_line && line.find('\n') == line.npos) return line;
  const std::string outer = '\n' + std::string(indent, ' '), inner = outer + ' ';
  return fmt::format("{}{}{}{}{}", start, inner, fmt::join(parts, "," + inner), outer, end);
}

}  // namespace

std::string readable_text(const Json& json) { return readable_part(json, 0) + '\n'; }

Json parse_json(std::string_view text) { return parse<Json>(text); }

nlohmann::json parse_json(std::string_view text, const JsonBounds& bounds) {
  require_bounds(text, bounds);
  return parse<nlohmann::json>(text);
}

const Json& part_of(const Json& json, const char* name) {
  if (!json.is_object())
    throw GoldenError(0, "an object with \"" + std::string(name) + "\" is expected, not " + json.type_name());
  const auto found = json.find(name);
  if (found == json.end()) throw GoldenError(0, "the field \"" + std::string(name) + "\" is missing");
  return *found;
}

std::optional<std::string> text_if_any(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? std::nullopt
                                                 : std::optional(field<std::string>(json, name));
}

}  // namespace torchbook::golden
