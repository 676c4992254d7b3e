#include <fmt/format.h>
#include <tools/import/translate/core/value.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/rows/signatures.h>
#include <tools/import/translate/syntax/syntax.h>

#include <algorithm>
#include <map>

namespace torchbook::translate {
namespace {

/// The operators that C++ has, too.
const std::map<Ast, std::string_view> operators = {
    {Ast::Add, "+"},  {Ast::Sub, "-"}, {Ast::Mult, "*"}, {Ast::Div, "/"}, {Ast::Lt, "<"},
    {Ast::LtE, "<="}, {Ast::Gt, ">"},  {Ast::GtE, ">="}, {Ast::Eq, "=="}, {Ast::NotEq, "!="}};

constexpr const char* printed_array = "torchbook::np::Array";

bool is_container(const Type& type) { return type.is(Kind::list) || type.is(Kind::dict); }

/// Whether values of the type hold arrays of NumPy: C++ would print them as tensors.
bool holds_array(const Type& type) {
  return std::any_of(type.items.begin(), type.items.end(),
                     [](const Type& item) { return item.is(Kind::array) || holds_array(item); });
}

/// Throws NotPorted for values that C++ cannot print as Python does.
void refuse_unprintable(const Value& value) {
  if (is_view(value.type)) refuse("it prints an iterator, a range or a view of a dict");
  if (value.type.is(types::Sequence::set))
    refuse("the order of a set differs from run to run; sorted(…) has one");
  if (value.type.is(types::Sequence::starred)) refuse("a call has a starred argument");
  if (value.is(Kind::class_name)) refuse("only print can show a class");
  if (value.is(Kind::picture)) refuse("C++ has no picture");
  if (value.is(Kind::file)) refuse("Python prints a file with its address");
  if (is_address(value.type)) refuse("it prints an address");
  const bool of_arrays =
      value.is(Kind::list) && !value.type.items.empty() && value.type.items[0].is(Kind::array);
  const bool written = value.literal && (value.is(Kind::tuple) || of_arrays);
  if (!written && holds_array(value.type))
    refuse("it prints {} that holds arrays of NumPy", in_words(value.type));
  if (value.is(Kind::random) || value.is(Kind::function) || value.is(Kind::new_class) ||
      value.is(Kind::generator)) {
    refuse("Python prints {} with its address", in_words(value.type));
  }
  if (value.type.missing() != Kind::none) refuse("it prints a defaultdict; dict(…) makes it a dict");
  if (value.is(Kind::record)) refuse("it prints a dict");
  if (value.is(Kind::optimizer)) refuse("C++ does not print optimizers as Python does");
}

/// Returns a tuple with names, a batch of a loader, or a tuple of any size as print takes it; empty for
/// others.
cpp::Expr printable_tuple(const Value& value) {
  if (is_tuple_of_any_size(value.type))
    return value.temporary ? cpp::call("torchbook::tuple", {value.expr}) : value.expr;
  if (!value.is(Kind::tuple)) return {};
  if (value.type.is(types::Group::result)) {
    const auto function = value.type.function();
    std::vector<cpp::Expr> names;
    for (const auto& name : result_names_of(function)) names.push_back(cpp::string(name));
    return cpp::call("torchbook::return_type", {cpp::string(function), cpp::braces(names), value.expr});
  }
  const auto& items = value.type.items;
  const bool batch =
      value.type.is(types::Group::batch) &&
      std::all_of(items.begin(), items.end(), [](const Type& item) { return item.is(Kind::tensor); });
  if (batch) return cpp::call("torchbook::data::list", {value.expr});
  if (value.type.is(types::Group::batch)) refuse("it prints a batch that has more than tensors");
  return {};
}

}  // namespace

bool is_operator(Ast operation) { return operators.contains(operation); }

Value with_operator(const Value& left, Ast operation, const Value& right, Kind kind) {
  return value_of(kind, cpp::binary(left.expr, operators.at(operation), right.expr));
}

bool is_shape_of_tensor(const Value& size) { return size.expr.is(cpp::form::shape); }

cpp::Expr sizes_of(const Value& size) {
  if (is_shape_of_tensor(size)) return cpp::method(size.expr.part(0), "sizes");
  const bool made = size.expr.is(cpp::Kind::braces);
  return made ? cpp::call("torch::IntArrayRef", {size.expr.part(0)}) : cpp::member(size.expr, "sizes");
}

cpp::Expr sizes_as_vector(const Value& size) {
  if (is_shape_of_tensor(size)) return cpp::method(sizes_of(size), "vec");
  return size.expr.is(cpp::Kind::braces) ? size.expr.part(0) : cpp::member(size.expr, "sizes");
}

cpp::Expr string_literal(std::string_view text) {
  if (text.find('\0') != text.npos) refuse("a str with a null character");
  return cpp::string(text);
}

cpp::Expr as_string(const Value& text) {
  return text.literal ? cpp::call(cpp::form::std_string, {text.expr}) : text.expr;
}

cpp::Expr floating_literal(const Value& number) {
  if (!number.is(Kind::integer)) return number.expr;
  if (number.literal && number.expr.is(cpp::Kind::number)) return cpp::number(number.expr.text() + ".0");
  const bool negative =
      number.literal && number.expr.is(cpp::form::negative) && number.expr.part(0).is(cpp::Kind::number);
  return negative ? cpp::unary("-", cpp::number(number.expr.part(0).text() + ".0"))
                  : cpp::cast("double", number.expr);
}

std::vector<cpp::Expr> expressions_of(const std::vector<Value>& values) {
  std::vector<cpp::Expr> all;
  all.reserve(values.size());
  for (const auto& value : values) all.push_back(value.expr);
  return all;
}

std::vector<cpp::Expr> argument_codes(const std::vector<Value>& values) {
  std::vector<cpp::Expr> codes;
  codes.reserve(values.size());
  for (const auto& value : values) {
    const bool written = value.literal && !value.elements.empty() && !value.expr.is(cpp::Kind::let);
    codes.push_back(value.is(Kind::none) ? cpp::braces({})
                    : written            ? in_braces(value.elements)
                                         : value.expr);
  }
  return codes;
}

/// Whether a number is `x.item()`, whose type C++ chooses where it is read.
static bool is_item_of_tensor(const Value& scalar) { return scalar.expr.is(cpp::form::item); }

cpp::Expr as_number(const Value& scalar, const std::string& type) {
  const auto& expr = scalar.expr;
  return is_item_of_tensor(scalar) ? cpp::method(expr.part(0), "item<" + type + ">")
                                   : cpp::method(expr, "to<" + type + ">");
}

cpp::Expr as_double(const Value& scalar) {
  return is_item_of_tensor(scalar) ? as_number(scalar, "double") : cpp::method(scalar.expr, "toDouble");
}

cpp::Expr as_any_number(const Value& scalar) {
  return is_item_of_tensor(scalar) ? cpp::call("torchbook::Number", {scalar.expr}) : scalar.expr;
}

cpp::Expr in_braces(const std::vector<Value>& elements) {
  std::vector<cpp::Expr> codes;
  codes.reserve(elements.size());
  for (const auto& element : elements) {
    codes.push_back(element.elements.empty() ? element.expr : braces_of(element));
  }
  return cpp::braces(std::move(codes));
}

cpp::Expr braces_of(const Value& written) {
  return cpp::after_statements_of(written.expr, in_braces(written.elements));
}

Value element_at(const Value& written, std::size_t place) {
  auto element = written.elements.at(place);
  element.expr = cpp::after_statements_of(written.expr, element.expr);
  return element;
}

/// Returns an element of a tuple. If the tuple has a name, a list in it has one, too.
static Value part_of(const Value& tuple, std::size_t place) {
  auto part =
      value_of(tuple.type.items[place], cpp::call("std::get<" + std::to_string(place) + ">", {tuple.expr}));
  const bool named = !tuple.temporary && (is_container(part.type) || part.is(Kind::tuple));
  part.temporary = !named;
  return part;
}

std::vector<Value> parts_of(const Value& tuple) {
  if (tuple.literal) return tuple.elements;
  std::vector<Value> parts;
  for (std::size_t i = 0; i < tuple.type.items.size(); ++i) parts.push_back(part_of(tuple, i));
  return parts;
}

cpp::Expr device_code(const Value& value) {
  if (value.is(Kind::device)) return value.expr;
  return value.is_text("cpu") ? cpp::name("torch::kCPU") : cpp::call(cpp::form::device, {value.expr});
}

cpp::Expr moved_to(const Value& value) {
  if (value.is(Kind::dtype)) return value.expr;
  return value.is(Kind::device) || value.is(Kind::string) ? device_code(value) : cpp::Expr();
}

cpp::Expr with_tensors(const Value& value, const cpp::Expr& shown) {
  const bool shows =
      value.is(Kind::string) && shown.is(cpp::form::text_of_f) && shown.part(0).is(cpp::form::f);
  return shows ? shown.part(0) : shown;
}

cpp::Assign assignment(cpp::Expr to, const Value& value) {
  if (value.sign.empty()) return {.to = std::move(to), .value = value.expr};
  return {.to = std::move(to), .value = value.operand, .sign = value.sign, .of_number = true};
}

Value not_none(Value value) {
  if (!value.type.optional || value.is(Kind::module)) return value;
  value.type = without_none(value.type);
  value.expr = value.is(Kind::optimizer) ? cpp::unary("*", value.expr)
                                         : cpp::method(value.expr, "value").with_only(value.expr.effects());
  return value;
}

cpp::Declare declared_first(const Type& type, std::string name) {
  cpp::Declare result{.type = cpp_type(type), .name = std::move(name)};
  if (type.is(Kind::optimizer)) refuse("an optimizer is made inside of a block");
  if (type.optional) return result;
  if (type.is(Kind::boolean)) result.value = cpp::boolean(false);
  if (type.is_number() && !type.is(Kind::boolean)) result.value = cpp::number(0);
  if (type.is(Kind::device)) result.value = cpp::name("torch::kCPU");
  if (type.is(Kind::module)) result.value = cpp::braces({cpp::name("nullptr")});
  result.constructs = type.is(Kind::module);
  return result;
}

cpp::Expr as_sequential_part(const Value& module) {
  const bool row = is_torch_sequential(module.type);
  return row ? cpp::call("torchbook::nn::inner", {module.expr}).held_as("auto") : module.expr;
}

/// Returns C++'s None, after the call that returned it.
static Value none_after_call(const Value& none, std::string_view written) {
  auto expr = cpp::name(written);
  if (none.acts()) expr = cpp::let({{.kind = cpp::Evaluate{none.expr}}}, std::move(expr));
  return value_of(Kind::none, std::move(expr));
}

cpp::Expr printable(const Value& value) {
  refuse_unprintable(value);
  if (auto tuple = printable_tuple(value)) return tuple;
  if (value.is(Kind::none)) return none_after_call(value, "nullptr").expr;
  if (value.is(Kind::array)) return cpp::braces({value.expr}, printed_array);
  const bool container = value.is(Kind::list) || value.is(Kind::tuple) || value.is(Kind::dict);
  if (value.literal && value.elements.empty() && container) refuse("it prints an empty list or dict");
  if (value.is(Kind::deque) || value.is(Kind::counter))
    cpp_type(value.type);  // refuses one whose items are not known
  if (!value.literal || value.elements.empty()) return value.expr;
  std::vector<cpp::Expr> codes;
  const bool wraps = value.is(Kind::list) && is_any_module(value.type.items[0]);
  for (const auto& element : value.elements) {
    if (element.is(Kind::error)) refuse("it prints an exception within a list");
    const bool number = element.is(Kind::scalar) && value.is(Kind::tuple);
    codes.push_back(wraps    ? cpp::call(any_module, {as_sequential_part(element)})
                    : number ? as_any_number(element)
                             : printable(element));
  }
  auto whole = value.is(Kind::tuple) ? cpp::construct("std::make_tuple", codes)
               : value.type.items[0].is(Kind::array)
                   ? cpp::braces(codes, fmt::format("std::vector<{}>", printed_array))
                   : cpp::braces(codes, cpp_type(value.type));
  return cpp::after_statements_of(value.expr, std::move(whole));
}

Value list_with_type(const Value& value, const std::vector<Value>& elements, const Type& type) {
  auto parts = in_braces(elements).parts();
  const bool wraps = type.is(Kind::list) && is_any_module(type.items[0]);
  for (std::size_t i = 0; wraps && i < parts.size(); ++i)
    parts[i] = cpp::call(any_module, {as_sequential_part(elements[i])});
  return value_of(type, cpp::after_statements_of(value.expr, cpp::braces(std::move(parts), cpp_type(type))));
}

std::size_t place_in(std::size_t size, const std::string& at) {
  const auto place = std::stol(at) + (at.starts_with('-') ? static_cast<long>(size) : 0);
  if (place < 0 || static_cast<std::size_t>(place) >= size) refuse("an index is out of range");
  return static_cast<std::size_t>(place);
}

Value element_written_out(const Value& written, const std::string& at) {
  return element_at(written, place_in(written.elements.size(), at));
}

Value counted(std::size_t number) { return value_of(Kind::integer, cpp::number(number)); }

Value size_in_cpp(const Value& value) {
  return value_of(Kind::integer, cpp::cast("int64_t", cpp::method(value.expr, "size")));
}

cpp::Expr from_the_end(const cpp::Expr& list, const std::string& at) {
  if (!at.starts_with('-')) return cpp::subscript(list, cpp::number(at));
  if (at == "-1") return cpp::method(list, "back");
  return cpp::subscript(list, cpp::binary(cpp::method(list, "size"), "-", cpp::number(at.substr(1))));
}

void refuse_operands(const Value& left, const Value& right) {
  refuse("an operator takes {} and {}", in_words(left.type), in_words(right.type));
}

}  // namespace torchbook::translate
