// Compares cells with their goldens: byte by byte, then as printed values, and bit by bit if bits are known.
#include <fmt/format.h>
#include <torchbook/golden/excused.h>
#include <torchbook/golden/judge.h>
#include <torchbook/golden/printed.h>
#include <torchbook/notebook/lines.h>

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

/// The first pair of printed values that differ.
struct PrintedDifference {
  ElementDifference difference;
  const ShownTensor* shown = nullptr;  ///< the tensor of the cell that shows one of them; may be nullptr
  std::size_t element = 0;             ///< the number of that element in row-major order
};

/// Names the tensor and the element that show a value, if they are among the cell's tensors in the texts.
PrintedDifference placed(std::string_view where, const PrintedPair& pair, const notebook::Cell& cell,
                         const std::vector<ShownTensor>& shown) {
  PrintedDifference found{.difference = {.where = where, .values = pair.values}};
  for (const auto& tensor : shown) {
    if (tensor.where != where) continue;
    for (const auto& element : tensor.elements) {
      if (pair.place.begin < element.range.begin || pair.place.end > element.range.end) continue;
      found.shown = &tensor;
      found.element = element.index;
      found.difference.tensor = tensor.number;
      if (!pair.values.mismatch)
        found.difference.values.index = index_of(element.index, cell.tensors[tensor.recorded].shape);
    }
  }
  return found;
}

/// Both outputs, compared as printed values.
struct PrintedOutputs {
  bool agree = false;
  /// A pair that disagrees in value takes precedence over one that differs only in notation.
  std::optional<PrintedDifference> first{};
};

PrintedOutputs compare_outputs(const notebook::Cell& cell, const GoldenCell& golden,
                               const std::vector<ShownTensor>& shown) {
  const auto out = compare_printed(golden.out, cell.out);
  const auto result = compare_printed(golden.result.value_or(""), cell.result.value_or(""));
  const bool in_result = out.agree && (!result.agree || !out.first);
  PrintedOutputs outputs{.agree = out.agree && result.agree &&
                                  golden.result.has_value() == cell.result.has_value()};
  if (const auto& pair = in_result ? result.first : out.first)
    outputs.first = placed(in_result ? "result" : "stdout", *pair, cell, shown);
  return outputs;
}

