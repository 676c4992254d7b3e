#include <ATen/ATen.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/runtime/numpy.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace torchbook::np {
namespace {

// NumPy's default print options.
constexpr std::size_t line_width = 75;
constexpr std::int64_t threshold = 1000;
constexpr std::int64_t edge_items = 3;
constexpr int precision = 8;

/// From here on, a float32 is a whole number with more digits than are needed to read it back.
constexpr float exact_up_to = 1 << std::numeric_limits<float>::digits;

/// The parts of a finite float's text.
struct Digits {
  std::string whole{};     ///< with the sign
  std::string fraction{};  ///< without zeros at its end
  std::string exponent{};  ///< with the sign; empty in fixed notation
};

/// Returns a whole number in fixed notation: its shortest digits, followed by zeros.
std::string whole_text(float value) {
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  const auto* end = std::to_chars(begin, begin + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view text(begin, end);
  const auto mark = text.find('e');
  std::string digits(text.substr(0, mark));
  if (const auto point = digits.find('.'); point != digits.npos) digits.erase(point, 1);
  std::size_t exponent = 0;
  std::from_chars(text.data() + mark + 2, text.data() + text.size(), exponent);
  digits.resize(std::max(digits.size(), exponent + 1 + (value < 0 ? 1 : 0)), '0');
  return digits;
}

/// Returns the shortest digits from which the float can be read back, but at most `precision` after the
/// point. In scientific notation, at least `least` follow the point, which are those of the exact number.
template <class T>
Digits digits_of(T value, std::chars_format notation, std::size_t least = 0) {
  std::array<char, 64> buffer{};
  const auto split = [&](const char* end) {
    const std::string_view text(buffer.data(), end);
    const auto mantissa = text.substr(0, text.find('e'));
    const auto point = std::min(mantissa.find('.'), mantissa.size());
    Digits digits{.whole = std::string(mantissa.substr(0, point))};
    if (point < mantissa.size()) digits.fraction = mantissa.substr(point + 1);
    if (mantissa.size() < text.size()) digits.exponent = text.substr(mantissa.size() + 1);
    return digits;
  };
  auto digits = split(std::to_chars(buffer.begin(), buffer.end(), value, notation).ptr);
  if (digits.fraction.size() > precision) {
    digits = split(
        std::to_chars(buffer.begin(), buffer.end(), static_cast<double>(value), notation, precision).ptr);
    digits.fraction.erase(digits.fraction.find_last_not_of('0') + 1);
  }
  if (notation == std::chars_format::scientific && digits.fraction.size() < least) {
    digits = split(std::to_chars(buffer.begin(), buffer.end(), static_cast<double>(value), notation,
                                 static_cast<int>(least))
                       .ptr);
  }
  return digits;
}

/// Whether NumPy writes floats in scientific notation.
template <class T>
bool is_scientific(const std::vector<T>& values) {
  constexpr double too_large = 1e8;
  constexpr double too_small = 1e-4;
  constexpr double too_far_apart = 1000;
  T largest = 0;
  T smallest = std::numeric_limits<T>::infinity();
  for (const T value : values) {
    const T magnitude = std::abs(value);
    if (!std::isfinite(value) || magnitude == 0) continue;
    largest = std::max(largest, magnitude);
    smallest = std::min(smallest, magnitude);
  }
  return largest > 0 &&
         (largest >= too_large || smallest < too_small || T(largest / smallest) > too_far_apart);
}

std::string padded(std::size_t width, const std::string& text) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

/// The columns that all floats of an array have in common.
struct Columns {
  std::size_t whole = 0;
  std::size_t fraction = 0;
  std::size_t exponent = 0;  ///< 0 in fixed notation

  std::size_t behind_point() const { return fraction + (exponent == 0 ? 0 : exponent + 2); }
  std::string text(Digits digits) const {
    digits.fraction.resize(fraction, exponent == 0 ? ' ' : '0');
    auto result = padded(whole, digits.whole) + "." + digits.fraction;
    if (exponent == 0) return result;
    const auto zeros = exponent + 1 - digits.exponent.size();
    return result + "e" + digits.exponent[0] + std::string(zeros, '0') + digits.exponent.substr(1);
  }
};

template <class T>
std::vector<std::string> float_words(const at::Tensor& shown) {
  const std::vector<T> values(shown.data_ptr<T>(), shown.data_ptr<T>() + shown.numel());
  const auto notation = is_scientific(values) ? std::chars_format::scientific : std::chars_format::fixed;
  Columns columns;
  std::size_t longest_name = 0;
  for (const T value : values) {
    if (!std::isfinite(value)) {
      longest_name = std::max<std::size_t>(longest_name, std::isinf(value) && value < 0 ? 4 : 3);
      continue;
    }
    const auto digits = digits_of(value, notation);
    columns.whole = std::max(columns.whole, digits.whole.size());
    columns.fraction = std::max(columns.fraction, digits.fraction.size());
    columns.exponent = std::max(columns.exponent, std::max<std::size_t>(digits.exponent.size(), 1) - 1);
  }
  const auto least = columns.whole + 1 + columns.behind_point();
  if (longest_name > least) columns.whole += longest_name - least;
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const T value : values) {
    words.push_back(std::isfinite(value) ? columns.text(digits_of(value, notation, columns.fraction))
                                         : padded(std::max(least, longest_name), std::isnan(value) ? "nan"
                                                                                 : value < 0       ? "-inf"
                                                                                                   : "inf"));
  }
  return words;
}

/// Returns the texts of the elements, all of one width.
std::vector<std::string> words_of(const at::Tensor& shown) {
  if (shown.scalar_type() == at::kDouble) return float_words<double>(shown);
  if (shown.scalar_type() == at::kFloat) return float_words<float>(shown);
  const bool bools = shown.scalar_type() == at::kBool;
  TORCH_CHECK(bools || at::isIntegralType(shown.scalar_type(), /*includeBool=*/false),
              "it prints an array of NumPy with elements of ", shown.scalar_type());
  std::vector<std::string> words;
  std::size_t width = 0;
  const auto numbers = shown.to(at::kLong);
  for (std::int64_t i = 0; i < numbers.numel(); ++i) {
    const auto number = numbers.data_ptr<std::int64_t>()[i];
    words.push_back(bools ? number != 0 ? "True" : "False" : std::to_string(number));
    width = std::max(width, words.back().size());
  }
  if (bools && shown.dim() > 0) width = std::string_view("False").size();
  for (auto& word : words) word = padded(width, word);
  return words;
}

/// Returns the elements that a summary shows.
at::Tensor edges_of(at::Tensor array) {
  for (std::int64_t axis = 0; axis < array.dim(); ++axis) {
    const auto size = array.size(axis);
    if (size <= 2 * edge_items) continue;
    array =
        at::cat({array.narrow(axis, 0, edge_items), array.narrow(axis, size - edge_items, edge_items)}, axis);
  }
  return array;
}

/// Sets the elements of an array in brackets and lines.
class Layout {
 public:
  Layout(const at::Tensor& array, std::string_view separator)
      : array_(array), separator_(separator), comma_(separator == " " ? "" : ",") {
    const bool summarised = array.numel() > threshold;
    shown_ = (summarised ? edges_of(array) : array).contiguous();
    words_ = words_of(shown_);
  }

