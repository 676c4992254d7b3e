// Compares cells with their goldens, byte by byte.
#include <fmt/format.h>
#include <torchbook/golden/verdict.h>

#include <algorithm>

namespace torchbook {
namespace {

/// Takes the next line off a text; nullopt where nothing is left.
std::optional<std::string> take_line(std::optional<std::string_view>& text) {
  if (!text) return std::nullopt;
  const auto end = text->find('\n');
  std::string line(text->substr(0, end));
  if (end == text->npos) {
    text.reset();
  } else {
    text->remove_prefix(end + 1);
  }
  return line;
}

/// The first line in which two texts that are not equal differ. A text that ends in a newline has an empty
/// last line.
Difference first_difference(std::string_view where, std::optional<std::string_view> golden,
                            std::optional<std::string_view> actual) {
  Difference difference;
  difference.where = where;
  do {
    difference.golden = take_line(golden);
    difference.actual = take_line(actual);
    ++difference.line;
  } while (difference.golden == difference.actual);
  const std::string_view left = difference.golden ? *difference.golden : std::string_view{};
  const std::string_view right = difference.actual ? *difference.actual : std::string_view{};
  const auto common =
      std::mismatch(left.begin(), left.end(), right.begin(), right.end()).first - left.begin();
  difference.column = static_cast<std::size_t>(common) + 1;
  return difference;
}

std::optional<std::string_view> view(const std::optional<std::string>& text) {
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

Judgement judge_cell(const Cell& cell, const GoldenCell& golden) {
  Judgement judgement;
  if (cell.out != golden.out) {
    judgement.difference = first_difference("stdout", golden.out, cell.out);
  } else if (cell.result != golden.result) {
    judgement.difference = first_difference("result", view(golden.result), view(cell.result));
  }
  if (judgement.difference || cell.error) {
    judgement.verdict = Verdict::different;
  } else {
    judgement.verdict = cell.has_output() ? Verdict::equal : Verdict::no_output;
  }
  return judgement;
}

void require_same_cells(const Transcript& transcript, const std::vector<const Cell*>& cells,
                        const Golden& golden) {
  if (golden.slug != transcript.slug) {
    throw GoldenError(fmt::format("it is the golden of {}, not of {}", golden.slug, transcript.slug));
  }
  if (golden.cells.size() != cells.size()) {
    throw GoldenError(fmt::format("it holds {} cells, the notebook {}", golden.cells.size(), cells.size()));
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (golden.cells[i].label != cells[i]->label) {
      throw GoldenError(fmt::format("cell @{} is In [{}] there and In [{}] in the notebook", i + 1,
                                    golden.cells[i].label, cells[i]->label));
    }
  }
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return "equal";
    case Verdict::different:
      return "different";
    case Verdict::no_output:
      break;
  }
  return "no-output";
}

JudgedTranscript judge(Transcript transcript, const Golden& golden) {
  require_same_cells(transcript, transcript.cells(), golden);
  JudgedTranscript judged{.transcript = std::move(transcript), .judgements = {}};
  for (const Cell* cell : judged.transcript.cells()) {
    if (cell->selected)
      judged.judgements[cell->position] = judge_cell(*cell, golden.cells[cell->position - 1]);
    if (cell->error) break;
  }
  return judged;
}

}  // namespace torchbook
