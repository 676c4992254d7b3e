// Parses Python's format specs and lays numbers out accordingly.
#include <fmt/format.h>
#include <torchbook/pyrepr/format_spec.h>
#include <torchbook/pyrepr/utf8.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace torchbook::pyrepr::inline v1 {
namespace {

bool is_align(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads a spec from left to right.
class Reader {
 public:
  explicit Reader(std::string_view spec) : spec_(spec) {}

  bool take(char c) { return take_any(std::string_view(&c, 1)) != 0; }
  char take_any(std::string_view characters) {
    if (spec_.empty() || characters.find(spec_[0]) == characters.npos) return 0;
    const char c = spec_[0];
    spec_.remove_prefix(1);
    return c;
  }
  std::optional<int> take_number() {
    std::optional<int> number;
    while (!spec_.empty() && is_digit(spec_[0])) {
      number = number.value_or(0) * 10 + (spec_[0] - '0');
      if (*number > 1'000'000) throw fmt::format_error("Too many decimal digits in format string");
      spec_.remove_prefix(1);
    }
    return number;
  }
  /// Takes the alignment and its fill character. A character is a fill only if an alignment follows it.
  void take_fill_and_align(FormatSpec& spec) {
    if (spec_.empty()) return;
    const std::size_t length = first_character(spec_).length;
    if (spec_.size() > length && is_align(spec_[length])) {
      spec.fill = spec_.substr(0, length);
      spec_.remove_prefix(length);
      spec.align = take_any("<>^=");
    } else {
      spec.align = take_any("<>^=");
    }
  }
  /// Takes the presentation type. It must be the last character, so the rest stays if there is more.
  std::optional<char32_t> take_last() {
    if (spec_.empty()) return {};
    const Utf8Character character = first_character(spec_);
    if (spec_.size() == character.length) spec_ = {};
    return character.code;
  }
  bool done() const { return spec_.empty(); }

 private:
  std::string_view spec_;
};

/// Returns a presentation type as Python's messages show it.
std::string shown(char32_t type) {
  if (type > 32 && type < 128) return {static_cast<char>(type)};
  return fmt::format("\\x{:x}", static_cast<std::uint32_t>(type));
}

/// Throws if the type does not take the separator: decimal digits take both, other bases only `_`, text none.
void check_grouping(const FormatSpec& spec) {
  const std::string_view takes_it = spec.grouping == '_' ? "deEfFgG%boxX" : "deEfFgG%";
  if (spec.grouping != 0 && spec.type != 0 && !is_one_of(spec.type, takes_it)) {
    throw fmt::format_error(fmt::format("Cannot specify '{}' with '{}'.", spec.grouping, shown(spec.type)));
  }
}

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

std::string repeated(const std::string& fill, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += fill;
  return text;
}

}  // namespace

FormatSpec parse_format_spec(std::string_view text, const FormattedType& of) {
  FormatSpec spec;
  Reader reader(text);
  reader.take_fill_and_align(spec);
  const bool filled = spec.align != 0 && !text.empty() && text[0] != spec.align;
  spec.sign = reader.take_any("+- ");
  spec.no_negative_zero = reader.take('z');
  spec.alternate = reader.take('#');
  if (reader.take('0')) {
    if (!filled) spec.fill = "0";
    if (spec.align == 0 && of.default_code != 's') spec.align = '=';  // a text has no sign to stay before it
  }
  spec.width = static_cast<std::size_t>(reader.take_number().value_or(0));
  spec.grouping = reader.take_any(",_");
  if (spec.grouping != 0 && reader.take(spec.grouping == ',' ? '_' : ','))
    throw fmt::format_error("Cannot specify both ',' and '_'.");
  if (reader.take('.')) {
    spec.precision = reader.take_number();
    if (!spec.precision) throw fmt::format_error("Format specifier missing precision");
  }
  spec.type = reader.take_last().value_or(static_cast<unsigned char>(of.default_code));
  if (!reader.done()) {
    throw fmt::format_error(
        fmt::format("Invalid format specifier '{}' for object of type '{}'", text, of.name));
  }
  check_grouping(spec);
  if (spec.type != static_cast<unsigned char>(of.default_code) && !is_one_of(spec.type, of.codes)) {
    throw fmt::format_error(
        fmt::format("Unknown format code '{}' for object of type '{}'", shown(spec.type), of.name));
  }
  return spec;
}

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
