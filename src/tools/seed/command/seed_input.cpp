// Reads ranges, shards, texts and cells.
#include <fmt/format.h>
#include <tools/seed/call_text.h>
#include <tools/seed/command/seed_input.h>
#include <tools/seed/drawing.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/printed.h>
#include <torchbook/notebook/parse_integer.h>

#include <cctype>
#include <optional>
#include <utility>

namespace torchbook::cli {
namespace {

using notebook::parse_integer;

/// Reads two numbers separated by `between`. If `one` is true, a single number counts as both.
std::optional<std::pair<std::uint64_t, std::uint64_t>> two_numbers(const std::string& text, char between,
                                                                   bool one) {
  const auto at = text.find(between);
  const auto first = parse_integer<std::uint64_t>(std::string_view(text).substr(0, at));
  const auto second = at == text.npos ? (one ? first : std::nullopt)
                                      : parse_integer<std::uint64_t>(std::string_view(text).substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

std::pair<std::uint64_t, std::uint64_t> range(const std::string& option, const std::string& text,
                                              std::uint64_t most) {
  const auto read = two_numbers(text, '-', true);
  if (!read) throw UsageError(fmt::format("{}: {} is no range of numbers, such as 0-608", option, text));
  if (read->first > read->second) {
    throw UsageError(fmt::format("{}: {} goes down; write {}-{}", option, text, read->second, read->first));
  }
  if (read->second > most) throw UsageError(fmt::format("{}: {} goes beyond {}", option, text, most));
  return *read;
}

/// Returns the part and the number of parts in a text such as `1/8`.
std::pair<std::uint64_t, std::uint64_t> shard_of(const std::string& text) {
  if (text.empty()) return {1, 1};
  const auto shard = two_numbers(text, '/', false);
  if (!shard || shard->first < 1 || shard->first > shard->second || shard->second > most_parts) {
    throw UsageError(fmt::format("--shard: {} is no part of parts, such as 1/8", text));
  }
  return *shard;
}

/// Takes the text of the notebook's cell and, if the options have no call, the call that drew it.
void take_cell(SeedInput& input, const SeedOptions& options) {
  const auto text = read_file(options.notebook);
  const auto draft = notebook::in_file<UsageError>(
      options.notebook, [&] { return importing::read_notebook(text, "notebook", options.notebook); });
  const auto cell = cell_index(draft, options.cell);
  input.state.text = tensor_text(draft.golden.cells[cell]);
  if (!options.call.empty()) return;
  const auto drawings = drawings_of(draft);
  const auto* drawing = shown_drawing(drawings, draft, cell);
  if (drawing == nullptr) {
    throw UsageError(fmt::format("no line of {} up to cell {} draws a tensor; --call names the call",
                                 options.notebook, options.cell));
  }
  if (drawing->call.empty()) {
    throw UsageError(fmt::format("{}, cell {}: {}; --call names another call", options.notebook,
                                 cell_name(draft, drawing->cell), drawing->why));
  }
  input.state.call = drawing->call;
  if (drawing->first) input.restored_above = cell_name(draft, drawing->cell);
}

/// Returns the only printed tensor of a text, without spaces, because the layout does not matter.
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

SeedInput read_seed_input(const SeedOptions& options) {
  SeedInput input{.state = {.call = options.call, .text = {}}};
  auto& state = input.state;
  if (!options.notebook.empty()) {
    take_cell(input, options);
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
  state.all_begin = seeds.first;
  state.all_end = seeds.second + 1;
  const auto [part, parts] = shard_of(options.shard);
  begin_part(state, part, parts);
  if (state.begin == state.end) throw UsageError("--shard: there are more parts than seeds");
  return input;
}

}  // namespace torchbook::cli
