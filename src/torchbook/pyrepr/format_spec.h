// Reads Python's format specification mini-language, also while compiling:
// [[fill]align][sign][z][#][0][width][grouping][.precision][type].
#pragma once

#include <torchbook/pyrepr/printer.h>
#include <torchbook/pyrepr/utf8.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1::detail {

// Not constexpr: a compile-time check calls one of these, and the compiler's error shows its name.
inline void argument_takes_no_format_spec() {}
inline void format_spec_is_not_readable() {}
inline void format_spec_has_a_type_that_the_argument_does_not_take() {}
inline void format_spec_has_a_number_that_is_too_large() {}
inline void format_spec_has_a_point_without_precision() {}
inline void format_spec_has_both_separators() {}
inline void format_spec_has_a_separator_that_its_type_does_not_take() {}
inline void format_spec_has_a_precision_but_the_argument_is_an_int() {}
inline void format_spec_has_a_z_but_the_argument_is_an_int() {}
inline void format_spec_has_a_sign_but_the_type_c() {}
inline void format_spec_has_the_alternate_form_but_the_type_c() {}
inline void format_spec_has_a_sign_but_the_argument_is_a_text() {}
inline void format_spec_has_a_z_but_the_argument_is_a_text() {}
inline void format_spec_has_the_alternate_form_but_the_argument_is_a_text() {}
inline void format_spec_aligns_behind_a_sign_but_the_argument_is_a_text() {}
inline void format_spec_pads_a_complex_number_with_zeros() {}
inline void format_spec_aligns_a_complex_number_behind_its_sign() {}

/// Why Python refuses a spec, or nothing.
struct SpecFault {
  void (*name)() = nullptr;  ///< a function that the compiler names, because it cannot run while compiling
  /// Python's message. {0} is the separator, {1} the type, {2} the spec, {3} the argument's type.
  std::string_view message{};

  /// Returns whether there is a fault. Compares no function pointers, because g++ with sanitizers
  /// cannot do so at compile time.
  constexpr explicit operator bool() const { return !message.empty(); }
};

inline constexpr SpecFault no_spec_taken{argument_takes_no_format_spec,
                                         "unsupported format string passed to {3}.__format__"};
inline constexpr SpecFault not_readable{format_spec_is_not_readable,
                                        "Invalid format specifier '{2}' for object of type '{3}'"};
inline constexpr SpecFault type_not_taken{format_spec_has_a_type_that_the_argument_does_not_take,
                                          "Unknown format code '{1}' for object of type '{3}'"};
inline constexpr SpecFault number_too_large{format_spec_has_a_number_that_is_too_large,
                                            "Too many decimal digits in format string"};
inline constexpr SpecFault point_without_precision{format_spec_has_a_point_without_precision,
                                                   "Format specifier missing precision"};
inline constexpr SpecFault both_separators{format_spec_has_both_separators,
                                           "Cannot specify both ',' and '_'."};
inline constexpr SpecFault separator_not_taken{format_spec_has_a_separator_that_its_type_does_not_take,
                                               "Cannot specify '{0}' with '{1}'."};
inline constexpr SpecFault precision_of_int{format_spec_has_a_precision_but_the_argument_is_an_int,
                                            "Precision not allowed in integer format specifier"};
inline constexpr SpecFault z_of_int{format_spec_has_a_z_but_the_argument_is_an_int,
                                    "Negative zero coercion (z) not allowed in integer format specifier"};
inline constexpr SpecFault sign_of_c{format_spec_has_a_sign_but_the_type_c,
                                     "Sign not allowed with integer format specifier 'c'"};
inline constexpr SpecFault alternate_c{format_spec_has_the_alternate_form_but_the_type_c,
                                       "Alternate form (#) not allowed with integer format specifier 'c'"};
inline constexpr SpecFault sign_of_text{format_spec_has_a_sign_but_the_argument_is_a_text,
                                        "Sign not allowed in string format specifier"};
inline constexpr SpecFault z_of_text{format_spec_has_a_z_but_the_argument_is_a_text,
                                     "Negative zero coercion (z) not allowed in string format specifier"};
inline constexpr SpecFault alternate_text{format_spec_has_the_alternate_form_but_the_argument_is_a_text,
                                          "Alternate form (#) not allowed in string format specifier"};
inline constexpr SpecFault sign_aligned_text{format_spec_aligns_behind_a_sign_but_the_argument_is_a_text,
                                             "'=' alignment not allowed in string format specifier"};
