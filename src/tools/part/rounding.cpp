// Computes operations again with LibTorch. Belongs to libtorchbook_trace.so, because torchbook-part needs no
// LibTorch.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>
#include <tools/part/memory.h>
#include <tools/part/rounding.h>
#include <tools/part/tensor_bits.h>
#include <tools/part/trace/checksum.h>
#include <torch/library.h>
#include <torchbook/golden/tensor_difference.h>
#include <torchbook/pyrepr/dtype.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

namespace torchbook::trace_diff {
namespace {

using Tensors = std::vector<at::Tensor>;

/// Why an operation cannot be computed again.
struct NotAgain : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::optional<at::ScalarType> dtype_named(const std::string& name) {
  for (int i = 0; i < static_cast<int>(at::ScalarType::NumOptions); ++i) {
    const auto type = static_cast<at::ScalarType>(i);
    if (pyrepr::dtype_name(type) == name) return type;
  }
  return std::nullopt;
}

at::ScalarType in_double(at::ScalarType type) {
  if (at::isComplexType(type)) return at::kComplexDouble;
  return at::isFloatingType(type) ? at::kDouble : type;
}

double eps_of(at::ScalarType type) {
  return std::ldexp(1, -golden::element_format(pyrepr::dtype_name(type)).part.mantissa);
}

/// Returns the bytes of a contiguous tensor.
std::string_view bytes_of(const at::Tensor& tensor) {
  const auto size = static_cast<std::size_t>(tensor.numel()) * tensor.element_size();
  return {size == 0 ? "" : static_cast<const char*>(tensor.data_ptr()), size};
}

/// Gives a dense tensor the strides that were recorded. An operation may use other kernels for others.
at::Tensor with_strides(at::Tensor dense, std::span<const std::int64_t> strides) {
  const auto shape = dense.sizes().vec();
  if (dense.numel() == 0 || strides.size() != shape.size()) return dense;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (strides[i] == 0) dense = dense.narrow(static_cast<std::int64_t>(i), 0, 1);
  }
  auto own =
      at::empty_strided(dense.sizes(), at::IntArrayRef(strides.data(), strides.size()), dense.options());
  own.copy_(dense);
  return own.expand(shape);
}

/// Adds the tensors in a value, also those in lists.
void add_tensors(Tensors& tensors, const c10::IValue& value) {
  if (value.isTensor() && value.toTensor().defined()) tensors.push_back(value.toTensor());
  if (!value.isList()) return;
  for (const auto& one : value.toListRef()) add_tensors(tensors, one);
}

/// Returns a value with each of its tensors changed.
template <typename Change>
c10::IValue changed(const c10::IValue& value, const Change& change) {
  if (value.isTensor() && value.toTensor().defined()) return change(value.toTensor());
  if (!value.isList()) return value;
  auto list = value.toList().copy();
  for (std::size_t i = 0; i < list.size(); ++i) list.set(i, changed(list.get(i), change));
  return list;
}

/// The inputs of an operation, of which each call gets copies, because it may write them.
class Call {
 public:
  Call(c10::OperatorHandle operation, torch::jit::Stack inputs)
      : operation_(std::move(operation)), inputs_(std::move(inputs)) {
    for (const auto& one : inputs_) add_tensors(tensors_, one);
  }

  Tensors outputs() const {
    return called([](const at::Tensor& tensor) { return tensor.clone(); });
  }
  Tensors in_float64() const {
    return called(
        [](const at::Tensor& tensor) { return tensor.to(in_double(tensor.scalar_type()), false, true); },
        true);
  }
  /// Returns the outputs in float64 of inputs that are off by one rounding, up or down.
  Tensors perturbed(const at::Generator& signs) const {
    return called(
        [&](const at::Tensor& tensor) {
          const auto type = tensor.scalar_type();
          const auto wide = tensor.to(in_double(type), false, true);
          if (type == in_double(type) && type != at::kDouble && type != at::kComplexDouble) return wide;
          auto off = at::empty(tensor.sizes(), at::kDouble).random_(0, 2, signs).mul_(2).sub_(1);
          return wide.mul(off.mul_(eps_of(type)).add_(1));
        },
        true);
  }
  /// Returns how many numbers an output may sum: the longest dimension, or the inputs per output.
  double longest_sum(const Tensors& outputs) const {
    std::int64_t longest = 1;
    std::int64_t most = 1;
    for (const auto& one : tensors_) {
      for (const auto size : one.sizes()) longest = std::max(longest, size);
      most = std::max(most, one.numel());
    }
    for (const auto& one : outputs)
      longest = std::max(longest, most / std::max<std::int64_t>(one.numel(), 1));
    return static_cast<double>(longest);
  }

