// Paints heatmaps pixel by pixel. libpng packs them.
#include <fmt/format.h>
#include <png.h>
#include <torchbook/golden/mismatch.h>
#include <torchbook/report/colour_scale.h>
#include <torchbook/report/documents/picture.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace torchbook::report {
namespace {

constexpr std::size_t largest_picture = 768;
constexpr std::size_t largest_square = 24;
constexpr std::size_t smallest_with_lines = 6;  // smaller squares have no room for a line between them
constexpr std::size_t gap = 12;                 // between tiles
constexpr Rgb line_colour = {204, 204, 204};

/// The number of tiles of a tensor, and of rows and columns in each.
struct Grid {
  std::size_t tiles = 1;
  std::size_t rows = 1;
  std::size_t columns = 1;
};

std::optional<Grid> grid_of(const notebook::RecordedTensor& tensor) {
  const auto& shape = tensor.shape;
  if (shape.empty() || shape.size() > 3) return std::nullopt;
  if (std::any_of(shape.begin(), shape.end(), [](auto size) { return size < 1; })) return std::nullopt;
  Grid grid;
  grid.columns = static_cast<std::size_t>(shape.back());
  if (shape.size() > 1) grid.rows = static_cast<std::size_t>(shape[shape.size() - 2]);
  if (shape.size() > 2) grid.tiles = static_cast<std::size_t>(shape.front());
  return grid;
}

/// The measures of a picture, in pixels. Tiles are placed in rows, from left to right.
struct Layout {
  std::size_t square = 0;
  std::size_t line = 0;  // the width of the lines around squares
  std::size_t tile_width = 0;
  std::size_t tile_height = 0;
  std::size_t tiles_a_row = 0;
  std::size_t width = 0;
  std::size_t height = 0;
};

Layout layout_with(const Grid& grid, std::size_t square) {
  Layout layout{.square = square, .line = square < smallest_with_lines ? 0U : 1U};
  layout.tile_width = grid.columns * square + layout.line;
  layout.tile_height = grid.rows * square + layout.line;
  const auto fitting = (largest_picture + gap) / (layout.tile_width + gap);
  layout.tiles_a_row = std::clamp<std::size_t>(fitting, 1, grid.tiles);
  const auto tile_rows = (grid.tiles + layout.tiles_a_row - 1) / layout.tiles_a_row;
  layout.width = layout.tiles_a_row * (layout.tile_width + gap) - gap;
  layout.height = tile_rows * (layout.tile_height + gap) - gap;
  return layout;
}

/// Returns the layout with the largest squares that fit.
std::optional<Layout> layout_of(const Grid& grid) {
  if (std::max({grid.tiles, grid.rows, grid.columns}) > largest_picture) return std::nullopt;
  for (auto square = largest_square; square >= 1; --square) {
    const auto layout = layout_with(grid, square);
    if (layout.width <= largest_picture && layout.height <= largest_picture) return layout;
  }
  return std::nullopt;
}

using Pixels = std::vector<std::uint8_t>;  // four bytes each: red, green, blue, opacity

void paint_tile(Pixels& pixels, const Layout& layout, std::size_t tile, std::span<const double> values,
                const ColourScale& scale) {
  const auto left = tile % layout.tiles_a_row * (layout.tile_width + gap);
  const auto top = tile / layout.tiles_a_row * (layout.tile_height + gap);
  const auto columns = layout.tile_width / layout.square;
  for (std::size_t y = 0; y < layout.tile_height; ++y) {
    for (std::size_t x = 0; x < layout.tile_width; ++x) {
      const bool line = layout.line != 0 && (x % layout.square == 0 || y % layout.square == 0);
      const auto colour =
          line ? line_colour : scale.colour(values[y / layout.square * columns + x / layout.square]);
      auto* pixel = &pixels[4 * ((top + y) * layout.width + left + x)];
      pixel[0] = colour.red;
      pixel[1] = colour.green;
      pixel[2] = colour.blue;
      pixel[3] = 255;
    }
  }
}

std::string png_of(const Pixels& pixels, const Layout& layout) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(layout.width);
  image.height = static_cast<png_uint_32>(layout.height);
  image.format = PNG_FORMAT_RGBA;
  std::string png(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = png.size();
  if (png_image_write_to_memory(&image, png.data(), &size, 0, pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(fmt::format("libpng cannot make a picture: {}", image.message));
  }
  png.resize(size);
  return png;
}

std::string colours_in_words(std::span<const double> values, const ColourScale& scale) {
  const auto others =
      std::count_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (others == std::ssize(values)) return "none of its numbers is finite, all are grey";
  std::string text;
  if (scale.diverges()) {
    text = fmt::format("{:.4g} is dark orange, 0 white, {:.4g} dark blue", scale.lowest(), scale.highest());
  } else if (scale.lowest() == scale.highest()) {
    text = fmt::format("all {:.4g}", scale.lowest());
  } else {
    text = fmt::format("from {:.4g}, white, to {:.4g}, dark blue", scale.lowest(), scale.highest());
  }
  return others == 0 ? text : text + ", grey is not finite";
}

std::string described(const notebook::RecordedTensor& tensor, const std::string& colours) {
  const auto tiles = tensor.shape.size() == 3 ? fmt::format(" as {} tiles", tensor.shape[0]) : "";
  return fmt::format("Heatmap of a {} tensor of shape {}{}: {}", tensor.dtype,
                     golden::shape_text(tensor.shape), tiles, colours);
}

}  // namespace

std::optional<PngPicture> heatmap(const notebook::RecordedTensor& tensor) {
  const auto grid = grid_of(tensor);
  const auto numbers = notebook::elements_of(tensor);
  if (!grid || !numbers || numbers->size() < 2) return std::nullopt;
  const auto layout = layout_of(*grid);
  if (!layout || numbers->size() != grid->tiles * grid->rows * grid->columns) return std::nullopt;
  const ColourScale scale(*numbers);
  Pixels pixels(4 * layout->width * layout->height);
  const auto tile_size = grid->rows * grid->columns;
  for (std::size_t tile = 0; tile < grid->tiles; ++tile) {
    paint_tile(pixels, *layout, tile, std::span(*numbers).subspan(tile * tile_size, tile_size), scale);
  }
  return PngPicture{png_of(pixels, *layout), described(tensor, colours_in_words(*numbers, scale))};
}

}  // namespace torchbook::report