  std::string text(std::int64_t axis, const std::string& indent, std::size_t width) {
    if (axis == shown_.dim()) return words_[next_++];
    if (axis == shown_.dim() - 1) return '[' + line(indent, width - 1) + ']';
    const auto size = shown_.size(axis);
    const auto end_of_row =
        comma_ + std::string(static_cast<std::size_t>(shown_.dim() - axis - 1), '\n') + indent;
    std::string result = "[";
    for (std::int64_t i = 0; i < size; ++i) {
      if (i > 0) result += end_of_row;
      if (is_gap(axis, i)) result += "..." + end_of_row;
      result += text(axis + 1, indent + ' ', width - 1);
    }
    return result + ']';
  }

 private:
  bool is_gap(std::int64_t axis, std::int64_t place) const {
    return place == edge_items && shown_.size(axis) < array_.size(axis);
  }

  /// Returns the elements of the last axis, on lines that end before `width`.
  std::string line(const std::string& indent, std::size_t width) {
    std::string done;
    std::string line = indent;
    const auto add = [&](std::string_view word) {
      if (line.size() + word.size() > width && line.size() > indent.size()) {
        done += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        line = indent;
      }
      line += word;
    };
    const auto size = shown_.size(-1);
    for (std::int64_t i = 0; i < size; ++i) {
      if (i > 0) line += separator_;
      if (is_gap(shown_.dim() - 1, i)) {
        add("...");
        line += separator_;
      }
      add(words_[next_++]);
    }
    return (done + line).substr(indent.size());
  }

