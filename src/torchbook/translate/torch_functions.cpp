// Translates the functions and methods of PyTorch that LibTorch spells in another way.
#include <fmt/format.h>
#include <torchbook/translate/numbers.h>
#include <torchbook/translate/translator.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>

namespace torchbook::translate {
namespace {

/// Functions of Python that do more than those of the same name in LibTorch.
const std::set<std::string_view> other_functions = {
    "unique_consecutive", "tensordot", "stft", "istft", "load", "save", "from_numpy", "set_printoptions"};

/// Functions without arguments.
const std::map<std::string_view, std::pair<Kind, std::string_view>> plain = {
    {"cuda.is_available", {Kind::boolean, "torch::cuda::is_available()"}},
    {"cuda.device_count", {Kind::integer, "torch::cuda::device_count()"}},
    {"backends.mps.is_available", {Kind::boolean, "at::hasMPS()"}},
    {"get_default_dtype", {Kind::dtype, "torch::get_default_dtype()"}},
    {"is_grad_enabled", {Kind::boolean, "torch::GradMode::is_enabled()"}}};

/// Adds the kinds of the numbers in a list of lists. Returns whether there are only numbers.
bool add_kinds(const Value& value, std::set<Kind>& kinds) {
  if (value.type.is_number()) {
    kinds.insert(value.type.kind);
    return !value.is(Kind::scalar);
  }
  return value.literal && !value.elements.empty() &&
         std::all_of(value.elements.begin(), value.elements.end(),
                     [&](const Value& element) { return add_kinds(element, kinds); });
}

/// Returns lists that are written out with the parts of the tuples in them that have names.
Value with_parts(Value value) {
  const bool named = value.is(Kind::tuple) && !value.literal && !value.temporary && value.type.name.empty();
  if (named) {
    value.elements = parts_of(value);
    value.literal = true;
  }
  for (auto& element : value.elements) element = with_parts(std::move(element));
  return value;
}

/// Returns how deep lists are nested that are written out.
int depth(const Value& value) {
  if (value.is(Kind::list) && !value.literal) return 1;
  return value.elements.empty() ? 0 : 1 + depth(value.elements[0]);
}

void make_floating(Value& value) {
  if (value.is(Kind::integer)) value.code = floating_literal(value);
  for (auto& element : value.elements) make_floating(element);
}

/// Whether a list of lists has an int that is not written out.
bool has_long(const Value& value) {
  return (value.is(Kind::integer) && (!value.literal || value.code.size() > 9)) ||
         std::any_of(value.elements.begin(), value.elements.end(), has_long);
}

/// Gives ints that are written out the type of those that are not: LibTorch does not mix them in a list.
void make_long(Value& value) {
  if (value.is(Kind::integer) && value.literal) value.code = fmt::format("int64_t{{{}}}", value.code);
  for (auto& element : value.elements) make_long(element);
}

/// Returns the type of a list's items; that of None if it is no list, or empty.
Type item_of_list(const Type& list) {
  return list.is(Kind::list) && !list.items.empty() ? list.items[0] : Type{};
}

/// Returns the kind that a dtype among the arguments gives, or else the one of the numbers.
Numbers numbers_of_made(const Arguments& arguments, Numbers numbers) {
  for (const auto& [name, given] : arguments.named) {
    if (given.is(Kind::dtype)) return numbers_of_dtype(given.code);
  }
  return numbers;
}

/// Whether a list that is written out has lists of ints, which are not.
bool holds_lists_of_ints(const Value& value) {
  return value.is(Kind::list) && value.literal &&
         std::all_of(value.elements.begin(), value.elements.end(), [](const Value& element) {
           return element.is(Kind::list) && !element.literal &&
                  element.type == list_of({.kind = Kind::integer});
         });
}

/// Gives the numbers of a list of lists one type. Returns their kind.
Numbers make_alike(Value& value) {
  std::set<Kind> kinds;
  if (!add_kinds(value, kinds)) throw NotPorted("torch.tensor takes something else than numbers");
  if (kinds.contains(Kind::boolean) && kinds.size() > 1)
    throw NotPorted("torch.tensor takes bools and numbers");
  if (kinds.size() > 1) {
    make_floating(value);
  } else if (has_long(value)) {
    make_long(value);
  }
  auto numbers = Numbers::unknown;
  for (const auto kind : kinds) numbers = std::max(numbers, numbers_of(Type{.kind = kind}));
  return numbers;
}

}  // namespace

/// `torch.tensor([[1, 2], [3, 4]])`
Value Translator::tensor_literal(const Arguments& arguments) {
  const auto* data = arguments.find("data", 0);
  if (data == nullptr || arguments.positional.size() > 1)
    throw NotPorted("torch.tensor is called in another form");
  std::vector<std::string> taken;
  if (arguments.positional.empty()) taken.emplace_back("data");
  auto chosen = options(arguments, taken);
  if (taken.size() != arguments.named.size())
    throw NotPorted("torch.tensor has an argument that is not translated");
  if (!chosen.empty()) chosen = ", " + chosen;
  auto value = with_parts(*data);
  if ((value.is(Kind::list) || value.is(Kind::tuple)) && value.literal && value.elements.empty()) {
    return tensor_of(fmt::format("torch::empty({{0}}{})", chosen));
  }
  const bool of_lists = holds_lists_of_ints(value);
  if (of_lists) value = typed(value, value.type);
  value.literal = value.literal && !of_lists;
  const auto item = value.literal ? Type{} : item_of_list(value.type);
  const auto made = [&](std::string code, Numbers numbers) {
    auto tensor = tensor_of(std::move(code));
    tensor.type.numbers = numbers_of_made(arguments, numbers);
    tensor.type.dimensions = depth(value);
    return tensor;
  };
  const auto inner = item_of_list(item);
  if (inner.is(Kind::integer) || inner.is(Kind::floating)) {
    need("#include <torchbook/notebook/tensor_lists.h>");
    auto tensor = made(fmt::format("torchbook::tensor({}{})", value.code, chosen), numbers_of(inner));
    tensor.type.dimensions = 2;
    return tensor;
  }
  if (item.is_number() && !item.is(Kind::scalar))
    return made(fmt::format("torch::tensor({}{})", value.code, chosen), numbers_of(item));
  const auto numbers = make_alike(value);
  return made(fmt::format("torch::tensor({}{})",
                          value.elements.empty() ? value.code : in_braces(value.elements), chosen),
              numbers);
}

/// Whether an expression in C++ has the name of something that is or holds a tensor, which may have
/// gradients.
bool Writer::reads_tensors(std::string_view code) const {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto holds = [](const Type& type) {
    return !type.is_number() && !type.is(Kind::string) && !type.is(Kind::size) && !type.is(Kind::dtype) &&
           !type.is(Kind::device);
  };
  for (std::size_t at = 0; at < code.size();) {
    const auto start = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(), is_part);
    const auto end = std::find_if_not(start, code.end(), is_part);
    const std::string word(start, end);
    at = static_cast<std::size_t>(end - code.begin());
    const bool member = start != code.begin() && start != code.end() &&
                        std::string_view(":.>").find(*(start - 1)) != std::string_view::npos;
    if (word.empty() || member) continue;
    for (const Frame* frame = frame_; frame != nullptr; frame = frame->outer) {
      if (const auto* variable = frame->scope.with_code(word); variable != nullptr && holds(variable->type))
        return true;
    }
    if (frame_->of_class == nullptr) continue;
    for (const auto& [name, type] : frame_->of_class->members) {
      if (frame_->of_class->codes.at(name) == word && holds(type)) return true;
    }
  }
  return false;
}

