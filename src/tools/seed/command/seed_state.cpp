// Reads and writes a text file in which each line is a keyword and its values.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/seed/command/seed_state.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr std::string_view heading = "torchbook seed, state 2";
constexpr std::uint64_t all_seeds = std::uint64_t{1} << 32;
/// The limit on hits in a state file. A search that can decide finds few, and checking many takes
/// long.
constexpr std::size_t most_found = 100;

/// Reads lines one after another.
class StateReader {
 public:
  StateReader(const std::string& path, std::string_view text)
      : path_(path), lines_(notebook::lines_of(text)) {}

  bool more() const { return line_ < lines_.size(); }
  bool next_is(std::string_view word) const { return more() && lines_[line_].starts_with(word); }

  std::string_view take(std::string_view word) {
    const bool is = next_is(word);
    ++line_;
    if (!is) fail(fmt::format("expected \"{}\"", word));
    auto rest = lines_[line_ - 1].substr(word.size());
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    return rest;
  }

  /// Reads a line with two numbers, neither above `most`.
  std::pair<std::uint64_t, std::uint64_t> take_two(std::string_view word, std::uint64_t most) {
    const auto rest = take(word);
    const auto space = std::min(rest.find(' '), rest.size());
    const auto first = notebook::parse_integer<std::uint64_t>(rest.substr(0, space));
    const auto second = notebook::parse_integer<std::uint64_t>(rest.substr(std::min(space + 1, rest.size())));
    if (!first || !second || std::max(*first, *second) > most) fail("expected two numbers");
    return {*first, *second};
  }

  /// Throws UsageError for the last line that was read.
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: this is no state of a search: {}", path_, line_, what));
  }

 private:
  std::string path_;
  std::vector<std::string_view> lines_;
  std::size_t line_ = 0;
};

/// Reads the description of the search, up to the states that were found.
SeedState take_search(StateReader& reader) {
  SeedState state;
  reader.take(heading);
  state.call = reader.take("call");
  state.text = reader.take("text");
  const auto [first, last] = reader.take_two("offsets", last_offset);
  state.first_offset = static_cast<std::uint32_t>(first);
  state.last_offset = static_cast<std::uint32_t>(last);
  std::tie(state.all_begin, state.all_end) = reader.take_two("seeds", all_seeds);
  const auto [part, parts] = reader.take_two("part", most_parts);
  if (first > last || state.all_begin >= state.all_end || part < 1 || part > parts) {
    reader.fail("its numbers do not fit together");
  }
  begin_part(state, part, parts);
  return state;
}

/// Returns the numbers of the first ten parts, and how many more there are.
std::string part_names(const std::vector<std::uint64_t>& parts) {
  constexpr std::size_t most = 10;
  const std::vector<std::uint64_t> first(parts.begin(), parts.begin() + std::min(most, parts.size()));
  auto text = fmt::format("part{} {}", parts.size() == 1 ? "" : "s", fmt::join(first, ", "));
  if (parts.size() > most) text += fmt::format(" and {} more", parts.size() - most);
  return text;
}

/// Throws UsageError if a part is missing, is there twice, or is not searched to its end. The states
/// are sorted by parts.
void refuse_unless_all(const std::vector<std::pair<SeedState, std::string>>& found) {
  std::vector<std::uint64_t> missing;
  const auto parts = found.front().first.parts;
  std::uint64_t expected = 1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [state, path] = found[i];
    if (state.part < expected) {
      throw UsageError(
          fmt::format("{} and {} are both part {} of {}", found[i - 1].second, path, state.part, parts));
    }
    for (; expected < state.part; ++expected) missing.push_back(expected);
    ++expected;
  }
  for (; expected <= parts; ++expected) missing.push_back(expected);
  if (!missing.empty()) {
    throw UsageError(fmt::format("{} of {} {} missing; --join needs the state files of all parts",
                                 part_names(missing), parts, missing.size() == 1 ? "is" : "are"));
  }
  for (const auto& [state, path] : found) {
    if (state.next == state.end) continue;
    throw UsageError(fmt::format(
        "{}, which is part {} of {}, is not searched from seed {} on; the command that wrote it goes on",
        path, state.part, parts, state.next));
  }
}

}  // namespace

void begin_part(SeedState& state, std::uint64_t part, std::uint64_t parts) {
  const auto count = state.all_end - state.all_begin;
  state.part = part;
  state.parts = parts;
  state.begin = state.next = state.all_begin + count * (part - 1) / parts;
  state.end = state.all_begin + count * part / parts;
}

std::string difference(const SeedState& a, const SeedState& b) {
  if (a.call != b.call) return "call";
  if (a.text != b.text) return "text";
  if (a.first_offset != b.first_offset || a.last_offset != b.last_offset) return "range of offsets";
  if (a.all_begin != b.all_begin || a.all_end != b.all_end) return "range of seeds";
  return a.parts != b.parts ? "number of parts" : "";
}

SeedState read_seed_state(const std::string& path) {
  const auto text = read_file(path);
  StateReader reader(path, text);
  auto state = take_search(reader);
  while (reader.next_is("found")) {
    const auto [seed, offset] = reader.take_two("found", last_seed);
    if (seed < state.begin || seed >= state.end || offset < state.first_offset ||
        offset > state.last_offset) {
      reader.fail("this is outside of the search");
    }
    if (state.found.size() == most_found) reader.fail("it has too many states that were found");
    state.found.push_back({static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(offset)});
  }
  const auto next = notebook::parse_integer<std::uint64_t>(reader.take("next"));
  if (!next || *next < state.begin || *next > state.end) reader.fail("this is outside of the search");
  if (reader.more()) reader.fail("more stands below it");
  state.next = *next;
  return state;
}

void write_seed_state(const std::string& path, const SeedState& state) {
  auto text = fmt::format("{}\ncall {}\ntext {}\noffsets {} {}\nseeds {} {}\npart {} {}\n", heading,
                          state.call, state.text, state.first_offset, state.last_offset, state.all_begin,
                          state.all_end, state.part, state.parts);
  for (const auto& found : state.found) text += fmt::format("found {} {}\n", found.seed, found.offset);
  write_file(path, text + fmt::format("next {}\n", state.next));
}

SeedState joined_seed_states(const std::vector<std::string>& paths) {
  std::vector<std::pair<SeedState, std::string>> parts;
  parts.reserve(paths.size());
  for (const auto& path : paths) {
    parts.emplace_back(read_seed_state(path), path);
    const auto differs = difference(parts.back().first, parts.front().first);
    if (differs.empty()) continue;
    throw UsageError(fmt::format("{} and {} are parts of different searches: the {} differs", paths.front(),
                                 path, differs));
  }
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.first.part < b.first.part; });
  refuse_unless_all(parts);
  auto joined = parts.front().first;
  begin_part(joined, 1, 1);
  joined.next = joined.end;
  joined.found.clear();
  for (const auto& [part, path] : parts)
    joined.found.insert(joined.found.end(), part.found.begin(), part.found.end());
  return joined;
}

}  // namespace torchbook::cli
