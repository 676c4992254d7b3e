// Writes and reads lines of a word and its values.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/seed_state.h>
#include <torchbook/cli/write_file.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/whole_number.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr std::string_view heading = "torchbook seed, state 1";
constexpr std::uint64_t all_seeds = std::uint64_t{1} << 32;

/// Reads lines one after another.
class StateReader {
 public:
  StateReader(const std::string& path, std::string_view text)
      : path_(path), lines_(notebook::lines_of(text)) {}

  bool more() const { return line_ < lines_.size(); }
  bool next_is(std::string_view word) const { return more() && lines_[line_].starts_with(word); }

  std::string_view take(std::string_view word) {
    if (!next_is(word)) fail(fmt::format("expected \"{}\"", word));
    auto rest = lines_[line_++].substr(word.size());
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    return rest;
  }

  /// Takes a line with two numbers, of which none is above `most`.
  std::pair<std::uint64_t, std::uint64_t> take_two(std::string_view word, std::uint64_t most) {
    const auto rest = take(word);
    const auto space = std::min(rest.find(' '), rest.size());
    const auto first = notebook::whole_number<std::uint64_t>(rest.substr(0, space));
    const auto second = notebook::whole_number<std::uint64_t>(rest.substr(std::min(space + 1, rest.size())));
    if (!first || !second || std::max(*first, *second) > most) fail("expected two numbers");
    return {*first, *second};
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: this is no state of a search: {}", path_, line_ + 1, what));
  }

 private:
  std::string path_;
  std::vector<std::string_view> lines_;
  std::size_t line_ = 0;
};

std::string same_as(const SeedState& a, const SeedState& b) {
  return a.call != b.call ? "call" : a.text != b.text ? "text" : "offsets";
}

}  // namespace

SeedState read_seed_state(const std::string& path) {
  const auto text = read_file(path);
  StateReader reader(path, text);
  SeedState state;
  reader.take(heading);
  state.call = reader.take("call");
  state.text = reader.take("text");
  const auto [first, last] = reader.take_two("offsets", 0xffffffff);
  state.first_offset = static_cast<std::uint32_t>(first);
  state.last_offset = static_cast<std::uint32_t>(last);
  std::tie(state.begin, state.end) = reader.take_two("seeds", all_seeds);
  while (reader.next_is("found")) {
    const auto [seed, offset] = reader.take_two("found", 0xffffffff);
    state.found.push_back({static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(offset)});
  }
  state.next = notebook::whole_number<std::uint64_t>(reader.take("next")).value_or(0);
  if (state.next < state.begin || state.next > state.end) reader.fail("its seeds do not fit together");
  return state;
}

void write_seed_state(const std::string& path, const SeedState& state) {
  auto text = fmt::format("{}\ncall {}\ntext {}\noffsets {} {}\nseeds {} {}\n", heading, state.call,
                          state.text, state.first_offset, state.last_offset, state.begin, state.end);
  for (const auto& found : state.found) text += fmt::format("found {} {}\n", found.seed, found.offset);
  write_file(path, text + fmt::format("next {}\n", state.next));
}

SeedState joined_seed_states(const std::vector<std::string>& paths) {
  std::vector<SeedState> parts;
  for (const auto& path : paths) {
    parts.push_back(read_seed_state(path));
    if (!parts.back().same_search(parts.front())) {
      throw UsageError(fmt::format("{} and {} are parts of different searches: the {} differs", paths.front(),
                                   path, same_as(parts.front(), parts.back())));
    }
  }
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  auto joined = parts.front();
  for (const auto& part : parts) {
    if (part.begin > joined.next) break;
    joined.next = std::max(joined.next, part.next);
    joined.end = std::max(joined.end, part.end);
  }
  joined.end = std::max(joined.end, parts.back().end);
  if (joined.next != joined.end) {
    throw UsageError(fmt::format("the seeds from {} on are not searched yet", joined.next));
  }
  joined.found.clear();
  for (const auto& part : parts)
    joined.found.insert(joined.found.end(), part.found.begin(), part.found.end());
  std::sort(joined.found.begin(), joined.found.end());
  joined.found.erase(std::unique(joined.found.begin(), joined.found.end()), joined.found.end());
  return joined;
}

}  // namespace torchbook::cli
