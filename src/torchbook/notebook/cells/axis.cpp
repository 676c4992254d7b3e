#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>

namespace torchbook::notebook {
namespace {

constexpr std::string_view separator = ", ";
constexpr std::string_view axis_mark = "# axis ";
constexpr std::string_view words_mark = "# words ";
constexpr std::string_view words = "words";

}  // namespace

bool is_axis_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && text.find(',') == text.npos && !has_control_characters(text) &&
         text.front() != ' ' && text.back() != ' ';
}

std::string axis_text(std::int64_t dim, std::span<const std::string_view> names) {
  auto text = (dim == of_words ? std::string(words) : std::to_string(dim)) + ":";
  bool is_first = true;
  for (const auto name : names) {
    text.append(is_first ? " " : separator).append(name);
    is_first = false;
  }
  return text;
}

std::optional<Axis> axis_in(std::string_view text) {
  const auto colon = text.find(": ");
  if (colon == text.npos) return std::nullopt;
  const auto dim = parse_integer<std::int64_t>(text.substr(0, colon));
  const bool has_words = text.substr(0, colon) == words;
  if (!has_words && (!dim || *dim < 0)) return std::nullopt;
  Axis axis{.dim = has_words ? of_words : *dim};
  for (auto at = colon + 2; at <= text.size();) {
    const auto end = std::min(text.find(separator, at), text.size());
    if (!is_axis_name(text.substr(at, end - at))) return std::nullopt;
    axis.names.emplace_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  return axis.names.empty() ? std::nullopt : std::optional(std::move(axis));
}

std::string NamedAxis::comment() const {
  const std::vector<std::string_view> names(axis.names.begin(), axis.names.end());
  const auto text = axis_text(axis.dim, names);
  if (axis.dim == of_words) return std::string(words_mark) + tensor + text.substr(words.size());
  return std::string(axis_mark) + tensor + ' ' + text;
}

std::optional<NamedAxis> axis_of_comment(std::string_view line) {
  const bool has_words = line.starts_with(words_mark);
  if (!has_words && !line.starts_with(axis_mark)) return std::nullopt;
  line.remove_prefix((has_words ? words_mark : axis_mark).size());
  const auto end = line.find(has_words ? ':' : ' ');
  if (end == line.npos || !is_name(line.substr(0, end))) return std::nullopt;
  auto axis = axis_in(has_words ? std::string(words) + std::string(line.substr(end))
                                : std::string(line.substr(end + 1)));
  if (!axis) return std::nullopt;
  return NamedAxis{.tensor = std::string(line.substr(0, end)), .axis = std::move(*axis)};
}

}  // namespace torchbook::notebook
