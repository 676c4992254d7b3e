// Exact arithmetic on printed decimal numbers with any number of digits.
#include <absl/strings/ascii.h>
#include <torchbook/golden/printed_number.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace torchbook::golden {
namespace {

using Decimal = PrintedNumber::Decimal;

/// An upper bound on the length of a printed double, apart from its decimal places.
constexpr std::size_t longest_whole_part = 320;

std::size_t digits_at(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && absl::ascii_isdigit(text[end])) ++end;
  return end - start;
}

bool signed_at_front(std::string_view text) { return text.starts_with('-') || text.starts_with('+'); }

/// Returns the length of an exponent such as `e-05` at `start`, or 0 if there is none. No float has an
/// exponent of more than three digits.
std::size_t exponent_at(std::string_view text, std::size_t start) {
  if (!text.substr(start).starts_with('e')) return 0;
  const std::size_t head = signed_at_front(text.substr(start + 1)) ? 2 : 1;
  const std::size_t digits = digits_at(text, start + head);
  return digits == 0 || digits > 3 ? 0 : head + digits;
}

/// Brings both to the same last place and the same number of digits.
void align(Decimal& a, Decimal& b) {
  const long last = std::min(a.exponent, b.exponent);
  for (Decimal* each : {&a, &b}) {
    each->digits.append(static_cast<std::size_t>(each->exponent - last), '0');
    each->exponent = last;
  }
  const auto size = std::max(a.digits.size(), b.digits.size());
  for (Decimal* each : {&a, &b}) each->digits.insert(0, size - each->digits.size(), '0');
}

/// Returns the sum of the digits if `sign` is 1. Returns their difference if it is -1, which needs a >= b.
Decimal combine(Decimal a, Decimal b, int sign) {
  align(a, b);
  int carry = 0;
  for (std::size_t i = a.digits.size(); i-- > 0;) {
    const int sum = (a.digits[i] - '0') + sign * (b.digits[i] - '0') + carry;
    carry = sum < 0 ? -1 : sum / 10;
    a.digits[i] = static_cast<char>('0' + (sum + 10) % 10);
  }
  if (carry != 0) a.digits.insert(0, 1, static_cast<char>('0' + carry));
  return a;
}

bool less(Decimal a, Decimal b) {
  align(a, b);
  return a.digits < b.digits;
}

Decimal magnitude_of_difference(const Decimal& a, const Decimal& b, bool opposite_signs) {
  if (opposite_signs) return combine(a, b, 1);
  return less(a, b) ? combine(b, a, -1) : combine(a, b, -1);
}

bool is_zero(const Decimal& a) { return a.digits.find_first_not_of('0') == a.digits.npos; }

double nearest(const Decimal& a) {
  const std::string text = a.digits + 'e' + std::to_string(a.exponent);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  const auto leading = a.digits.size() - a.digits.find_first_not_of('0');
  return static_cast<long>(leading) + a.exponent > 0 ? std::numeric_limits<double>::infinity() : 0;
}

/// Returns the length of the number that a text starts with, or 0 if it does not start with a number. Numbers
/// have the form in which Python prints them: an optional sign, then digits with an optional dot, more digits
/// and an exponent, or `inf` or `nan`.
std::size_t number_length(std::string_view text) {
  const std::size_t start = signed_at_front(text) ? 1 : 0;
  const auto word = text.substr(start, 3);
  if (word == "inf" || word == "nan") return start + 3;
  const std::size_t whole = digits_at(text, start);
  if (whole == 0) return 0;
  std::size_t end = start + whole;
  if (end < text.size() && text[end] == '.') end += 1 + digits_at(text, end + 1);
  return end + exponent_at(text, end);
}

}  // namespace

NumbersOfWord numbers_of_word(std::string_view word) {
  const auto first = number_length(word);
  const auto rest = word.substr(first);
  if (first == 0) return {};
  if (rest.empty() || rest == "j") return {.parts = {word.substr(0, first)}, .imaginary = !rest.empty()};
  const auto second = signed_at_front(rest) ? number_length(rest) : 0;
  if (second == 0 || rest.substr(second) != "j") return {};
  return {.parts = {word.substr(0, first), rest.substr(0, second)}, .imaginary = true};
}

PrintedNumber::PrintedNumber(std::string_view text) : text_(text) {
  negative_ = text.starts_with('-');
  if (signed_at_front(text)) text.remove_prefix(1);
  if (text == "inf" || text == "nan") {
    finite_ = false;
    return;
  }
  const auto e = std::min(text.find('e'), text.size());
  const auto mantissa = text.substr(0, e);
  const auto dot = mantissa.find('.');
  integer_ = dot == mantissa.npos && e == text.size();
  whole_ = e == text.size() && mantissa.ends_with('.');
  decimal_.digits = mantissa.substr(0, dot);
  if (dot != mantissa.npos) {
    decimal_.digits += mantissa.substr(dot + 1);
    decimal_.exponent = -static_cast<long>(mantissa.size() - dot - 1);
  }
  if (e != text.size()) {
    auto exponent = text.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    long power = 0;
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
    decimal_.exponent += power;
  }
}

double PrintedNumber::value() const {
  if (text_.ends_with("nan")) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = finite_ ? nearest(decimal_) : std::numeric_limits<double>::infinity();
  return negative_ ? -magnitude : magnitude;
}

double PrintedNumber::half_unit() const {
  return integer_ || whole_ || !finite_ ? 0 : nearest({"5", decimal_.exponent - 1});
}

bool PrintedNumber::agrees_with(const PrintedNumber& other) const {
  if (text_ == other.text_) return true;
  if (!finite_ || !other.finite_ || integer_ || other.integer_) return false;
  const auto apart = magnitude_of_difference(decimal_, other.decimal_, negative_ != other.negative_);
  if (is_zero(apart)) return true;
  if (whole_ && other.whole_) return false;
  const long here = decimal_.exponent;
  const long there = other.decimal_.exponent;
  const long place = whole_ ? there : other.whole_ ? here : std::max(here, there);
  return !less({"1", place}, combine(apart, apart, 1));  // at most half a unit of the coarser place
}

bool PrintedNumber::shows(double value) const {
  if (std::isnan(value)) return text_.ends_with("nan");
  if (!finite_ || std::isinf(value)) return this->value() == value;
  std::string_view text = text_;
  if (integer_) return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (whole_) text.remove_suffix(1);
  const auto e = std::min(text.find('e'), text.size());
  const auto dot = text.find('.');
  const auto places = dot == text.npos ? 0 : e - dot - 1;
  std::string rounded(places + longest_whole_part, ' ');
  const auto format = e == text.size() ? std::chars_format::fixed : std::chars_format::scientific;
  char* const begin = rounded.data();
  const auto end = std::to_chars(begin, begin + rounded.size(), value, format, static_cast<int>(places)).ptr;
  return text == std::string_view(begin, static_cast<std::size_t>(end - begin));
}

double PrintedNumber::distance(const PrintedNumber& other) const {
  if (!finite_ || !other.finite_) return std::fabs(value() - other.value());
  const auto apart = magnitude_of_difference(decimal_, other.decimal_, negative_ != other.negative_);
  return nearest(apart);
}

}  // namespace torchbook::golden