 private:
  template <typename Change>
  Tensors called(const Change& change, bool widens = false) const {
    const auto& arguments = operation_.schema().arguments();
    torch::jit::Stack stack;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const bool names_dtype = widens && arguments[i].name() == "dtype" && inputs_[i].isInt();
      stack.push_back(names_dtype ? c10::IValue(static_cast<std::int64_t>(
                                        in_double(static_cast<at::ScalarType>(inputs_[i].toInt()))))
                                  : changed(inputs_[i], change));
    }
    operation_.callBoxed(&stack);
    Tensors outputs;
    for (const auto& one : stack) add_tensors(outputs, one);
    return outputs;
  }

  c10::OperatorHandle operation_;
  torch::jit::Stack inputs_;
  Tensors tensors_;
};

/// Returns the index of the first element that is further from the result in float64 than `slack` roundings
/// of it and of the inputs, or nullopt.
std::optional<std::int64_t> first_beyond(const at::Tensor& recorded, const at::Tensor& exact,
                                         const at::Tensor& spread, double slack) {
  const auto type = recorded.scalar_type();
  const auto mine = recorded.to(in_double(type));
  const auto wanted = exact.to(type).to(in_double(type));  // infinity where the dtype has no such number
  constexpr double smallest = 2e-38;                       // a kernel may give 0 for what is nearer to it
  const auto most =
      exact.abs().mul(eps_of(type)).add(spread).mul(slack).add(type == at::kDouble ? 0 : smallest);
  const auto is_near =
      mine.isfinite().logical_and(wanted.isfinite()).logical_and(mine.sub(wanted).abs().le(most));
  const auto is_same = mine.eq(wanted).logical_or(mine.isnan().logical_and(wanted.isnan()));
  const auto beyond = is_same.logical_or(is_near).logical_not().reshape({-1}).nonzero();
  return beyond.numel() == 0 ? std::nullopt : std::optional(beyond[0].item<std::int64_t>());
}

std::string element_words(const at::Tensor& tensor, std::int64_t element) {
  const auto one = tensor.reshape({-1})[element].contiguous();
  const auto bytes = bytes_of(one);
  return golden::element_text(bytes.data(), bytes.size(),
                              golden::element_format(pyrepr::dtype_name(one.scalar_type())));
}

/// Computes the operations of a trace again, in order.
class Again {
 public:
  Again(const ReadTrace& trace, const Texts& texts) : trace_(trace), texts_(texts), roles_(texts) {}

  std::vector<std::string> run() && {
    for (std::uint32_t step = 0; step < trace_.operations.size(); step = trace_.operations[step].next)
      differs(step);
    return std::move(beyond_);
  }

 private:
  bool differs(std::uint32_t step);
  bool called_differ(std::uint32_t step);
  std::string judged(std::uint32_t step, const Call& call, const Tensors& outputs) const;
  std::string judged_draw(std::uint32_t step, const Tensors& outputs) const;
  Call call_of(std::uint32_t step);
  at::Generator generator_of(const GeneratorState& state);
  c10::IValue value(const Value& value, const c10::TypePtr& type) const;
  at::Tensor tensor(std::uint32_t index) const;
  bool draws_inside(std::uint32_t step) const;
  void add(std::uint32_t step, std::string_view what);

  const ReadTrace& trace_;
  const Texts& texts_;
  Roles roles_;
  std::map<std::uint64_t, at::Generator> generators_{};  // by seed
  std::vector<std::string> beyond_{};
};

