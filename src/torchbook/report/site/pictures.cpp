// Finds each recorded tensor in the text that shows it.
#include <fmt/format.h>
#include <torchbook/report/site/pictures.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace torchbook::report {
namespace {

constexpr std::size_t largest_rank = 3;
constexpr std::size_t most_elements = 1024;

/// The shortest text that reads back as the element.
std::string exact_text(const std::string& dtype, double value) {
  if (dtype == "torch.bool") return value != 0 ? "True" : "False";
  if (std::isnan(value)) return "nan";
  if (dtype == "torch.float32") return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

/// The value that a word says, and half a unit of its last printed digit.
struct Printed {
  double value = 0;
  double precision = 0;
};

std::optional<Printed> read(std::string_view word) {
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  if (word == "True" || word == "False") return Printed{.value = word == "True" ? 1.0 : 0.0};
  Printed printed;
  const auto* end = word.data() + word.size();
  if (std::from_chars(word.data(), end, printed.value).ptr != end) return std::nullopt;
  const auto e = word.find('e');
  const auto dot = word.find('.');
  const auto digits = word.substr(0, e);
  int exponent = dot == word.npos ? 0 : -static_cast<int>(digits.size() - dot - 1);
  if (e != word.npos) {
    int power = 0;
    const auto* from = word.data() + e + (word[e + 1] == '+' ? 2 : 1);
    std::from_chars(from, end, power);
    exponent += power;
  }
  printed.precision = 0.5 * std::pow(10.0, exponent);
  return printed;
}

bool says(std::string_view word, double value) {
  const auto printed = read(word);
  if (!printed) return false;
  if (!std::isfinite(value) || !std::isfinite(printed->value)) {
    return (std::isnan(value) && std::isnan(printed->value)) || value == printed->value;
  }
  return std::fabs(printed->value - value) <= printed->precision * (1 + 1e-6);
}

/// A text of a cell, with the tensors in it that were not matched yet.
struct Output {
  std::string_view text;
  std::vector<PrintedTensor> tensors;
  std::size_t next = 0;

  /// The next tensor that says these numbers.
  std::optional<PrintedTensor> take(const Numbers& numbers) {
    for (std::size_t i = next; i < tensors.size(); ++i) {
      if (!shows(tensors[i], numbers)) continue;
      next = i + 1;
      return tensors[i];
    }
    return std::nullopt;
  }

 private:
  bool shows(const PrintedTensor& tensor, const Numbers& numbers) const {
    if (tensor.shape != numbers.shape || tensor.elements.size() != numbers.values.size()) return false;
    for (std::size_t i = 0; i < tensor.elements.size(); ++i) {
      const auto& range = tensor.elements[i];
      if (!says(text.substr(range.begin, range.end - range.begin), numbers.values[i])) return false;
    }
    return true;
  }
};

bool can_be_shown(const Numbers& numbers) {
  return !numbers.shape.empty() && numbers.shape.size() <= largest_rank && !numbers.values.empty() &&
         numbers.values.size() <= most_elements;
}

Picture picture_of(Numbers numbers, Output& out, Output& result) {
  Picture picture;
  picture.printed = out.take(numbers);
  if (!picture.printed) {
    picture.printed = result.take(numbers);
    picture.in_result = picture.printed.has_value();
  }
  for (const double value : numbers.values) {
    picture.exact.push_back(exact_text(numbers.dtype, value));
    if (!picture.printed) picture.texts.push_back(std::isnan(value) ? "nan" : fmt::format("{:.4g}", value));
  }
  if (picture.printed) {
    picture.texts = texts_of(picture.in_result ? result.text : out.text, picture.printed->elements);
  }
  picture.numbers = std::move(numbers);
  return picture;
}

/// Adds a picture of a tensor that the cell did not show.
void add_unshown(std::vector<Picture>& pictures, const notebook::TracedTensor& traced) {
  Output nowhere;
  auto elements = numbers_of(traced.tensor);
  if (!elements || !can_be_shown(*elements)) return;
  pictures.push_back(picture_of(std::move(*elements), nowhere, nowhere));
  pictures.back().shown = false;
}

/// What a cell shows, and before each what it had computed by then.
std::vector<Picture> pictures_of(const notebook::Cell& cell,
                                 const std::vector<notebook::TracedTensor>& traced) {
  Output out{.text = cell.out, .tensors = printed_tensors(cell.out)};
  const std::string_view displayed = cell.result ? std::string_view(*cell.result) : std::string_view{};
  Output result{.text = displayed, .tensors = printed_tensors(displayed)};
  std::vector<Picture> pictures;
  for (std::size_t i = 0; i <= cell.tensors.size(); ++i) {
    for (const auto& one : traced) {
      if (one.position == cell.position && one.shown_before == i) add_unshown(pictures, one);
    }
    if (i == cell.tensors.size()) break;
    auto elements = numbers_of(cell.tensors[i]);
    if (!elements || !can_be_shown(*elements)) continue;
    pictures.push_back(picture_of(std::move(*elements), out, result));
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

/// Leaves out what the same cell shows, too.
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

/// Which pictures are needed: the shown ones, what is shown nowhere else, and whatever those come from.
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

/// Names the pictures of one cell, which bear its name so far.
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

std::vector<std::string> texts_of(std::string_view text, const std::vector<TextRange>& ranges) {
  std::vector<std::string> texts;
  texts.reserve(ranges.size());
  for (const auto& range : ranges) {
    auto word = text.substr(range.begin, range.end - range.begin);
    word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    texts.emplace_back(word);
  }
  return texts;
}

std::vector<Picture> pictures_of(const notebook::Transcript& transcript) {
  std::vector<Picture> all;
  for (const notebook::Cell* cell : transcript.cells()) {
    if (!cell->selected) continue;
    for (auto& picture : without_repetitions(pictures_of(*cell, transcript.traced))) {
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
