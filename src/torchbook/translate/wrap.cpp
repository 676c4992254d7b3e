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

constexpr std::string_view comment_mark = "  // ";

using Comments = std::map<std::size_t, std::string>;

/// Writes the comments behind lines that follow each other, from the first one until `end`.
void add_comments(std::vector<std::string>& lines, Comments::const_iterator first,
                  Comments::const_iterator end) {
  std::size_t code = 0, comment = 0;
  for (auto each = first; each != end; ++each) {
    code = std::max(code, lines[each->first].size());
    comment = std::max(comment, each->second.size());
  }
  const bool aligned = code + comment_mark.size() + comment <= longest;
  for (; first != end; ++first) {
    auto& line = lines[first->first];
    if (aligned) line.resize(code, ' ');
    line.append(comment_mark).append(first->second);
  }
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

std::vector<std::string> wrapped(const std::vector<std::string>& lines, const Comments& comments) {
  std::vector<std::string> pieces;
  Comments behind;  // by the position of their piece
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (auto& piece : wrapped(lines[i])) pieces.push_back(std::move(piece));
    const auto comment = comments.find(i);
    if (comment == comments.end()) continue;
    if (pieces.back().size() + comment_mark.size() + comment->second.size() > longest) continue;
    behind.emplace(pieces.size() - 1, comment->second);
  }
  for (auto first = behind.cbegin(); first != behind.cend();) {
    auto end = first;
    for (auto line = first->first; end != behind.cend() && end->first == line; ++line) ++end;
    add_comments(pieces, first, end);
    first = end;
  }
  return pieces;
}

}  // namespace torchbook::translate