/// `nn.Parameter(x)`: a leaf with the numbers of x.
Value Translator::parameter(const Arguments& arguments) {
  const auto* data = arguments.find("data", 0);
  const auto* wanted = arguments.find("requires_grad", 1);
  if (data == nullptr || !data->is(Kind::tensor)) throw NotPorted("nn.Parameter is called in another form");
  const bool trains = wanted == nullptr || wanted->code == "true";
  if (!trains && wanted->code != "false")
    throw NotPorted("whether a parameter is trained is not written out");
  auto value = *data;
  if (!data->temporary || reads_tensors(data->code))
    value = tensor_of(data->in(Binding::postfix) + ".detach()");
  if (trains) {
    value.code = value.in(Binding::postfix) + ".requires_grad_()";
    value.binding = Binding::postfix;
  }
  value.type = parameter_type();
  return value;
}

/// `Variable(x, requires_grad=True)`: what tensors were before they had gradients themselves.
Value Translator::variable_of(const Arguments& arguments) {
  const auto* data = arguments.find("data", 0);
  const auto* wanted = arguments.find("requires_grad", 1);
  const auto used = std::size_t{1} + (wanted != nullptr);
  if (data == nullptr || !data->is(Kind::tensor) || (wanted != nullptr && !wanted->is(Kind::boolean)) ||
      used != arguments.positional.size() + arguments.named.size())
    throw NotPorted("Variable is called in another form");
  auto value = *data;
  value.code = value.in(Binding::postfix) + ".detach()";
  if (wanted != nullptr && wanted->code != "false")
    value.code += fmt::format(".requires_grad_({})", wanted->code == "true" ? "" : wanted->code);
  value.binding = Binding::postfix;
  value.type.name.clear();
  value.temporary = true;
  return value;
}

