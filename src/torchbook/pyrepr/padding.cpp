// Lays numbers and texts out as a format spec asks.
#include <torchbook/pyrepr/padding.h>

#include <algorithm>
#include <cctype>

namespace torchbook::pyrepr::inline v1 {
namespace {

using detail::FormatSpec;

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

}  // namespace

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

std::string lay_out_number(const NumberText& number, const FormatSpec& spec, std::size_t group) {
  std::string head = number.negative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
  head += number.prefix;
  std::string whole = number.whole;
  const bool digits = !whole.empty() && std::isxdigit(static_cast<unsigned char>(whole[0])) != 0;
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

}  // namespace torchbook::pyrepr::inline v1
