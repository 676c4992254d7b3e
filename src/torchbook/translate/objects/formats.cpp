// Translates `"{:.2f}".format(x)` and `"%.2f" % x` to what f-strings become.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>
#include <cctype>

namespace torchbook::translate {
namespace {

/// Returns the text of a str that is written out.
std::string text_of(const Value& literal) {
  if (!literal.literal || !literal.is(Kind::string)) throw NotPorted("a format is not written out");
  return literal.expr.text();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// `"{} {:.2f} {0} {name}".format(a, b, name=c)`
Value Translator::formatted(const Value& text, const Arguments& arguments) {
  const auto format = text_of(text);
  std::string result;
  std::vector<Value> values;
  std::size_t next = 0;
  bool counts = false;   // `{}`
  bool numbers = false;  // `{0}`
  for (std::size_t at = 0; at < format.size(); ++at) {
    result += format[at];
    if (format[at] != '{' && format[at] != '}') continue;
    if (at + 1 < format.size() && format[at + 1] == format[at]) {
      result += format[++at];
      continue;
    }
    const auto close = format.find('}', at);
    const auto field = format.substr(at + 1, close - at - 1);
    const auto name = field.substr(0, std::min(field.find(':'), field.find('!')));
    const bool number = !name.empty() && std::all_of(name.begin(), name.end(), is_digit);
    if (field.find('{') != field.npos || name.size() > 40 || (number && name.size() > 2))
      throw NotPorted("a format has a field that is not translated");
    const auto* value = name.empty() ? arguments.find("", next++)
                        : number     ? arguments.find("", std::stoul(name))
                                     : arguments.find(name, arguments.positional.size());
    counts = counts || name.empty();
    numbers = numbers || number;
    if (value == nullptr || (counts && numbers))
      throw NotPorted("a format has a field that is not translated");
    values.push_back(*value);
    result += field.substr(name.size()) + '}';
    at = close;
  }
  return filled(result, values);
}

/// Returns `%-8.2f` as a field of `f`: `{:<8.2f}`. `at` is after the percent sign, and then after the
/// field.
std::string Translator::percent_field(const std::string& format, std::size_t& at, const Value& value) {
  std::string flags;
  while (at < format.size() && std::string_view("-+ 0").find(format[at]) != std::string_view::npos)
    flags += format[at++];
  std::string width;
  while (at < format.size() && is_digit(format[at])) width += format[at++];
  std::string precision;
  if (at < format.size() && format[at] == '.') {
    precision += format[at++];
    while (at < format.size() && is_digit(format[at])) precision += format[at++];
  }
  const char kind = at < format.size() ? format[at++] : ' ';
  const bool text = kind == 's' || kind == 'r';
  const bool whole = (kind == 'd' || kind == 'i') && value.is(Kind::integer) && precision.empty();
  const bool real = std::string_view("feEgG").find(kind) != std::string_view::npos &&
                    (value.is(Kind::floating) || value.is(Kind::integer) || value.is(Kind::scalar));
  if ((!text && !whole && !real) ||
      (text && (flags.find_first_of("+ 0") != flags.npos || !precision.empty())))
    throw NotPorted("a format shows {} by a field that is not translated", in_words(value.type));
  const bool left = flags.find('-') != flags.npos;
  std::string spec;
  if (!width.empty() && text != left) spec += left ? '<' : '>';
  if (!width.empty() && text && left) spec += '<';
  if (const auto sign = flags.find_first_of("+ "); sign != flags.npos)
    spec += flags.find('+') != flags.npos ? '+' : ' ';
  if (flags.find('0') != flags.npos && !left) spec += '0';
  spec += width + precision;
  if (text) return fmt::format("{{!{}{}{}}}", kind, spec.empty() ? "" : ":", spec);
  return fmt::format("{{:{}{}}}", spec, whole ? 'd' : kind);
}

/// `"%s: %.2f" % (name, x)`
Value Translator::percent(const Value& text, const Value& right) {
  const auto format = text_of(text);
  const auto& values = right.is(Kind::tuple) && right.literal ? right.elements : std::vector{right};
  if (right.is(Kind::tuple) && !right.literal)
    throw NotPorted("a format takes a tuple that is not written out");
  std::string result;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.size();) {
    const char c = format[at++];
    if (c != '%') {
      result += c;
      if (c == '{' || c == '}') result += c;
    } else if (at < format.size() && format[at] == '%') {
      result += format[at++];
    } else if (next == values.size()) {
      throw NotPorted("a format has more fields than values");
    } else {
      result += percent_field(format, at, values[next]);
      ++next;
    }
  }
  if (next != values.size()) throw NotPorted("a format has fewer fields than values");
  return filled(result, values);
}

}  // namespace torchbook::translate
