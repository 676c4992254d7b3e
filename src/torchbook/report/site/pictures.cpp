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
    if (!picture.printed) picture.texts.push_back(fmt::format("{:.4g}", value));
  }
  if (picture.printed) {
    picture.texts = texts_of(picture.in_result ? result.text : out.text, picture.printed->elements);
  }
  picture.numbers = std::move(numbers);
  return picture;
}

std::vector<Picture> pictures_of(const Cell& cell) {
  Output out{.text = cell.out, .tensors = printed_tensors(cell.out)};
  const std::string_view displayed = cell.result ? std::string_view(*cell.result) : std::string_view{};
  Output result{.text = displayed, .tensors = printed_tensors(displayed)};
  std::vector<Picture> pictures;
  for (const auto& tensor : cell.tensors) {
    auto elements = numbers(tensor);
    if (!elements || !can_be_shown(*elements)) continue;
    pictures.push_back(picture_of(std::move(*elements), out, result));
  }
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    pictures[i].position = cell.position;
    pictures[i].id = fmt::format("t{}-{}", cell.position, i + 1);
    pictures[i].name = name_of(cell);
    if (pictures.size() < 2) continue;
    pictures[i].number = i + 1;
    pictures[i].name = fmt::format("tensor {} of {}", i + 1, pictures[i].name);
  }
  return pictures;
}

}  // namespace

std::string name_of(const Cell& cell) {
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

std::vector<Picture> pictures(const Transcript& transcript) {
  std::vector<Picture> all;
  std::vector<Numbers> earlier;
  for (const Cell* cell : transcript.cells()) {
    if (!cell->selected) continue;
    for (auto& picture : pictures_of(*cell)) {
      picture.origin = find_origin(picture.numbers, earlier);
      earlier.push_back(picture.numbers);
      all.push_back(std::move(picture));
    }
  }
  return all;
}

}  // namespace torchbook::report
