// Translates the methods of tensors that LibTorch spells in another way.
#include <fmt/format.h>
#include <torchbook/translate/dtypes.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Methods that change the dtype.
const std::map<std::string_view, std::string_view> conversions = {
    {"float", "torch::kFloat"},       {"double", "torch::kDouble"}, {"half", "torch::kHalf"},
    {"bfloat16", "torch::kBFloat16"}, {"int", "torch::kInt"},       {"long", "torch::kLong"},
    {"short", "torch::kShort"},       {"bool", "torch::kBool"},     {"byte", "torch::kUInt8"},
    {"char", "torch::kInt8"}};

/// Returns what `x.float()` or `x.to(dtype)` gives to LibTorch's `to`; empty if it is another method.
cpp::Expr conversion(std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  if (!arguments.named.empty()) return {};
  const auto found = conversions.find(name);
  if (found != conversions.end() && values.empty()) return cpp::name(std::string(found->second));
  if ((name != "to" && name != "type") || values.size() != 1) return {};
  if (values[0].is(Kind::dtype)) return values[0].expr;
  const bool device = name == "to" && (values[0].is(Kind::device) || values[0].is(Kind::string));
  return device ? device_code(values[0]) : cpp::Expr();
}

/// `x.float()`, `x.to(device)`; nullopt if it is another method. The result may be the tensor itself.
std::optional<Value> converted_tensor(const Value& tensor, std::string_view name,
                                      const Arguments& arguments) {
  const bool moves =
      (name == "cpu" || name == "cuda") && arguments.positional.empty() && arguments.named.empty();
  const auto to = moves ? cpp::Expr() : conversion(name, arguments);
  if (!moves && !to) return std::nullopt;
  auto value =
      tensor_of(moves ? cpp::method(tensor.expr, std::string(name)) : cpp::method(tensor.expr, "to", {to}));
  value.type = *common_type(value.type, tensor.type);
  value.type.know_numbers(tensor.type.numbers());
  value.type.know_detached(tensor.type.detached());
  value.type.know_dimensions(tensor.type.dimensions());
  const bool given = !arguments.positional.empty() && arguments.positional[0].is(Kind::dtype);
  if (given || conversions.contains(name)) value.type.know_numbers(numbers_of_dtype(to));
  return value;
}

}  // namespace

/// Whether the kinds of tensors' numbers hold: they are told apart only if none is complex.
bool Writer::knows_numbers() {
  if (!knows_numbers_) {
    knows_numbers_ = std::none_of(cells_.begin(), cells_.end(), [](const PythonCell& cell) {
      return cell.tree != nullptr && mentions_complex(Node(*cell.tree));
    });
  }
  return *knows_numbers_;
}

/// `x.item()`, of the type that it has in C++ if that is known
Value Translator::item_of_tensor(const Value& tensor) {
  static const std::map<Numbers, Kind> kinds = {{Numbers::unknown, Kind::scalar},
                                                {Numbers::boolean, Kind::boolean},
                                                {Numbers::integer, Kind::integer},
                                                {Numbers::floating, Kind::floating}};
  const auto kind = kinds.at(knows_numbers() ? tensor.type.numbers() : Numbers::unknown);
  const auto method = kind == Kind::scalar ? "item" : fmt::format("item<{}>", cpp_type(Type(kind)));
  return value_of(kind, cpp::method(tensor.expr, method));
}

/// `x.dim()`, `x.size(0)`, `x.is_contiguous()`; nullopt if it is another method.
std::optional<Value> Translator::told_of_tensor(const Value& tensor, std::string_view name,
                                                const Arguments& arguments) {
  static const std::map<std::string_view, std::pair<Kind, std::string_view>> plain = {
      {"dim", {Kind::integer, "dim"}},
      {"ndimension", {Kind::integer, "dim"}},
      {"numel", {Kind::integer, "numel"}},
      {"nelement", {Kind::integer, "numel"}},
      {"storage_offset", {Kind::integer, "storage_offset"}},
      {"element_size", {Kind::integer, "element_size"}},
      {"is_contiguous", {Kind::boolean, "is_contiguous"}},
      {"is_floating_point", {Kind::boolean, "is_floating_point"}},
      {"is_complex", {Kind::boolean, "is_complex"}}};
  const auto& base = tensor.expr;
  const auto& positional = arguments.positional;
  const bool bare = positional.empty() && arguments.named.empty();
  if (name == "item" && bare) return item_of_tensor(tensor);
  if (name == "size" && bare) return tensor_attribute(tensor, "shape");
  if (name == "size" && positional.size() == 1 && positional[0].is(Kind::integer))
    return value_of(Kind::integer, cpp::method(base, "size", {positional[0].expr}));
  if (name == "stride" && positional.size() == 1 && positional[0].is(Kind::integer))
    return value_of(Kind::integer, cpp::method(base, "stride", {positional[0].expr}));
  if (name == "stride" && bare) {
    return value_of(Type(types::List{types::Sequence::nested}),
                    cpp::braces({cpp::method(cpp::method(base, "strides"), "vec")}, "torchbook::Tuple"));
  }
  if (name == "data_ptr" && bare) return value_of(object_type("const void*"), cpp::method(base, "data_ptr"));
  const auto found = plain.find(name);
  if (found == plain.end() || !bare) return std::nullopt;
  return value_of(found->second.first, cpp::method(base, std::string(found->second.second)));
}

Value Translator::call_tensor_method(const Value& tensor, std::string_view name, const Arguments& arguments) {
  if (auto value = told_of_tensor(tensor, name, arguments)) return *value;
  if (name == "backward") return backward_of(tensor, arguments);
  if (auto value = converted_tensor(tensor, name, arguments)) return *value;
  static const std::set<std::string_view> others = {
      "type", "to", "stft", "istft", "register_hook", "split_with_sizes", "index", "item", "new_tensor"};
  if (others.contains(name))
    throw NotPorted(fmt::format("the method {} of a tensor is not translated", name));
  auto all = arguments;
  all.positional.insert(all.positional.begin(), tensor);
  if (auto value = call_carrying_method(name, all)) return *value;
  return call_torch(name, all, true);
}

}  // namespace torchbook::translate
