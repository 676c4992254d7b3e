#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>

namespace torchbook::notebook {
namespace {

constexpr std::string_view separator = ", ";
constexpr std::string_view comment_mark = "# axis ";

}  // namespace

bool is_axis_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && text.find(',') == text.npos && !has_control_characters(text) &&
         text.front() != ' ' && text.back() != ' ';
}

std::string axis_text(std::int64_t dim, std::span<const std::string_view> names) {
  std::string text = std::to_string(dim) + ":";
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
  if (!dim || *dim < 0) return std::nullopt;
  Axis axis{.dim = *dim};
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
  return std::string(comment_mark) + tensor + ' ' + axis_text(axis.dim, names);
}

std::optional<NamedAxis> axis_of_comment(std::string_view line) {
  if (!line.starts_with(comment_mark)) return std::nullopt;
  line.remove_prefix(comment_mark.size());
  const auto space = line.find(' ');
  if (space == line.npos || !is_name(line.substr(0, space))) return std::nullopt;
  auto axis = axis_in(line.substr(space + 1));
  if (!axis) return std::nullopt;
  return NamedAxis{.tensor = std::string(line.substr(0, space)), .axis = std::move(*axis)};
}

}  // namespace torchbook::notebook