/// `torch.FloatTensor([1, 2])` and `torch.Tensor(2, 3)`; nullopt if it is another function.
std::optional<Value> Translator::call_typed_tensor(std::string_view name, const Arguments& arguments) {
  static const std::map<std::string_view, std::string_view> dtypes = {
      {"Tensor", "torch::kFloat32"},       {"FloatTensor", "torch::kFloat32"},
      {"DoubleTensor", "torch::kFloat64"}, {"LongTensor", "torch::kInt64"},
      {"IntTensor", "torch::kInt32"},      {"BoolTensor", "torch::kBool"}};
  const auto found = dtypes.find(name);
  if (found == dtypes.end()) return std::nullopt;
  auto given = arguments;
  const auto& values = given.positional;
  const bool sizes = !values.empty() && std::all_of(values.begin(), values.end(),
                                                    [](const Value& each) { return each.is(Kind::integer); });
  const bool one = values.size() == 1 && (values[0].is(Kind::list) || values[0].is(Kind::tuple));
  if ((!sizes && !one) || !given.named.empty())
    throw NotPorted(fmt::format("torch.{} is called in a form that is not translated", name));
  given.named.emplace_back("dtype", value_of(Kind::dtype, std::string(found->second)));
  return one ? tensor_literal(given) : call_torch("empty", given, false);
}

std::optional<Value> Translator::call_special(std::string_view name, const Arguments& arguments) {
  const auto& positional = arguments.positional;
  if (name == "manual_seed" || name == "random.manual_seed") {
    const auto* seed = arguments.find("seed", 0);
    if (seed == nullptr || !seed->is(Kind::integer)) throw NotPorted("the seed is no int");
    auto value = value_of(Kind::generator, fmt::format("torch::manual_seed({})", seed->code));
    value.acts = true;
    return value;
  }
  if (name == "set_printoptions") return print_options(arguments);
  if (const auto found = plain.find(name);
      found != plain.end() && positional.empty() && arguments.named.empty()) {
    return value_of(found->second.first, std::string(found->second.second));
  }
  if (name == "Generator" && positional.empty()) {
    need("#include <ATen/CPUGeneratorImpl.h>");
    return value_of(Kind::random, "at::make_generator<at::CPUGeneratorImpl>()");
  }
  if (name == "device" && positional.size() == 1 && positional[0].is(Kind::string)) {
    return value_of(Kind::device, fmt::format("torch::Device({})", positional[0].code));
  }
  if (name == "einsum" && positional.size() > 1 && positional[0].is(Kind::string)) {
    std::vector<Value> tensors(positional.begin() + 1, positional.end());
    if (tensors.size() == 1 && !tensors[0].elements.empty()) tensors = tensors[0].elements;
    for (const auto& tensor : tensors) {
      if (!tensor.is(Kind::tensor)) throw NotPorted("torch.einsum is called in another form");
    }
    return tensor_of(fmt::format("torch::einsum({}, {})", positional[0].code, in_braces(tensors)));
  }
  const bool range = name == "range" && positional.size() == 2 && arguments.named.empty();
  if (range && positional[0].type.is_number() &&
      positional[1].type.is_number()) {  // without a step, C++ has two
    return tensor_of(fmt::format("torch::range({}, {}, /*step=*/1)", positional[0].code, positional[1].code));
  }
  if (auto value = call_carrier(name, arguments)) return *value;
  if (name == "is_tensor" && positional.size() == 1) {
    return value_of(Kind::boolean, positional[0].is(Kind::tensor) ? "true" : "false");
  }
  if (other_functions.contains(name)) throw NotPorted(fmt::format("torch.{} is not translated", name));
  return std::nullopt;
}

}  // namespace torchbook::translate
