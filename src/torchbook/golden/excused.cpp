#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <regex.h>
#include <torchbook/golden/excused.h>
#include <torchbook/golden/printed.h>
#include <torchbook/golden/printed_number.h>
#include <torchbook/golden/tensor_difference.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {
namespace {

constexpr char mask = '\x01';  // no output has it: they are printed

/// A compiled pattern of ExcusedParts, which parse_exceptions() has tried.
class Pattern {
 public:
  explicit Pattern(const std::string& text) { regcomp(&compiled_, text.c_str(), REG_EXTENDED); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern() { regfree(&compiled_); }

  /// Returns a line with the mask in place of what matches.
  std::string masked(const std::string& line) const {
    constexpr std::size_t longest = 10'000;  // the time of a search grows with the square of a line
    if (line.size() > longest) return line;
    std::string result;
    std::size_t at = 0;
    regmatch_t found;
    while (at < line.size() &&
           regexec(&compiled_, line.c_str() + at, 1, &found, at == 0 ? 0 : REG_NOTBOL) == 0) {
      const auto begin = at + static_cast<std::size_t>(found.rm_so),
                 end = at + static_cast<std::size_t>(found.rm_eo);
      result.append(line, at, begin - at);
      result.append(end > begin ? std::string(1, mask) : line.substr(begin, 1));
      at = std::max(end, begin + 1);
    }
    return at < line.size() ? result + line.substr(at) : result;
  }

 private:
  regex_t compiled_{};
};

/// Returns the words of a line.
std::vector<TextRange> words_of(std::string_view line) {
  std::vector<TextRange> words;
  for (auto begin = line.find_first_not_of(" \n"); begin != line.npos;
       begin = line.find_first_not_of(" \n", begin)) {
    const auto end = std::min(line.find_first_of(" \n", begin), line.size());
    words.push_back({begin, end});
    begin = end;
  }
  return words;
}

/// Returns a line with the mask in place of a word.
std::string without_word(const std::string& line, std::size_t word) {
  const auto words = words_of(line);
  if (word > words.size()) return line;
  const auto& [begin, end] = words[word - 1];
  return line.substr(0, begin) + mask + line.substr(end);
}

/// The outputs of a cell, line by line: those of stdout, then those of the result.
struct Lines {
  std::vector<std::string> lines{};
  std::size_t of_result = 0;  ///< how many of them; 0 if there is none

