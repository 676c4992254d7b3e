// Collects the pictures of a run: the recorded tensors with the texts that show them, and traced
// values.
#include <fmt/format.h>
#include <tools/part/tensor_bits.h>
#include <tools/site/origin/axis_names.h>
#include <tools/site/origin/operation.h>
#include <tools/site/origin/origin.h>
#include <tools/site/origin/pictures.h>
#include <tools/site/origin/traced.h>
#include <tools/site/origin/variables.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace torchbook::site {
namespace {

/// Returns the shortest text that reads back as the element.
std::string exact_text(const std::string& dtype, double value) {
  if (dtype == "torch.bool") return value != 0 ? "True" : "False";
  if (std::isnan(value)) return "nan";
  if (dtype == "torch.float32") return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

/// Returns the elements as numbers, or nullopt for a dtype without real numbers.
std::optional<TensorNumbers> numbers_of(const notebook::RecordedTensor& tensor) {
  auto numbers = golden::values_of(tensor);
  if (!numbers) return std::nullopt;
  return TensorNumbers{.dtype = tensor.dtype, .shape = tensor.shape, .values = std::move(*numbers)};
}

bool can_be_shown(const TensorNumbers& numbers) {
  return !numbers.shape.empty() && numbers.shape.size() <= largest_rank && !numbers.values.empty() &&
         numbers.values.size() <= most_elements;
}

Picture picture_of(TensorNumbers numbers) {
  Picture picture;
  for (const double value : numbers.values) {
    picture.exact.push_back(exact_text(numbers.dtype, value));
    picture.texts.push_back(std::isnan(value) ? "nan" : fmt::format("{:.4g}", value));
  }
  picture.numbers = std::move(numbers);
  return picture;
}

/// A run's trace, and the values in it that have pictures.
struct Traced {
  explicit Traced(const std::string& bytes)
      : trace(trace_diff::read_trace(bytes, texts)),
        flow(trace, texts),
        unshown(traced_values(flow)),
        shown(shown_values(flow)) {}

  trace_diff::Texts texts{};
  trace_diff::ReadTrace trace;
  trace_diff::Flow flow;
  std::vector<TracedValue> unshown;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shown;  // by cell and number
};

/// A picture, and its value in the trace.
struct Drawn {
  Picture picture;
  std::optional<std::size_t> value{};
};

/// Adds a picture of a value that the cell did not show.
void add_unshown(std::vector<Drawn>& pictures, const Traced& traced, std::size_t value) {
  const auto& tensor = traced.trace.tensors[traced.flow[value].tensor];
  const auto bits = trace_diff::elements_of(traced.trace, traced.texts, tensor);
  auto elements = bits && bits->whole ? numbers_of(bits->tensor()) : std::nullopt;
  if (!elements || !can_be_shown(*elements)) return;
  pictures.push_back({.picture = picture_of(std::move(*elements)), .value = value});
  auto operation = operation_name(traced.flow, value);
  operation.remove_prefix(std::min(operation.find_first_not_of('_'), operation.size()));
  pictures.back().picture.operation = operation;
  pictures.back().picture.shown = false;
  pictures.back().picture.traced = value;
}

/// Stores where and how the elements of a tensor are printed, unless it is printed as a summary.
void add_printed(Picture& picture, const notebook::Cell& cell, const golden::ShownTensor& shown) {
  if (shown.elements.size() != picture.texts.size()) return;
  picture.in_result = shown.where == "result";
  const std::string& text = picture.in_result ? *cell.result : cell.out;
  picture.texts.clear();
  for (const auto& element : shown.elements) {
    picture.printed.push_back(element.range);
    picture.texts.emplace_back(piece(text, element.range));
  }
}

/// Adds a picture of a tensor that the cell shows.
void add_shown(std::vector<Drawn>& pictures, const notebook::Cell& cell, std::size_t recorded,
               const golden::Judgement* judgement, const Traced* traced) {
  auto elements = numbers_of(cell.tensors[recorded]);
  if (!elements || !can_be_shown(*elements)) return;
  pictures.push_back({.picture = picture_of(std::move(*elements))});
  if (traced != nullptr) {
    const auto value = traced->shown.find({cell.position, recorded});
    if (value != traced->shown.end()) pictures.back().value = value->second;
    pictures.back().picture.traced = pictures.back().value;
  }
  if (judgement == nullptr) return;
  for (const auto& shown : judgement->shown) {
    if (shown.recorded == recorded) add_printed(pictures.back().picture, cell, shown);
  }
}

/// Adds the pictures of a cell. Each shown tensor follows the unshown values that the cell computed
/// before it.
void add_cell(std::vector<Drawn>& pictures, const notebook::Cell& cell, const golden::Judgement* judgement,
              const Traced* traced) {
  const auto first = pictures.size();
  const auto is_shown = [&](std::size_t value) {
    const auto begin = traced->shown.lower_bound({cell.position, 0});
    const auto end = traced->shown.lower_bound({cell.position + 1, 0});
    return std::any_of(begin, end, [&](const auto& shown) { return shown.second == value; });
  };
  for (std::size_t i = 0; i <= cell.tensors.size(); ++i) {
    for (const auto& one : traced == nullptr ? std::vector<TracedValue>() : traced->unshown) {
      if (one.position == cell.position && one.shown_before == i && !is_shown(one.value))
        add_unshown(pictures, *traced, one.value);
    }
    if (i < cell.tensors.size()) add_shown(pictures, cell, i, judgement, traced);
  }
  for (auto i = first; i < pictures.size(); ++i) {
    pictures[i].picture.position = cell.position;
    pictures[i].picture.name = name_of(cell);
  }
}

// ------------------------------------------------------------ pictures that are needed

void find_origins(std::vector<Drawn>& all, const trace_diff::Flow& flow) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const FindPicture before = [&](std::size_t value) -> std::optional<std::size_t> {
      for (auto earlier = i; earlier-- > 0;) {
        if (all[earlier].value == value && all[i].value != value) return earlier;
      }
      return std::nullopt;
    };
    if (all[i].value) all[i].picture.origin = origin_of(flow, *all[i].value, before);
  }
}

