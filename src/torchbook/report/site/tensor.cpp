// Fills in tensor.mustache.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/report/colour_scale.h>
#include <torchbook/report/site/html.h>
#include <torchbook/report/site/pages.h>

namespace torchbook::report {
namespace {

constexpr int ramp_stops = 10;

std::string css(const Rgb& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string number_text(const std::string& dtype, double value) {
  return dtype == "torch.float32" ? fmt::format("{:.4g}", static_cast<float>(value))
                                  : fmt::format("{:.4g}", value);
}

std::string ramp_of(const ColourScale& scale) {
  std::vector<std::string> stops;
  for (int i = 0; i <= ramp_stops; ++i) {
    const double part = static_cast<double>(i) / ramp_stops;
    stops.push_back(css(scale.colour(scale.lowest() + part * (scale.highest() - scale.lowest()))));
  }
  return fmt::format("{}", fmt::join(stops, ","));
}

/// Returns `tensor 2: torch.float32, 6 × 3`, or `torch.float32, 6 × 3` if the picture has no title.
std::string description_of(const Picture& picture) {
  const auto& [dtype, shape, values] = picture.numbers;
  const std::string title = picture.title.empty() ? "" : picture.title + ": ";
  return fmt::format("{}{}, {}", title, dtype, fmt::join(shape, " × "));
}

/// Returns whether the picture is a batch of matrices, each with its own table.
bool has_slices(const Picture& picture) { return picture.numbers.shape.size() == 3; }

Data rows_of(const Picture& picture, const ColourScale& scale, std::size_t first, std::size_t rows,
             std::size_t columns) {
  Data list(Data::type::list);
  for (std::size_t row = 0; row < rows; ++row) {
    Data cells(Data::type::list);
    for (std::size_t i = first + row * columns; i < first + (row + 1) * columns; ++i) {
      const double value = picture.numbers.values[i];
      Data cell;
      cell.set("colour", css(scale.colour(value)));
      cell.set("ink", css(scale.text(value)));
      cell.set("text", picture.texts[i]);
      cells.push_back(cell);
    }
    Data line;
    line.set("row", fmt::format("{}", row));
    line.set("cells", cells);
    list.push_back(line);
  }
  return list;
}

Data slices_of(const Picture& picture, const ColourScale& scale) {
  const auto& shape = picture.numbers.shape;
  const auto columns = static_cast<std::size_t>(shape.back());
  const auto rows = shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[shape.size() - 2]);
  Data heads(Data::type::list);
  for (std::size_t i = 0; i < columns; ++i) heads.push_back(fmt::format("{}", i));
  const bool several = has_slices(picture);
  Data slices(Data::type::list);
  for (std::size_t first = 0; first < picture.numbers.values.size(); first += rows * columns) {
    Data slice;
    slice.set("first", fmt::format("{}", first));
    slice.set("width", fmt::format("{}", columns));
    slice.set("caption", several ? fmt::format("[{}]", first / (rows * columns)) : description_of(picture));
    slice.set("row_heads", shape.size() > 1);
    slice.set("columns", heads);
    slice.set("rows", rows_of(picture, scale, first, rows, columns));
    slices.push_back(slice);
  }
  return slices;
}

/// Returns a link to the picture of an operand: `In [13]`, or `row 2 of In [13]`.
std::string operand_html(const Operand& operand, std::span<const Picture> all) {
  const Picture& picture = all[operand.tensor];
  const auto link = fmt::format("<a href=\"#{}\">{}</a>", picture.id, escaped(picture.name));
  return operand.row ? fmt::format("row {} of {}", *operand.row, link) : link;
}

std::string formula_html(const std::vector<FormulaPart>& formula, std::span<const Picture> all) {
  std::string html;
  for (const auto& part : formula)
    html += escaped(part.text) + (part.tensor ? operand_html({.tensor = *part.tensor}, all) : "");
  return html;
}

std::string sentence_of(const Origin& origin, std::span<const Picture> all) {
  if (origin.kind == Origin::Kind::formula) return "= " + formula_html(origin.formula, all);
  const auto left = operand_html(origin.left, all);
  if (origin.kind == Origin::Kind::softmax)
    return fmt::format("= softmax of {} along dim {}", left, origin.dim);
  if (origin.kind == Origin::Kind::scaled) return fmt::format("= {} / {}", left, origin.divisor);
  const auto right = operand_html(origin.right, all);
  return fmt::format("= {} @ {}", left, origin.transposed ? fmt::format("transposed {}", right) : right);
}

Data row_data(const Operand& operand) {
  return operand.row ? Data(fmt::format("{}", *operand.row)) : Data(false);
}

Data origin_data(const Origin& origin, std::span<const Picture> all) {
  const bool product = origin.kind == Origin::Kind::product;
  const bool softmax = origin.kind == Origin::Kind::softmax;
  Data data;
  const bool formula = origin.kind == Origin::Kind::formula;
  data.set("kind", formula ? Data(false) : Data(product ? "product" : softmax ? "softmax" : "scaled"));
  data.set("left", all[origin.left.tensor].id);
  data.set("left_row", row_data(origin.left));
  data.set("right", product ? Data(all[origin.right.tensor].id) : Data(false));
  data.set("right_row", row_data(origin.right));
  data.set("transposed", origin.transposed);
  data.set("dim", softmax ? Data(fmt::format("{}", origin.dim)) : Data(false));
  data.set("by_hand", origin.by_hand);
  data.set("divisor", origin.divisor.empty() ? Data(false) : Data(origin.divisor));
  data.set("sentence", sentence_of(origin, all));
  return data;
}

/// The place of an element of a picture in a text, and the tags around it.
struct Span {
  golden::TextRange range;
  std::string open;
  std::string close;
};

std::vector<Span> spans_of(bool result, std::span<const Picture> pictures) {
  std::vector<Span> spans;
  for (const auto& picture : pictures) {
    if (!picture.printed || picture.in_result != result) continue;
    for (std::size_t i = 0; i < picture.printed->elements.size(); ++i) {
      spans.push_back({.range = picture.printed->elements[i],
                       .open = fmt::format("<span data-of=\"{}\" data-i=\"{}\">", picture.id, i),
                       .close = "</span>"});
    }
  }
  return spans;
}

}  // namespace

std::string tensor_html(const Picture& picture, std::span<const Picture> all) {
  const ColourScale scale(picture.numbers.values);
  Data data;
  data.set("id", picture.id);
  data.set("name", picture.name);
  data.set("shape", fmt::format("{}", fmt::join(picture.numbers.shape, " ")));
  data.set("values", fmt::format("{}", fmt::join(picture.exact, " ")));
  data.set("description", has_slices(picture) ? Data(description_of(picture)) : Data(false));
  data.set("slices", slices_of(picture, scale));
  data.set("lowest", number_text(picture.numbers.dtype, scale.lowest()));
  data.set("highest", number_text(picture.numbers.dtype, scale.highest()));
  data.set("ramp", ramp_of(scale));
  data.set("origin", picture.origin ? origin_data(*picture.origin, all) : Data(false));
  return filled(site_tensor, data);
}

std::string output_html(const std::string& text, bool result, std::span<const Picture> pictures) {
  std::string html;
  std::size_t at = 0;
  for (const auto& [range, open, close] : spans_of(result, pictures)) {
    html += escaped(std::string_view(text).substr(at, range.begin - at)) + open;
    html += escaped(std::string_view(text).substr(range.begin, range.end - range.begin)) + close;
    at = range.end;
  }
  return html + escaped(std::string_view(text).substr(at));
}

}  // namespace torchbook::report
