#include <absl/strings/numbers.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <regex.h>
#include <torchbook/golden/exceptions.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace torchbook::golden {
namespace {

using notebook::trimmed;

constexpr std::size_t longest = 200;  // bytes of a pattern or a reason
constexpr std::string_view title = "exceptions of ";

/// Whether compiling or searching a pattern may take very long: if it has a `{`, a `\1`, or many a `+` that
/// may repeat another `+`, since glibc doubles the compiled pattern at each of these.
bool may_explode(std::string_view pattern) {
  std::size_t doublings = 0;
  for (std::size_t i = 1; i < pattern.size(); ++i) {
    if (pattern[i - 1] == '\\' && pattern[i] >= '1' && pattern[i] <= '9') return true;
    if (pattern[i] == '+' && std::string_view(")+*?").find(pattern[i - 1]) != pattern.npos) ++doublings;
  }
  return doublings > 4 || pattern.find('{') != pattern.npos;
}

/// Returns a pattern between slashes.
std::string pattern_of(std::string_view text, std::size_t number) {
  std::string pattern(text.substr(1, std::max(text.size(), std::size_t{2}) - 2));
  regex_t compiled;
  if (!text.ends_with('/') || pattern.empty() || pattern.size() > longest || may_explode(pattern) ||
      regcomp(&compiled, pattern.c_str(), REG_EXTENDED) != 0) {
    throw GoldenError(number,
                      "a pattern must be a POSIX extended regular expression between slashes, such as "
                      "/[0-9.]+ s/, of at most 200 bytes, without {, back-references and many nested +");
  }
  regfree(&compiled);
  return pattern;
}

std::vector<WordPlace> words_of(const std::vector<std::string>& items, std::size_t number) {
  if (items.empty() || items.size() > most_words)
    throw GoldenError(number, "a line names 1 to 1000 words: LINE.WORD, both from 1 on");
  std::vector<WordPlace> words;
  for (const auto& item : items) {
    std::vector<std::size_t> counts;
    for (const std::string& part : std::vector<std::string>(absl::StrSplit(item, '.')))
      counts.push_back(notebook::parse_integer<std::size_t>(part).value_or(0));
    if (counts.size() < 2 || counts.size() > 3 || std::ranges::count(counts, 0U) > 0)
      throw GoldenError(
          number, fmt::format("'{}' is no word; LINE.WORD or LINE.WORD.NUMBER is one, all from 1 on", item));
    counts.resize(3);
    words.push_back({.line = counts[0], .word = counts[1], .number = counts[2]});
    if (std::ranges::count(words, words.back()) > 1)
      throw GoldenError(number, fmt::format("the word {} is named twice", item));
  }
  return words;
}

Tolerance tolerance_of(const std::vector<std::string>& items, std::size_t number) {
  Tolerance tolerance;
  for (const std::string_view item : items) {
    const auto equals = std::min(item.find('='), item.size());
    const auto name = item.substr(0, equals);
    double* const value = name == "rtol"   ? &tolerance.relative
                          : name == "atol" ? &tolerance.absolute
                          : name == "ulps" ? &tolerance.ulps
                                           : nullptr;
    const auto text = item.substr(std::min(equals + 1, item.size()));
    if (value == nullptr || !absl::SimpleAtod(std::string(text), value) || !std::isfinite(*value) ||
        *value < 0)
      throw GoldenError(number,
                        fmt::format("'{}' is no tolerance; rtol=1e-5, atol=1e-8 or ulps=4 is one", item));
  }
  if (tolerance.relative == 0 && tolerance.absolute == 0 && tolerance.ulps == 0)
    throw GoldenError(number, "the tolerance is missing: rtol=1e-5, atol=1e-8 or ulps=4");
  return tolerance;
}

/// Returns the parts that a line names after its kind.
ExcusedParts parts_of(ExceptionKind kind, std::string_view text, std::size_t number) {
  ExcusedParts parts{.text = std::string(text)};
  const std::vector<std::string> items = absl::StrSplit(std::string(text), ' ', absl::SkipEmpty());
  if (kind == ExceptionKind::tolerance) {
    parts.tolerance = tolerance_of(items, number);
  } else if (!items.empty() && kind != ExceptionKind::differs && kind != ExceptionKind::varies) {
    throw GoldenError(number,
                      fmt::format("'{}' excuses a whole cell; a ':' comes after it", row_of(kind).name));
  } else if (text.starts_with('/')) {
    parts.pattern = pattern_of(text, number);
  } else if (!items.empty()) {
    if (items[0] != "words")
      throw GoldenError(
          number,
          fmt::format("'{}' names no parts; /PATTERN/ or 'words 1.2' does, and a ':' comes before the reason",
                      text));
    parts.words = words_of({items.begin() + 1, items.end()}, number);
  }
  return parts;
}

/// Returns the row of the kind with which a text begins; nullptr if there is none.
const ExceptionRow* row_at_begin(std::string_view text) {
  for (const auto& row : exception_kinds) {
    if (row.kind == ExceptionKind::kernels) continue;
    const auto rest = text.starts_with(row.name) ? text.substr(row.name.size()) : "?";
    if (rest.empty() || rest[0] == ' ' || rest[0] == ':') return &row;
  }
  return nullptr;
}

Exception exception_of(std::string_view line, std::size_t number) {
  const auto space = line.find_first_of(" \t");
  const auto position = notebook::parse_integer<std::size_t>(
      line.starts_with('@') ? line.substr(1, space == line.npos ? space : space - 1) : "");
  if (!position || *position == 0) {
    throw GoldenError(number,
                      "a line must be '@POSITION KIND: REASON', such as '@3 differs: prints the time'");
  }
  auto rest = space == line.npos ? std::string_view() : trimmed(line.substr(space));
  const auto* const row = row_at_begin(rest);
  if (row == nullptr) {
    throw GoldenError(
        number,
        "the kind of an exception must be 'differs', 'varies', 'tolerance', 'printed', 'picture' or "
        "'not ported'");
  }
  rest = trimmed(rest.substr(row->name.size()));
  const auto slash = rest.starts_with('/') ? rest.find("/:", 1) : rest.npos;  // a pattern may have a colon
  const auto colon = slash != rest.npos ? slash + 1 : rest.find(':');
  const auto parts = parts_of(row->kind, trimmed(rest.substr(0, colon)), number);
  const auto reason = colon == rest.npos ? std::string_view() : trimmed(rest.substr(colon + 1));
  if (reason.empty() && row->kind != ExceptionKind::picture) {
    throw GoldenError(number, fmt::format("the reason is missing; it comes after '@{} {}{}{}: '", *position,
                                          row->name, parts.text.empty() ? "" : " ", parts.text));
  }
  if (reason.size() > longest || notebook::has_control_characters(reason)) {
    throw GoldenError(number,
                      fmt::format("a reason must have at most {} bytes and no control characters", longest));
  }
  return {.position = *position,
          .kind = row->kind,
          .reason = std::string(reason),
          .line = number,
          .place = {},
          .parts = parts};
}

}  // namespace

