#include <fmt/format.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/rows/layers.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace torchbook::translate {
namespace {

/// Returns a text with its braces doubled, as a format of `f` needs them.
std::string with_doubled_braces(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '{' || c == '}') result += c;
  }
  return result;
}

/// Returns the text of a constant in the spec of a format, as in `{x:{width}}`.
std::string spec_text(const Value& value) {
  if (!value.number.empty()) return value.number;
  if (value.literal && value.is(Kind::string)) return value.expr.text();
  refuse("the spec of a format has a value that is not a constant");
}

/// Whether values of the type print as parameters, or may do so.
bool holds_parameter(const Type& type) {
  if (type.is(Kind::tensor)) return !type.is(types::Leaf::no);
  return (type.is(Kind::list) || type.is(Kind::tuple)) &&
         std::any_of(type.items.begin(), type.items.end(), holds_parameter);
}

bool holds_module(const Type& type) {
  return type.is(Kind::module) || ((type.is(Kind::list) || type.is(Kind::tuple)) &&
                                   std::any_of(type.items.begin(), type.items.end(), holds_module));
}

/// Makes the parameters in a value print as parameters.
void mark_parameters(Value& value) {
  if (!holds_parameter(value.type)) return;
  if (value.is(Kind::tensor)) {
    if (value.type != parameter_type()) refuse("whether it prints a parameter is not known");
    value.expr = cpp::braces({value.expr}, "torchbook::Parameter");
    value.type = Type(types::Tensor{.leaf = types::Leaf::shown});
  } else if (value.literal && !value.elements.empty()) {
    const bool mixes = value.is(Kind::list) && value.type.items[0] != parameter_type();
    if (mixes) refuse("a list holds parameters and other tensors");
    for (auto& element : value.elements) mark_parameters(element);
    if (value.is(Kind::list)) value.type.items = {value.elements[0].type};
  } else if (value.is(Kind::list) && value.type.items[0] == parameter_type()) {
    value.expr = cpp::call("torchbook::nn::as_parameters", {value.expr});
  } else {
    refuse("it prints {} with a parameter", in_words(value.type));
  }
}

/// Returns the effects of showing a value that is already evaluated.
cpp::Effects showing(const Value& value) {
  cpp::Effects effects;
  for (const auto& element : value.elements) effects.add(showing(element));
  if (value.literal || is_immutable(value.type)) return effects;
  effects.add(cpp::reads(cpp::Place::memory));
  if (!value.is(Kind::tensor)) effects.add(cpp::reads(cpp::Place::contents));
  return effects;
}

/// Refuses fields of an f-string that change what another field shows. Python formats each field before it
/// evaluates the next one; C++ formats all of them at the end.
void refuse_later_changes(const std::vector<Value>& fields) {
  for (const auto& shown : fields) {
    const auto reads = showing(shown);
    const bool changes = std::any_of(fields.begin(), fields.end(), [&](const Value& other) {
      return &other != &shown && cpp::conflict(other.expr.effects(), reads);
    });
    if (changes) refuse("a field of an f-string changes what others show");
  }
}