inline constexpr SpecFault zeros_of_complex{format_spec_pads_a_complex_number_with_zeros,
                                            "Zero padding is not allowed in complex format specifier"};
inline constexpr SpecFault sign_aligned_complex{
    format_spec_aligns_a_complex_number_behind_its_sign,
    "'=' alignment flag is not allowed in complex format specifier"};

/// A format spec in parts. A character that was not given is 0.
struct FormatSpec {
  std::string_view fill = " ";  ///< one character in UTF-8
  char align = 0;               ///< `<`, `>`, `^` or `=`
  char sign = 0;                ///< `+`, `-` or a space
  bool no_negative_zero = false;
  bool alternate = false;
  std::size_t width = 0;
  char grouping = 0;  ///< `,` or `_`
  std::optional<int> precision{};
  char32_t type = 0;
  SpecFault fault{};  ///< the one that Python names, or nothing if it takes the spec
};

/// The Python type of the value that a spec is for.
struct FormattedType {
  std::string_view name;                      ///< for messages: `int`
  std::string_view codes;                     ///< the presentation types that this type accepts
  char default_code;                          ///< the presentation type if the spec names none
  SpecFault (*own_fault)(const FormatSpec&);  ///< what only this type refuses
};

/// Returns whether a presentation type is one of `codes`.
constexpr bool is_one_of(char32_t type, std::string_view codes) {
  return type < 0x80 && codes.find(static_cast<char>(type)) != codes.npos;
}

constexpr SpecFault float_fault(const FormatSpec&) { return {}; }

constexpr SpecFault int_fault(const FormatSpec& spec) {
  if (is_one_of(spec.type, "eEfFgG%")) return {};  // formatted as a float
  if (spec.precision) return precision_of_int;
  if (spec.no_negative_zero) return z_of_int;
  if (spec.type == 'c' && spec.sign != 0) return sign_of_c;
  return spec.type == 'c' && spec.alternate ? alternate_c : SpecFault{};
}

constexpr SpecFault complex_fault(const FormatSpec& spec) {
  if (spec.fill == "0") return zeros_of_complex;
  return spec.align == '=' ? sign_aligned_complex : SpecFault{};
}

constexpr SpecFault string_fault(const FormatSpec& spec) {
  if (spec.sign != 0) return sign_of_text;
  if (spec.no_negative_zero) return z_of_text;
  if (spec.alternate) return alternate_text;
  return spec.align == '=' ? sign_aligned_text : SpecFault{};
}

inline constexpr FormattedType float_type{"float", "eEfFgGn%", 0, float_fault};
inline constexpr FormattedType complex_type{"complex", "eEfFgGn", 0, complex_fault};
inline constexpr FormattedType int_type{"int", "bcdoxXneEfFgG%", 'd', int_fault};
inline constexpr FormattedType bool_type{"bool", int_type.codes, int_type.default_code, int_fault};
inline constexpr FormattedType string_type{"str", "s", 's', string_fault};

/// Reads a spec from left to right.
class SpecReader {
 public:
  static constexpr int largest_number = 1'000'000;

  constexpr explicit SpecReader(std::string_view spec) : spec_(spec) {}

  constexpr bool take(char c) { return take_any(std::string_view(&c, 1)) != 0; }
  constexpr char take_any(std::string_view characters) {
    if (spec_.empty() || characters.find(spec_[0]) == characters.npos) return 0;
    const char c = spec_[0];
    spec_.remove_prefix(1);
    return c;
  }
  /// Takes digits. Returns `largest_number` + 1 for any larger number.
  constexpr std::optional<int> take_number() {
    std::optional<int> number;
    for (; !spec_.empty() && spec_[0] >= '0' && spec_[0] <= '9'; spec_.remove_prefix(1)) {
      number = std::min(number.value_or(0) * 10 + (spec_[0] - '0'), largest_number + 1);
    }
    return number;
  }
  /// Takes the alignment and its fill character. A character is a fill only if an alignment follows it.
  constexpr void take_fill_and_align(FormatSpec& spec) {
    constexpr std::string_view aligns = "<>^=";
    if (spec_.empty()) return;
    const std::size_t length = first_character(spec_).length;
    if (spec_.size() > length && aligns.find(spec_[length]) != aligns.npos) {
      spec.fill = spec_.substr(0, length);
      spec_.remove_prefix(length);
    }
    spec.align = take_any(aligns);
  }
  /// Takes the presentation type, which must be the last character. If more characters follow,
  /// removes none, so that done() is false.
  constexpr std::optional<char32_t> take_last() {
    if (spec_.empty()) return {};
    const Utf8Character character = first_character(spec_);
    if (spec_.size() == character.length) spec_ = {};
    return character.code;
  }
  constexpr bool done() const { return spec_.empty(); }

