// Implements Python's `__format__` of floats, ints, bools, complex numbers, texts and tensors, and refuses
// specs with Python's messages.
#include <fmt/format.h>
#include <torchbook/pyrepr/format_spec.h>
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/observer.h>
#include <torchbook/pyrepr/printer.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/pyrepr/utf8.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <cmath>
#include <limits>

namespace torchbook::pyrepr::inline v1 {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw fmt::format_error(message); }

using detail::checked_format_spec;
using detail::FormatSpec;
using detail::FormattedType;
using detail::is_one_of;

std::string grouped(const std::string& digits, char separator, std::size_t group) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % group == 0) text += separator;
    text += digits[i];
  }
  return text;
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string repeated(std::string_view fill, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += fill;
  return text;
}

/// Returns a presentation type as Python's messages show it.
std::string shown(char32_t type) {
  if (type > 32 && type < 128) return {static_cast<char>(type)};
  return fmt::format("\\x{:x}", static_cast<std::uint32_t>(type));
}

/// A number in parts. Grouping separates only the digits of `whole`.
struct NumberText {
  bool negative = false;
  std::string prefix{};  ///< `0x`
  std::string whole{};   ///< digits before the point, or `inf`, `nan`
  std::string rest{};    ///< from the point or the exponent on
};

/// Pads a text that already has its sign. `align` applies if the spec names no alignment.
std::string pad(const std::string& text, const FormatSpec& spec, char align) {
  const std::size_t length = characters_in(text);
  if (length >= spec.width) return text;
  const std::size_t room = spec.width - length;
  switch (spec.align == 0 ? align : spec.align) {
    case '<':
      return text + repeated(spec.fill, room);
    case '^':
      return repeated(spec.fill, room / 2) + text + repeated(spec.fill, room - room / 2);
    default:
      return repeated(spec.fill, room) + text;
  }
}

/// Returns a number with its sign, grouping and padding. `group` is the number of digits between
/// separators.
std::string lay_out_number(const NumberText& number, const FormatSpec& spec, std::size_t group = 3) {
  std::string head = number.negative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
  head += number.prefix;
  std::string whole = number.whole;
  const bool digits = std::isxdigit(static_cast<unsigned char>(whole[0])) != 0;
  const auto width_with = [&](const std::string& middle) {
    return head.size() + middle.size() + number.rest.size();
  };
  if (spec.grouping != 0 && digits) {
    if (spec.align == '=' && spec.fill == "0") {  // zeros that pad the number are grouped with it
      std::size_t count = whole.size();
      while (width_with({}) + count + (count - 1) / group < spec.width) ++count;
      whole.insert(0, count - whole.size(), '0');
    }
    whole = grouped(whole, spec.grouping, group);
  }
  if (spec.align != '=') return pad(head + whole + number.rest, spec, '>');
  const std::size_t width = width_with(whole);
  return head + repeated(spec.fill, spec.width > width ? spec.width - width : 0) + whole + number.rest;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Returns the decimal exponent of a finite, non-negative value that is rounded to `digits` digits.
int exponent_of(double value, int digits) {
  const auto text = scientific_text(value, digits - 1);
  return std::stoi(text.substr(text.find('e') + 1));
}

/// Returns a value in type `g`: `digits` significant digits in the shorter of the two notations. If `dotted`,
/// a digit follows the point, as in a spec without a type.
std::string general(double value, int digits, bool alternate, bool dotted) {
  digits = std::max(digits, 1);
  const int exponent = exponent_of(value, digits);
  const bool scientific = exponent < -4 || exponent >= digits - (dotted ? 1 : 0);
  auto text = scientific ? scientific_text(value, digits - 1) : fixed_text(value, digits - 1 - exponent);
  const auto e = std::min(text.find('e'), text.size());
  const std::string tail = text.substr(e);
  text.resize(e);
  if (alternate) return (text.find('.') == text.npos ? text + "." : text) + tail;
  if (text.find('.') != text.npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  if (dotted && !scientific && text.find('.') == text.npos) text += ".0";
  return text + tail;
}

std::string fixed_or_scientific(double value, const FormatSpec& spec, bool scientific) {
  const int precision = spec.precision.value_or(6);
  auto text = scientific ? scientific_text(value, precision) : fixed_text(value, precision);
  if (spec.alternate && precision == 0) text.insert(std::min(text.find('e'), text.size()), 1, '.');
  return text;
}

/// Returns the digits of a finite magnitude. `dotted` means the same as in general().
std::string magnitude(double value, const FormatSpec& spec, bool dotted) {
  switch (spec.type) {
    case 'e':
    case 'E':
      return fixed_or_scientific(value, spec, true);
    case 'f':
    case 'F':
    case '%':
      return fixed_or_scientific(value, spec, false);
    case 'g':
    case 'G':
    case 'n':
      return general(value, spec.precision.value_or(6), spec.alternate, false);
    default: {  // no type
      if (spec.precision) return general(value, *spec.precision, spec.alternate, dotted);
      std::string text = detail::repr_float(value);
      if (!dotted && text.ends_with(".0")) text.resize(text.size() - 2);
      if (spec.alternate && text.find('.') == text.npos)
        text.insert(std::min(text.find('e'), text.size()), 1, '.');
      return text;
    }
  }
}

NumberText float_text(double value, const FormatSpec& spec, bool dotted) {
  if (spec.type == '%') value *= 100;
  NumberText number{.negative = std::signbit(value) && !std::isnan(value)};
  std::string text = std::isnan(value)   ? "nan"
                     : std::isinf(value) ? "inf"
                                         : magnitude(std::abs(value), spec, dotted);
  if (spec.no_negative_zero && text.find_first_of("123456789in") == text.npos) number.negative = false;
  if (spec.type == 'E' || spec.type == 'F' || spec.type == 'G') text = upper(text);
  const auto end = std::isfinite(value) ? std::min(text.find_first_of(".eE"), text.size()) : text.size();
  number.whole = text.substr(0, end);
  number.rest = text.substr(end) + (spec.type == '%' ? "%" : "");
  return number;
}

struct Base {
  int radix;
  const char* prefix;
};

Base base_of(char32_t type) {
  switch (type) {
    case 'b':
      return {2, "0b"};
    case 'o':
      return {8, "0o"};
    case 'x':
      return {16, "0x"};
    case 'X':
      return {16, "0X"};
    default:
      return {10, ""};
  }
}

/// An integer of any dtype: a sign and a magnitude.
struct Integer {
  bool negative = false;
  std::uint64_t magnitude;

  explicit Integer(std::uint64_t value) : magnitude(value) {}
  explicit Integer(std::int64_t value) : negative(value < 0), magnitude(static_cast<std::uint64_t>(value)) {
    if (negative) magnitude = 0 - magnitude;
  }
  double as_double() const {
    const auto value = static_cast<double>(magnitude);
    return negative ? -value : value;
  }
};

std::string character(const Integer& code) {
  constexpr std::uint64_t largest_long = std::numeric_limits<std::int64_t>::max();
  if (!code.negative && code.magnitude > largest_long) refuse("Python int too large to convert to C long");
  if (code.negative || code.magnitude > 0x10FFFF) refuse("%c arg not in range(0x110000)");
  const auto c = static_cast<std::uint32_t>(code.magnitude);
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
  if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)),
          byte(0x80 | (c & 0x3F))};
}