  at::Tensor array_;
  at::Tensor shown_{};
  std::string separator_;
  std::string comma_;
  std::vector<std::string> words_{};
  std::size_t next_ = 0;
};

std::string text_of(const at::Tensor& array, std::string_view separator, std::size_t indent,
                    std::size_t width) {
  if (array.numel() == 0) return "[]";
  return Layout(array.detach(), separator).text(0, std::string(indent, ' '), width);
}

/// The kinds of numbers, in the order in which NumPy promotes them.
enum class Numbers { boolean, integer, floating };

Numbers numbers_of(at::ScalarType dtype) {
  const bool known = dtype == at::kBool || dtype == at::kInt || dtype == at::kLong || dtype == at::kFloat ||
                     dtype == at::kDouble;
  TORCH_CHECK(known, "an operator of NumPy takes ", dtype);
  return dtype == at::kBool          ? Numbers::boolean
         : at::isFloatingType(dtype) ? Numbers::floating
                                     : Numbers::integer;
}

at::ScalarType promoted(at::ScalarType one, at::ScalarType other) {
  if (numbers_of(one) > numbers_of(other)) std::swap(one, other);
  const bool mixes = numbers_of(one) == Numbers::integer && numbers_of(other) == Numbers::floating;
  return mixes ? at::kDouble : at::promoteTypes(one, other);
}

/// Returns the dtype of an array beside a number of Python.
at::ScalarType promoted_with_number(at::ScalarType dtype, const at::Scalar& number) {
  const auto numbers = number.isBoolean()         ? Numbers::boolean
                       : number.isFloatingPoint() ? Numbers::floating
                                                  : Numbers::integer;
  if (numbers > numbers_of(dtype)) return numbers == Numbers::integer ? at::kLong : at::kDouble;
  const double value = number.toDouble();
  constexpr double most_int = std::numeric_limits<std::int32_t>::max();
  constexpr double most_float = std::numeric_limits<float>::max();
  const double most = dtype == at::kInt ? most_int : most_float;
  const bool fits =
      (dtype != at::kInt && dtype != at::kFloat) || !std::isfinite(value) || std::abs(value) <= most;
  TORCH_CHECK(fits, "the number ", value, " is too large for the array beside it");
  return dtype;
}

at::ScalarType common_dtype(const Operand& left, const Operand& right) {
  for (const auto* side : {&left, &right})
    TORCH_CHECK(!side->array.defined() || side->array.dim() > 0,
                "an operator of NumPy takes an array without dimensions");
  if (!right.array.defined()) return promoted_with_number(left.array.scalar_type(), right.number);
  if (!left.array.defined()) return promoted_with_number(right.array.scalar_type(), left.number);
  return promoted(left.array.scalar_type(), right.array.scalar_type());
}

at::Tensor converted(const Operand& operand, at::ScalarType dtype) {
  return operand.array.defined() ? operand.array.detach().to(dtype)
                                 : at::scalar_tensor(operand.number, dtype);
}

/// Computes in the dtype to which NumPy converts both operands.
template <class Function>
at::Tensor compared(const Operand& left, const Operand& right, Function function) {
  const auto dtype = common_dtype(left, right);
  return function(converted(left, dtype), converted(right, dtype));
}

template <class Function>
at::Tensor computed(const Operand& left, const Operand& right, Function function, bool divides = false) {
  auto dtype = common_dtype(left, right);
  TORCH_CHECK(dtype != at::kBool, "an operator of NumPy takes two arrays of bools");
  if (divides && numbers_of(dtype) == Numbers::integer) dtype = at::kDouble;
  return function(converted(left, dtype), converted(right, dtype));
}

}  // namespace

std::string name(DType dtype) {
  const auto name = pyrepr::dtype_name(dtype.type);
  TORCH_CHECK(dtype.type != at::kBFloat16, "NumPy has no bfloat16");
  return name.substr(name.find('.') + 1);
}

/// Returns the text of an element of float32.
static std::string float_text(float value) {
  constexpr double too_small = 1e-4;
  constexpr double too_large = 1e16;
  if (!std::isfinite(value)) return pyrepr::str(static_cast<double>(value));
  const double magnitude = std::abs(value);
  const bool scientific = value != 0 && (magnitude < too_small || magnitude >= too_large);
  if (!scientific && magnitude >= double{exact_up_to}) return whole_text(value) + ".0";
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  const auto* end = std::to_chars(begin, begin + buffer.size(), value,
                                  scientific ? std::chars_format::scientific : std::chars_format::fixed)
                        .ptr;
  std::string text(static_cast<const char*>(begin), end);
  return scientific || text.find('.') != text.npos ? text : text + ".0";
}

std::string str(const Array& array) {
  if (array.tensor.dim() > 0) return text_of(array.tensor, " ", 1, line_width);
  if (array.tensor.scalar_type() == at::kFloat) return float_text(array.tensor.item<float>());
  return pyrepr::str(array.tensor.item());
}

