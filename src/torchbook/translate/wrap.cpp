// Finds where a line can be broken.
#include <torchbook/translate/wrap.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace torchbook::translate {
namespace {

constexpr std::size_t longest = 110;

/// A place behind which a line can be broken.
struct Break {
  std::size_t at = 0;
  int depth = 0;  ///< how many brackets are open
};

/// Returns the end of a string or character literal that begins at `at`.
std::size_t end_of_literal(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (++at; at < line.size() && line[at] != quote; ++at) {
    if (line[at] == '\\') ++at;
  }
  return at;
}

/// Returns the best place before the column: outside of most brackets, and then as late as possible.
std::optional<Break> best_break(std::string_view line, std::size_t first) {
  std::optional<Break> best;
  int depth = 0;
  for (std::size_t i = first; i < line.size() && i < longest; ++i) {
    const char c = line[i];
    if (c == '"') i = end_of_literal(line, i);
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    const bool behind = (c == ',' || c == '=') && i + 1 < line.size() && line[i + 1] == ' ';
    if (!behind || i + 1 >= longest) continue;
    if (!best || depth <= best->depth) best = Break{i + 1, depth};
  }
  return best;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& line) {
  std::vector<std::string> pieces;
  const auto indent = std::min(line.find_first_not_of(' '), line.size());
  std::string rest = line;
  while (rest.size() > longest) {
    const auto first = rest.find_first_not_of(' ');
    const auto place = best_break(rest, first);
    if (!place) break;
    pieces.push_back(rest.substr(0, place->at));
    rest = std::string(indent + 4, ' ') + rest.substr(place->at + 1);
  }
  pieces.push_back(std::move(rest));
  return pieces;
}

}  // namespace torchbook::translate
