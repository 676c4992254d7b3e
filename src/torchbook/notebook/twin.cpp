// Splits a twin into its cells.
#include <fmt/format.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/twin.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace torchbook::notebook {
namespace {

constexpr std::string_view heading = "# %% [";

struct TwinCell {
  std::string label;
  std::string source;
};

/// Its text without the empty lines at its end.
std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::vector<TwinCell> cells_of(std::string_view twin) {
  std::vector<TwinCell> cells;
  for (const auto line : lines_of(twin)) {
    if (line.starts_with(heading)) {
      const auto label = line.substr(heading.size(), line.find(']') - heading.size());
      cells.push_back({std::string(label), {}});
    } else if (!cells.empty()) {
      cells.back().source.append(line).push_back('\n');
    }
  }
  return cells;
}

}  // namespace

void attach_twin(Transcript& transcript, std::string_view twin) {
  if (twin.empty()) return;
  const auto cells = cells_of(twin);
  auto next = cells.begin();
  const auto take = [&](std::string_view label) {
    if (next == cells.end() || next->label != label) {
      throw std::invalid_argument(
          fmt::format("the twin of {} has {} where the port has [{}]", transcript.slug,
                      next == cells.end() ? "ended" : "[" + next->label + "]", label));
    }
    return trimmed((next++)->source);
  };
  for (auto& item : transcript.items) {
    if (auto* cell = std::get_if<Cell>(&item)) cell->twin = take(cell->label);
    if (auto* state = std::get_if<Restored>(&item)) state->twin = take("restored");
  }
  if (next != cells.end()) {
    throw std::invalid_argument(fmt::format("the twin of {} has more cells than the port", transcript.slug));
  }
}

}  // namespace torchbook::notebook
