// Writes a heatmap row by row: numbers with escape codes or shades.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/golden/element.h>
#include <torchbook/report/colour_scale.h>
#include <torchbook/report/terminal/heatmap.h>
#include <torchbook/report/terminal/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace torchbook::report {
namespace {

constexpr std::array<std::string_view, 5> shades = {" ", "░", "▒", "▓", "█"};
constexpr std::string_view not_finite = "·";

/// Returns the shade for a value: the farther from the light end of the scale, the darker.
std::string_view shade(double value, const ColourScale& scale) {
  if (!std::isfinite(value)) return not_finite;
  const double range = scale.diverges() ? scale.highest() : scale.highest() - scale.lowest();
  if (range == 0) return shades.front();
  const double distance = scale.diverges() ? std::fabs(value) : value - scale.lowest();
  const auto level = static_cast<std::size_t>(distance / range * static_cast<double>(shades.size()));
  return shades[std::min(level, shades.size() - 1)];
}

int distance(const Rgb& one, const Rgb& other) {
  const int red = one.red - other.red;
  const int green = one.green - other.green;
  const int blue = one.blue - other.blue;
  return red * red + green * green + blue * blue;
}

/// Returns the part of an escape code that sets this colour. `ground` is 38 for the text and 48 for the
/// background.
std::string colour_code(int ground, const Rgb& colour, ColourDepth depth) {
  if (depth == ColourDepth::palette) return fmt::format("{};5;{}", ground, palette_colour(colour));
  return fmt::format("{};2;{};{};{}", ground, colour.red, colour.green, colour.blue);
}

/// Returns a number with its value's colour or shade.
std::string block(std::string_view number, double value, const ColourScale& scale, ColourDepth depth) {
  if (depth == ColourDepth::none) return fmt::format("{0}{0} {1}  ", shade(value, scale), number);
  return fmt::format("\033[{};{}m {} \033[0m", colour_code(48, scale.colour(value), depth),
                     colour_code(38, scale.text(value), depth), number);
}

/// Returns the columns of a block whose number takes `number_width` columns.
std::size_t block_width(std::size_t number_width, ColourDepth depth) {
  return number_width + (depth == ColourDepth::none ? 5 : 2);
}

/// Returns one character in the value's colour or shade.
std::string swatch(double value, const ColourScale& scale, ColourDepth depth) {
  if (depth == ColourDepth::none) return std::string(shade(value, scale));
  return fmt::format("\033[{}m \033[0m", colour_code(48, scale.colour(value), depth));
}

constexpr std::size_t most_rows = 20;         // of a matrix
constexpr std::size_t most_rows_at_all = 40;  // of all slices of a tensor
constexpr std::size_t widest_bar = 16;        // of the legend
constexpr std::string_view margin = "  ";
constexpr std::string_view left_out = " … ";
constexpr std::size_t gap_width = 3;

/// The indices of a dimension that are shown. nullopt represents the omitted ones.
using Picked = std::vector<std::optional<std::size_t>>;

/// Returns all `size` indices if they are at most `most`. Otherwise returns the first and last
/// ones, `most` in total. A `most` of 0 counts as 1.
Picked pick(std::size_t size, std::size_t most) {
  most = std::max<std::size_t>(most, 1);
  Picked picked;
  const bool all = size <= most;
  const std::size_t head = all ? size : (most + 1) / 2;
  for (std::size_t i = 0; i < head; ++i) picked.emplace_back(i);
  if (all) return picked;
  picked.emplace_back();
  for (std::size_t i = size - most / 2; i < size; ++i) picked.emplace_back(i);
  return picked;
}

std::size_t shown(const Picked& picked) {
  return static_cast<std::size_t>(
      std::count_if(picked.begin(), picked.end(), [](const auto& index) { return index.has_value(); }));
}

/// Returns one format for all values: whole numbers, two decimals, or an exponent if neither fits.
const char* number_format(std::span<const double> values) {
  bool whole = true;
  double largest = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    whole = whole && value == std::floor(value);
    largest = std::max(largest, std::fabs(value));
  }
  if (whole && largest < 1e6) return "{:.0f}";
  return largest >= 0.1 && largest < 1e4 ? "{:.2f}" : "{:.1e}";
}

class Heatmap {
 public:
  Heatmap(const notebook::RecordedTensor& tensor, std::vector<double> values, const HeatmapStyle& style)
      : tensor_(tensor),
        values_(std::move(values)),
        style_(style),
        scale_(values_),
        format_(number_format(values_)) {
    const auto& shape = tensor_.shape;
    columns_ = static_cast<std::size_t>(shape.back());
    rows_ = shape.size() > 1 ? static_cast<std::size_t>(shape[shape.size() - 2]) : 1;
    slices_ = values_.size() / (rows_ * columns_);
    for (const double value : values_) width_ = std::max(width_, number(value).size());
    shown_columns_ = pick(columns_, columns_that_fit());
    shown_rows_ = pick(rows_, most_rows);
    shown_slices_ = pick(slices_, most_rows_at_all / shown(shown_rows_));
  }

