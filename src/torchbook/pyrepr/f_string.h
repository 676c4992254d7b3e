// Python's f-strings: `py::f("loss {:.3f}", loss)` is `f"loss {loss:.3f}"`.
#pragma once

#include <torchbook/pyrepr/format_spec.h>
#include <torchbook/pyrepr/python.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {
namespace detail {

// Not constexpr: a compile-time check calls one of these, and the compiler's error shows its name.
inline void f_has_more_braces_than_arguments() {}
inline void f_has_more_arguments_than_braces() {}
inline void f_has_a_single_brace_so_double_it() {}
inline void f_mixes_numbered_and_automatic_fields() {}
inline void f_takes_numbers_in_braces_and_no_names() {}
inline void f_takes_only_the_conversions_r_and_s() {}
inline void f_nests_braces_too_deep() {}

/// A piece of a format string: a text, and the replacement field after it, if there is one.
struct FormatPiece {
  std::string_view text{};
  bool has_field = false;
  std::size_t index = 0;    ///< of the argument
  char conversion = 0;      ///< `r`, `s` or 0
  std::string_view spec{};  ///< may have fields of its own
};

/// Reads a format string piece by piece, at compile time and again when formatting.
class FormatReader {
 public:
  constexpr explicit FormatReader(std::string_view text) : rest_(text) {}

  constexpr bool done() const { return rest_.empty(); }
  /// Returns how many arguments the fields read so far take.
  constexpr std::size_t taken() const { return automatic_ > numbered_ ? automatic_ : numbered_; }

  constexpr FormatPiece take() {
    FormatPiece piece;
    const auto brace = rest_.find_first_of("{}");
    const bool doubled = brace != rest_.npos && rest_.substr(brace + 1).starts_with(rest_[brace]);
    if (brace != rest_.npos && !doubled && rest_[brace] == '}') f_has_a_single_brace_so_double_it();
    piece.has_field = brace != rest_.npos && !doubled && rest_[brace] == '{';
    piece.text = take_first(doubled ? brace + 1 : brace);
    if (brace != piece.text.npos) take_first(1);
    if (piece.has_field) take_field(piece);
    return piece;
  }

  /// Reads the fields of a spec. Their automatic numbers continue those of the fields before them.
  template <class Take>
  constexpr void within(std::string_view spec, const Take& take_one) {
    const auto outer = rest_;
    rest_ = spec;
    while (!done()) take_one(take());
    rest_ = outer;
  }

 private:
  constexpr std::string_view take_first(std::size_t count) {
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  constexpr void take_field(FormatPiece& piece) {
    take_index(piece);
    if (rest_.starts_with('!')) {
      piece.conversion = take_first(2).back();
      if (piece.conversion != 'r' && piece.conversion != 's') f_takes_only_the_conversions_r_and_s();
    }
    if (rest_.starts_with(':')) {
      take_first(1);
      piece.spec = take_first(end_of_spec());
    }
    if (!rest_.starts_with('}')) f_takes_numbers_in_braces_and_no_names();
    take_first(1);
  }

  constexpr void take_index(FormatPiece& piece) {
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      piece.index = piece.index * 10 + static_cast<std::size_t>(rest_[digits] - '0');
    }
    take_first(digits);
    if (digits == 0) piece.index = automatic_++;
    if (digits != 0 && piece.index + 1 > numbered_) numbered_ = piece.index + 1;
    if (automatic_ != 0 && numbered_ != 0) f_mixes_numbered_and_automatic_fields();
  }

  constexpr std::size_t end_of_spec() const {
    std::size_t depth = 0, at = 0;
    for (; at < rest_.size(); ++at) {
      if (rest_[at] == '{' && ++depth > 1) f_nests_braces_too_deep();
      if (rest_[at] == '}' && depth-- == 0) break;
    }
    return at;
  }

  std::string_view rest_;
  std::size_t automatic_ = 0;  // fields without a number
  std::size_t numbered_ = 0;   // the highest number of a field, plus 1
};

/// A type-erased argument of an f-string.
struct FormatArgument {
  const void* value;
  std::string (*formatted)(const void* value, char conversion, std::string_view spec);

