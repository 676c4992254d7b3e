// Finds each recorded tensor in the text that shows it.
#include <fmt/format.h>
#include <torchbook/report/site/pictures.h>

#include <algorithm>
#include <cmath>

namespace torchbook::report {
namespace {

constexpr std::size_t largest_rank = 3;
constexpr std::size_t most_elements = 1024;

/// Returns the shortest text that reads back as the element.
std::string exact_text(const std::string& dtype, double value) {
  if (dtype == "torch.bool") return value != 0 ? "True" : "False";
  if (std::isnan(value)) return "nan";
  if (dtype == "torch.float32") return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

bool can_be_shown(const Numbers& numbers) {
  return !numbers.shape.empty() && numbers.shape.size() <= largest_rank && !numbers.values.empty() &&
         numbers.values.size() <= most_elements;
}

Picture picture_of(Numbers numbers) {
  Picture picture;
  for (const double value : numbers.values) {
    picture.exact.push_back(exact_text(numbers.dtype, value));
    picture.texts.push_back(std::isnan(value) ? "nan" : fmt::format("{:.4g}", value));
  }
  picture.numbers = std::move(numbers);
  return picture;
}

/// Adds a picture of a tensor that the cell did not show.
void add_unshown(std::vector<Picture>& pictures, const notebook::TracedTensor& traced) {
  auto elements = numbers_of(traced.tensor);
  if (!elements || !can_be_shown(*elements)) return;
  pictures.push_back(picture_of(std::move(*elements)));
  pictures.back().shown = false;
}

/// Stores where and how the elements of a tensor are printed.
void add_printed(Picture& picture, const notebook::Cell& cell, const golden::ShownTensor& shown) {
  picture.in_result = shown.where == "result";
  picture.printed = shown.printed;
  const std::string& text = picture.in_result ? *cell.result : cell.out;
  picture.texts.clear();
  for (const auto& element : shown.printed.elements) picture.texts.emplace_back(piece(text, element));
}

/// Adds a picture of a tensor that the cell shows.
void add_shown(std::vector<Picture>& pictures, const notebook::Cell& cell, std::size_t recorded,
               const golden::Judgement* judgement) {
  auto elements = numbers_of(cell.tensors[recorded]);
  if (!elements || !can_be_shown(*elements)) return;
  pictures.push_back(picture_of(std::move(*elements)));
  if (judgement == nullptr) return;
  for (const auto& shown : judgement->shown) {
    if (shown.recorded == recorded) add_printed(pictures.back(), cell, shown);
  }
}

/// Returns the tensors that a cell shows. Before each of them stand those that the cell had computed by then.
std::vector<Picture> cell_pictures(const notebook::Cell& cell, const golden::Judgement* judgement,
                                   const std::vector<notebook::TracedTensor>& traced) {
  std::vector<Picture> pictures;
  for (std::size_t i = 0; i <= cell.tensors.size(); ++i) {
    for (const auto& one : traced) {
      if (one.position == cell.position && one.shown_before == i) add_unshown(pictures, one);
    }
    if (i < cell.tensors.size()) add_shown(pictures, cell, i, judgement);
  }
  for (auto& picture : pictures) {
    picture.position = cell.position;
    picture.name = name_of(cell);
  }
  return pictures;
}

// ------------------------------------------------------------ what need not be shown twice

bool are_same(const Picture& a, const Picture& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.numbers.dtype == b.numbers.dtype && a.numbers.shape == b.numbers.shape &&
         std::equal(a.numbers.values.begin(), a.numbers.values.end(), b.numbers.values.begin(), same);
}

/// Leaves out unshown tensors that the same cell also shows.
std::vector<Picture> without_repetitions(std::vector<Picture> pictures) {
  const auto is_repeated = [&](const Picture& picture) {
    return !picture.shown && std::any_of(pictures.begin(), pictures.end(), [&](const Picture& other) {
      return other.shown && are_same(other, picture);
    });
  };
  std::vector<Picture> kept;
  for (const auto& picture : pictures) {
    if (!is_repeated(picture)) kept.push_back(picture);
  }
  return kept;
}

void find_origins(std::vector<Picture>& all) {
  std::vector<Numbers> earlier;
  earlier.reserve(all.size());
  for (auto& picture : all) {
    picture.origin = find_origin(picture.numbers, earlier);
    earlier.push_back(picture.numbers);
  }
}

std::vector<std::size_t> operands_of(const Picture& picture) {
  if (!picture.origin) return {};
  if (picture.origin->kind != Origin::Kind::product) return {picture.origin->left.tensor};
  return {picture.origin->left.tensor, picture.origin->right.tensor};
}

/// Returns which pictures are needed: the shown ones, those that no later cell shows, and the operands of
/// needed ones.
std::vector<bool> needed(const std::vector<Picture>& all) {
  std::vector<bool> is_needed(all.size());
  for (std::size_t i = all.size(); i-- > 0;) {
    const auto shows_it = [&](const Picture& later) { return later.shown && are_same(later, all[i]); };
    const auto next = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (all[i].shown || std::none_of(next, all.end(), shows_it)) is_needed[i] = true;
    if (!is_needed[i]) continue;
    for (const auto operand : operands_of(all[i])) is_needed[operand] = true;
  }
  return is_needed;
}

std::vector<Picture> only(const std::vector<bool>& kept, std::vector<Picture> all) {
  std::vector<Picture> result;
  std::vector<std::size_t> place(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!kept[i]) continue;
    place[i] = result.size();
    if (auto& origin = all[i].origin) {
      origin->left.tensor = place[origin->left.tensor];
      origin->right.tensor = place[origin->right.tensor];
    }
    result.push_back(std::move(all[i]));
  }
  return result;
}

// ------------------------------------------------------------ names

/// Names the pictures of one cell. Until then, each has the name of the cell.
void name_pictures(std::span<Picture> pictures) {
  const auto is_shown = [](const Picture& picture) { return picture.shown; };
  const auto shown = static_cast<std::size_t>(std::count_if(pictures.begin(), pictures.end(), is_shown));
  std::size_t tensors = 0, unshown = 0;
  for (auto& picture : pictures) {
    const std::size_t number = picture.shown ? ++tensors : ++unshown;
    const bool several = (picture.shown ? shown : pictures.size() - shown) > 1;
    picture.id = fmt::format("{}{}-{}", picture.shown ? 't' : 'u', picture.position, number);
    if (several || !picture.shown) picture.title = picture.shown ? "tensor" : "unshown tensor";
    if (several) picture.title += fmt::format(" {}", number);
    if (!picture.title.empty()) picture.name = fmt::format("{} of {}", picture.title, picture.name);
  }
}

void name_all(std::vector<Picture>& all) {
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(
        begin, all.end(), [&](const Picture& picture) { return picture.position != begin->position; });
    name_pictures({begin, end});
    begin = end;
  }
}

}  // namespace

std::string name_of(const notebook::Cell& cell) {
  return cell.label == "None" ? fmt::format("cell {}", cell.position) : fmt::format("In [{}]", cell.label);
}

std::vector<Picture> pictures_of(const golden::JudgedTranscript& judged) {
  std::vector<Picture> all;
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    if (!cell->selected) continue;
    for (auto& picture : without_repetitions(cell_pictures(
             *cell, golden::judgement_of(judged.judgements, *cell), judged.transcript.traced))) {
      all.push_back(std::move(picture));
    }
  }
  find_origins(all);
  const auto kept = needed(all);
  all = only(kept, std::move(all));
  name_all(all);
  return all;
}

}  // namespace torchbook::report
