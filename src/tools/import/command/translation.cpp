// Lets Python parse the cells, and translates their syntax trees.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/command/translation.h>
#include <tools/import/translate/syntax/syntax.h>
#include <tools/import/translate/translate.h>
#include <tools/import/trial.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/cells/twin.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

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
  // -I: modules in the current folder must not shadow Python's own.
  Child child({python, "-I", "-c", std::string(tree)}, golden::text_of_json(sources, -1));
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

/// Translates the cells. One at which the translator fails is not ported, and the others are.
translate::Port translated(std::vector<translate::PythonCell>& cells, const std::string& python) {
  const auto tried = [&](const std::function<void(std::size_t)>& begins) {
    try {
      translate::translate(cells, begins);
    } catch (const translate::NotPorted&) {  // which is told below
    }
  };
  while (const auto position = importing::failing_step(tried)) {
    if (*position == 0 || cells[*position - 1].tree == nullptr)
      throw UsageError("the translator fails at these cells; --frame imports without translating");
    cells[*position - 1].tree = nullptr;
    cells[*position - 1].why =
        "the translator fails at it; please report this bug of torchbook, with the Python";
  }
  try {
    return translate::translate(cells);
  } catch (const translate::NotPorted& error) {
    refuse(python, error.what());
  }
}

/// Returns the shapes from a cell's run, in the form of the comments in a port: `(4, 8)`.
translate::Shapes shapes_of(const importing::DraftCell& cell) {
  translate::Shapes shapes;
  for (const auto& [line, column, name, shape] : cell.shapes) {
    shapes[{line, column}][name] = fmt::format("({})", fmt::join(shape, ", "));
  }
  return shapes;
}

/// Follows the refusals that blame another cell, and returns the cell where they begin. That is the
/// cell itself if it has a reason of its own.
std::size_t root_of(const std::vector<translate::CellPort>& cells, std::size_t position) {
  while (true) {
    const auto& refusals = cells[position - 1].refusals;
    const auto own = std::find_if(refusals.begin(), refusals.end(), [&](const translate::Refusal& each) {
      return each.of_cell == 0 || each.of_cell >= position;
    });
    if (own != refusals.end() || refusals.empty()) return position;
    position = refusals.front().of_cell;
  }
}

/// Returns the reasons why a cell is not translated, a line each with its place, and a line for what is
/// carried.
std::string reasons_of(const importing::DraftCell& cell, const translate::CellPort& port,
                       std::size_t position) {
  const bool several = cell.twin.text.find('\n') != std::string::npos;
  const auto place = fmt::format("  @{} In [{}]", position, cell.label);
  std::string text;
  for (const auto& refusal : port.refusals) {
    const auto line = several && refusal.line > 0 ? fmt::format(", line {}", refusal.line) : "";
    text += fmt::format("{}{}: {}\n", place, line, refusal.why);
  }
  std::vector<std::string> names;
  for (const auto& [name, from] : port.carried) names.push_back(name);
  if (port.generator != 0) names.emplace_back("the generator");
  return names.empty() ? text : text + fmt::format("{}: {}\n", place, report::carried_text(names));
}

std::map<std::size_t, NotTranslated> not_translated(const importing::Draft& draft,
                                                    const translate::Port& port) {
  std::map<std::size_t, NotTranslated> cells;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    if (port.cells[i].why.empty()) continue;
    cells[i + 1] = {.reasons = reasons_of(draft.cells[i], port.cells[i], i + 1),
                    .root = root_of(port.cells, i + 1)};
  }
  return cells;
}

/// Returns the line that names the statements left out of the port; empty if there are none.
std::string pictures_text(const translate::Port& port) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < port.cells.size(); ++i) {
    const auto& cell = port.cells[i];
    if (cell.why.empty() && cell.pictures > 0)
      places.push_back(fmt::format("@{} ({})", i + 1, report::counted(cell.pictures, "statement")));
  }
  if (places.empty()) return {};
  return fmt::format("left out, because it only draws pictures: {}\n", fmt::join(places, ", "));
}

constexpr std::string_view raised = "it raised RuntimeError";