  template <class T>
  static FormatArgument of(const T& value) {
    return {std::addressof(value), [](const void* erased, char conversion, std::string_view spec) {
              const T& typed = *static_cast<const T*>(erased);
              if (conversion == 'r') return pyrepr::format(pyrepr::repr(typed), spec);
              if (conversion == 's') return pyrepr::format(pyrepr::str(typed), spec);
              return pyrepr::format(typed, spec);
            }};
  }
};

std::string formatted(std::string_view format, std::span<const FormatArgument> arguments);

/// What is known about an argument at compile time.
struct ArgumentType {
  SpecFault (*fault_of)(std::string_view spec);
  bool is_int;

  template <class T>
  static constexpr ArgumentType of() {
    return {spec_fault<T>, Int<Printed<T>>};
  }
};

/// Finds the faults of a format string at compile time.
class FormatChecker {
 public:
  constexpr explicit FormatChecker(std::span<const ArgumentType> types) : types_(types) {}

  constexpr void check(std::string_view format) {
    FormatReader reader(format);
    while (!reader.done()) {
      const FormatPiece piece = reader.take();
      size_ = 0;
      known_ = true;
      reader.within(piece.spec, [this](const FormatPiece& part) { add(part); });
      if (piece.has_field && known_) check_spec(piece, std::string_view(spec_, size_));
    }
    if (reader.taken() > types_.size()) f_has_more_braces_than_arguments();
    if (reader.taken() < types_.size()) f_has_more_arguments_than_braces();
  }

 private:
  /// Adds a part of a spec. `1` replaces a field that is an int: a spec that Python refuses with
  /// `1` is refused with every int. The spec is unknown if it has any other field or is very long.
  constexpr void add(const FormatPiece& part) {
    for (const char c : part.text) put(c);
    if (!part.has_field) return;
    check_spec(part, part.spec);
    const bool as_int = part.index < types_.size() && types_[part.index].is_int;
    known_ = known_ && as_int && part.conversion == 0 && part.spec.empty();
    put('1');
  }

  constexpr void put(char c) {
    known_ = known_ && size_ < sizeof spec_;
    if (known_) spec_[size_++] = c;
  }

  constexpr void check_spec(const FormatPiece& field, std::string_view spec) const {
    if (field.index >= types_.size()) return f_has_more_braces_than_arguments();
    const auto fault_of = field.conversion != 0 ? spec_fault<std::string_view> : types_[field.index].fault_of;
    require_no_fault(fault_of(spec));
  }

  std::span<const ArgumentType> types_;
  char spec_[64] = {};
  std::size_t size_ = 0;
  bool known_ = true;
};

}  // namespace detail

/// A format string for arguments of the types T. At compile time, checks that its fields take all
/// the arguments, and that Python accepts its specs for these types.
template <class... T>
class FormatString {
 public:
  /// Checks a literal. The compiler's error names what is wrong with it.
  template <std::convertible_to<std::string_view> S>
  consteval FormatString(const S& text)  // NOLINT(google-explicit-constructor): it is written as a literal
      : text_(text) {
    constexpr std::array<detail::ArgumentType, sizeof...(T)> types{detail::ArgumentType::of<T>()...};
    detail::FormatChecker(types).check(text_);
  }

  /// Returns the format string.
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// The type of f. f is an object, so argument-dependent lookup never finds it in a call of another
/// f.
struct FStrings {
  /// Returns Python's f-string: `py::f("x = {}", x)` is `f"x = {x}"`. Fields may have a number,
  /// `!r` or `!s`, and a format spec, which may itself contain fields: `py::f("{:>{}}", x, width)`.
  /// Throws fmt::format_error where Python raises TypeError or ValueError.
  template <class... T>
  std::string operator()(FormatString<std::type_identity_t<T>...> format, const T&... values) const {
    const std::array<detail::FormatArgument, sizeof...(T)> arguments{detail::FormatArgument::of(values)...};
    return detail::formatted(format.text(), arguments);
  }
};

/// Python's f-string: see FStrings::operator()().
inline constexpr FStrings f{};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