/// Returns whether an operation gives other bits here. Judges it if none that it called does.
bool Again::differs(std::uint32_t step) {
  const auto& operation = trace_.operations[step];
  const auto role = roles_[operation.name];
  if (role == Role::makes_room || role == Role::nothing) return false;
  const bool is_draw = operation.before != no_operation;
  const bool is_leaf = operation.next == step + 1;
  const bool is_operator = texts_[operation.name].find("::") != std::string::npos;
  if (!is_operator || (!is_draw && draws_inside(step))) return called_differ(step);
  try {
    const auto call = call_of(step);
    const auto outputs = call.outputs();
    const auto recorded = tensors_in(trace_, trace_.outputs(step));
    if (outputs.size() != recorded.size()) throw NotAgain("it gives another number of tensors");
    const bool same =
        std::equal(recorded.begin(), recorded.end(), outputs.begin(), [&](auto index, const auto& one) {
          const auto& seen = trace_.tensors[index];
          return seen.hash == 0 || seen.hash == trace::hash_of(bytes_of(one.contiguous()));
        });
    if (same) return false;
    if (!is_draw && called_differ(step)) return true;
    if (const auto what = is_draw ? judged_draw(step, outputs) : judged(step, call, outputs); !what.empty())
      add(step, what);
  } catch (const std::exception& error) {
    if (!is_leaf) return called_differ(step);
    const std::string_view why = error.what();
    add(step, fmt::format("it cannot be computed again: {}", why.substr(0, why.find('\n'))));
  }
  return true;
}

bool Again::called_differ(std::uint32_t step) {
  bool found = false;
  for (auto inner = step + 1; inner < trace_.operations[step].next; inner = trace_.operations[inner].next)
    found = differs(inner) || found;
  return found;
}

/// Says which element is off by more than rounding. Returns an empty text if none is.
std::string Again::judged(std::uint32_t step, const Call& call, const Tensors& outputs) const {
  constexpr int trials = 8;
  const auto exact = call.in_float64();
  const auto signs = at::detail::createCPUGenerator(1);
  std::vector<Tensors> spread;
  for (int i = 0; i < trials; ++i) spread.push_back(call.perturbed(signs));
  const double slack = 4 + std::sqrt(call.longest_sum(outputs));
  const auto recorded = tensors_in(trace_, trace_.outputs(step));
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (trace_.tensors[recorded[i]].hash == 0) continue;
    const auto mine = tensor(recorded[i]);
    auto of_inputs = at::zeros(mine.sizes(), at::kDouble);
    const bool is_rounded = mine.is_floating_point() || mine.is_complex();
    for (const auto& one : spread) {
      if (is_rounded) of_inputs.add_(one.at(i).sub(exact.at(i)).abs().square());
    }
    const auto& wanted = is_rounded ? exact.at(i) : outputs.at(i);
    const auto found =
        first_beyond(mine, wanted, of_inputs.sqrt().nan_to_num(0, 0, 0), is_rounded ? slack : 0);
    if (found) {
      return fmt::format("element {} of its output is {}, and {} in float64", *found,
                         element_words(mine, *found), element_words(wanted, *found));
    }
  }
  return {};
}

/// Says whether other numbers are drawn, by more than 16 roundings of the largest: the angle of a normal
/// number is up to 2 pi, and each kernel rounds it, its cosine and the logarithm of the radius in its own
/// way.
std::string Again::judged_draw(std::uint32_t step, const Tensors& outputs) const {
  const auto recorded = tensors_in(trace_, trace_.outputs(step));
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const auto mine = elements_of(trace_, texts_, trace_.tensors[recorded[i]]);
    const auto drawn = outputs[i].contiguous();
    const golden::TensorView wanted("torch." + texts_[trace_.tensors[recorded[i]].dtype],
                                    trace_.shape(trace_.tensors[recorded[i]]), bytes_of(drawn));
    if (!mine || !mine->whole || !golden::are_near(wanted, mine->tensor(), {.ulps = 16}))
      return "it draws other numbers from the same state of the generator";
  }
  return {};
}