std::optional<ExceptionKind> kind_named(std::string_view name) {
  for (const auto& row : exception_kinds) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

using LinesOfCells = std::map<std::size_t, std::size_t>;  // the lines of exceptions, by position

static bool is_empty_line(std::string_view line) { return trimmed(line).empty() || line.starts_with('#'); }

/// Adds the exception of a line. Throws GoldenError if its cell has one already.
static void add_line(Exceptions& exceptions, LinesOfCells& lines, std::string_view line, std::size_t number,
                     std::string_view file) {
  auto one = exception_of(line, number);
  one.place = fmt::format("{}:{}", file, number);
  const auto [known, is_new] = lines.try_emplace(one.position, number);
  if (!is_new) {
    throw GoldenError(number, fmt::format("cell @{} has an exception already, in line {}; a cell has one",
                                          one.position, known->second));
  }
  exceptions.cells.push_back(std::move(one));
}

Exceptions parse_exceptions(std::string_view text, std::string_view file) {
  const std::string normal = notebook::with_newlines(text);
  Exceptions exceptions;
  LinesOfCells lines;
  std::size_t number = 0;
  for (const auto line : notebook::lines_of(normal)) {
    ++number;
    if (number == 1) {
      if (!line.starts_with(title)) break;
      exceptions.slug = trimmed(line.substr(title.size()));
    } else if (!is_empty_line(line)) {
      add_line(exceptions, lines, line, number, file);
    }
  }
  if (exceptions.slug.empty()) throw GoldenError(1, "the first line must be 'exceptions of <slug>'");
  return exceptions;
}

std::vector<Exceptions> parse_exceptions_of_several(std::string_view text, std::string_view file) {
  const std::string normal = notebook::with_newlines(text);
  std::map<std::string, std::pair<Exceptions, LinesOfCells>> all;
  std::size_t number = 0;
  if (normal.starts_with(title)) all[""].first = parse_exceptions(text, file);
  for (const auto line : all.empty() ? notebook::lines_of(normal) : std::vector<std::string_view>()) {
    ++number;
    if (is_empty_line(line)) continue;
    const auto end = line.find(" @");
    if (end == line.npos || end == 0)
      throw GoldenError(
          number, "a line must be 'SLUG @POSITION KIND: REASON', or the first one 'exceptions of <slug>'");
    const std::string slug(trimmed(line.substr(0, end)));
    auto& [of, lines] = all[slug];
    of.slug = slug;
    add_line(of, lines, line.substr(end + 1), number, file);
  }
  std::vector<Exceptions> result;
  for (auto& [slug, one] : all) {
    for (auto& each : one.first.cells) each.is_built_in = false;
    result.push_back(std::move(one.first));
  }
  return result;
}

void require_cells(const Exceptions& exceptions, std::string_view slug, std::size_t cells) {
  require_slug(exceptions.slug, slug);
  for (const auto& one : exceptions.cells) {
    if (one.position <= cells) continue;
    throw GoldenError(one.line, fmt::format("there is no cell @{}; the notebook {} has {}", one.position,
                                            slug, notebook::counted(cells, "cell")));
  }
}

Exceptions of_the_port(Exceptions exceptions) {
  std::erase_if(exceptions.cells, [](const Exception& one) { return !row_of(one.kind).of_the_port; });
  return exceptions;
}

void add_exceptions(Golden& golden, const Exceptions& exceptions) {
  for (const auto& one : exceptions.cells) golden.cells.at(one.position - 1).exception = one;
}

}  // namespace torchbook::golden