/// Returns the products that loops wrote, because the names of their entries follow from their origins only.
std::map<std::size_t, NamedProduct> products_of(const std::vector<Drawn>& all) {
  std::map<std::size_t, NamedProduct> products;
  for (const auto& [picture, value] : all) {
    if (!value || !picture.origin || picture.origin->kind != Origin::Kind::product) continue;
    const auto& origin = *picture.origin;
    const auto side = [&](const Operand& operand) {
      return NamedProduct::Side{.value = *all[operand.tensor].value, .row = operand.row};
    };
    products[*value] = {
        .left = side(origin.left), .right = side(origin.right), .transposed = origin.transposed};
  }
  return products;
}

void name_entries(std::vector<Drawn>& all, const trace_diff::Flow& flow) {
  const auto names = entry_names(flow, products_of(all));
  if (names.empty()) return;
  for (auto& [picture, value] : all) {
    if (value) picture.entry_names = names[*value].copied();
  }
}

/// Returns whether a variable of the notebook holds a picture's value, not a layer.
bool is_variable(const Picture& picture) {
  return !picture.variable.empty() && picture.variable.find('.') == std::string::npos;
}

/// Stores which variable holds each picture's value, or a value of which it is an element: `inputs[0]`.
void name_variables(std::vector<Drawn>& all, const trace_diff::Flow& flow,
                    const notebook::Transcript& transcript) {
  const auto names = variables(flow, transcript);
  for (auto& [picture, value] : all) {
    if (!value) continue;
    const auto part = selected(flow, *value);
    const bool is_element = part && part->dim == 0 && !names.contains(*value);
    const auto found = names.find(is_element ? part->from : *value);
    if (found == names.end()) continue;
    picture.variable = found->second + (is_element ? fmt::format("[{}]", part->index) : "");
    picture.is_made_here = is_variable(picture) && flow[*value].inputs.empty();
  }
}

std::vector<std::size_t> operands_of(const Picture& picture) {
  if (!picture.origin) return {};
  const auto& origin = *picture.origin;
  if (origin.kind == Origin::Kind::product) return {origin.left.tensor, origin.right.tensor};
  if (origin.kind != Origin::Kind::formula) return {origin.left.tensor};
  std::vector<std::size_t> operands;
  for (const auto& part : origin.formula) {
    if (part.tensor) operands.push_back(*part.tensor);
  }
  return operands;
}

/// Returns which pictures are needed: those that cells show, those that no later cell shows, and
/// the operands of needed pictures.
std::vector<bool> needed(const std::vector<Drawn>& all) {
  std::vector<bool> is_needed(all.size());
  for (std::size_t i = all.size(); i-- > 0;) {
    const auto shows_it = [&](const Drawn& later) {
      return later.picture.shown && later.value == all[i].value;
    };
    const auto next = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (all[i].picture.shown || std::none_of(next, all.end(), shows_it)) is_needed[i] = true;
    if (!is_needed[i]) continue;
    for (const auto operand : operands_of(all[i].picture)) is_needed[operand] = true;
  }
  return is_needed;
}

