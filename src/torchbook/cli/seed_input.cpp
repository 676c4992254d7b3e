// Reads ranges, shards, texts and cells.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/seed_input.h>
#include <torchbook/golden/printed.h>
#include <torchbook/importing/draft.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/whole_number.h>
#include <torchbook/seeds/call_text.h>

#include <cctype>
#include <optional>
#include <regex>
#include <utility>

namespace torchbook::cli {
namespace {

using notebook::whole_number;

constexpr std::uint64_t last_seed = 0xffffffff;
/// A search of later offsets would take years.
constexpr std::uint64_t last_offset = 1'000'000;

/// Reads two numbers with `between` between them. If `one` is true, a single number is both.
std::optional<std::pair<std::uint64_t, std::uint64_t>> two_numbers(const std::string& text, char between,
                                                                   bool one) {
  const auto at = text.find(between);
  const auto first = whole_number<std::uint64_t>(std::string_view(text).substr(0, at));
  const auto second = at == text.npos ? (one ? first : std::nullopt)
                                      : whole_number<std::uint64_t>(std::string_view(text).substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

std::pair<std::uint64_t, std::uint64_t> range(const std::string& option, const std::string& text,
                                              std::uint64_t most) {
  const auto read = two_numbers(text, '-', true);
  if (!read || read->first > read->second || read->second > most) {
    throw UsageError(
        fmt::format("{}: {} is no range of numbers up to {}, such as 0-608", option, text, most));
  }
  return *read;
}

/// Keeps only the seeds of one part.
void take_shard(SeedState& state, const std::string& text) {
  const auto shard = two_numbers(text, '/', false);
  if (!shard || shard->first < 1 || shard->first > shard->second || shard->second > 1'000'000) {
    throw UsageError(fmt::format("--shard: {} is no part of parts, such as 1/8", text));
  }
  const auto [part, parts] = *shard;
  const auto begin = state.begin, count = state.end - state.begin;
  state.begin = begin + count * (part - 1) / parts;
  state.end = begin + count * part / parts;
  if (state.begin == state.end) throw UsageError("--shard: there are more parts than seeds");
}

/// Returns the Python of the last call that a name was given, in the cells up to `cell`, or in a line by
/// itself.
std::string call_of(const importing::Draft& draft, std::size_t cell) {
  static const std::regex drawing(
      R"(^(\w+ *= *)?((torch\.|F\.|nn\.functional\.)*(rand|randn|randint|randperm|bernoulli|dropout|empty)\(.*\))\s*(#.*)?$)");
  std::string call;
  for (std::size_t i = 0; i <= cell; ++i) {
    for (const auto line : notebook::lines_of(draft.cells[i].twin.text)) {
      std::match_results<std::string_view::const_iterator> match;
      if (line.size() < 1000 && std::regex_match(line.begin(), line.end(), match, drawing))
        call = match[2].str();
    }
  }
  return call;
}

/// Takes the text of a cell and, if the options name none, the call above it.
void take_cell(SeedState& state, const SeedOptions& options) {
  const auto text = read_file(options.notebook);
  const auto draft = notebook::in_file<UsageError>(
      options.notebook, [&] { return importing::read_notebook(text, "notebook", options.notebook); });
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    const auto& cell = draft.golden.cells[i];
    if (cell.label != options.cell) continue;
    const auto& result = cell.result.value_or("");
    state.text = result.find("tensor(") != result.npos ? result : cell.out;
    if (state.call.empty()) state.call = call_of(draft, i);
    return;
  }
  throw UsageError(fmt::format("{} has no cell with the label {}", options.notebook, options.cell));
}

/// Returns the one printed tensor of a text, without spaces, so that layouts do not matter.
std::string tensor_of(const std::string& text) {
  const auto printed = golden::read_printed(text);
  if (printed.tensors.size() != 1) {
    throw UsageError(
        fmt::format("the text has {} printed tensors; give it one, as tensor([…])", printed.tensors.size()));
  }
  std::string tensor(golden::piece(text, printed.tensors.front().range));
  std::erase_if(tensor, [](unsigned char c) { return std::isspace(c) != 0; });
  return tensor;
}

}  // namespace

SeedState new_seed_state(const SeedOptions& options) {
  SeedState state{.call = options.call, .text = {}};
  if (!options.notebook.empty()) {
    take_cell(state, options);
  } else if (options.text.empty()) {
    throw UsageError("seed needs a TEXT, a --notebook or --join (see torchbook seed --help)");
  } else {
    state.text = options.text == "-" ? read_stdin() : read_file(options.text);
  }
  if (state.call.empty())
    throw UsageError("seed needs --call, the call that drew the tensor, as 'randn(4, 8, 2)'");
  state.call = seeds::python_of(seeds::read_call(state.call));
  state.text = tensor_of(state.text);
  const auto offsets = range("--offsets", options.offsets, last_offset);
  state.first_offset = static_cast<std::uint32_t>(offsets.first);
  state.last_offset = static_cast<std::uint32_t>(offsets.second);
  const auto seeds = options.seeds.empty() ? std::pair<std::uint64_t, std::uint64_t>(0, last_seed)
                                           : range("--seeds", options.seeds, last_seed);
  state.begin = seeds.first;
  state.end = seeds.second + 1;
  if (!options.shard.empty()) take_shard(state, options.shard);
  state.next = state.begin;
  return state;
}

}  // namespace torchbook::cli