  std::string text() const {
    std::string text = heading();
    for (const auto& slice : shown_slices_) {
      if (tensor_.shape.size() == 3) {
        text += slice ? fmt::format("{}[{}]\n", margin, *slice) : fmt::format("{}…\n", margin);
      }
      if (slice) text += matrix(*slice);
    }
    return text + legend();
  }

 private:
  std::string number(double value) const { return fmt::format(fmt::runtime(format_), value); }

  std::size_t columns_that_fit() const {
    const auto fit = [&](std::size_t taken) {
      return style_.width <= taken ? 0 : (style_.width - taken) / block_width(width_, style_.depth);
    };
    const std::size_t all = fit(margin.size());
    return all >= columns_ ? columns_ : fit(margin.size() + gap_width);
  }

  bool complete() const {
    return shown(shown_columns_) == columns_ && shown(shown_rows_) == rows_ &&
           shown(shown_slices_) == slices_;
  }

  std::string heading() const {
    const auto tuple = [](const auto& sizes) {
      return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
    };
    const bool colour = style_.depth != ColourDepth::none;
    std::string text = fmt::format("# Heatmap of {}, {}", tuple(tensor_.shape), tensor_.dtype);
    if (complete()) return coloured(text, "2", colour) + '\n';
    std::vector<std::size_t> sizes = {shown(shown_slices_), shown(shown_rows_), shown(shown_columns_)};
    sizes.erase(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(tensor_.shape.size()));
    return coloured(text, "2", colour) + '\n' +
           coloured(fmt::format("# of which {} is shown", tuple(sizes)), "2", colour) + '\n';
  }

  std::string matrix(std::size_t slice) const {
    std::string text;
    for (const auto& row : shown_rows_) {
      text += margin;
      if (!row) {
        text += "…\n";
        continue;
      }
      for (const auto& column : shown_columns_) {
        if (!column) {
          text += left_out;
          continue;
        }
        const double value = values_[(slice * rows_ + *row) * columns_ + *column];
        text += block(fmt::format("{:>{}}", number(value), width_), value, scale_, style_.depth);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      text += '\n';
    }
    return text;
  }

  std::string legend() const {
    std::vector<double> finite;
    std::copy_if(values_.begin(), values_.end(), std::back_inserter(finite),
                 [](double value) { return std::isfinite(value); });
    const bool all_finite = finite.size() == values_.size();
    const std::string not_finite = swatch(std::nan(""), scale_, style_.depth) + " not finite";
    if (finite.empty()) return fmt::format("{}{}\n", margin, not_finite);
    const auto [lowest, highest] = std::minmax_element(finite.begin(), finite.end());
    const std::string before = fmt::format("{}lowest {} │", margin, number(*lowest));
    std::string after = fmt::format("│ highest {}", number(*highest));
    if (!all_finite) after += ", " + not_finite;
    const auto around = display_width(before) + display_width(after);
    const auto room = std::clamp(style_.width, around + 2, around + widest_bar) - around;
    return before + bar(*lowest, *highest, room) + after + '\n';
  }

  /// Returns the scale from one value to another as `width` characters.
  std::string bar(double lowest, double highest, std::size_t width) const {
    std::string text;
    for (std::size_t i = 0; i < width; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(width - 1);
      text += swatch(lowest * (1 - part) + highest * part, scale_, style_.depth);
    }
    return text;
  }

  const notebook::RecordedTensor& tensor_;
  std::vector<double> values_;
  HeatmapStyle style_;
  ColourScale scale_;
  const char* format_;
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  std::size_t slices_ = 0;
  std::size_t width_ = 0;  // of the longest number
  Picked shown_columns_{};
  Picked shown_rows_{};
  Picked shown_slices_{};
};

}  // namespace

std::uint8_t palette_colour(const Rgb& colour) {
  constexpr std::array<std::uint8_t, 6> levels = {0, 95, 135, 175, 215, 255};
  const auto nearest_level = [&](std::uint8_t part) {
    const auto closer = [&](int one, int other) { return std::abs(one - part) < std::abs(other - part); };
    return static_cast<std::size_t>(std::min_element(levels.begin(), levels.end(), closer) - levels.begin());
  };
  const auto red = nearest_level(colour.red);
  const auto green = nearest_level(colour.green);
  const auto blue = nearest_level(colour.blue);
  // The palette has 24 greys after the colour cube. Their levels are 10 apart.
  const int lightness = (colour.red + colour.green + colour.blue) / 3;
  const int step = std::clamp((lightness - 8 + 5) / 10, 0, 23);
  const auto grey = static_cast<std::uint8_t>(8 + 10 * step);
  if (distance({grey, grey, grey}, colour) < distance({levels[red], levels[green], levels[blue]}, colour)) {
    return static_cast<std::uint8_t>(232 + step);
  }
  return static_cast<std::uint8_t>(16 + 36 * red + 6 * green + blue);
}

std::string heatmap_text(const notebook::RecordedTensor& tensor, const HeatmapStyle& style) {
  if (tensor.shape.empty() || tensor.shape.size() > 3) return {};
  auto numbers = golden::values_of(tensor);
  if (!numbers || numbers->empty()) return {};
  return Heatmap(tensor, std::move(*numbers), style).text();
}

}  // namespace torchbook::report
