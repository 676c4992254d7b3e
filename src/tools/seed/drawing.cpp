#include <absl/strings/ascii.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <tools/import/words.h>
#include <tools/seed/drawing.h>
#include <tools/seed/known_draws.h>
#include <torchbook/cli/shared/words.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace torchbook::cli {
namespace {

using importing::stripped;

constexpr std::size_t longest_line = 1000;

/// Returns the pieces of a text between commas, without white space around them.
std::vector<std::string> pieces_at_commas(std::string_view text) {
  std::vector<std::string> pieces = absl::StrSplit(std::string(text), ',');
  for (auto& piece : pieces) absl::StripAsciiWhitespace(&piece);
  return pieces;
}

bool draws(std::string_view line) {
  constexpr std::array<std::string_view, 10> words = {"rand(",     "randn(",   "randint(", "randperm(",
                                                      "bernoulli", "dropout(", "Dropout(", "uniform_(",
                                                      "normal_(",  "_like("};
  return std::any_of(words.begin(), words.end(), [&](auto word) { return line.find(word) != line.npos; });
}

/// Collects the drawings of a notebook, line by line.
class Finder {
 public:
  std::vector<Drawing> take() { return std::move(drawings_); }

  void begin_cell(std::size_t cell) {
    cell_ = cell;
    first_ = true;
  }

  void line(std::string_view whole) {
    if (whole.size() > longest_line) return;
    const auto line = stripped(whole.substr(0, whole.find('#')));
    if (line.find("manual_seed(") != line.npos) seeded_ = true;
    const bool nested = whole.starts_with(' ') || whole.starts_with('\t');
    if (!nested) statement(line);
    if (draws(line)) first_ = false;
  }

 private:
  void statement(std::string_view line) {
    const auto equals = line.find('=');
    auto names = pieces_at_commas(line.substr(0, std::min(equals, line.size())));
    const bool assigns = equals != line.npos && line.substr(equals, 2) != "==" &&
                         std::all_of(names.begin(), names.end(), is_name);
    if (!assigns) names.clear();
    const auto value = assigns ? stripped(line.substr(equals + 1)) : line;
    for (const auto& name : names) {
      constants_.erase(name);
      for (auto& drawing : drawings_) {
        if (drawing.name == name) drawing.until = std::min(drawing.until, cell_);
      }
    }
    if (names.size() < 2 && draws(value)) {
      drawing(names.empty() ? "" : names[0], value);
    } else if (assigns) {
      constants(names, value);
    }
  }

  void drawing(std::string name, std::string_view call) {
    Drawing found{.cell = cell_, .name = std::move(name), .first = first_, .seeded = seeded_};
    try {
      found.call = seeds::python_of(seeds::read_call(call, constants_));
    } catch (const seeds::SeedError& error) {
      found.why = error.what();
    }
    drawings_.push_back(std::move(found));
  }

  void constants(const std::vector<std::string>& names, std::string_view values) {
    try {
      auto read = seeds::read_expression(fmt::format("[{}]", values), constants_).items;
      if (read.size() == 1 && names.size() > 1) read = std::vector(read[0].items);
      if (read.size() != names.size()) return;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const auto number = notebook::parse_integer<std::int64_t>(read[i].text);
        if (number) constants_.insert_or_assign(names[i], *number);
      }
    } catch (const seeds::SeedError&) {  // no constant
    }
  }

  std::size_t cell_ = 0;
  bool first_ = true, seeded_ = false;
  seeds::Constants constants_{};
  std::vector<Drawing> drawings_{};
};

/// Returns the name at the start of a cell's last line, with or without `print(`.
std::string shown_name(const importing::DraftCell& cell) {
  std::string_view last;
  for (const auto line : notebook::lines_of(cell.twin.text)) {
    if (!stripped(line).empty() && !stripped(line).starts_with('#')) last = stripped(line);
  }
  if (last.starts_with("print(")) last = stripped(last.substr(6));
  std::size_t size = 0;
  while (size < last.size() && is_name(last.substr(0, size + 1))) ++size;
  return std::string(last.substr(0, size));
}

