// Has Python read the cells, and translates its trees.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/child.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/translation.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/report/words.h>
#include <torchbook/translate/node.h>
#include <torchbook/translate/translate.h>

#include <utility>

namespace torchbook::cli {

extern const std::string_view tree;  // the text of tree.py

namespace {

using Tree = nlohmann::json;

constexpr std::chrono::seconds longest_reading{60};

[[noreturn]] void refuse(const std::string& python, const std::string& what) {
  throw UsageError(
      fmt::format("{} did not read the cells; {}; --frame imports without translating", python, what));
}

/// Returns the trees of the cells, as tree.py describes them.
Tree trees_of(const importing::Draft& draft, const std::string& python) {
  Tree sources = Tree::array();
  for (const auto& cell : draft.cells) sources.push_back(cell.twin.text);
  // -I: no module of the current folder takes the place of Python's own.
  Child child({python, "-I", "-c", std::string(tree)},
              sources.dump(-1, ' ', false, Tree::error_handler_t::replace));
  const auto ended = child.wait(longest_reading, [&](std::chrono::seconds passed) {
    tell_waiting(passed, python + " to read the cells");
  });
  if (ended.timed_out)
    throw UsageError(fmt::format("{} did not read the cells within {} s", python, longest_reading.count()));
  Tree trees;
  try {
    constexpr golden::JsonBounds bounds{.depth = 1000, .values = 20'000'000};
    trees = golden::parse_json(ended.answer, bounds);
  } catch (const golden::GoldenError&) {
    refuse(python, "it " + how_it_ended(ended));
  }
  if (!trees.is_array() || trees.size() != draft.cells.size()) refuse(python, "it answered something else");
  return trees;
}

std::pair<translate::Port, std::vector<translate::CellNames>> translated(
    const std::vector<translate::PythonCell>& cells, const std::string& python) {
  try {
    return {translate::translate(cells), translate::names_of(cells)};
  } catch (const translate::NotPorted& error) {
    refuse(python, error.what());
  }
}

/// Returns the shapes of a cell that was run as the comments of a port have them: `(4, 8)`.
translate::Shapes shapes_of(const importing::DraftCell& cell) {
  translate::Shapes shapes;
  for (const auto& [line, column, name, shape] : cell.shapes) {
    shapes[{line, column}][name] = fmt::format("({})", fmt::join(shape, ", "));
  }
  return shapes;
}

}  // namespace

Translated translate_draft(importing::Draft& draft, const std::string& python) {
  const auto trees = trees_of(draft, python);
  std::vector<translate::PythonCell> cells;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    const auto& cell = draft.cells[i];
    const auto why = trees[i].value("why", std::string());
    cells.push_back({.tree = why.empty() ? &trees[i] : nullptr,
                     .why = !why.empty()                       ? why
                            : importing::is_to_be_ported(cell) ? ""
                                                               : cell.why,
                     .raised_line = cell.raised_line,
                     .shapes = shapes_of(cell)});
  }
  auto [port, names] = translated(cells, python);
  std::string left;
  std::size_t ported = 0;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    auto& cell = draft.cells[i];
    cell.why = port.cells[i].why;
    cell.cpp = std::move(port.cells[i].lines);
    ported += cell.why.empty() ? 1 : 0;
    cell.uses = std::move(names[i].uses);
    cell.changes = std::move(names[i].changes);
    if (!cell.why.empty()) left += fmt::format("  @{} In [{}]: {}\n", i + 1, cell.label, cell.why);
  }
  draft.needs = std::move(port.needs);
  return {.counts = fmt::format("translated {} of {}\n", ported, report::counted(draft.cells.size(), "cell")),
          .left = left.empty() ? left : "not ported:\n" + left};
}

}  // namespace torchbook::cli