/// Returns the text of a str that is written out.
std::string text_of(const Value& literal) {
  if (!literal.literal || !literal.is(Kind::string)) refuse("a format is not written out");
  return literal.expr.text();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

static std::string replacement_field(Builder& b, const Node& part) {
  std::string field = "{";
  const auto conversion = part.conversion();
  if (conversion == 'a') refuse("an f-string has !a");
  if (conversion > 0) field += fmt::format("!{}", static_cast<char>(conversion));
  if (part.has_format_spec()) {
    field += ':';
    for (const auto& piece : part.format_spec().values()) {
      field +=
          piece.is(Ast::Constant) ? std::string(piece.constant()) : spec_text(expression(b, piece.value()));
    }
  }
  return field + '}';
}

/// Returns a variable that C++ holds as a float although Python may still hold an int, if a field
/// of an f-string shows both alike, as `.2f` does. Otherwise nullopt.
static std::optional<Value> shown_number(Builder& b, const Node& part) {
  const auto* number = int_as_double(b.scope(), part.value());
  if (number == nullptr || !part.has_format_spec()) return std::nullopt;
  const auto field = replacement_field(b, part);
  const bool real = part.conversion() <= 0 && field.find_last_of("eEfFgG%") == field.size() - 2;
  return real ? std::optional(value_of(number->type, cpp::name(number->code))) : std::nullopt;
}

/// Whether a value is or holds an object of a class of the notebook.
static bool holds_new_object(Builder& b, const Type& type) {
  const bool is_one = type.is(Kind::object) && b.class_of(type) != nullptr;
  return is_one || std::any_of(type.items.begin(), type.items.end(),
                               [&b](const Type& item) { return holds_new_object(b, item); });
}

cpp::Expr printed(Builder& b, const Value& value) {
  if (holds_module(value.type)) need_to_print_modules(b);
  const bool plain = is_immutable(value.type) && !value.is(Kind::function);
  if (!plain) b.lost.options.refuse();
  if (holds_new_object(b, value.type)) refuse("it prints an object of a class of the notebook");
  if (value.is(Kind::optimizer)) {
    if (is_scheduler(value.type)) refuse("Python prints a scheduler with its address");
    b.need("#include <torchbook/training/optim.h>");
    return value.expr;
  }
  if (value.is(Kind::array))
    b.limit_of_numpy_2("C++ displays a long array without its shape, as NumPy 1 does");
  auto shown = value;
  shown.literal = value.literal && !is_empty(value.type);
  if (value.literal && !shown.literal)  // of any type
    shown.expr = cpp::call(
        cpp_type(value.is(Kind::dict) ? dict_type(Kind::integer, Kind::integer) : list_of(Kind::integer)),
        {});
  mark_parameters(shown);
  return value.is(Kind::class_name) ? value.expr : printable(shown).unrecorded();
}

/// Emits a print of texts.
static Value printing(Builder& b, std::vector<cpp::Expr> shown) {
  const Frame* frame = b.frame;
  while (frame->of_class == nullptr && !frame->called_by_classes && frame->outer != nullptr)
    frame = frame->outer;
  // A local class cannot use variables of the function around it, except static ones.
  return value_of(Kind::none, frame->outer == nullptr
                                  ? cpp::method(cpp::name("nb"), "print", std::move(shown))
                                  : cpp::arrow_method(cpp::name("notebook"), "print", std::move(shown)));
}

Value pprint(Builder& b, const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (given.size() != 1 || !arguments.named.empty() || !given[0].is(Kind::state_dict))
    refuse("pprint prints something other than a state_dict");
  return printing(b, {cpp::call("torchbook::pprinted", {printed(b, given[0])})});
}

Value print(Builder& b, const Node& node) {
  const auto given = arguments(b, node);
  std::vector<cpp::Expr> shown;
  for (const auto& argument : given.positional) {
    const auto value = argument.is(Kind::record) ? record_text(b, argument) : argument;
    shown.push_back(with_tensors(value, printed(b, value)));
  }
  for (const auto& [name, value] : given.named) {
    const bool known = name == "sep" || name == "end";
    if (known && value.is(Kind::string)) {
      shown.push_back(cpp::call("torchbook::" + name, {value.expr}));
    } else if (name != "flush") {
      refuse("print has the argument {}, which is not translated", name);
    }
  }
  return printing(b, std::move(shown));
}

Value f_string(Builder& b, const Node& node) {
  const auto parts = node.values();
  std::vector<Value> values;
  for (const auto& part : parts) {
    if (!part.is(Ast::Constant)) {
      const auto number = shown_number(b, part);
      values.push_back(number ? *number : expression(b, part.value()));
    }
  }
  refuse_later_changes(values);
  std::string text;
  std::string format;
  std::size_t next = 0;
  for (const auto& part : parts) {
    if (part.is(Ast::Constant)) {
      text += part.constant();
      format += with_doubled_braces(part.constant());
      continue;
    }
    const auto& value = values[next++];
    if (part.has_format_spec() && holds_parameter(value.type)) refuse("Python formats no parameter");
    format += replacement_field(b, part);
    const bool whole = !value.is(Kind::error) || format.ends_with("{}") || format.ends_with("{!s}");
    if (!whole) refuse("it prints an exception in a form that is not translated");
  }
  if (values.empty()) {
    Value value = value_of(Kind::string, string_literal(text));
    value.literal = true;
    return value;
  }
  return filled(b, format, values);
}

Value filled(Builder& b, const std::string& format, const std::vector<Value>& values) {
  std::vector<cpp::Expr> parts = {string_literal(format)};
  cpp::Effects reads;
  for (const auto& each : values) {
    const auto value = each.is(Kind::record) ? record_text(b, each) : each;
    parts.push_back(printed(b, value));
    reads.add(showing(value));
  }
  return value_of(Kind::string, cpp::member(cpp::call(cpp::form::f, std::move(parts)).with(reads), "text"));
}

Value print_options(Builder& b, const RowCall& given) {
  static constexpr std::array<std::string_view, 5> options = {"precision", "threshold", "edgeitems",
                                                              "linewidth", "sci_mode"};
  if (!b.frame->is_notebook || b.scope().depth() > 0) refuse("print options are set in a block");
  auto set = b.state.print_options;
  set.back() = {};  // Python resets it
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto* value = given.values[i];
    if (value != nullptr && !value->literal) refuse("the print option {} is not a literal", options.at(i));
    if (value != nullptr) set.at(i) = value->expr;
  }
  std::vector<std::string> names;
  std::vector<cpp::Expr> parts;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (!set.at(i)) continue;
    names.emplace_back(options.at(i));
    parts.push_back(set.at(i));
  }
  b.state.print_options = std::move(set);
  const std::string type = "torchbook::pyrepr::ScopedPrintOptions";
  b.emit(cpp::Declare{.type = "const " + type,
                      .name = b.scope().fresh("print_options"),
                      .value = cpp::call(type, {cpp::fields({}, std::move(names), std::move(parts))}),
                      .constructs = true});
  return nothing();
}

