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
#include <tools/part/trace/elements.h>
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

/// Adds the values in a value: those of a list, or itself.
void add_values(torch::jit::Stack& values, const c10::IValue& value) {
  if (!value.isList()) {
    if (!value.isNone() && !(value.isTensor() && !value.toTensor().defined())) values.push_back(value);
    return;
  }
  for (const auto& one : value.toListRef()) add_values(values, one);
}

/// Returns the tensors among values, also those in lists.
Tensors tensors_of(const torch::jit::Stack& stack) {
  torch::jit::Stack values;
  for (const auto& one : stack) add_values(values, one);
  Tensors tensors;
  for (const auto& one : values) {
    if (one.isTensor()) tensors.push_back(one.toTensor());
  }
  return tensors;
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

/// What a call returned, and its inputs after it.
struct Called {
  torch::jit::Stack outputs{};
  torch::jit::Stack inputs{};

  /// Returns the tensors that it returned, and then those that it was given.
  Tensors tensors() const {
    auto all = tensors_of(outputs);
    for (const auto& one : tensors_of(inputs)) all.push_back(one);
    return all;
  }
};

/// The inputs of an operation, of which each call gets copies, because it may write them.
class Call {
 public:
  Call(c10::OperatorHandle operation, torch::jit::Stack inputs)
      : operation_(std::move(operation)), inputs_(std::move(inputs)), tensors_(tensors_of(inputs_)) {}

  const Tensors& inputs() const { return tensors_; }
  /// Returns whether the operation computes on the CPU by code of its own, not only by other operations.
  bool has_kernel() const { return operation_.hasKernelForDispatchKey(c10::DispatchKey::CPU); }

  Called run() const {
    return called([](const at::Tensor& tensor) { return tensor.clone(); });
  }
  Tensors in_float64() const {
    return called(
               [](const at::Tensor& tensor) {
                 return tensor.to(in_double(tensor.scalar_type()), false, true);
               },
               true)
        .tensors();
  }
  /// Returns the result in float64 of inputs that are off by one rounding, up or down.
  Tensors perturbed(const at::Generator& signs) const {
    return called(
               [&](const at::Tensor& tensor) {
                 const auto type = tensor.scalar_type();
                 auto wide = tensor.to(in_double(type), false, true);
                 if (!at::isFloatingType(type) && !at::isComplexType(type)) return wide;
                 auto off = at::empty(tensor.sizes(), at::kDouble).random_(0, 2, signs).mul_(2).sub_(1);
                 return wide.mul(off.mul_(eps_of(type)).add_(1));
               },
               true)
        .tensors();
  }
  /// Returns how many numbers an output may sum. An operation that sums and gives as many numbers as it takes
  /// is known by its name, and sums along the longest dimension at most.
  double longest_sum(const at::Tensor& output) const {
    static constexpr std::string_view sums[] = {"mm",   "mv",      "matmul", "linear", "conv", "cum",
                                                "norm", "softmax", "lstm",   "gru",    "rnn",  "attention",
                                                "fft",  "linalg",  "var",    "std",    "loss", "einsum"};
    const auto& name = operation_.schema().name();
    const bool is_sum = std::ranges::any_of(sums, [&](auto one) { return name.find(one) != name.npos; });
    std::int64_t longest = 1;
    for (const auto& one : tensors_) {
      longest = std::max(longest, one.numel() / std::max<std::int64_t>(output.numel(), 1));
      for (const auto size : one.sizes()) longest = std::max(longest, is_sum ? size : 1);
    }
    return static_cast<double>(longest);
  }

 private:
  template <typename Change>
  Called called(const Change& change, bool widens = false) const {
    const auto& arguments = operation_.schema().arguments();
    torch::jit::Stack stack;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const bool names_dtype = widens && arguments[i].name() == "dtype" && inputs_[i].isInt();
      stack.push_back(names_dtype ? c10::IValue(static_cast<std::int64_t>(
                                        in_double(static_cast<at::ScalarType>(inputs_[i].toInt()))))
                                  : changed(inputs_[i], change));
    }
    auto inputs = stack;  // 1.13 returns references to them after it has dropped its own
    operation_.callBoxed(&stack);
    return {std::move(stack), std::move(inputs)};
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

/// Returns how many roundings an element may be off that sums so many numbers. They are an eighth of it at
/// most.
double slack_of(double longest_sum, at::ScalarType type) {
  return std::min(4 + std::sqrt(longest_sum - 1), 0.125 / eps_of(type));
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string element_words(const at::Tensor& tensor, std::int64_t element) {
  const auto one = tensor.reshape({-1})[element].contiguous();
  const auto bytes = trace::memory(one);
  return golden::element_text(bytes.data(), bytes.size(),
                              golden::element_format(pyrepr::dtype_name(one.scalar_type())));
}

/// Computes the operations of a trace again, in order.
class Again {
 public:
  Again(const ReadTrace& trace, const Texts& texts) : trace_(trace), texts_(texts), roles_(texts) {}

  std::vector<std::string> run() && {
    for (std::uint32_t step = 0; step < trace_.operations.size(); step = trace_.operations[step].next) {
      differs(step);
      beyond_.insert(beyond_.end(), unjudged_.begin(), unjudged_.end());
      unjudged_.clear();
    }
    return std::move(beyond_);
  }

 private:
  /// A tensor that an operation wrote: as it was recorded, and its place in Called::tensors().
  struct Result {
    std::uint32_t recorded = 0;
    std::size_t place = 0;
  };

  bool differs(std::uint32_t step);
  bool called_differ(std::uint32_t step);
  std::vector<Result> results_of(std::uint32_t step, const Call& call, const Tensors& now) const;
  std::optional<std::uint32_t> later(std::uint32_t step, std::uint32_t tensor) const;
  bool is_same(const Result& result, const Tensors& now) const;
  bool are_same_numbers(std::uint32_t step, const Called& now) const;
  std::string judged(const Call& call, const Tensors& now, const std::vector<Result>& results) const;
  std::string judged_draw(const Tensors& now, const std::vector<Result>& results) const;
  Call call_of(std::uint32_t step);
  at::Generator generator_of(const GeneratorState& state);
  c10::IValue value(const Value& value, const c10::TypePtr& type) const;
  at::Tensor tensor(std::uint32_t index) const;
  bool draws_inside(std::uint32_t step) const;
  std::string words(std::uint32_t step, std::string_view what) const;

  const ReadTrace& trace_;
  const Texts& texts_;
  Roles roles_;
  std::map<std::uint64_t, at::Generator> generators_{};  // by seed
  std::vector<std::string> beyond_{};
  std::vector<std::string>
      unjudged_{};  // operations that need another one's judgement: that of one that calls them
};

/// Returns whether an operation gives other bits here. Judges it if it computes more than those that it
/// called.
bool Again::differs(std::uint32_t step) {
  const auto& operation = trace_.operations[step];
  const auto role = roles_[operation.name];
  if (role == Role::makes_room || role == Role::nothing) return false;
  const bool is_draw = operation.before != no_operation;
  const bool is_operator = texts_[operation.name].find("::") != std::string::npos;
  if (!is_operator || (!is_draw && draws_inside(step))) return called_differ(step);
  std::optional<Call> call;
  Called now;
  try {
    call.emplace(call_of(step));
    now = call->run();
  } catch (const std::exception& error) {
    if (operation.next != step + 1) return called_differ(step);
    unjudged_.push_back(
        words(step, fmt::format("it cannot be computed again: {}", first_line(error.what()))));
    return true;
  }
  const auto before = unjudged_.size();
  try {
    const auto tensors = now.tensors();
    const auto results = results_of(step, *call, tensors);
    const bool same_numbers = are_same_numbers(step, now);
    if (same_numbers && std::ranges::all_of(results, [&](const auto& one) { return is_same(one, tensors); }))
      return false;
    const bool inner = !is_draw && called_differ(step);
    if (inner && !call->has_kernel() && unjudged_.size() == before) return true;
    const auto what = !same_numbers ? "it gives another number"
                      : is_draw     ? judged_draw(tensors, results)
                                    : judged(*call, tensors, results);
    unjudged_.resize(before);
    if (!what.empty()) beyond_.push_back(words(step, what));
  } catch (const std::exception& error) {
    unjudged_.push_back(
        words(step, fmt::format("it has no result in float64: {}", first_line(error.what()))));
  }
  return true;
}

/// Returns what an operation returned, and those of its inputs that it changes, as the program saw them next.
std::vector<Again::Result> Again::results_of(std::uint32_t step, const Call& call, const Tensors& now) const {
  const auto outputs = tensors_in(trace_, trace_.outputs(step));
  const auto inputs = tensors_in(trace_, trace_.inputs(step));
  if (now.size() != outputs.size() + inputs.size()) throw NotAgain("it gives another number of tensors");
  std::vector<Result> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) results.push_back({outputs[i], i});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto place = outputs.size() + i;
    const bool is_returned = std::ranges::any_of(
        outputs, [&](auto one) { return trace_.tensors[one].storage == trace_.tensors[inputs[i]].storage; });
    if (is_returned || trace::memory(call.inputs()[i].contiguous()) == trace::memory(now[place].contiguous()))
      continue;
    if (const auto seen = later(step, inputs[i])) results.push_back({*seen, place});
  }
  return results;
}

/// Returns a tensor as it was seen first after an operation, or nullopt if it was not.
std::optional<std::uint32_t> Again::later(std::uint32_t step, std::uint32_t tensor) const {
  std::uint32_t last = tensor;
  for (auto i = step; i < trace_.operations[step].next; ++i) {
    for (const auto values : {trace_.inputs(i), trace_.outputs(i)}) {
      for (const auto one : tensors_in(trace_, values)) last = std::max(last, one);
    }
  }
  const auto& of = trace_.tensors[tensor];
  for (auto i = last + 1; i < trace_.tensors.size(); ++i) {
    const auto& one = trace_.tensors[i];
    if (one.storage == of.storage && one.offset == of.offset && one.dtype == of.dtype &&
        std::ranges::equal(trace_.shape(one), trace_.shape(of)))
      return i;
  }
  return std::nullopt;
}

bool Again::is_same(const Result& result, const Tensors& now) const {
  const auto& seen = trace_.tensors[result.recorded];
  const auto& tensor = now[result.place];
  return std::ranges::equal(trace_.shape(seen), tensor.sizes()) &&
         (seen.hash == 0 || seen.hash == trace::hash_of(trace::memory(tensor.contiguous())));
}

/// Returns whether an operation gives the same numbers that are no tensors.
bool Again::are_same_numbers(std::uint32_t step, const Called& now) const {
  torch::jit::Stack values;
  for (const auto& one : now.outputs) add_values(values, one);
  std::erase_if(values, [](const auto& one) { return one.isTensor(); });
  std::size_t at = 0;
  for (const auto& one : flat(trace_, trace_.outputs(step))) {
    if (one.tag != Tag::whole && one.tag != Tag::real && one.tag != Tag::boolean) continue;
    if (at == values.size()) return false;
    const auto& value = values[at++];
    const bool same = one.tag == Tag::whole
                          ? value.isInt() && value.toInt() == static_cast<std::int64_t>(one.bits)
                      : one.tag == Tag::real
                          ? value.isDouble() && std::bit_cast<std::uint64_t>(value.toDouble()) == one.bits
                          : value.isBool() && value.toBool() == (one.bits != 0);
    if (!same) return false;
  }
  return true;
}

bool Again::called_differ(std::uint32_t step) {
  bool found = false;
  for (auto inner = step + 1; inner < trace_.operations[step].next; inner = trace_.operations[inner].next)
    found = differs(inner) || found;
  return found;
}

/// Says which element is off by more than rounding, on either side. Returns an empty text if none is.
std::string Again::judged(const Call& call, const Tensors& now, const std::vector<Result>& results) const {
  constexpr int trials = 8;
  const auto exact = call.in_float64();
  const auto signs = at::detail::createCPUGenerator(1);
  std::vector<Tensors> perturbed;
  perturbed.reserve(trials);
  for (int i = 0; i < trials; ++i) perturbed.push_back(call.perturbed(signs));
  for (const auto& result : results) {
    const auto place = result.place;
    if (trace_.tensors[result.recorded].hash == 0) continue;
    const auto mine = tensor(result.recorded);
    const auto& other = now.at(place);
    if (mine.sizes() != other.sizes() || mine.scalar_type() != other.scalar_type())
      return "it gives another shape";
    const bool is_rounded = mine.is_floating_point() || mine.is_complex();
    auto spread = at::zeros(mine.sizes(), at::kDouble);
    for (const auto& one : perturbed) {
      if (is_rounded) spread.add_(one.at(place).sub(exact.at(place)).abs().square());
    }
    spread = spread.div(trials).sqrt().nan_to_num(0, 0, 0);
    const double slack = is_rounded ? slack_of(call.longest_sum(mine), mine.scalar_type()) : 0;
    const auto& wanted = is_rounded ? exact.at(place) : other;
    for (const auto& [one, where] : {std::pair(mine, ""), std::pair(other, " with the settings")}) {
      if (const auto found = first_beyond(one, wanted, spread, slack))
        return fmt::format("element {} of its output is {}{}, and {} in float64", *found,
                           element_words(one, *found), where, element_words(wanted, *found));
    }
  }
  return {};
}

/// Says whether other numbers are drawn, by more than 16 roundings of the largest: the angle of a normal
/// number is up to 2 pi, and each kernel rounds it, its cosine and the logarithm of the radius in its own
/// way.
std::string Again::judged_draw(const Tensors& now, const std::vector<Result>& results) const {
  for (const auto& result : results) {
    const auto& seen = trace_.tensors[result.recorded];
    const auto mine = elements_of(trace_, texts_, seen);
    const auto drawn = now[result.place].contiguous();
    const std::string dtype = "torch." + texts_[seen.dtype];
    const golden::TensorView wanted(dtype, trace_.shape(seen), trace::memory(drawn));
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
  const bool writes_over = roles_[operation.name] == Role::overwrites || name.find("out", dot) != name.npos;
  torch::jit::Stack stack;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto* const alias = arguments[i].alias_info();
    const bool is_unread = writes_over && alias != nullptr && alias->isWrite();
    for (const auto one : tensors_in(trace_, inputs.subspan(i, 1))) {
      const auto shape = trace_.shape(trace_.tensors[one]);
      const bool is_empty = std::ranges::find(shape, 0) != shape.end();
      if (trace_.tensors[one].hash == 0 && !is_empty && !is_unread)
        throw NotAgain("an input is not recorded");
    }
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
  if (trace::hash_of(trace::memory(generator.get_state())) != state.hash)
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

std::string Again::words(std::uint32_t step, std::string_view what) const {
  const auto& operation = trace_.operations[step];
  const auto in_parentheses = operation.line == 0 ? "" : fmt::format(" ({})", texts_[operation.line]);
  const auto at = operation.mark == 0 ? "" : fmt::format(" at {}", texts_[operation.mark]);
  return fmt::format("{}{}{}: {}", plain_name(texts_[operation.name]), in_parentheses, at, what);
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