/// Returns each tensor that differs from the recorded one.
std::vector<ElementDifference> differences_of_tensors(const notebook::Cell& cell,
                                                      const std::vector<notebook::RecordedTensor>& recorded,
                                                      const std::vector<ShownTensor>& shown,
                                                      Closeness closeness) {
  const auto here = cell.tensors.size();
  const ElementDifference unplaced{.where = cell.out.empty() ? "result" : "stdout", .recorded = true};
  if (recorded.size() != here) {
    auto difference = unplaced;
    difference.values.mismatch = Mismatch{notebook::counted(here, "tensor"), std::to_string(recorded.size())};
    return {std::move(difference)};
  }
  std::vector<ElementDifference> differences;
  for (std::size_t i = 0; i < here; ++i) {
    auto values = tensor_difference(recorded[i], cell.tensors[i]);
    if (!values || (closeness == Closeness::rounding && is_rounding(recorded[i], cell.tensors[i]))) continue;
    auto& difference = differences.emplace_back(unplaced);
    difference.values = std::move(*values);
    for (const auto& tensor : shown) {
      if (tensor.recorded != i) continue;
      difference.where = tensor.where;
      difference.tensor = tensor.number;
    }
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
bool explain(const std::vector<ElementDifference>& bits, const std::optional<PrintedDifference>& text,
             const notebook::Cell& cell, const GoldenCell& golden) {
  const bool other_kinds = text && text->difference.values.mismatch;
  // A mismatch of kinds, such as a tensor and a bool, says more than different numbers of tensors.
  if (golden.tensors->size() != cell.tensors.size() && other_kinds) return false;
  if (!are_of_one_kind(bits)) return true;
  if (bits.empty()) return false;
  if (!text) return !differ_in_spaces_only(cell, golden);
  if (other_kinds || text->shown == nullptr) return false;
  const auto recorded = text->shown->recorded;
  return differ_at((*golden.tensors)[recorded], cell.tensors[recorded], text->element);
}

/// Returns an output with the number of a recorded tensor in place of the elements that show it, and of the
/// spaces and brackets beside them, because wider numbers move them to other lines.
std::string without_elements(std::string text, std::string_view where,
                             const std::vector<ShownTensor>& shown) {
  for (auto tensor = shown.rbegin(); tensor != shown.rend(); ++tensor) {
    if (tensor->where != where || tensor->elements.empty()) continue;
    const auto begin = text.find_last_not_of(' ', tensor->elements.front().range.begin - 1) + 1;
    const auto end =
        std::min(text.find_first_not_of("], \n", tensor->elements.back().range.end), text.size());
    text.replace(begin, end - begin, fmt::format("\x01{}\x01", tensor->recorded));
  }
  return text;
}

/// Returns whether the texts differ beside the elements of recorded tensors that both show.
bool differ_beside_elements(const notebook::Cell& cell, const GoldenCell& golden,
                            const std::vector<ShownTensor>& shown) {
  notebook::Cell python;
  python.out = golden.out;
  python.result = golden.result;
  python.tensors = golden.tensors.value_or(std::vector<notebook::RecordedTensor>());
  const auto there = shown_tensors(python);
  return golden.result.has_value() != cell.result.has_value() ||
         without_elements(golden.out, "stdout", there) != without_elements(cell.out, "stdout", shown) ||
         without_elements(golden.result.value_or(""), "result", there) !=
             without_elements(cell.result.value_or(""), "result", shown);
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
    judgement.has_other_text = differ_beside_elements(cell, golden, judgement.shown);
    const auto outputs = compare_outputs(cell, golden, judgement.shown);
    agree = agree && outputs.agree;
    if (!golden.tensors || !explain(judgement.elements, outputs.first, cell, golden)) {
      judgement.elements.clear();
      if (outputs.first) judgement.elements.push_back(outputs.first->difference);
    }
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

/// Returns whether an exception is true of a cell. `differs` and `printed` are about texts, so they excuse no
/// other tensors. Parts that vary may be equal, and so may numbers with a tolerance; parts that differ may
/// not.
bool holds(const Exception& exception, const Judgement& judgement, const notebook::Cell& cell,
           const GoldenCell& golden, Closeness closeness) {
  const auto& row = row_of(judgement.verdict);
  const auto kind = exception.kind;
  if (!exception.parts.text.empty()) {
    const bool is_equal = judgement.verdict == Verdict::equal;
    if (!row.compared || (is_equal && kind == ExceptionKind::differs)) return false;
    return is_equal ? has_parts(exception.parts, golden)
                    : differs_in_parts_only(exception.parts, cell, golden, closeness);
  }
  const bool only_tensors_differ = !judgement.elements.empty() && !judgement.difference;
  return kind == ExceptionKind::varies ? row.compared : row.expected_by == kind && !only_tensors_differ;
}

}  // namespace

bool is_expected(const Judgement& judgement) { return judgement.exception && judgement.exception_holds; }

bool has_untrue_exception(const Judgement& judgement) {
  return judgement.exception && !judgement.exception_holds && row_of(judgement.verdict).ran;
}

/// Returns whether only values differ in a cell, and each as little as is accepted.
static bool is_near(const Judgement& judgement, Accept accept) {
  const auto& elements = judgement.elements;
  return !elements.empty() && !judgement.has_other_text &&
         std::all_of(elements.begin(), elements.end(), [&](const auto& element) {
           const auto& values = element.values;
           if (values.mismatch) return false;
           return values.without_ulps == 0 && values.largest_ulps && *values.largest_ulps <= accept.most_ulps;
         });
}

bool passes(const Judgement& judgement, Accept accept) {
  if (judgement.exception) return judgement.exception_holds;
  const auto passes_with = row_of(judgement.verdict).passes_with;
  if (passes_with == Accept::equal) return true;
  switch (accept.least) {
    case Accept::equal:
    case Accept::explained:  // excuse_kernels() excuses the cells
      return false;
    case Accept::printed:
      return passes_with == Accept::printed;
    case Accept::ulps:
      return is_near(judgement, accept);
  }
  return false;
}

bool has_counted_output(const Judgement& judgement) {
  return judgement.golden_has_output || row_of(judgement.verdict).compared;
}

const Judgement* judgement_of(const Judgements& judgements, const notebook::Cell& cell) {
  const auto found = judgements.find(cell.position);
  return found == judgements.end() ? nullptr : &found->second;
}

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
      judgement.exception_holds =
          expected.exception && holds(*expected.exception, judgement, *cell, expected, golden.closeness);
      judged.judgements[cell->position] = std::move(judgement);
    }
  }
  return judged;
}

void excuse_kernels(JudgedTranscript& judged, const std::string& reason) {
  for (auto& [position, judgement] : judged.judgements) {
    const bool differs = judgement.verdict != Verdict::equal && !judgement.elements.empty();
    if (judgement.exception || !differs || !are_of_one_kind(judgement.elements)) continue;
    judgement.exception = Exception{.position = position, .kind = ExceptionKind::kernels, .reason = reason};
    judgement.exception_holds = true;
  }
}

}  // namespace torchbook::golden
