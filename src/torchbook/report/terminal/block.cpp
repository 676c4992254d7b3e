// Writes escape codes and shades for values.
#include <fmt/format.h>
#include <torchbook/report/terminal/block.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace torchbook::report {
namespace {

constexpr std::array<std::string_view, 5> shades = {" ", "░", "▒", "▓", "█"};
constexpr std::string_view not_finite = "·";

/// Returns a shade for the distance from the light end of the scale.
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
  // After the colour cube there are 24 greys, 10 apart.
  const int lightness = (colour.red + colour.green + colour.blue) / 3;
  const int step = std::clamp((lightness - 8 + 5) / 10, 0, 23);
  const auto grey = static_cast<std::uint8_t>(8 + 10 * step);
  if (distance({grey, grey, grey}, colour) < distance({levels[red], levels[green], levels[blue]}, colour)) {
    return static_cast<std::uint8_t>(232 + step);
  }
  return static_cast<std::uint8_t>(16 + 36 * red + 6 * green + blue);
}

std::string block(std::string_view number, double value, const ColourScale& scale, ColourDepth depth) {
  if (depth == ColourDepth::none) return fmt::format("{0}{0} {1}  ", shade(value, scale), number);
  return fmt::format("\033[{};{}m {} \033[0m", colour_code(48, scale.colour(value), depth),
                     colour_code(38, scale.text(value), depth), number);
}

std::size_t block_width(std::size_t number_width, ColourDepth depth) {
  return number_width + (depth == ColourDepth::none ? 5 : 2);
}

std::string swatch(double value, const ColourScale& scale, ColourDepth depth) {
  if (depth == ColourDepth::none) return std::string(shade(value, scale));
  return fmt::format("\033[{}m \033[0m", colour_code(48, scale.colour(value), depth));
}

}  // namespace torchbook::report
