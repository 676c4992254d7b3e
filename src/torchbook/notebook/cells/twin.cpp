// Splits a twin into its cells.
#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/lines.h>

namespace torchbook::notebook {

TextError::TextError(std::size_t line, const std::string& what) : std::runtime_error(what), line(line) {}

std::vector<TwinCell> parse_twin(std::string_view text) {
  constexpr std::string_view heading = "# %% [";
  std::vector<TwinCell> cells;
  std::size_t number = 0;
  bool within = false;
  for (const auto line : lines_of(text)) {
    ++number;
    if (line.starts_with(heading)) {
      const auto end = line.find(']');
      if (end == line.npos) throw TextError(number, "a cell's heading is `# %% [label]`");
      const auto label = line.substr(heading.size(), end - heading.size());
      within = label != "markdown";
      if (!within) continue;
      const bool restored = label == "restored";
      cells.push_back({.restored = restored,
                       .label = restored ? std::string() : std::string(label),
                       .source = {},
                       .line = number + 1});
    } else if (within) {
      cells.back().source.append(line).push_back('\n');
    }
  }
  for (auto& cell : cells) cell.source.erase(cell.source.find_last_not_of('\n') + 1);
  return cells;
}

}  // namespace torchbook::notebook
