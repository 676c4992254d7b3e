#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <regex.h>
#include <torchbook/golden/excused.h>
#include <torchbook/golden/printed.h>
#include <torchbook/golden/printed_number.h>
#include <torchbook/golden/shown_tensor.h>
#include <torchbook/golden/tensor_difference.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::golden {
namespace {

constexpr char mask = '\x01', number_mask = '\x02';  // no output has them: they are printed

/// A compiled pattern of ExcusedParts, which parse_exceptions() has tried.
class Pattern {
 public:
  explicit Pattern(const std::string& text) { regcomp(&compiled_, text.c_str(), REG_EXTENDED); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern() { regfree(&compiled_); }

  /// Returns what matches in a line, without empty matches. The time of a search may grow with the square of
  /// a line, so nothing matches in a long one.
  std::vector<TextRange> matches(const std::string& line, std::size_t longest = 10'000) const {
    std::vector<TextRange> all;
    const auto size = std::min(line.find('\0'), line.size());
    for (std::size_t at = 0; line.size() <= longest && at < size;) {
      // REG_STARTEND: without it, each search would measure the rest of the line.
      regmatch_t found{.rm_so = 0, .rm_eo = static_cast<regoff_t>(size - at)};
      if (regexec(&compiled_, line.c_str() + at, 1, &found, REG_STARTEND | (at == 0 ? 0 : REG_NOTBOL)) != 0)
        break;
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

/// Returns the numbers in a word, also hexadecimal ones and those beside letters.
std::vector<TextRange> numbers_in(std::string_view word) {
  static const Pattern number("[+-]?(0x[0-9a-fA-F]+|([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?)");
  return number.matches(std::string(word), word.size());
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

/// A range that is excused, and the character that takes its place.
struct Excused {
  TextRange range{};
  char by = mask;

  bool operator==(const Excused&) const = default;
};

/// Adds what a place excuses in a line: a word, or its numbers if `golden`, the word there, has any. The
/// spaces beside it may have any width.
void add_excused(const WordPlace& place, const std::string& line, std::string_view golden,
                 std::vector<Excused>& excused) {
  const auto words = words_of(line);
  if (place.word > words.size()) return;
  const auto [begin, end] = words[place.word - 1];
  const auto before = place.word == 1 ? 0 : words[place.word - 2].end;
  const auto after = std::min(line.find_first_not_of(' ', end), line.size());
  const auto count = excused.size();
  const bool has_numbers = !numbers_in(golden).empty();
  if (!has_numbers) excused.push_back({{begin, end}, mask});
  std::size_t number = 0;
  for (const auto& each : numbers_in(has_numbers ? piece(line, {begin, end}) : "")) {
    if (place.number == 0 || place.number == ++number)
      excused.push_back({{begin + each.begin, begin + each.end}, number_mask});
  }
  if (excused.size() == count) return;  // the word has no such number
  excused.insert(excused.end(), {{{before, begin}, ' '}, {{end, after}, ' '}});
}

/// Returns what is excused in each line, in order.
std::vector<std::vector<Excused>> excused_in(const ExcusedParts& parts, const Lines& all,
                                             const Lines& golden) {
  std::vector<std::vector<Excused>> excused(all.lines.size());
  if (!parts.pattern.empty()) {
    const Pattern pattern(parts.pattern);
    for (std::size_t i = 0; i < excused.size(); ++i) {
      for (const auto& range : pattern.matches(all.lines[i])) excused[i].push_back({range, mask});
    }
  }
  for (const auto& place : parts.words) {
    if (place.line > std::min(all.lines.size(), golden.lines.size())) continue;
    const auto& expected = golden.lines[place.line - 1];
    const auto words = words_of(expected);
    const auto word = place.word > words.size() ? "" : piece(expected, words[place.word - 1]);
    add_excused(place, all.lines[place.line - 1], word, excused[place.line - 1]);
  }
  for (auto& of_line : excused) {
    std::ranges::sort(of_line, {},
                      [](const Excused& one) { return std::pair(one.range.begin, one.range.end); });
    of_line.erase(std::unique(of_line.begin(), of_line.end()), of_line.end());
  }
  return excused;
}

/// Returns the outputs with masks in place of what is excused.
Lines masked(const ExcusedParts& parts, Lines all, const Lines& golden) {
  const auto excused = excused_in(parts, all, golden);
  for (std::size_t i = 0; i < excused.size(); ++i) {
    for (auto one = excused[i].rbegin(); one != excused[i].rend(); ++one)
      all.lines[i].replace(one->range.begin, one->range.end - one->range.begin, 1, one->by);
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
      } else if (notebook::trimmed(one) != std::string(1, mask)) {
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
bool touches(const std::vector<std::vector<Excused>>& excused, const Lines& all, const notebook::Cell& cell,
             const ShownTensor& shown, const PrintedElement& element) {
  const bool in_result = shown.where == "result";
  const std::string_view text = in_result ? *cell.result : cell.out;
  const auto before = text.substr(0, element.range.begin);
  const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) +
                    (in_result ? all.lines.size() - all.of_result : 0);
  return std::ranges::any_of(excused.at(line), [&](const Excused& one) {
    return one.range.begin + start < element.range.end && element.range.begin < one.range.end + start;
  });
}

/// Gives the golden's tensors the cell's elements where their text is excused. Elements that a summary does
/// not show are never excused.
void take_excused(std::vector<notebook::RecordedTensor>& tensors, const ExcusedParts& parts,
                  const notebook::Cell& cell, const GoldenCell& golden) {
  const auto all = lines_of(cell.out, cell.result);
  const auto excused = excused_in(parts, all, lines_of(golden.out, golden.result));
  for (const auto& shown : shown_tensors(cell)) {
    const auto& from = cell.tensors[shown.recorded];
    auto& to = tensors[shown.recorded];
    const auto count = element_count(from, element_format(from.dtype));
    if (count == 0 || from.bytes.size() != to.bytes.size() || from.shape != to.shape) continue;
    const auto size = from.bytes.size() / count;
    for (const auto& element : shown.elements) {
      if (!touches(excused, all, cell, shown, element)) continue;
      to.bytes.replace(element.index * size, size, from.bytes, element.index * size, size);
    }
  }
}

bool are_tensors_alike(const ExcusedParts& parts, const notebook::Cell& cell, const GoldenCell& golden,
                       Closeness closeness) {
  if (!golden.tensors || closeness == Closeness::any) return true;
  auto tensors = *golden.tensors;
  if (tensors.size() != cell.tensors.size()) return false;
  take_excused(tensors, parts, cell, golden);
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
  return are_alike(masked(parts, one, one), masked(parts, other, one)) &&
         are_tensors_alike(parts, cell, golden, closeness);
}

/// Adds the places where two words differ: their numbers if only some of several differ, or else the words.
static void add_places(WordPlace place, std::string_view one, std::string_view other,
                       std::vector<WordPlace>& places) {
  const auto here = numbers_in(one), there = numbers_in(other);
  std::vector<std::size_t> differing;
  for (std::size_t i = 0; here.size() == there.size() && i < here.size(); ++i) {
    if (piece(one, here[i]) != piece(other, there[i])) differing.push_back(i + 1);
  }
  if (differing.size() == here.size()) differing = {0};
  for (const auto number : differing) {
    place.number = number;
    places.push_back(place);
  }
}

std::optional<std::string> words_that_differ(const GoldenCell& one, const GoldenCell& other) {
  const auto here = lines_of(one.out, one.result), there = lines_of(other.out, other.result);
  if (here.lines.size() != there.lines.size() || here.of_result != there.of_result) return std::nullopt;
  ExcusedParts parts;
  for (std::size_t line = 0; line < here.lines.size(); ++line) {
    const auto &left = here.lines[line], &right = there.lines[line];
    if (left == right) continue;
    const auto words = words_of(left), others = words_of(right);
    if (words.size() != others.size()) return std::nullopt;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto word = piece(left, words[i]), there_too = piece(right, others[i]);
      if (word != there_too) add_places({.line = line + 1, .word = i + 1}, word, there_too, parts.words);
    }
  }
  const bool is_all =
      parts.words.size() <= most_words && masked(parts, here, here) == masked(parts, there, here);
  if (!is_all) return std::nullopt;
  std::string text = "words";
  for (const auto& [line, word, number] : parts.words)
    text += number == 0 ? fmt::format(" {}.{}", line, word) : fmt::format(" {}.{}.{}", line, word, number);
  return text;
}

bool has_parts(const ExcusedParts& parts, const GoldenCell& golden) {
  const auto all = lines_of(golden.out, golden.result);
  return parts.tolerance || masked(parts, all, all) != all;
}

}  // namespace torchbook::golden
