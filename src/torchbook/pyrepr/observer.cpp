// Keeps one active observer per thread. It is inactive while it handles a tensor.
#include <torchbook/pyrepr/observer.h>

#include <utility>

namespace torchbook::pyrepr::inline v1::detail {
namespace {

thread_local TensorObserver* current = nullptr;

}  // namespace

TensorObserver::TensorObserver() : outer_(std::exchange(current, this)) {}

TensorObserver::~TensorObserver() { current = outer_; }

Observed::Observed(const at::Tensor& tensor) : silence_(std::exchange(current, nullptr)) {
  if (silence_.observer != nullptr && tensor.defined()) silence_.observer->on_text_of(tensor);
}

Observed::Silence::~Silence() { current = observer; }

}  // namespace torchbook::pyrepr::inline v1::detail
