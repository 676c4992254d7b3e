// Compares cells with their goldens: byte by byte, then as printed values, and bit by bit if bits are known.
#include <fmt/format.h>
#include <torchbook/golden/judge.h>
#include <torchbook/golden/printed_comparison.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace torchbook::golden {
namespace {

/// Takes the next line off a text. Returns nullopt if nothing is left.
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

/// Returns the first line in which two different texts differ. A text that ends in a newline has an empty
/// last line.
LineDifference first_difference(std::string_view where, std::optional<std::string_view> golden,
                                std::optional<std::string_view> actual) {
  LineDifference difference;
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

std::optional<LineDifference> text_difference(const notebook::Cell& cell, const GoldenCell& golden) {
  if (cell.out != golden.out) return first_difference("stdout", golden.out, cell.out);
  if (cell.result != golden.result) return first_difference("result", view(golden.result), view(cell.result));
  return std::nullopt;
}

/// Both outputs, compared as printed values.
struct PrintedOutputs {
  PrintedComparison out;
  PrintedComparison result;
  bool agree;
};

PrintedOutputs compare_outputs(const notebook::Cell& cell, const GoldenCell& golden) {
  PrintedOutputs outputs{.out = compare_printed(golden.out, cell.out),
                         .result = compare_printed(golden.result.value_or(""), cell.result.value_or("")),
                         .agree = false};
  outputs.agree =
      outputs.out.agree && outputs.result.agree && golden.result.has_value() == cell.result.has_value();
  return outputs;
}

/// Returns the first pair of printed values that differ. A pair that disagrees in value takes precedence over
/// one that differs only in notation.
std::vector<ElementDifference> differences_of_texts(const PrintedOutputs& outputs) {
  const bool in_result = outputs.out.agree && (!outputs.result.agree || !outputs.out.first);
  const auto& pair = in_result ? outputs.result.first : outputs.out.first;
  if (!pair) return {};
  TensorDifference values{.mismatch = pair->mismatch,
                          .index = pair->index,
                          .golden = pair->golden,
                          .actual = pair->actual,
                          .absolute = pair->absolute,
                          .relative = pair->relative};
  return {{.where = in_result ? "result" : "stdout", .tensor = pair->tensor, .values = std::move(values)}};
}

/// Returns where each recorded tensor of a cell is shown: in which text, and its number in that text. If no
/// text shows a tensor as a whole, its place is guessed: a tensor without dimensions was formatted as a
/// number, any other follows the tensor before it, and the last tensors belong to the result.
std::vector<ElementDifference> places_of(const notebook::Cell& cell, const std::vector<ShownTensor>& shown) {
  const auto all = cell.tensors.size();
  const auto displayed = read_printed(cell.result.value_or("")).tensors.size();
  const auto in_stdout = all - std::min(all, displayed);
  std::vector<ElementDifference> places;
  std::size_t next = 0;                              // an index into `shown`
  std::map<std::string_view, std::size_t> numbered;  // of each output, the number of the last tensor
  for (std::size_t i = 0; i < all; ++i) {
    ElementDifference place{.where = i < in_stdout ? "stdout" : "result"};
    if (next < shown.size() && shown[next].recorded == i) {
      place = {.where = shown[next].where, .tensor = shown[next].number};
      ++next;
    } else if (!cell.tensors[i].shape.empty()) {
      place.tensor = numbered[place.where] + 1;
    }
    if (place.tensor != 0) numbered[place.where] = place.tensor;
    places.push_back(std::move(place));
  }
  return places;
}

/// Returns each tensor that differs from the recorded one.
std::vector<ElementDifference> differences_of_tensors(const notebook::Cell& cell,
                                                      const std::vector<notebook::RecordedTensor>& recorded,
                                                      const std::vector<ShownTensor>& shown,
                                                      Closeness closeness) {
  const auto here = cell.tensors.size();
  if (recorded.size() != here) {
    const Mismatch counts{.actual = fmt::format("{} tensor{}", here, here == 1 ? "" : "s"),
                          .golden = std::to_string(recorded.size())};
    return {
        {.where = cell.out.empty() ? "result" : "stdout", .recorded = true, .values = {.mismatch = counts}}};
  }
  std::vector<ElementDifference> differences;
  std::vector<ElementDifference> places;  // most cells are equal and need none
  for (std::size_t i = 0; i < here; ++i) {
    auto values = tensor_difference(recorded[i], cell.tensors[i]);
    if (!values || (closeness == Closeness::rounding && is_rounding(recorded[i], cell.tensors[i]))) continue;
    if (places.empty()) places = places_of(cell, shown);
    differences.push_back(places[i]);
    differences.back().recorded = true;
    differences.back().values = std::move(*values);
  }
  return differences;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

/// Returns whether the texts differ in nothing but spaces and newlines.
bool differ_in_spaces_only(const notebook::Cell& cell, const GoldenCell& golden) {
  return without_spaces(cell.out) == without_spaces(golden.out) &&
         without_spaces(cell.result.value_or("")) == without_spaces(golden.result.value_or(""));
}

/// Returns whether no difference is a mismatch, such as one of shape, dtype or number of tensors.
bool are_of_one_kind(const std::vector<ElementDifference>& elements) {
  return std::none_of(elements.begin(), elements.end(),
                      [](const auto& one) { return one.values.mismatch.has_value(); });
}

/// Returns whether bits explain why the texts differ. They do if the tensors cannot be compared, or if the
/// element that is printed differently also differs in its bits. If only the notation differs, any element
/// with different bits may have caused that.
bool explain(const std::vector<ElementDifference>& bits, const std::vector<ElementDifference>& texts,
             const notebook::Cell& cell, const GoldenCell& golden, const std::vector<ShownTensor>& shown) {
  // A mismatch of kinds, such as a tensor and a bool, says more than different numbers of tensors.
  if (golden.tensors->size() != cell.tensors.size() && !are_of_one_kind(texts)) return false;
  if (!are_of_one_kind(bits)) return true;
  if (bits.empty()) return false;
  if (texts.empty()) return !differ_in_spaces_only(cell, golden);
  if (texts.front().tensor == 0 || !are_of_one_kind(texts)) return false;
  const auto places = places_of(cell, shown);
  const auto is_there = [&](const ElementDifference& place) {
    return place.where == texts.front().where && place.tensor == texts.front().tensor;
  };
  const auto place = std::find_if(places.begin(), places.end(), is_there);
  if (place == places.end()) return false;  // a text that no tensor printed
  const auto at = static_cast<std::size_t>(place - places.begin());
  return differ_at((*golden.tensors)[at], cell.tensors[at], texts.front().values.index);
}

/// Returns the judgement of a cell whose outputs are not compared; nullopt if they are.
std::optional<Judgement> judged_without_outputs(const notebook::Cell& cell, const GoldenCell& golden) {
  const bool known = golden.has_output();
  const bool ported = !cell.not_ported;
  // A golden file holds no errors, so only a run can say that Python raises none.
  const bool one_raises = golden.error ? !cell.raises : cell.raises && golden.tensors;
  if (cell.error || (ported && one_raises)) {
    return Judgement{.verdict = Verdict::threw,
                     .shown = shown_tensors(cell),
                     .raised = golden.error,
                     .golden_has_output = known};
  }
  if (!ported) {
    return Judgement{.verdict = Verdict::not_ported,
                     .shown = shown_tensors(cell),
                     .not_ported = cell.not_ported,
                     .carried = cell.carried,
                     .golden_has_output = known};
  }
  if (golden.exception && golden.exception->kind == ExceptionKind::picture) {
    return Judgement{
        .verdict = Verdict::not_compared, .shown = shown_tensors(cell), .golden_has_output = known};
  }
  return std::nullopt;
}

Judgement judge_cell(const notebook::Cell& cell, const GoldenCell& golden, Closeness closeness) {
  if (auto judgement = judged_without_outputs(cell, golden)) return std::move(*judgement);
  Judgement judgement{.difference = text_difference(cell, golden),
                      .shown = shown_tensors(cell),
                      .golden_has_output = golden.has_output()};
  const bool texts_differ = judgement.difference.has_value();
  if (texts_differ) closeness = Closeness::bits;  // one ulp can be the reason
  if (golden.tensors && closeness != Closeness::any)
    judgement.elements = differences_of_tensors(cell, *golden.tensors, judgement.shown, closeness);
  bool agree = are_of_one_kind(judgement.elements);
  if (texts_differ) {
    const auto outputs = compare_outputs(cell, golden);
    agree = agree && outputs.agree;
    auto texts = differences_of_texts(outputs);
    if (!golden.tensors || !explain(judgement.elements, texts, cell, golden, judgement.shown))
      judgement.elements = std::move(texts);
  }
  if (!agree) {
    judgement.verdict = Verdict::different;
  } else if (texts_differ || !judgement.elements.empty()) {
    judgement.verdict = Verdict::equal_as_printed;
  } else {
    judgement.verdict = cell.has_output() ? Verdict::equal : Verdict::no_output;
  }
  return judgement;
}

/// Returns whether an exception of this kind is true of a cell. `differs` and `printed` are about texts, so
/// they excuse no other tensors.
bool holds(ExceptionKind kind, const Judgement& judgement) {
  const auto& row = row_of(judgement.verdict);
  const bool only_tensors_differ = !judgement.elements.empty() && !judgement.difference;
  return kind == ExceptionKind::varies ? row.compared : row.expected_by == kind && !only_tensors_differ;
}

}  // namespace

void require_cells_of(const notebook::Transcript& transcript, const Golden& golden) {
  std::vector<std::string_view> labels;
  for (const notebook::Cell* cell : transcript.cells()) labels.push_back(cell->label);
  require_same_cells(golden, transcript.slug, labels);
}

bool threw(const JudgedTranscript& judged) {
  const auto& all = judged.judgements;
  return judged.transcript.error() || !judged.restored_errors.empty() ||
         std::any_of(all.begin(), all.end(),
                     [](const auto& one) { return one.second.verdict == Verdict::threw; });
}

bool passes(const JudgedTranscript& judged, Accept accept) {
  const auto cells = judged.transcript.cells();
  return !judged.failure && std::all_of(cells.begin(), cells.end(), [&](const notebook::Cell* cell) {
    const auto* judgement = judgement_of(judged.judgements, *cell);
    return !cell->selected || (judgement != nullptr && passes(*judgement, accept));
  });
}

JudgedTranscript judge(notebook::Transcript transcript, const Golden& golden) {
  require_cells_of(transcript, golden);
  JudgedTranscript judged{.transcript = std::move(transcript), .judgements = {}};
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    const GoldenCell& expected = golden.cells[cell->position - 1];
    const bool both_ran = cell->ran && (expected.ran || cell->error || cell->not_ported);
    if (cell->selected && both_ran) {
      auto judgement = judge_cell(*cell, expected, golden.closeness);
      judgement.exception = expected.exception;
      judgement.exception_holds = expected.exception && holds(expected.exception->kind, judgement);
      judged.judgements[cell->position] = std::move(judgement);
    }
  }
  return judged;
}

}  // namespace torchbook::golden
