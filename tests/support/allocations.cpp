// Replaces the global operator new by one that counts. Link it into a test's executable.
#include <support/allocations.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace torchbook::test {
namespace {

std::atomic<std::size_t> asked_for{0};

}  // namespace

std::size_t bytes_asked_for() { return asked_for; }

}  // namespace torchbook::test

#ifndef __SANITIZE_ADDRESS__
void* operator new(std::size_t size) {
  torchbook::test::asked_for += size;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