  bool operator==(const Lines&) const = default;
};

Lines lines_of(const std::string& out, const std::optional<std::string>& result) {
  Lines all;
  std::vector<std::string> printed = absl::StrSplit(out, '\n');
  if (printed.back().empty()) printed.pop_back();                    // after the last newline
  if (!out.empty() && !out.ends_with('\n')) printed.back() += '\n';  // it has none
  all.lines = std::move(printed);
  if (!result) return all;
  const std::vector<std::string> shown = absl::StrSplit(*result, '\n');
  all.of_result = shown.size();
  all.lines.insert(all.lines.end(), shown.begin(), shown.end());
  return all;
}

/// Returns the outputs with the mask in place of what is excused. A line that is excused as a whole may be
/// missing: C++ shows nothing where Python shows `<torch._C.Generator object at 0x7f…>`.
Lines masked(const ExcusedParts& parts, Lines all) {
  if (!parts.pattern.empty()) {
    const Pattern pattern(parts.pattern);
    for (auto& line : all.lines) line = pattern.masked(line);
  }
  for (const auto& [line, word] : parts.words) {
    if (line <= all.lines.size()) all.lines[line - 1] = without_word(all.lines[line - 1], word);
  }
  const auto is_mask = [](const std::string& line) { return line == std::string(1, mask); };
  const auto result = all.lines.end() - static_cast<std::ptrdiff_t>(all.of_result);
  all.of_result -= static_cast<std::size_t>(std::count_if(result, all.lines.end(), is_mask));
  std::erase_if(all.lines, is_mask);
  return all;
}

/// Returns whether two texts have the same words, and numbers that are near. What is printed may be off by a
/// unit of its last place, because rounding can go either way.
bool are_near(const Tolerance& tolerance, const std::string& golden, const std::string& actual) {
  constexpr double eps = 0x1p-23;  // of float32, which is what most texts show
  const auto one = read_printed(golden), other = read_printed(actual);
  if (one.tokens.size() != other.tokens.size()) return false;
  for (std::size_t i = 0; i < one.tokens.size(); ++i) {
    const auto word = one.word(i), there = other.word(i);
    if (word == there) continue;
    if (!one.tokens[i].number || !other.tokens[i].number) return false;
    const PrintedNumber number(word), near(there);
    if (number.integer() || near.integer()) return false;
    const double units = 2 * std::max(number.half_unit(), near.half_unit());
    const double relative = std::max(tolerance.relative, tolerance.ulps * eps);
    if (!is_near(number.value(), near.value(),
                 tolerance.absolute + relative * std::fabs(number.value()) + units))
      return false;
  }
  return true;
}

bool are_tensors_alike(const ExcusedParts& parts, const notebook::Cell& cell, const GoldenCell& golden,
                       Closeness closeness) {
  if (!golden.tensors || closeness == Closeness::any) return true;
  if (golden.tensors->size() != cell.tensors.size()) return false;
  for (std::size_t i = 0; i < cell.tensors.size(); ++i) {
    const TensorView one((*golden.tensors)[i]), other(cell.tensors[i]);
    const bool alike = !tensor_difference(one, other) ||
                       (closeness == Closeness::rounding && is_rounding(one, other)) ||
                       (parts.tolerance && are_near(one, other, *parts.tolerance));
    if (!alike) return false;
  }
  return true;
}

/// Returns whether the mask takes the text of a tensor.
bool takes_tensors(const Lines& before, const Lines& after) {
  const auto tensors = [](const Lines& all) {
    return std::count_if(all.lines.begin(), all.lines.end(),
                         [](const auto& line) { return line.find("tensor(") != line.npos; });
  };
  return tensors(after) < tensors(before);
}

}  // namespace

bool differs_in_parts_only(const ExcusedParts& parts, const notebook::Cell& cell, const GoldenCell& golden,
                           Closeness closeness) {
  const auto one = lines_of(golden.out, golden.result), other = lines_of(cell.out, cell.result);
  if (parts.tolerance) {
    const bool same_form = golden.result.has_value() == cell.result.has_value();
    return same_form && are_near(*parts.tolerance, golden.out, cell.out) &&
           are_near(*parts.tolerance, golden.result.value_or(""), cell.result.value_or("")) &&
           are_tensors_alike(parts, cell, golden, closeness);
  }
  const auto excused = masked(parts, one);
  return excused == masked(parts, other) &&
         (takes_tensors(one, excused) || are_tensors_alike(parts, cell, golden, closeness));
}

std::optional<std::string> words_that_differ(const GoldenCell& one, const GoldenCell& other) {
  constexpr std::size_t most = 50;
  const auto here = lines_of(one.out, one.result), there = lines_of(other.out, other.result);
  if (here.lines.size() != there.lines.size() || here.of_result != there.of_result) return std::nullopt;
  ExcusedParts parts;
  std::string text = "words";
  for (std::size_t line = 0; line < here.lines.size(); ++line) {
    const auto &left = here.lines[line], &right = there.lines[line];
    if (left == right) continue;
    const auto words = words_of(left), others = words_of(right);
    if (words.size() != others.size()) return std::nullopt;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (piece(left, words[i]) == piece(right, others[i])) continue;
      text += fmt::format(" {}.{}", line + 1, i + 1);
      parts.words.push_back({.line = line + 1, .word = i + 1});
    }
  }
  const bool is_all = parts.words.size() <= most && masked(parts, here) == masked(parts, there);
  return is_all ? std::optional(text) : std::nullopt;
}

bool has_parts(const ExcusedParts& parts, const GoldenCell& golden) {
  const auto all = lines_of(golden.out, golden.result);
  return parts.tolerance || masked(parts, all) != all;
}

}  // namespace torchbook::golden
