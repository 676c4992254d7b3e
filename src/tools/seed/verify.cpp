// Makes the tensor with LibTorch's generator, and compares its elements and its text.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <tools/seed/verify.h>
#include <torchbook/golden/printed_number.h>
#include <torchbook/pyrepr/tensor.h>

#include <algorithm>
#include <cctype>

namespace torchbook::seeds {
namespace {

using rng::Function;

at::Tensor tensor_of(const TensorCall& tensor, const rng::State& state) {
  const auto generator = at::detail::createCPUGenerator(state.seed);
  if (state.offset > 0) static_cast<void>(at::rand({state.offset}, generator, at::kFloat));
  const auto& call = tensor.call;
  switch (call.function) {
    case Function::rand:
      return at::rand(tensor.shape, generator, tensor.dtype);
    case Function::randn:
      return at::randn(tensor.shape, generator, tensor.dtype);
    case Function::randint:
      return at::randint(call.low, call.high, tensor.shape, generator, tensor.dtype);
    case Function::randperm:
      return at::randperm(call.count, generator, tensor.dtype);
    case Function::bernoulli:
      return at::bernoulli(at::full(tensor.shape, call.probability, at::kFloat), generator);
    case Function::mask:
      break;
  }
  auto mask = at::empty(tensor.shape, at::kFloat).bernoulli_(call.probability, generator);
  return tensor.dropout ? mask.div_(call.probability) : mask;
}

/// Returns the text of a tensor without spaces, and without requires_grad and grad_fn, which a
/// search does not know.
std::string comparable(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](unsigned char c) { return std::isspace(c) != 0; });
  for (const std::string_view word : {",requires_grad=", ",grad_fn="}) {
    const auto begin = rest.rfind(word);
    if (begin != rest.npos && rest.find(']', begin) == rest.npos) rest.replace(begin, rest.npos, ")");
  }
  return rest;
}

}  // namespace

bool reproduces(const TensorCall& call, const rng::State& state, const ShownElements& shown) {
  const auto flat = tensor_of(call, state).flatten();
  const bool same = std::all_of(shown.elements.begin(), shown.elements.end(), [&](const auto& element) {
    const golden::PrintedNumber number(element.second);
    const auto value = flat[element.first];
    return number.integer() ? number.shows(value.item().toLong()) : number.shows(value.item().toDouble());
  });
  if (!same || !shown.shape) return same;
  const auto count = c10::multiply_integers(*shown.shape);
  return comparable(pyrepr::Printer<at::Tensor>::repr(flat.narrow(0, 0, count).view(*shown.shape))) ==
         comparable(shown.text);
}

}  // namespace torchbook::seeds