std::vector<Picture> only(const std::vector<bool>& kept, std::vector<Drawn> all) {
  std::vector<Picture> result;
  std::vector<std::size_t> place(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!kept[i]) continue;
    place[i] = result.size();
    if (auto& origin = all[i].picture.origin) {
      origin->left.tensor = place[origin->left.tensor];
      origin->right.tensor = place[origin->right.tensor];
      for (auto& part : origin->formula) {
        if (part.tensor) part.tensor = place[*part.tensor];
      }
    }
    result.push_back(std::move(all[i].picture));
  }
  return result;
}

// ------------------------------------------------------------ names

/// Returns the title of a picture, without a number: its variable, or otherwise the operation that made it.
std::string unnumbered_title(const Picture& picture) {
  if (!picture.variable.empty()) return picture.variable;
  return picture.operation.empty() ? "tensor" : picture.operation;
}

/// Sets the ids and titles of the pictures of one cell.
void title_pictures(std::span<Picture> pictures) {
  std::map<std::string, std::size_t> count, last;
  for (const auto& picture : pictures) ++count[unnumbered_title(picture)];
  std::size_t shown = 0, unshown = 0;
  for (auto& picture : pictures) {
    const std::size_t number = picture.shown ? ++shown : ++unshown;
    picture.id = fmt::format("{}{}-{}", picture.shown ? 't' : 'u', picture.position, number);
    const auto title = unnumbered_title(picture);
    const bool several = count[title] > 1;
    const bool is_only = picture.shown && picture.variable.empty() && !several;
    if (!is_only) picture.title = several ? fmt::format("{} {}", title, ++last[title]) : title;
  }
}

/// Folds the pictures of a cell that it does not show, but for heads, and for what it wrote or drew. A cell
/// that shows none keeps its variables, if there are few.
void fold(std::span<Picture> pictures) {
  constexpr std::ptrdiff_t few = 3;
  const bool shows_one = std::ranges::any_of(pictures, &Picture::shown);
  const auto is_computed = [](const Picture& picture) {
    return is_variable(picture) && !picture.is_made_here;
  };
  const bool are_few = !shows_one && std::ranges::count_if(pictures, is_computed) <= few;
  for (auto& picture : pictures) {
    const bool is_softmax = picture.origin && picture.origin->kind == Origin::Kind::softmax;
    const bool has_heads = is_softmax && picture.numbers.shape.size() > 2;
    const bool is_kept = picture.shown || picture.is_made_here || has_heads;
    picture.folded = !is_kept && !(are_few && is_computed(picture));
  }
}

/// Names all pictures. On entry, each has the name of its cell. A variable is enough if it names one picture
/// only.
void name_all(std::vector<Picture>& all) {
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(
        begin, all.end(), [&](const Picture& picture) { return picture.position != begin->position; });
    title_pictures({begin, end});
    fold({begin, end});
    begin = end;
  }
  std::map<std::string, int> count;
  std::set<std::string> seen;
  for (const auto& picture : all) ++count[picture.title];
  for (auto& picture : all) {
    if (picture.title.empty()) continue;
    const bool is_weight = !picture.variable.empty() && !is_variable(picture);  // the first one has its name
    const bool is_one = is_weight ? seen.insert(picture.variable).second : count[picture.title] == 1;
    const bool is_enough = picture.title == picture.variable && is_one;
    picture.name = is_enough ? picture.title : fmt::format("{} of {}", picture.title, picture.name);
  }
}

}  // namespace

std::string name_of(const notebook::Cell& cell) {
  return cell.label == "None" ? fmt::format("cell {}", cell.position) : fmt::format("In [{}]", cell.label);
}

std::vector<Picture> pictures_of(const golden::JudgedTranscript& judged) {
  std::optional<Traced> traced;
  if (!judged.transcript.trace.empty()) traced.emplace(judged.transcript.trace);
  std::vector<Drawn> drawn;
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    if (!cell->selected) continue;
    add_cell(drawn, *cell, golden::judgement_of(judged.judgements, *cell), traced ? &*traced : nullptr);
  }
  if (traced) {
    find_origins(drawn, traced->flow);
    name_entries(drawn, traced->flow);
    name_variables(drawn, traced->flow, judged.transcript);
  }
  const auto kept = needed(drawn);
  auto all = only(kept, std::move(drawn));
  name_all(all);
  return all;
}

}  // namespace torchbook::site