/// Returns a cell as the translator takes it. Its tree must outlive it.
translate::PythonCell python_cell(const importing::DraftCell& cell, const nlohmann::json& tree) {
  const auto unread = tree.value("why", std::string());
  translate::PythonCell result{.tree = unread.empty() ? &tree : nullptr,
                               .why = unread,
                               .raised_line = cell.raised_line,
                               .raises = cell.raises && cell.taken_back.empty(),
                               .error = cell.error,
                               .shapes = shapes_of(cell),
                               .keeps_nothing = cell.keeps_nothing};
  if (!unread.empty()) return result;
  if (!cell.taken_back.empty()) {
    result.why = cell.taken_back;
  } else if (cell.raises) {
    result.why = raised;
  } else if (!importing::is_to_be_ported(cell)) {
    result.why = cell.why;
  }
  return result;
}

/// Adds an exception to a translated cell that shows `torch.__version__`, because Python's text includes the
/// build.
void note_release(importing::DraftCell& cell, const translate::CellPort& port, bool has_output) {
  static const std::string varies =
      "varies /[0-9]+[.][0-9]+[.][0-9][0-9a-z+.]*/: it shows the release of PyTorch";
  if (!cell.exception.empty() && cell.exception != varies) return;
  cell.exception = port.why.empty() && port.shows_release && has_output ? varies : "";
}

/// Returns the Python of all cells and restored states in the form of the twin.
std::vector<std::string> python_of(const importing::Draft& draft) {
  std::vector<std::string> texts;
  for (const auto& cell : notebook::parse_twin(importing::twin_text(draft))) texts.push_back(cell.source);
  return texts;
}

/// Adds to the Python of each cell comments that name the words of ids which it makes: `# words ids: cat,
/// mat`.
void add_words(importing::Draft& draft, const CarriedRun& run) {
  for (const auto& [position, tensors] : run.words()) {
    if (position == 0 || position > draft.cells.size()) continue;
    auto& cell = draft.cells[position - 1];
    for (const auto& [name, words] : tensors) {
      const auto comment =
          notebook::NamedAxis{.tensor = name, .axis = {.dim = notebook::of_words, .names = words}}.comment();
      if (cell.twin.text.find("# words " + name + ':') != std::string::npos) continue;
      cell.words.push_back(comment);
      cell.twin.text += '\n' + comment;
    }
  }
}

}  // namespace

std::string left_text(const Translated& translated, const std::set<std::size_t>& written) {
  std::string text;
  std::size_t count = 0;
  std::map<std::size_t, std::size_t> lost;  // how many cells each cell is the cause for
  for (const auto& [position, cell] : translated.left) {
    if (written.contains(position)) continue;
    ++count;
    if (cell.root != position) ++lost[cell.root];
    text += cell.reasons;
  }
  if (count == 0) return translated.pictures;
  std::vector<std::string> parts;
  parts.reserve(lost.size());
  for (const auto& [root, cells] : lost)
    parts.push_back(fmt::format("{} {}because of @{}", cells, parts.empty() ? "of them " : "", root));
  text = fmt::format("not ported:\n{}", text);
  if (!parts.empty())
    text += fmt::format("{} {} not ported; {}\n", report::counted(count, "cell"), count == 1 ? "is" : "are",
                        fmt::join(parts, ", "));
  return text + translated.pictures;
}

Translated translate_draft(importing::Draft& draft, const std::string& python, const CarriedRun* run) {
  if (run != nullptr) add_words(draft, *run);
  const auto trees = trees_of(draft, python);
  std::vector<translate::PythonCell> cells;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    cells.push_back(python_cell(draft.cells[i], trees[i]));
  }
  if (run != nullptr) run->describe(cells);
  auto port = translated(cells, python);
  const auto file = run == nullptr ? std::string() : run->file_for(port, python_of(draft));
  std::size_t ported = 0;
  std::size_t carried = 0;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    auto& cell = draft.cells[i];
    cell.why = port.cells[i].why;
    if (cell.raises) cell.exception = cell.why.empty() ? "" : fmt::format("not ported: {}", raised);
    cell.limits = port.cells[i].limits;
    note_release(cell, port.cells[i], draft.golden.cells[i].has_output());
    cell.cpp = std::move(port.cells[i].lines);
    cell.proved = std::move(port.cells[i].proved);
    ported += cell.why.empty() ? 1 : 0;
    carried += port.cells[i].carried.empty() && port.cells[i].generator == 0 ? 0 : 1;
  }
  draft.needs = std::move(port.needs);
  importing::match_axes(draft);
  return {.counts =
              fmt::format("translated {} of {}{}\n", ported, report::counted(draft.cells.size(), "cell"),
                          carried == 0 ? "" : fmt::format("; values of {} are carried from Python", carried)),
          .left = not_translated(draft, port),
          .pictures = pictures_text(port),
          .carried = file};
}

}  // namespace torchbook::cli
