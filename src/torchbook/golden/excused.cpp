#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <regex.h>
#include <torchbook/golden/excused.h>
#include <torchbook/golden/printed.h>
#include <torchbook/golden/printed_number.h>
#include <torchbook/golden/shown_tensor.h>
#include <torchbook/golden/tensor_difference.h>

#include <algorithm>
#include <cmath>
#include <span>
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

  /// Returns what matches in a line, without empty matches.
  std::vector<TextRange> matches(const std::string& line) const {
    constexpr std::size_t longest = 10'000;  // the time of a search grows with the square of a line
    std::vector<TextRange> all;
    regmatch_t found;
    for (std::size_t at = 0; line.size() <= longest && at < line.size();) {
      if (regexec(&compiled_, line.c_str() + at, 1, &found, at == 0 ? 0 : REG_NOTBOL) != 0) break;
      const auto begin = at + static_cast<std::size_t>(found.rm_so),
                 end = at + static_cast<std::size_t>(found.rm_eo);
      if (end > begin) all.push_back({begin, end});
      at = std::max(end, begin + 1);
    }
    return all;
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

/// Returns what is excused in each line, in order.
std::vector<std::vector<TextRange>> excused_in(const ExcusedParts& parts, const Lines& all) {
  std::vector<std::vector<TextRange>> ranges(all.lines.size());
  if (!parts.pattern.empty()) {
    const Pattern pattern(parts.pattern);
    std::ranges::transform(all.lines, ranges.begin(),
                           [&](const auto& line) { return pattern.matches(line); });
  }
  for (const auto& [line, word] : parts.words) {
    if (line > all.lines.size()) continue;
    const auto words = words_of(all.lines[line - 1]);
    if (word <= words.size()) ranges[line - 1].push_back(words[word - 1]);
  }
  for (auto& of_line : ranges) std::ranges::sort(of_line, {}, &TextRange::begin);
  return ranges;
}

/// Returns the outputs with the mask in place of what is excused.
Lines masked(const ExcusedParts& parts, Lines all) {
  const auto excused = excused_in(parts, all);
  for (std::size_t i = 0; i < excused.size(); ++i) {
    for (auto range = excused[i].rbegin(); range != excused[i].rend(); ++range)
      all.lines[i].replace(range->begin, range->end - range->begin, 1, mask);
  }
  return all;
}

/// Returns whether masked outputs of a cell are those of its golden. A line that is excused as a whole may be
/// missing: C++ shows nothing where Python shows `<torch._C.Generator object at 0x7f…>`.
bool are_alike(const Lines& golden, const Lines& cell) {
  const auto match = [](std::span<const std::string> expected, std::span<const std::string> lines) {
    std::size_t at = 0;
    for (const auto& one : expected) {
      if (at < lines.size() && lines[at] == one) {
        ++at;
      } else if (one != std::string(1, mask)) {
        return false;
      }
    }
    return at == lines.size();
  };
  const std::span one(golden.lines), other(cell.lines);
  return match(one.first(one.size() - golden.of_result), other.first(other.size() - cell.of_result)) &&
         match(one.last(golden.of_result), other.last(cell.of_result));
}

/// Returns whether texts have the same spaces. If numbers have other widths, Python may align all of them
/// otherwise, so only the newlines must be the same, and elsewhere than before numbers, whether there are
/// spaces.
bool have_like_spaces(const Printed& golden, const Printed& actual) {
  const auto gap = [](const Printed& in, std::size_t i) {
    const auto end = i < in.tokens.size() ? in.tokens[i].range.begin : in.text.size();
    const auto begin = i == 0 ? 0 : in.tokens[i - 1].range.end;
    return in.text.substr(begin, end - begin);
  };
  const auto count = golden.tokens.size();
  bool same = true, alike = true, same_widths = true;
  for (std::size_t i = 0; i <= count; ++i) {
    const auto one = gap(golden, i), other = gap(actual, i);
    same = same && one == other;
    const bool is_padding = i < count && golden.tokens[i].number;
    alike = alike && (is_padding || one.empty() == other.empty()) &&
            std::ranges::count(one, '\n') == std::ranges::count(other, '\n');
    if (i < count) same_widths = same_widths && golden.word(i).size() == actual.word(i).size();
  }
  return same_widths ? same : alike;
}

/// Returns how many digits a number has after its point.
std::size_t decimals_of(std::string_view number) {
  const auto point = std::min(number.find('.'), number.size());
  const auto end = std::min(number.find_first_not_of("0123456789", point + 1), number.size());
  return end - std::min(point + 1, end);
}

/// Returns whether two texts have the same words, and numbers that are near. A number that is printed with as
/// many places may be off by a unit of the last one, because rounding can go either way.
bool are_near(const Tolerance& tolerance, const std::string& golden, const std::string& actual) {
  constexpr double eps = 0x1p-23;  // of float32, which is what most texts show
  const auto one = read_printed(golden), other = read_printed(actual);
  if (one.tokens.size() != other.tokens.size() || !have_like_spaces(one, other)) return false;
  for (std::size_t i = 0; i < one.tokens.size(); ++i) {
    const auto word = one.word(i), there = other.word(i);
    if (word == there) continue;
    if (!one.tokens[i].number || !other.tokens[i].number) return false;
    const PrintedNumber number(word), near(there);
    if (number.integer() || near.integer()) return false;
    const bool same_places = decimals_of(word) == decimals_of(there) && decimals_of(word) != 0;
    const double units = same_places ? 2 * std::min(number.half_unit(), near.half_unit()) : 0;
    const double relative = std::max(tolerance.relative, tolerance.ulps * eps);
    if (!is_near(number.value(), near.value(),
                 tolerance.absolute + relative * std::fabs(number.value()) + units))
      return false;
  }
  return true;
}

/// Returns whether an excused range touches an element of a printed tensor.
bool touches(const std::vector<std::vector<TextRange>>& excused, const Lines& all, const notebook::Cell& cell,
             const ShownTensor& shown, const PrintedElement& element) {
  const bool in_result = shown.where == "result";
  const std::string_view text = in_result ? *cell.result : cell.out;
  const auto before = text.substr(0, element.range.begin);
  const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) +
                    (in_result ? all.lines.size() - all.of_result : 0);
  return std::ranges::any_of(excused.at(line), [&](const TextRange& range) {
    return range.begin + start < element.range.end && element.range.begin < range.end + start;
  });
}

