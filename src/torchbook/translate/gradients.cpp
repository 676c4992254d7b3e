// Translates what asks autograd for gradients.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

#include <algorithm>
#include <array>

namespace torchbook::translate {
namespace {

/// Returns the bools of `retain_graph=…, create_graph=…` as arguments of C++, up to the last one that is
/// given.
std::string of_graph(const Arguments& arguments, std::size_t others) {
  const std::array names = {"retain_graph", "create_graph"};
  std::vector<std::string> codes;
  std::size_t given = 0;
  for (const auto* name : names) {
    const auto* value = arguments.find(name, arguments.positional.size());
    if (value != nullptr && !value->is(Kind::boolean)) throw NotPorted(fmt::format("{} is no bool", name));
    codes.push_back(fmt::format("/*{}=*/{}", name, value == nullptr ? "c10::nullopt" : value->code));
    if (value != nullptr) given = codes.size();
    others += value != nullptr ? 1 : 0;
  }
  if (others != arguments.positional.size() + arguments.named.size())
    throw NotPorted("a gradient is asked for with an argument that is not translated");
  codes.resize(given);
  return codes.empty() ? "" : fmt::format(", {}", fmt::join(codes, ", "));
}

}  // namespace

/// `x.backward(gradient, retain_graph=True)`
Value Translator::backward_of(const Value& tensor, const Arguments& arguments) {
  const auto* gradient = arguments.find("gradient", 0);
  if (gradient != nullptr && !gradient->is(Kind::tensor) && !gradient->is(Kind::none))
    throw NotPorted("backward is called in another form");
  const auto others = of_graph(arguments, gradient == nullptr ? 0 : 1);
  const bool given = gradient != nullptr && gradient->is(Kind::tensor);
  ++changes_;
  const auto first = given ? gradient->code : others.empty() ? "" : "/*gradient=*/{}";
  auto value =
      value_of(Kind::none, fmt::format("{}.backward({}{})", tensor.in(Binding::postfix), first, others));
  value.acts = true;
  return value;
}

/// `torch.autograd.grad(y, x, create_graph=True)`: a tuple.
Value Translator::gradients_of(const Arguments& arguments) {
  const auto& values = arguments.positional;
  if (values.size() != 2 || !values[0].is(Kind::tensor))
    throw NotPorted("torch.autograd.grad is called in another form");
  const bool several = values[1].literal && !values[1].elements.empty();
  if (!values[1].is(Kind::tensor) && !several)
    throw NotPorted("torch.autograd.grad is called in another form");
  const auto inputs = several ? values[1].elements : std::vector{values[1]};
  for (const auto& input : inputs) {
    if (!input.is(Kind::tensor)) throw NotPorted("torch.autograd.grad is called in another form");
  }
  auto graph = of_graph(arguments, 2);
  const auto outputs = graph.empty() ? "" : ", /*grad_outputs=*/{}";
  const auto gradients = scope().fresh("gradients");
  line(fmt::format("const auto {} = torch::autograd::grad({{{}}}, {}{}{});", gradients, values[0].code,
                   in_braces(inputs), outputs, graph));
  ++changes_;
  std::vector<std::string> codes;
  for (std::size_t i = 0; i < inputs.size(); ++i) codes.push_back(fmt::format("{}[{}]", gradients, i));
  return tuple_of_tensors(codes, {.kind = Kind::tensor});
}

}  // namespace torchbook::translate
