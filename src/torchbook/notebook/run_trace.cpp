// Calls the operators of libtorchbook_trace.so, which torchbook.py calls in Python.
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <torchbook/notebook/run_trace.h>

#include <exception>
#include <stdexcept>

namespace torchbook::notebook {
namespace {

/// Calls an operator of the library, which is loaded. Returns what it returns.
template <class... Arguments>
torch::jit::Stack call(const char* name, Arguments&&... arguments) {
  const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow(fmt::format("torchbook_trace::{}", name).c_str(), "");
  torch::jit::Stack stack;
  (stack.emplace_back(std::forward<Arguments>(arguments)), ...);
  op.callBoxed(&stack);
  return stack;
}

/// Loads the library. It stays loaded, because LibTorch keeps the operators.
void load(const std::string& library) {
  if (::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return;
  throw std::runtime_error(fmt::format("{} cannot be loaded: {}", library, ::dlerror()));
}

}  // namespace

RunTrace::RunTrace(const std::string& library, const std::string& file, const Limits& limits) {
  load(library);
  const std::string no_python;
  call("start", file, limits.largest, limits.most, limits.most_of_a_part, no_python);
}

RunTrace::~RunTrace() {
  try {
    end(/*whole=*/false);
  } catch (const std::exception&) {  // what is cut off needs no further message
  }
}

void RunTrace::mark(std::string_view text) { call("mark", std::string(text)); }

void RunTrace::shown(std::string_view name, const at::Tensor& tensor) {
  constexpr std::int64_t is_shown = 3;  // NamedRole in tools/part/trace/format.h
  call("name_tensor", std::string(name), is_shown, tensor);
}

void RunTrace::finish() { end(/*whole=*/true); }

void RunTrace::end(bool whole) {
  if (!running_) return;
  running_ = false;
  call("finish", whole);
}

std::vector<std::string> beyond_rounding(const std::string& library, const std::string& trace) {
  load(library);
  return call("beyond_rounding", trace).at(0).to<std::vector<std::string>>();
}

}  // namespace torchbook::notebook