/// Returns whether the cell's output has enough bits for a search to decide.
bool decides(const Drawing& drawing, const golden::GoldenCell& cell) {
  constexpr double states = 609 * 0x1p32;
  try {
    const auto call = seeds::read_call(drawing.call);
    const auto tests = seeds::tests_of(call, seeds::read_shown(tensor_text(cell), call));
    return seeds::false_hits(tests, states) <= seeds::most_false_hits;
  } catch (const seeds::SeedError&) {
    return false;
  }
}

}  // namespace

std::vector<Drawing> drawings_of(const importing::Draft& draft) {
  Finder finder;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    finder.begin_cell(i);
    for (const auto line : notebook::lines_of(draft.cells[i].twin.text)) finder.line(line);
  }
  return finder.take();
}

const Drawing* shown_drawing(const std::vector<Drawing>& drawings, const importing::Draft& draft,
                             std::size_t cell) {
  const auto name = shown_name(draft.cells[cell]);
  const Drawing *named = nullptr, *last = nullptr;
  for (const auto& drawing : drawings) {
    if (drawing.cell > cell) break;
    if (!drawing.name.empty() && drawing.name == name && drawing.until >= cell) named = &drawing;
    if (!drawing.call.empty() || last == nullptr) last = &drawing;
  }
  return named != nullptr ? named : last;
}

const std::string& tensor_text(const golden::GoldenCell& cell) {
  return cell.result && cell.result->find("tensor(") != std::string::npos ? *cell.result : cell.out;
}

std::size_t cell_index(const importing::Draft& draft, const std::string& name) {
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    if (draft.cells[i].label == name || name == fmt::format("@{}", i + 1)) return i;
  }
  throw UsageError(
      fmt::format("{} has no cell {}; name it by its label, or by its position as @7", draft.document, name));
}

std::string cell_name(const importing::Draft& draft, std::size_t cell) {
  const auto& label = draft.cells[cell].label;
  const auto same = std::count_if(draft.cells.begin(), draft.cells.end(),
                                  [&](const auto& other) { return other.label == label; });
  return same == 1 && label != "None" ? label : fmt::format("@{}", cell + 1);
}

std::string seed_hint(const importing::Draft& draft, const std::string& file) {
  const auto drawings = drawings_of(draft);
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    if (tensor_text(draft.golden.cells[i]).find("tensor(") == std::string::npos) continue;
    const auto* drawing = shown_drawing(drawings, draft, i);
    if (drawing == nullptr || drawing->seeded || draft.cells[drawing->cell].restored) continue;
    const bool by_name = drawing->name == shown_name(draft.cells[i]) && drawing->until >= i;
    if (drawing->name.empty() ? drawing->cell != i : !by_name) continue;
    if (!decides(*drawing, draft.golden.cells[i])) continue;
    return fmt::format(
        "cell {} draws numbers without a seed, and cell {} shows them; torchbook seed --notebook {} --cell "
        "{} "
        "searches for the seed",
        cell_name(draft, drawing->cell), cell_name(draft, i), shell_quoted(file), cell_name(draft, i));
  }
  return {};
}

importing::RestoredState restored_seed(const rng::State& state) {
  return {.why = fmt::format("No seed was set here. Seed {}, after {}, gives what the notebook shows.",
                             state.seed, report::counted(state.offset, "draw")),
          .cpp = seeds::cpp_of(state),
          .python = seeds::python_of(state)};
}

void restore_seed(importing::Draft& draft, const std::string& text) {
  const auto equals = std::min(text.find('='), text.size()),
             comma = std::min(text.find(',', equals), text.size());
  const auto number = [&](std::size_t from, std::size_t to) {
    return notebook::parse_integer<std::uint64_t>(
        std::string_view(text).substr(std::min(from, to), to - std::min(from, to)));
  };
  const auto seed = number(equals + 1, comma), draws = number(comma + 1, text.size());
  if (!seed || !draws || *seed > last_seed || *draws > last_offset) {
    throw UsageError(
        fmt::format("--restore: {} is no cell, seed and number of draws, such as 3=1431708788,64", text));
  }
  draft.cells[cell_index(draft, text.substr(0, equals))].restored =
      restored_seed({static_cast<std::uint32_t>(*seed), static_cast<std::uint32_t>(*draws)});
}

}  // namespace torchbook::cli
