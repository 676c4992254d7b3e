// Fills in tensor.mustache.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/site/pages.h>
#include <torchbook/report/colour_scale.h>

namespace torchbook::site {
namespace {

std::string css(const report::Rgb& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string number_text(const std::string& dtype, double value) {
  return dtype == "torch.float32" ? fmt::format("{:.4g}", static_cast<float>(value))
                                  : fmt::format("{:.4g}", value);
}

std::string ramp_of(const report::ColourScale& scale) {
  std::vector<std::string> stops;
  const int steps = scale.diverges() ? 10 : 5;  // from colour to colour of colour_scale.cpp
  for (int i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / steps;
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

/// Returns whether the picture has several matrices, such as heads, each with its own table.
bool has_slices(const Picture& picture) { return picture.numbers.shape.size() > 2; }

/// Returns the index of a matrix: `[1]` in a batch, `[0, 1]` in a batch with heads.
std::string index_of(std::size_t slice, std::span<const std::int64_t> shape) {
  std::vector<std::size_t> index;
  for (auto dim = shape.size() - 2; dim-- > 0; slice /= static_cast<std::size_t>(shape[dim]))
    index.insert(index.begin(), slice % static_cast<std::size_t>(shape[dim]));
  return fmt::format("[{}]", fmt::join(index, ", "));
}

/// Returns the head of an entry along a dimension: its name, or its index.
Data head_of(const std::vector<EntryName>& names, std::size_t index) {
  if (names.empty()) return object({{"text", fmt::format("{}", index)}, {"named", false}, {"word", false}});
  const auto& [text, ids, at] = names[index];
  return object(
      {{"text", text}, {"named", true}, {"word", ids ? Data(fmt::format("{}.{}", *ids, at)) : Data(false)}});
}

/// Returns the names along a dimension, counted from the last one, which is 1.
const std::vector<EntryName>& names_along(const Picture& picture, std::size_t from_last) {
  static const std::vector<EntryName> none;
  const auto& dims = picture.entry_names.dims;
  return dims.size() < from_last ? none : dims[dims.size() - from_last];
}

Data row_head(const Picture& picture, std::size_t row) {
  if (picture.numbers.shape.size() == 1) return head_of({picture.entry_names.row}, 0);
  return head_of(names_along(picture, 2), row);
}

Data rows_of(const Picture& picture, const report::ColourScale& scale, std::size_t first, std::size_t rows,
             std::size_t columns) {
  Data list(Data::type::list);
  for (std::size_t row = 0; row < rows; ++row) {
    Data cells(Data::type::list);
    for (std::size_t i = first + row * columns; i < first + (row + 1) * columns; ++i) {
      const double value = picture.numbers.values[i];
      const auto ink = scale.text(value);  // style.css has black
      cells.push_back(object({{"colour", css(scale.colour(value))},
                              {"ink", text_or_false(ink == report::Rgb{} ? std::string() : css(ink))},
                              {"text", picture.texts[i]}}));
    }
    list.push_back(object({{"row", row_head(picture, row)}, {"cells", std::move(cells)}}));
  }
  return list;
}

Data slices_of(const Picture& picture, const report::ColourScale& scale) {
  const auto& shape = picture.numbers.shape;
  const auto columns = static_cast<std::size_t>(shape.back());
  const auto rows = shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[shape.size() - 2]);
  Data heads(Data::type::list);
  for (std::size_t i = 0; i < columns; ++i) heads.push_back(head_of(names_along(picture, 1), i));
  const bool several = has_slices(picture);
  Data slices(Data::type::list);
  for (std::size_t first = 0; first < picture.numbers.values.size(); first += rows * columns) {
    slices.push_back(
        object({{"first", fmt::format("{}", first)},
                {"width", fmt::format("{}", columns)},
                {"caption", several ? index_of(first / (rows * columns), shape) : description_of(picture)},
                {"row_heads", shape.size() > 1 || !picture.entry_names.row.text.empty()},
                {"columns", heads},
                {"rows", rows_of(picture, scale, first, rows, columns)}}));
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
  const bool formula = origin.kind == Origin::Kind::formula;
  return object({{"kind", formula ? Data(false)
                                  : Data(product   ? "product"
                                         : softmax ? "softmax"
                                                   : "scaled")},
                 {"left", all[origin.left.tensor].id},
                 {"left_row", row_data(origin.left)},
                 {"right", product ? Data(all[origin.right.tensor].id) : Data(false)},
                 {"right_row", row_data(origin.right)},
                 {"transposed", origin.transposed},
                 {"dim", softmax ? Data(fmt::format("{}", origin.dim)) : Data(false)},
                 {"by_hand", origin.by_hand},
                 {"divisor", text_or_false(origin.divisor)},
                 {"sentence", sentence_of(origin, all)}});
}

}  // namespace

std::string tensor_html(const Picture& picture, std::span<const Picture> all,
                        std::optional<std::size_t> computed) {
  const report::ColourScale scale(picture.numbers.values);
  return filled(site_tensor,
                object({{"id", picture.id},
                        {"name", picture.name},
                        {"dtype", picture.numbers.dtype},
                        {"computed", computed ? Data(fmt::format("{}", *computed)) : Data(false)},
                        {"shape", fmt::format("{}", fmt::join(picture.numbers.shape, " "))},
                        {"values", fmt::format("{}", fmt::join(picture.exact, " "))},
                        {"description", has_slices(picture) ? Data(description_of(picture)) : Data(false)},
                        {"slices", slices_of(picture, scale)},
                        {"lowest", number_text(picture.numbers.dtype, scale.lowest())},
                        {"highest", number_text(picture.numbers.dtype, scale.highest())},
                        {"ramp", ramp_of(scale)},
                        {"origin", picture.origin ? origin_data(*picture.origin, all) : Data(false)}}));
}

std::string output_html(const std::string& text, bool result, std::span<const Picture> pictures) {
  std::string html;
  std::size_t at = 0;
  for (const auto& picture : pictures) {
    if (picture.in_result != result) continue;
    for (std::size_t i = 0; i < picture.printed.size(); ++i) {
      const auto& range = picture.printed[i];
      html += escaped(golden::piece(text, {at, range.begin}));
      html += fmt::format("<span data-of=\"{}\" data-i=\"{}\">{}</span>", picture.id, i,
                          escaped(golden::piece(text, range)));
      at = range.end;
    }
  }
  return html + escaped(std::string_view(text).substr(at));
}

}  // namespace torchbook::site