Value formatted(Builder& b, const Value& text, const Arguments& arguments) {
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
      refuse("a format has a field that is not translated");
    const auto* value = name.empty() ? arguments.find("", next++)
                        : number     ? arguments.find("", std::stoul(name))
                                     : arguments.find(name, arguments.positional.size());
    counts = counts || name.empty();
    numbers = numbers || number;
    if (value == nullptr || (counts && numbers)) refuse("a format has a field that is not translated");
    values.push_back(*value);
    result += field.substr(name.size()) + '}';
    at = close;
  }
  return filled(b, result, values);
}

/// Returns `%-8.2f` as a field of `f`: `{:<8.2f}`. `at` is after the percent sign, and then after the
/// field.
static std::string percent_field(const std::string& format, std::size_t& at, Value& value) {
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
  const bool of_real = std::string_view("feEgG").find(kind) != std::string_view::npos;
  if (of_real && value.is(Kind::tensor))
    value = value_of(Kind::floating, cpp::method(value.expr, "item<double>"));
  const bool real =
      of_real && (value.is(Kind::floating) || value.is(Kind::integer) || value.is(Kind::scalar));
  if ((!text && !whole && !real) ||
      (text && (flags.find_first_of("+ 0") != flags.npos || !precision.empty())))
    refuse("a format shows {} by a field that is not translated", in_words(value.type));
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

Value percent(Builder& b, const Value& text, const Value& right) {
  const auto format = text_of(text);
  if (right.type.is(types::Group::tuple) && !right.literal && right.temporary)
    return b.named(right, "parts", [&](Value held) {
      held.temporary = false;
      return percent(b, text, held);
    });
  auto values = right.is(Kind::tuple) ? parts_of(right) : std::vector{right};
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
      refuse("a format has more fields than values");
    } else {
      result += percent_field(format, at, values[next]);
      ++next;
    }
  }
  if (next != values.size()) refuse("a format has fewer fields than values");
  return filled(b, result, values);
}

}  // namespace torchbook::translate
