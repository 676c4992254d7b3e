#include <fmt/format.h>
#include <tools/import/restored_seed.h>
#include <tools/seed/command/seed_input.h>
#include <tools/seed/read_call.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::cli {
namespace {

using notebook::parse_integer;

constexpr std::uint64_t all_seeds = std::uint64_t{1} << 32;

/// Reads a range `A:B`, which ends before B, or a number, which is a range of one. Returns its first number
/// and its end, which may be `limit`.
std::pair<std::uint64_t, std::uint64_t> range(const std::string& option, const std::string& text,
                                              std::uint64_t limit) {
  const auto colon = text.find(':');
  const bool one = colon == text.npos;
  const auto first = parse_integer<std::uint64_t>(std::string_view(text).substr(0, colon));
  const auto second = one ? first : parse_integer<std::uint64_t>(std::string_view(text).substr(colon + 1));
  if (!first || !second)
    throw UsageError(fmt::format("{}: {} is not a range such as 0:609, which ends before 609", option, text));
  const auto end = one ? *first + 1 : *second;
  if (*first >= end) throw UsageError(fmt::format("{}: {} is empty; it ends before {}", option, text, end));
  if (end > limit) throw UsageError(fmt::format("{}: {} goes beyond {}", option, text, limit - 1));
  return {*first, end};
}

/// Returns the text of a cell that has a tensor: its result, otherwise what it printed.
const std::string& tensor_text(const golden::GoldenCell& cell) {
  return cell.result && cell.result->find("tensor(") != std::string::npos ? *cell.result : cell.out;
}

/// Takes the text of the notebook's cell and, if the options have no call, the call that drew it.
void take_cell(SeedInput& input, const SeedOptions& options) {
  const auto text = read_file(options.notebook);
  const auto [draft, cell] = notebook::in_file<UsageError>(options.notebook, [&] {
    auto read = importing::read_notebook(text, "notebook", options.notebook);
    const auto index = importing::cell_index(read, options.cell);
    return std::pair(std::move(read), index);
  });
  input.text = tensor_text(draft.golden.cells[cell]);
  if (!options.call.empty()) return;
  std::vector<std::string> cells;
  for (const auto& each : draft.cells) cells.push_back(each.twin.text);
  const auto found = seeds::shown_call(cells, cell, options.python);
  if (!found) {
    throw UsageError(fmt::format("no statement of {} up to cell {} draws a tensor; --call names the call",
                                 options.notebook, options.cell));
  }
  const auto name = importing::cell_name(draft, found->cell);
  if (!found->why.empty()) {
    throw UsageError(
        fmt::format("{}, cell {}: {}; --call names another call", options.notebook, name, found->why));
  }
  input.call = found->call;
  if (found->first) input.restored_above = name;
}

}  // namespace

SeedInput read_seed_input(const SeedOptions& options) {
  SeedInput input;
  if (!options.notebook.empty()) {
    take_cell(input, options);
  } else if (options.text.empty()) {
    throw UsageError("seed needs a TEXT or a --notebook (see torchbook seed --help)");
  } else if (options.call.empty()) {
    throw UsageError("seed needs --call, the call that drew the tensor, as 'randn(4, 8, 2)'");
  } else {
    input.text = options.text == "-" ? read_stdin() : read_file(options.text);
  }
  if (!options.call.empty()) input.call = seeds::read_call(options.call, options.python);
  const auto [first_offset, end_of_offsets] = range("--offsets", options.offsets, importing::most_draws + 1);
  input.first_offset = static_cast<std::uint32_t>(first_offset);
  input.last_offset = static_cast<std::uint32_t>(end_of_offsets - 1);
  const auto [first, end] = range("--seeds", options.seeds, all_seeds);
  input.seeds = {.first = first, .count = end - first};
  return input;
}

}  // namespace torchbook::cli