/// Gives the golden's tensors the cell's elements where their text is excused. If a summary does not show all
/// elements of a tensor, and one that it shows is excused, all of them are.
void take_excused(std::vector<notebook::RecordedTensor>& tensors, const ExcusedParts& parts,
                  const notebook::Cell& cell) {
  const auto all = lines_of(cell.out, cell.result);
  const auto excused = excused_in(parts, all);
  for (const auto& shown : shown_tensors(cell)) {
    const auto& from = cell.tensors[shown.recorded];
    auto& to = tensors[shown.recorded];
    const auto count = element_count(from, element_format(from.dtype));
    if (count == 0 || from.bytes.size() != to.bytes.size() || from.shape != to.shape) continue;
    const auto size = from.bytes.size() / count;
    for (const auto& element : shown.elements) {
      if (!touches(excused, all, cell, shown, element)) continue;
      if (shown.elements.size() < count) to.bytes = from.bytes;
      to.bytes.replace(element.index * size, size, from.bytes, element.index * size, size);
    }
  }
}

bool are_tensors_alike(const ExcusedParts& parts, const notebook::Cell& cell, const GoldenCell& golden,
                       Closeness closeness) {
  if (!golden.tensors || closeness == Closeness::any) return true;
  auto tensors = *golden.tensors;
  if (tensors.size() != cell.tensors.size()) return false;
  take_excused(tensors, parts, cell);
  for (std::size_t i = 0; i < cell.tensors.size(); ++i) {
    const TensorView one(tensors[i]), other(cell.tensors[i]);
    const bool alike = !tensor_difference(one, other) ||
                       (closeness == Closeness::rounding && is_rounding(one, other)) ||
                       (parts.tolerance && are_near(one, other, *parts.tolerance));
    if (!alike) return false;
  }
  return true;
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
  return are_alike(masked(parts, one), masked(parts, other)) &&
         are_tensors_alike(parts, cell, golden, closeness);
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
