// Records the operations that LibTorch runs on a thread, through the callbacks of its profiler.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <tools/part/trace/checksum.h>
#include <tools/part/trace/recorder.h>
#include <torchbook/notebook/fingerprint.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace torchbook::trace {
namespace {

constexpr std::uint8_t backward = 1;  // flag of a node of the backward graph

/// Returns whether an operator is not part of what a program computes.
bool is_apart(std::string_view name) {
  return name.starts_with("profiler::") || name.starts_with("torchbook_trace::");
}

/// Returns the position of the first argument that is a generator, or -1.
std::int64_t generator_of(const c10::FunctionSchema& schema) {
  const auto& arguments = schema.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].type()->str().starts_with("Generator")) return static_cast<std::int64_t>(i);
  }
  return -1;
}

/// Returns the names of an operator's arguments: `self,other,alpha`.
std::string argument_names(const c10::FunctionSchema& schema) {
  std::string names;
  for (const auto& argument : schema.arguments()) names += (names.empty() ? "" : ",") + argument.name();
  return names;
}

/// Returns whether an operator returns views of its arguments' memory and does not write to it.
bool is_view(const c10::FunctionSchema& schema) {
  static constexpr std::array<std::string_view, 8> only_of_strides = {
      "aten::as_strided_", "aten::detach_", "aten::squeeze_",   "aten::swapaxes_",
      "aten::swapdims_",   "aten::t_",      "aten::transpose_", "aten::unsqueeze_"};
  if (std::find(only_of_strides.begin(), only_of_strides.end(), schema.name()) != only_of_strides.end())
    return true;
  const auto& returns = schema.returns();
  return !returns.empty() && std::all_of(returns.begin(), returns.end(), [](const c10::Argument& one) {
    return one.alias_info() != nullptr && !one.alias_info()->isWrite();
  });
}

/// Returns the text of a trace's run record: what runs, and the fingerprint.
std::string run_text(const std::string& python) {
  const auto here = notebook::fingerprint();
  const nlohmann::ordered_json run = {{"language", python.empty() ? "C++" : "Python"},
                                      {"recorder", "callbacks"},
                                      {"libtorch", here.torch.substr(here.torch.find(' ') + 1)},
                                      {"build", here.build},
                                      {"capability", here.cpu_capability},
                                      {"onednn", here.onednn},
                                      {"blas", here.blas},
                                      {"threads", here.threads},
                                      {"compiler", python.empty() ? here.compiler : python}};
  return run.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Returns whether nothing was drawn from a CPU generator since it was seeded. In its state, `left` follows
/// the seed, and `next` follows `left` and another int.
bool is_fresh(std::string_view state) {
  constexpr std::string_view left_is_1("\1\0\0\0", 4);
  constexpr std::string_view next_is_0("\0\0\0\0\0\0\0\0", 8);
  constexpr std::size_t left_at = 8;
  constexpr std::size_t next_at = 16;
  return state.size() > next_at && state.substr(left_at).starts_with(left_is_1) &&
         state.substr(next_at).starts_with(next_is_0);
}

/// Adds the seed and the state hash of an operation's generator, or of the default CPU generator if it is
/// None.
void add_generator(Payload& payload, bool has_one, const c10::IValue& generator) {
  if (!has_one) return payload.add(no_generator);
  const bool is_defined = generator.isGenerator() && generator.isPtrType();  // `at::Generator()` is none
  auto one = is_defined ? generator.toGenerator() : at::detail::getDefaultCPUGenerator();
  // A calling operation may already hold the lock. The state can then be read without it.
  const std::unique_lock<std::mutex> lock(one.mutex(), std::try_to_lock);
  const at::Tensor state = one.get_state();
  const std::string_view bytes{static_cast<const char*>(state.data_ptr()),
                               static_cast<std::size_t>(state.numel())};
  payload.add(is_fresh(bytes) ? fresh_generator : used_generator);
  payload.add(one.current_seed());
  payload.add(hash_of(bytes));
}

}  // namespace

thread_local Recorder* Recorder::current = nullptr;

// LibTorch also runs the callbacks on threads that it starts for an operation. `current` is null on
// these.

std::unique_ptr<at::ObserverContext> Recorder::before(const at::RecordFunction& function) {
  if (current == nullptr || current->writer_.failed()) return nullptr;
  const at::DisableRecordFunctionGuard not_our_own;
  try {
    return current->begin(function);
  } catch (const std::exception& error) {
    current->writer_.fail(error.what());
    return nullptr;
  }
}

void Recorder::after(const at::RecordFunction& function, at::ObserverContext* context) {
  auto* open = static_cast<Open*>(context);
  if (open == nullptr || current == nullptr || open->recorder != current) return;
  current->innermost_ = open->caller;
  if (open->skipped || current->writer_.failed()) return;
  const at::DisableRecordFunctionGuard not_our_own;
  try {
    current->end(*open, function.outputs());
  } catch (const std::exception& error) {
    current->writer_.fail(error.what());
  }
}

Recorder::Recorder(const std::string& file, const Options& options, const std::string& python,
                   FindPlace find_place)
    : writer_((current == nullptr ? file
                                  : throw std::runtime_error(file + ": another trace of this thread runs")),
              options),
      find_place_(std::move(find_place)),
      most_of_a_part_(options.most_of_a_part) {
  writer_.record(RecordKind::run, run_text(python));
  handle_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(before, after)
          .needsInputs(true)
          .needsOutputs(true)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  current = this;
}