Call Again::call_of(std::uint32_t step) {
  const auto& operation = trace_.operations[step];
  const auto& name = texts_[operation.name];
  const auto dot = name.find('.', name.find("::"));
  const auto handle = c10::Dispatcher::singleton().findSchema(
      {name.substr(0, dot), dot == name.npos ? "" : name.substr(dot + 1)});
  if (!handle) throw NotAgain("this LibTorch does not have it");
  const auto& arguments = handle->schema().arguments();
  const auto inputs = trace_.inputs(step);
  if (inputs.size() != arguments.size()) throw NotAgain("not all its arguments are recorded");
  torch::jit::Stack stack;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& type = arguments[i].type();
    const bool is_generator = type->str().starts_with("Generator");
    if (is_generator && operation.before != no_operation) {
      stack.emplace_back(generator_of(trace_.generators[operation.before]));
    } else {
      stack.push_back(value(inputs[i], type));
    }
  }
  return {*handle, std::move(stack)};
}

/// Returns a generator in a recorded state. The draws before this one left it in that state.
at::Generator Again::generator_of(const GeneratorState& state) {
  auto& generator = generators_[state.seed];
  if (state.is_fresh || !generator.defined()) generator = at::detail::createCPUGenerator(state.seed);
  if (trace::hash_of(bytes_of(generator.get_state())) != state.hash)
    throw NotAgain("the state of its generator is not known");
  return generator;
}

c10::IValue Again::value(const Value& value, const c10::TypePtr& type) const {
  if (const auto optional = type->cast<c10::OptionalType>())
    return this->value(value, optional->getElementType());
  switch (value.tag) {
    case Tag::none:
      return {};
    case Tag::tensor:
      return tensor(value.index);
    case Tag::whole:
      return static_cast<std::int64_t>(value.bits);
    case Tag::real:
      return std::bit_cast<double>(value.bits);
    case Tag::boolean:
      return value.bits != 0;
    case Tag::text:
      return type->str() == "Device" ? c10::IValue(c10::Device(texts_[value.index]))
                                     : c10::IValue(texts_[value.index]);
    case Tag::complex:
      return c10::complex<double>(std::bit_cast<double>(value.bits), std::bit_cast<double>(value.imaginary));
    case Tag::list: {
      const auto of = type->cast<c10::ListType>();
      if (!of) break;
      c10::impl::GenericList list(of->getElementType());
      for (const auto& one : trace_.part({value.index, value.count}))
        list.push_back(this->value(one, of->getElementType()));
      return list;
    }
    case Tag::other:
      break;
  }
  throw NotAgain(fmt::format("its argument of type {} is not recorded", type->str()));
}

at::Tensor Again::tensor(std::uint32_t index) const {
  const auto& seen = trace_.tensors[index];
  const auto type = dtype_named("torch." + texts_[seen.dtype]);
  if (!type || !seen.strided || texts_[seen.device] != "cpu")
    throw NotAgain("its tensors are not dense ones of the CPU");
  const auto shape = trace_.shape(seen);
  auto dense = at::zeros(at::IntArrayRef(shape.data(), shape.size()), *type);
  if (dense.numel() != 0 && seen.hash != 0) {
    const auto elements = elements_of(trace_, texts_, seen);
    if (!elements || !elements->whole) throw NotAgain("the trace holds only the beginning of a tensor");
    std::memcpy(dense.data_ptr(), elements->bytes.data(), elements->bytes.size());
  }
  return with_strides(dense, trace_.strides(seen));
}

bool Again::draws_inside(std::uint32_t step) const {
  for (auto i = step + 1; i < trace_.operations[step].next; ++i) {
    if (trace_.operations[i].before != no_operation) return true;
  }
  return false;
}

void Again::add(std::uint32_t step, std::string_view what) {
  const auto& operation = trace_.operations[step];
  const auto in_parentheses = operation.line == 0 ? "" : fmt::format(" ({})", texts_[operation.line]);
  const auto at = operation.mark == 0 ? "" : fmt::format(" at {}", texts_[operation.mark]);
  beyond_.push_back(fmt::format("{}{}{}: {}", plain_name(texts_[operation.name]), in_parentheses, at, what));
}

}  // namespace

std::vector<std::string> beyond_rounding(const std::string& bytes) {
  Texts texts;
  const auto trace = read_trace(bytes, texts);
  if (!trace.finished) throw TraceError("the trace was cut off");
  const at::NoGradGuard no_grad;
  return Again(trace, texts).run();
}

TORCH_LIBRARY_FRAGMENT(torchbook_trace, library) {
  library.def("beyond_rounding(str trace) -> str[]", beyond_rounding);
}

}  // namespace torchbook::trace_diff
