// Lays out a tensor's elements: brackets, commas, line breaks, indents and ellipses.
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

namespace torchbook::pyrepr::inline v1 {

/// Selects the elements of a strided tensor that are shown, and computes their offsets.
class Shown {
 public:
  /// `whole` holds the sizes of the tensor. `sizes` and `strides` describe the data at hand, which may lack
  /// the middle of a summarised dimension.
  Shown(c10::IntArrayRef whole, c10::IntArrayRef sizes, c10::IntArrayRef strides, bool summarize,
        std::int64_t edgeitems)
      : whole_(whole), sizes_(sizes), strides_(strides), summarize_(summarize), edgeitems_(edgeitems) {}

  std::size_t dims() const { return sizes_.size(); }
  std::int64_t size(std::size_t dim) const { return sizes_[dim]; }
  std::int64_t stride(std::size_t dim) const { return strides_[dim]; }

  /// Returns whether the middle of a dimension is omitted.
  bool cut(std::size_t dim) const { return summarize_ && whole_[dim] - edgeitems_ > edgeitems_; }
  std::int64_t head(std::size_t dim) const { return cut(dim) ? edgeitems_ : sizes_[dim]; }
  /// Returns the index at which the part after the ellipsis starts.
  std::int64_t tail(std::size_t dim) const {
    const bool all = edgeitems_ == 0 && dim + 1 == dims() && release::edgeitems_zero_shows_all;
    return all ? 0 : sizes_[dim] - edgeitems_;
  }
  /// Returns the text that represents the middle of a vector.
  std::string_view ellipsis() const {
    return edgeitems_ == 0 && !release::edgeitems_zero_shows_all ? "..." : " ...";
  }

  /// Calls `visit(offset)` for each element shown. Offsets count elements.
  template <class Visit>
  void for_each(const Visit& visit, std::size_t dim = 0, std::int64_t offset = 0) const {
    if (dim == dims()) return visit(offset);
    for (std::int64_t i = 0; i < sizes_[dim]; ++i) {
      if (i == head(dim)) i = std::max(i, tail(dim));
      if (i < sizes_[dim]) for_each(visit, dim + 1, offset + i * strides_[dim]);
    }
  }

 private:
  c10::IntArrayRef whole_;
  c10::IntArrayRef sizes_;
  c10::IntArrayRef strides_;
  bool summarize_;
  std::int64_t edgeitems_;
};

/// Writes the elements of a tensor in Python's layout. `Element` is `void(std::string& out, int64 offset)`.
template <class Element>
class Layout {
 public:
  /// `element_width` is the number of columns of one element, without the comma and space after it.
  Layout(std::string& out, const Shown& shown, std::size_t element_width, std::int64_t linewidth,
         Element element)
      : out_(out),
        shown_(shown),
        element_length_(static_cast<std::int64_t>(element_width) + 2),
        linewidth_(linewidth),
        element_(std::move(element)) {}

  /// Writes all elements shown. `indent` is the number of columns in front of the first character.
  void write(std::size_t indent) { write(0, 0, static_cast<std::int64_t>(indent)); }

 private:
  void write(std::size_t dim, std::int64_t offset, std::int64_t indent) {
    if (dim == shown_.dims()) return element_(out_, offset);
    out_.append("[");
    if (dim + 1 == shown_.dims()) {
      write_vector(offset, indent);
    } else {
      write_slices(dim, offset, indent);
    }
    out_.append("]");
  }

  void write_vector(std::int64_t offset, std::int64_t indent) {
    const std::size_t dim = shown_.dims() - 1;
    const std::int64_t per_line = std::max<std::int64_t>(1, (linewidth_ - indent) / element_length_);
    std::int64_t left = per_line;  // free places on the line
    const auto separate = [&] {
      if (left == 0) {
        out_.append(",\n");
        out_.append(static_cast<std::size_t>(indent) + 1, ' ');
        left = per_line;
      } else if (left != per_line) {
        out_.append(", ");
      }
      --left;
    };
    const auto write_elements = [&](std::int64_t from, std::int64_t to) {
      const std::int64_t stride = shown_.stride(dim);
      std::int64_t at = offset + from * stride;
      for (std::int64_t i = from; i < to; ++i, at += stride) {
        separate();
        element_(out_, at);
      }
    };
    write_elements(0, shown_.head(dim));
    if (!shown_.cut(dim)) return;
    separate();
    out_.append(shown_.ellipsis());
    write_elements(shown_.tail(dim), shown_.size(dim));
  }

  void write_slices(std::size_t dim, std::int64_t offset, std::int64_t indent) {
    bool first = true;
    const auto separate = [&] {
      if (!std::exchange(first, false)) {
        out_.append(",");
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
    out_.append("...");
    for (std::int64_t i = shown_.tail(dim); i < shown_.size(dim); ++i) write_slice(i);
  }

  std::string& out_;
  const Shown& shown_;
  std::int64_t element_length_;
  std::int64_t linewidth_;
  Element element_;
};

}  // namespace torchbook::pyrepr::inline v1