 private:
  std::string_view spec_;
};

/// Returns the fault of a separator that the type does not take: decimal digits take both, other bases only
/// `_`, text none.
constexpr SpecFault separator_fault(const FormatSpec& spec) {
  const std::string_view takes_it = spec.grouping == '_' ? "deEfFgG%boxX" : "deEfFgG%";
  const bool taken = spec.grouping == 0 || spec.type == 0 || is_one_of(spec.type, takes_it);
  return taken ? SpecFault{} : separator_not_taken;
}

/// Reads the parts of a spec for a value of type `of`. Returns the first fault.
constexpr SpecFault read_parts(std::string_view text, const FormattedType& of, FormatSpec& spec) {
  const auto default_code = static_cast<unsigned char>(of.default_code);
  SpecReader reader(text);
  reader.take_fill_and_align(spec);
  const bool filled = spec.align != 0 && text[0] != spec.align;
  spec.sign = reader.take_any("+- ");
  spec.no_negative_zero = reader.take('z');
  spec.alternate = reader.take('#');
  if (reader.take('0')) {
    if (!filled) spec.fill = "0";
    if (spec.align == 0 && of.default_code != 's') spec.align = '=';  // a text has no sign to stay before it
  }
  spec.width = static_cast<std::size_t>(reader.take_number().value_or(0));
  if (spec.width > SpecReader::largest_number) return number_too_large;
  spec.grouping = reader.take_any(",_");
  if (spec.grouping != 0 && reader.take(spec.grouping == ',' ? '_' : ',')) return both_separators;
  if (reader.take('.')) {
    spec.precision = reader.take_number();
    if (!spec.precision) return point_without_precision;
    if (*spec.precision > SpecReader::largest_number) return number_too_large;
  }
  spec.type = reader.take_last().value_or(default_code);
  if (!reader.done()) return not_readable;
  if (const SpecFault fault = separator_fault(spec)) return fault;
  return spec.type == default_code || is_one_of(spec.type, of.codes) ? of.own_fault(spec) : type_not_taken;
}

/// Parses the spec of a value of type `of`.
constexpr FormatSpec parse_format_spec(std::string_view text, const FormattedType& of) {
  FormatSpec spec;
  spec.fault = read_parts(text, of, spec);
  return spec;
}

/// Parses a spec as parse_format_spec() does, but throws fmt::format_error with Python's message if
/// Python refuses it.
FormatSpec checked_format_spec(std::string_view text, const FormattedType& of);

/// Returns why Python refuses a spec for every T. Returns nothing if Python accepts it, or if that
/// depends on the value.
template <class T>
constexpr SpecFault spec_fault(std::string_view spec) {
  if (spec.empty()) return {};
  if constexpr (requires { Printer<Printed<T>>::spec_fault(spec); }) {
    return Printer<Printed<T>>::spec_fault(spec);
  } else {
    return HasFormat<T> || !HasPrinter<T> ? SpecFault{} : no_spec_taken;
  }
}

/// At compile time, stops the compiler at a function whose name is the fault.
constexpr void require_no_fault(const SpecFault& fault) {
  if (fault) fault.name();
}

/// The base of a Printer whose values have one of these Python types.
template <const FormattedType& type, const FormattedType&... others>
struct TakesSpecsOf {
  static constexpr SpecFault spec_fault(std::string_view spec) {
    const SpecFault fault = parse_format_spec(spec, type).fault;
    return (... && bool{parse_format_spec(spec, others).fault}) ? fault : SpecFault{};
  }
};

/// The base of a Printer whose values print as a value of one of these C++ types.
template <class T, class... Others>
struct TakesSpecsOfTypes {
  static constexpr SpecFault spec_fault(std::string_view spec) {
    const SpecFault fault = detail::spec_fault<T>(spec);
    return (... && bool{detail::spec_fault<Others>(spec)}) ? fault : SpecFault{};
  }
};

}  // namespace torchbook::pyrepr::inline v1::detail
#pragma GCC visibility pop
