// Resets the global and thread-local state of LibTorch.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/GeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <torchbook/notebook/fresh_state.h>

namespace torchbook::notebook {
namespace {

/// The state whose initial value depends on the process. All other state has a fixed default.
struct Begin {
  int threads = at::get_num_threads();
};

void restore() {
  static const Begin begin;  // is made while nothing has run
  pyrepr::set_print_options({});
  c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
  c10::GradMode::set_enabled(true);
  auto& context = at::globalContext();
  context.setDeterministicAlgorithms(/*b=*/false, /*warn_only=*/false);
  context.setFloat32MatmulPrecision("highest");
  context.setFlushDenormal(false);
  if (at::get_num_threads() != begin.threads) at::set_num_threads(begin.threads);
  at::manual_seed(c10::default_rng_seed_val);
}

}  // namespace

FreshState::FreshState() { restore(); }

FreshState::~FreshState() { restore(); }

}  // namespace torchbook::notebook
