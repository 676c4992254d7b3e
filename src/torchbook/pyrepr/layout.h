// Brackets, commas, line breaks, indents and ellipses around the elements of a tensor.
#pragma once

#include <c10/util/ArrayRef.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/release.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace torchbook::pyrepr {

/// Which elements of a strided tensor are shown, and where they lie.
class Shown {
 public:
  Shown(c10::IntArrayRef sizes, c10::IntArrayRef strides, bool summarize, std::int64_t edgeitems)
      : sizes_(sizes), strides_(strides), summarize_(summarize), edgeitems_(edgeitems) {}

  std::size_t dims() const { return sizes_.size(); }
  std::int64_t size(std::size_t dim) const { return sizes_[dim]; }
  std::int64_t stride(std::size_t dim) const { return strides_[dim]; }

  /// Whether the middle of a dimension is left out.
  bool cut(std::size_t dim) const { return summarize_ && sizes_[dim] - edgeitems_ > edgeitems_; }
  std::int64_t head(std::size_t dim) const { return cut(dim) ? edgeitems_ : sizes_[dim]; }
  /// Where the part after the ellipsis starts.
  std::int64_t tail(std::size_t dim) const {
    const bool all = edgeitems_ == 0 && dim + 1 == dims() && release::edgeitems_zero_shows_all;
    return all ? 0 : sizes_[dim] - edgeitems_;
  }
  /// What stands for the middle of a vector.
  std::string_view ellipsis() const {
    return edgeitems_ == 0 && !release::edgeitems_zero_shows_all ? "..." : " ...";
  }

  /// Calls `visit(offset)` for each element shown; offsets count elements.
  template <class Visit>
  void for_each(const Visit& visit, std::size_t dim = 0, std::int64_t offset = 0) const {
    if (dim == dims()) return visit(offset);
    for_each_index(dim, [&](std::int64_t i) { for_each(visit, dim + 1, offset + i * strides_[dim]); });
  }

  /// Calls `visit(index)` for each index of the dimension that is shown.
  template <class Visit>
  void for_each_index(std::size_t dim, const Visit& visit) const {
    for (std::int64_t i = 0; i < head(dim); ++i) visit(i);
    if (!cut(dim)) return;
    for (std::int64_t i = tail(dim); i < sizes_[dim]; ++i) visit(i);
  }

 private:
  c10::IntArrayRef sizes_;
  c10::IntArrayRef strides_;
  bool summarize_;
  std::int64_t edgeitems_;
};

/// Writes the elements of a tensor as Python lays them out. `Element` is `void(std::string& out, int64
/// offset)`.
template <class Element>
class Layout {
 public:
  /// `element_width`: the columns of one element, without the comma and space that follow it.
  Layout(std::string& out, const Shown& shown, std::size_t element_width, std::int64_t linewidth,
         Element element)
      : out_(out),
        shown_(shown),
        element_length_(static_cast<std::int64_t>(element_width) + 2),
        linewidth_(linewidth),
        element_(std::move(element)) {}

  /// `indent`: the columns before the first character.
  void write(std::int64_t indent) { write(0, 0, indent); }

 private:
  void write(std::size_t dim, std::int64_t offset, std::int64_t indent) {
    if (dim == shown_.dims()) return element_(out_, offset);
    out_ += '[';
    if (dim + 1 == shown_.dims()) {
      write_vector(offset, indent);
    } else {
      write_slices(dim, offset, indent);
    }
    out_ += ']';
  }

  void write_vector(std::int64_t offset, std::int64_t indent) {
    const std::size_t dim = shown_.dims() - 1;
    const std::int64_t per_line = std::max<std::int64_t>(1, (linewidth_ - indent) / element_length_);
    std::int64_t count = 0;
    const auto separate = [&] {
      if (count != 0 && count % per_line == 0) {
        out_ += ",\n";
        out_.append(static_cast<std::size_t>(indent) + 1, ' ');
      } else if (count != 0) {
        out_ += ", ";
      }
      ++count;
    };
    const auto write_element = [&](std::int64_t i) {
      separate();
      element_(out_, offset + i * shown_.stride(dim));
    };
    for (std::int64_t i = 0; i < shown_.head(dim); ++i) write_element(i);
    if (!shown_.cut(dim)) return;
    separate();
    out_ += shown_.ellipsis();
    for (std::int64_t i = shown_.tail(dim); i < shown_.size(dim); ++i) write_element(i);
  }

  void write_slices(std::size_t dim, std::int64_t offset, std::int64_t indent) {
    bool first = true;
    const auto separate = [&] {
      if (!std::exchange(first, false)) {
        out_ += ',';
        out_.append(shown_.dims() - dim - 1, '\n');
        out_.append(static_cast<std::size_t>(indent) + 1, ' ');
      }
    };
    const auto write_slice = [&](std::int64_t i) {
      separate();
      write(dim + 1, offset + i * shown_.stride(dim), indent + 1);
    };
    for (std::int64_t i = 0; i < shown_.head(dim); ++i) write_slice(i);
    if (!shown_.cut(dim)) return;
    separate();
    out_ += "...";
    for (std::int64_t i = shown_.tail(dim); i < shown_.size(dim); ++i) write_slice(i);
  }

  std::string& out_;
  const Shown& shown_;
  std::int64_t element_length_;
  std::int64_t linewidth_;
  Element element_;
};

}  // namespace torchbook::pyrepr