std::string repr(const Array& array) {
  const std::string head = "array(";
  const auto& tensor = array.tensor;
  const auto dtype = tensor.scalar_type();
  const bool implied = dtype == at::kLong || dtype == at::kBool || dtype == at::kDouble;
  auto text = head + text_of(tensor, ", ", head.size() + 1, line_width - 1);
  if (tensor.numel() == 0 && tensor.dim() != 1) {
    text += ", shape=" + pyrepr::repr(pyrepr::tuple(tensor.sizes()));
  }
  if (implied && tensor.numel() > 0) return text + ')';
  text += ',';
  const auto end = "dtype=" + name({dtype}) + ')';
  const auto last_line = text.size() - (text.rfind('\n') + 1);
  const bool fits = last_line + end.size() + 1 <= line_width;
  return text + (fits ? " " : '\n' + std::string(head.size(), ' ')) + end;
}

std::string format(const Array& array, std::string_view spec) {
  if (array.tensor.dim() == 0) return pyrepr::format(array.tensor.item(), spec);
  if (!spec.empty()) pyrepr::detail::refuse_spec(pyrepr::Printer<Array>::python_type);
  return str(array);
}

Element::Element(const at::Tensor& array, int release) : array_{array.detach().clone()}, release_(release) {
  const auto dtype = array.scalar_type();
  const bool known = dtype == at::kInt || dtype == at::kLong || dtype == at::kFloat || dtype == at::kDouble;
  TORCH_CHECK(known && array.dim() == 0, "a number of NumPy is made of an array with elements of ", dtype);
}

std::vector<Element> elements(const at::Tensor& array, int release) {
  std::vector<Element> all;
  for (const auto& item : array.unbind()) all.emplace_back(item, release);
  return all;
}

std::string Element::repr() const {
  const auto text = str(array_);
  return release_ < 2 ? text : "np." + name({array_.tensor.scalar_type()}) + '(' + text + ')';
}

std::int64_t Element::to_int() const { return array_.tensor.item<std::int64_t>(); }
double Element::to_float() const { return array_.tensor.item<double>(); }

std::int64_t Element::integer() const {
  TORCH_CHECK(array_.tensor.scalar_type() == at::kLong,
              "it computes with a number of NumPy that has 32 bits");
  return to_int();
}

double Element::floating() const {
  TORCH_CHECK(array_.tensor.scalar_type() == at::kDouble,
              "it computes with a number of NumPy that has 32 bits");
  return to_float();
}

at::Tensor arange(double start, double stop, double step) {
  const auto size = static_cast<std::int64_t>(std::max(std::ceil((stop - start) / step), 0.0));
  const double difference = (start + step) - start;  // NumPy takes it from the first two elements
  auto result = at::arange(size, at::kDouble) * difference + start;
  if (size > 1) result[1] = start + step;
  return result;
}

at::Tensor linspace(double start, double stop, std::int64_t count) {
  const auto places = at::arange(count, at::kDouble);
  const auto parts = static_cast<double>(count - 1);
  const double step = (stop - start) / parts;
  if (count < 2) return places * (stop - start) + start;
  auto result = (step == 0 ? places / parts * (stop - start) : places * step) + start;
  result[count - 1] = stop;
  return result;
}

at::Tensor add(const Operand& left, const Operand& right) {
  return computed(left, right, [](const auto& a, const auto& b) { return at::add(a, b); });
}
at::Tensor subtract(const Operand& left, const Operand& right) {
  return computed(left, right, [](const auto& a, const auto& b) { return at::sub(a, b); });
}
at::Tensor multiply(const Operand& left, const Operand& right) {
  return computed(left, right, [](const auto& a, const auto& b) { return at::mul(a, b); });
}
at::Tensor divide(const Operand& left, const Operand& right) {
  return computed(
      left, right, [](const auto& a, const auto& b) { return at::div(a, b); }, /*divides=*/true);
}

at::Tensor less(const Operand& left, const Operand& right) { return compared(left, right, std::less<>()); }
at::Tensor less_equal(const Operand& left, const Operand& right) {
  return compared(left, right, std::less_equal<>());
}
at::Tensor greater(const Operand& left, const Operand& right) {
  return compared(left, right, std::greater<>());
}
at::Tensor greater_equal(const Operand& left, const Operand& right) {
  return compared(left, right, std::greater_equal<>());
}
at::Tensor equal(const Operand& left, const Operand& right) {
  return compared(left, right, std::equal_to<>());
}
at::Tensor not_equal(const Operand& left, const Operand& right) {
  return compared(left, right, std::not_equal_to<>());
}

void assign(const at::Tensor& array, const at::Tensor& value) {
  TORCH_CHECK(
      numbers_of(value.scalar_type()) <= numbers_of(array.scalar_type()) && value.sizes() == array.sizes(),
      "an array of NumPy cannot hold the result of an operator");
  array.data().copy_(value);  // a NumPy array has no gradients
}

}  // namespace torchbook::np
