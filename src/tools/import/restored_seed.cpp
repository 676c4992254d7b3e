#include <fmt/format.h>
#include <tools/import/restored_seed.h>

#include <algorithm>

namespace torchbook::importing {

RestoredState restored_seed(std::uint32_t seed, std::uint32_t draws) {
  const auto count = fmt::format("{} draw{}", draws, draws == 1 ? "" : "s");
  RestoredState restored{
      .why = fmt::format("No seed was set here. Seed {}, after {}, reproduces the notebook's output.", seed,
                         count),
      .cpp = {fmt::format("torch::manual_seed({});", seed)},
      .python = {fmt::format("torch.manual_seed({})", seed)}};
  if (draws > 0) {
    restored.cpp.push_back(fmt::format("torch::rand({{{}}});  // leaves out {}", draws, count));
    restored.python.push_back(fmt::format("_ = torch.rand({})  # leaves out {}", draws, count));
  }
  return restored;
}

std::size_t cell_index(const Draft& draft, std::string_view name) {
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    if (draft.cells[i].label == name || name == fmt::format("@{}", i + 1)) return i;
  }
  throw ImportError(0,
                    fmt::format("it has no cell {}; name one by its label, or by its position as @7", name));
}

std::string cell_name(const Draft& draft, std::size_t cell) {
  const auto& label = draft.cells[cell].label;
  const auto same = std::count_if(draft.cells.begin(), draft.cells.end(),
                                  [&](const auto& other) { return other.label == label; });
  return same == 1 && label != "None" ? label : fmt::format("@{}", cell + 1);
}

}  // namespace torchbook::importing