Recorder::~Recorder() { stop(); }

void Recorder::stop() {
  if (current != this) return;
  at::removeCallback(handle_);
  current = nullptr;
}

void Recorder::finish(bool whole) {
  stop();
  if (whole) {
    Payload payload;
    payload.add(begun_);
    writer_.record(RecordKind::finished, payload.bytes());
  }
  writer_.finish();
}

void Recorder::mark(std::string_view text) {
  of_this_part_ = 0;
  Payload payload;
  payload.add(writer_.string(text));
  writer_.record(RecordKind::mark, payload.bytes());
}

void Recorder::name(std::string_view name, std::uint8_t role, const at::Tensor& tensor) {
  if (!tensor.defined()) return;
  const at::DisableRecordFunctionGuard not_our_own;
  Payload payload;
  payload.add(writer_.string(name));
  payload.add(role);
  values_.add_tensor(payload, tensor, Seen::given);
  writer_.record(RecordKind::named, payload.bytes());
  const auto dot = name.rfind('.');
  if (role < 2 && dot != name.npos) values_.belongs_to(tensor, writer_.string(name.substr(0, dot)));
}

std::unique_ptr<Recorder::Open> Recorder::begin(const at::RecordFunction& function) {
  const auto* operation = operation_of(function);
  if (operation == nullptr || operation->skipped) return nullptr;
  const std::span<const c10::IValue> inputs(function.inputs().data(), function.inputs().size());
  auto open = std::make_unique<Open>();
  open->recorder = this;
  open->operation = operation;
  open->caller = innermost_;
  place(*open, inputs);
  innermost_ = open.get();
  if (open->skipped) return open;
  if (operation->generator >= 0 && operation->generator < static_cast<std::int64_t>(inputs.size())) {
    open->generator = inputs[static_cast<std::size_t>(operation->generator)];
  }
  if (operation->resizes && !inputs.empty() && inputs[0].isTensor() && inputs[0].toTensor().has_storage()) {
    open->bytes_before = inputs[0].toTensor().storage().nbytes();
  }
  Payload payload;
  payload.add(operation->name);
  payload.add(open->module);
  payload.add(open->line);
  payload.add(operation->is_node ? backward : std::uint8_t{0});
  add_generator(payload, operation->generator >= 0, open->generator);
  values_.add_all(payload, inputs, open->seen);
  writer_.record(RecordKind::begin, payload.bytes());
  ++begun_;
  return open;
}

/// Sets the place of an operation. Its module is that of its caller, of the running code, or of its
/// parameters.
void Recorder::place(Open& open, std::span<const c10::IValue> inputs) {
  if (open.caller != nullptr) {
    open.module = open.caller->module;
    open.line = open.caller->line;
    open.skipped = open.caller->skipped;
    if (!open.caller->operation->is_node) open.seen = Seen::inside;
  } else if (most_of_a_part_ != 0 && ++of_this_part_ > most_of_a_part_) {
    open.skipped = true;
  } else if (find_place_) {
    const auto place = find_place_();
    open.module = writer_.string(place.module);
    open.line = writer_.string(place.line);
    open.skipped = place.skipped;
  }
  if (open.module == 0) open.module = values_.module_of(inputs);
}

void Recorder::end(const Open& open, std::span<const c10::IValue> outputs) {
  const bool fills = open.operation->gives_uninitialised || open.operation->resizes;
  if (fills && !outputs.empty() && outputs[0].isTensor()) {
    fill_uninitialised(outputs[0].toTensor(), open.bytes_before);
  }
  Payload payload;
  add_generator(payload, open.operation->generator >= 0, open.generator);
  values_.add_all(payload, outputs, open.operation->views ? open.seen : Seen::written);
  writer_.record(RecordKind::end, payload.bytes());
}

const Recorder::Operation* Recorder::operation_of(const at::RecordFunction& function) {
  if (const auto name = function.operator_name()) return operator_of(*name);
  if (function.scope() != at::RecordScope::BACKWARD_FUNCTION)
    return nullptr;  // only a heading of the profiler
  auto& node = nodes_[function.name()];
  if (node.name == 0) node = {.name = writer_.string(function.name()), .is_node = true};
  return &node;
}

const Recorder::Operation* Recorder::operator_of(const c10::OperatorName& name) {
  const auto known = operators_.find(name);
  if (known != operators_.end()) return &known->second;
  Operation operation;
  operation.skipped = is_apart(name.name);
  if (!operation.skipped) {
    const auto handle = c10::Dispatcher::singleton().findSchema(name);
    operation.name =
        writer_.string(name.overload_name.empty() ? name.name : name.name + '.' + name.overload_name);
    operation.generator = handle ? generator_of(handle->schema()) : -1;
    operation.views = handle && is_view(handle->schema());
    operation.resizes = name.name == "aten::resize_" || name.name == "aten::resize_as_";
    operation.gives_uninitialised =
        (name.name.starts_with("aten::empty") || name.name.starts_with("aten::new_empty")) &&
        name.overload_name != "out";
    if (handle) {
      Payload payload;
      payload.add(operation.name);
      payload.add(writer_.string(argument_names(handle->schema())));
      writer_.record(RecordKind::arguments, payload.bytes());
    }
  }
  return &operators_.emplace(name, operation).first->second;
}

}  // namespace torchbook::trace
