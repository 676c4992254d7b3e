// Keeps the print options: one set for the process and an override for each thread.
#include <torchbook/pyrepr/options.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace torchbook::pyrepr::inline v1 {
namespace {

std::mutex process_mutex;
PrintOptions process_options;
thread_local std::optional<PrintOptions> thread_options;

void require_not_negative(const char* name, std::int64_t value) {
  if (value < 0) {
    throw std::invalid_argument(std::string("print option ") + name + " is " + std::to_string(value) +
                                "; it must be 0 or more");
  }
}

}  // namespace

const PrintOptions& checked(const PrintOptions& options) {
  require_not_negative("precision", options.precision);
  require_not_negative("edgeitems", options.edgeitems);
  require_not_negative("linewidth", options.linewidth);
  return options;
}

PrintOptions print_options() {
  if (thread_options) return *thread_options;
  const std::lock_guard lock(process_mutex);
  return process_options;
}

void set_print_options(const PrintOptions& options) {
  checked(options);
  const std::lock_guard lock(process_mutex);
  process_options = options;
}

ScopedPrintOptions::ScopedPrintOptions(const PrintOptions& options)
    : outer_(std::exchange(thread_options, checked(options))) {}

ScopedPrintOptions::~ScopedPrintOptions() { thread_options = outer_; }

}  // namespace torchbook::pyrepr::inline v1