std::string format_integer(const Integer& value, std::string_view spec, const FormattedType& of) {
  const FormatSpec parsed = checked_format_spec(spec, of);
  if (is_one_of(parsed.type, "eEfFgG%")) return detail::format_float(value.as_double(), spec);
  if (parsed.type == 'c') return pad(character(value), parsed, '>');
  const Base base = base_of(parsed.type);
  const bool decimal = base.radix == 10;
  char digits[72];
  const auto end = std::to_chars(digits, digits + sizeof digits, value.magnitude, base.radix);
  const std::string whole(digits, end.ptr);
  const NumberText number{.negative = value.negative,
                          .prefix = parsed.alternate ? base.prefix : "",
                          .whole = parsed.type == 'X' ? upper(whole) : whole};
  return lay_out_number(number, parsed, decimal ? 3 : 4);
}

}  // namespace

namespace detail {

FormatSpec checked_format_spec(std::string_view text, const FormattedType& of) {
  const FormatSpec spec = parse_format_spec(text, of);
  if (!spec.fault) return spec;
  throw fmt::format_error(
      fmt::format(fmt::runtime(spec.fault.message), spec.grouping, shown(spec.type), text, of.name));
}

void refuse_spec(std::string_view python_type) {
  throw fmt::format_error(fmt::format(fmt::runtime(no_spec_taken.message), "", "", "", python_type));
}

std::string format_float(double value, std::string_view spec) {
  if (spec.empty()) return repr_float(value);
  const FormatSpec parsed = checked_format_spec(spec, float_type);
  return lay_out_number(float_text(value, parsed, true), parsed);
}

std::string format_int(std::int64_t value, std::string_view spec) {
  return format_integer(Integer(value), spec, int_type);
}

std::string format_int(std::uint64_t value, std::string_view spec) {
  return format_integer(Integer(value), spec, int_type);
}

std::string format_bool(bool value, std::string_view spec) {
  return spec.empty() ? repr(value) : format_integer(Integer(std::int64_t{value}), spec, bool_type);
}

std::string format_complex(std::complex<double> value, std::string_view text) {
  const FormatSpec spec = checked_format_spec(text, complex_type);
  FormatSpec part = spec;
  part.width = 0;
  const bool bare = spec.type == 0;
  const bool skip_real = bare && value.real() == 0 && !std::signbit(value.real());
  std::string out;
  if (!skip_real) {
    out = lay_out_number(float_text(value.real(), part, false), part);
    part.sign = '+';
  }
  out += lay_out_number(float_text(value.imag(), part, false), part) + "j";
  return pad(bare && !skip_real ? "(" + out + ")" : out, spec, '>');
}

std::string repr_complex(std::complex<double> value) { return format_complex(value, ""); }

std::string format_string(std::string_view text, std::string_view spec) {
  const FormatSpec parsed = checked_format_spec(spec, string_type);
  std::size_t length = 0;
  for (int left = parsed.precision.value_or(INT_MAX); left > 0 && length < text.size(); --left) {
    length += detail::first_character(text.substr(length)).length;
  }
  return pad(std::string(text.substr(0, length)), parsed, '<');
}

}  // namespace detail

std::string Printer<at::Tensor>::format(const at::Tensor& tensor, std::string_view spec) {
  const bool has_item = tensor.defined() && tensor.dim() == 0 && !tensor.is_meta();
  if (!has_item && !spec.empty()) detail::refuse_spec(tensor.defined() ? "Tensor" : "NoneType");
  if (!has_item) return repr(tensor);
  const detail::Observed observed(tensor);
  const at::Scalar item = tensor.item();
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 3)
  if (tensor.scalar_type() == at::kUInt64) return detail::format_int(item.toUInt64(), spec);
#endif
  if (release::quantized_items_are_whole && tensor.is_quantized()) {
    return detail::format_int(static_cast<std::int64_t>(item.toDouble()), spec);
  }
  return pyrepr::format(item, spec);
}

}  // namespace torchbook::pyrepr::inline v1
