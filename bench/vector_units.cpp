// Measures how many vector instructions of 512 bits this processor does a second, by kind. Each kernel
// repeats one instruction on fourteen registers, none of which waits for another one.
//
//   cmake --build --preset release --target torchbook_bench_units && build/release/bin/torchbook_bench_units
//
// Everything runs on one thread, and counts processor time. The least of all rounds counts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>

#ifdef __AVX512F__
namespace {

constexpr int rounds = 15, repetitions = 500'000, registers = 14;

alignas(64) std::uint32_t memory[16];

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

template <typename Kernel>
void tell(const char* name, int instructions, const Kernel& kernel) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_time();
    for (int i = 0; i < repetitions; ++i) kernel();
    best = std::min(best, processor_time() - start);
  }
  std::printf("%-34s %5.1f\n", name, 1e-9 * instructions * registers * repetitions / best);
}

}  // namespace

// A macro, because the text of asm must be a literal.
#define ON_EACH_REGISTER(text)                                                                              \
  [] {                                                                                                      \
    asm volatile(".altmacro\n.irp r,0,1,2,3,4,5,6,7,8,9,10,11,12,13\n" text "\n.endr\n" ::"r"(memory)       \
                 : "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7", "zmm8", "zmm9", "zmm10", \
                   "zmm11", "zmm12", "zmm13", "zmm14", "k1", "memory");                                     \
  }

int main() {
  std::printf("one thread, billions of instructions of 512 bits a second\n");
  tell("multiplications", 1, ON_EACH_REGISTER("vpmulld %%zmm15,%%zmm\\r,%%zmm\\r"));
  tell("shifts", 1, ON_EACH_REGISTER("vpsrld $30,%%zmm\\r,%%zmm\\r"));
  tell("exclusive ors", 1, ON_EACH_REGISTER("vpxord %%zmm15,%%zmm\\r,%%zmm\\r"));
  tell("ternary logic", 1, ON_EACH_REGISTER("vpternlogd $0x96,%%zmm15,%%zmm16,%%zmm\\r"));
  tell("additions", 1, ON_EACH_REGISTER("vpaddd %%zmm15,%%zmm\\r,%%zmm\\r"));
  tell("minima", 1, ON_EACH_REGISTER("vpminud %%zmm15,%%zmm\\r,%%zmm\\r"));
  tell("comparisons", 1, ON_EACH_REGISTER("vpcmpud $2,%%zmm15,%%zmm\\r,%%k1"));
  tell("loads", 1, ON_EACH_REGISTER("vmovdqa32 (%0),%%zmm\\r"));
  tell("stores", 1, ON_EACH_REGISTER("vmovdqa32 %%zmm\\r,(%0)"));
  tell("steps of the seeding, four each", 4,
       ON_EACH_REGISTER("vpsrld $30,%%zmm\\r,%%zmm14\nvpxord %%zmm14,%%zmm\\r,%%zmm\\r\n"
                        "vpmulld %%zmm15,%%zmm\\r,%%zmm\\r\nvpaddd %%zmm15,%%zmm\\r,%%zmm\\r"));
}
#else
int main() { std::puts("this processor has no vectors of 512 bits"); }
#endif
