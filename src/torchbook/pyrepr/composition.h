// Composes the texts of containers once, for repr and for Jupyter's layout.
#pragma once

#include <torchbook/pyrepr/printer.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {
namespace detail {

/// Builds the text of a container from its parts. flat() returns Python's repr; laid_out() breaks
/// it into lines as Jupyter does.
class Composition {
 public:
  /// With `for_jupyter`, it has what Jupyter shows, which leaves out parts of large containers.
  explicit Composition(bool for_jupyter) : for_jupyter_(for_jupyter) {}

  /// Returns whether the text is for Jupyter, so that laid_out() is to be called.
  bool for_jupyter() const { return for_jupyter_; }

  /// Begins a container and writes its bracket. Its parts follow: next() and value() for each.
  void open(std::string_view bracket);
  /// Begins the next part of a container, with a comma before all but the first. Returns false if no more of
  /// them are shown.
  bool next();
  /// Ends a container and writes its bracket.
  void close(std::string_view bracket);

  /// Writes a part of the text.
  void text(std::string_view part) { text_ += part; }
  /// Writes the repr of a value that is no container. It may have several lines.
  void leaf(std::string_view repr);
  /// Writes a value: a container part by part, any other as its repr.
  template <class T>
  void value(const T& value);

  /// Begins, and ends, a group of parts. Jupyter breaks the outer groups first.
  void begin_group(std::size_t indent = 0) { mark(Mark::begin, indent); }
  void end_group() { mark(Mark::end); }

  /// Returns the text on one line, unless a value has several.
  std::string flat() && { return std::move(text_); }
  /// Returns the text with the line breaks of IPython's pretty printer.
  std::string laid_out() const;

  /// What laid_out() needs to know about a place in the text.
  struct Mark {
    enum Kind { begin, end, breakable } kind;  ///< breakable: this space may become a new line
    std::size_t place;
    std::size_t indent;  ///< of the lines that begin in the group
  };

 private:
  void mark(Mark::Kind kind, std::size_t indent = 0) {
    if (for_jupyter_) marks_.push_back({kind, text_.size(), indent});
  }

  bool for_jupyter_;
  std::string text_{};
  std::vector<Mark> marks_{};
  std::vector<std::size_t> parts_{};  // of each open container, how many have begun
};

/// A Printer that composes its text. It derives from ComposedPrinter instead of having a repr.
template <class T>
concept Composes = requires(const T& value, Composition& out) {
  Printer<Printed<T>>::compose(value, out);
};

/// Gives a Printer its repr: what its `compose(value, composition)` writes.
struct ComposedPrinter {
  /// Returns the text of any value that its Printer composes.
  template <class T>
  static std::string repr(const T& value) {
    Composition out(/*for_jupyter=*/false);
    out.value(value);
    return std::move(out).flat();
  }
};

template <class T>
void Composition::value(const T& value) {
  if constexpr (Composes<T>) {
    Printer<Printed<T>>::compose(value, *this);
  } else {
    leaf(pyrepr::repr(value));
  }
}

}  // namespace detail

/// Returns what Jupyter shows if a cell ends with a value. That is its repr, but IPython breaks a list,
/// tuple, set or dict into lines of at most 79 columns if it can, and shows 1000 parts of it.
template <class T>
std::string pretty(const T& value) {
  detail::Composition out(/*for_jupyter=*/true);
  out.value(value);
  return out.laid_out();
}

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
