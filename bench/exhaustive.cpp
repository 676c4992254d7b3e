// Compares the fast digits of src/torchbook/pyrepr/decimal.h with the exact path for every positive float32
// at precision 4, in fixed and in scientific notation. Negative values have the same digits.
#include <fmt/format.h>
#include <torchbook/pyrepr/decimal.h>

#include <atomic>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace torchbook::pyrepr;

constexpr int precision = 4;
constexpr std::uint32_t first_infinite = 0x7F800000;

struct Counts {
  std::uint64_t values = 0;
  std::uint64_t fixed = 0;       // decided by the fast path in fixed notation
  std::uint64_t scientific = 0;  // decided by the fast path in scientific notation
  std::uint64_t wrong = 0;
};

/// Returns the digits of a text, without its point, as a number.
std::int64_t digits_of(std::string_view text) {
  std::int64_t digits = 0;
  for (const char c : text) {
    if (c != '.') digits = 10 * digits + (c - '0');
  }
  return digits;
}

void check_fixed(double value, Counts& counts) {
  const auto digits = fixed_digits(value, precision);
  if (digits == not_certain) return;
  ++counts.fixed;
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, precision).ptr;
  if (digits_of({text, static_cast<std::size_t>(end - text)}) != digits) ++counts.wrong;
}

void check_scientific(double value, Counts& counts) {
  const auto [digits, exponent] = scientific_digits(value, precision);
  if (digits == not_certain) return;
  ++counts.scientific;
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, precision).ptr;
  const std::string_view exact(text, static_cast<std::size_t>(end - text));
  const auto e = exact.find('e');
  int exact_exponent = 0;
  std::from_chars(text + e + (text[e + 1] == '+' ? 2 : 1), end, exact_exponent);
  if (digits_of(exact.substr(0, e)) != digits || exact_exponent != exponent) ++counts.wrong;
}

Counts check_range(std::uint32_t from, std::uint32_t to) {
  Counts counts;
  for (std::uint32_t bits = from; bits < to; ++bits) {
    const double value = std::bit_cast<float>(bits);
    check_fixed(value, counts);
    check_scientific(value, counts);
    ++counts.values;
  }
  return counts;
}

}  // namespace

int main() {
  constexpr std::uint32_t slice = 1 << 23;  // one binary exponent
  std::atomic<std::uint32_t> next{0};
  std::vector<Counts> results(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] {
      for (std::uint32_t from = next.fetch_add(slice); from < first_infinite; from = next.fetch_add(slice)) {
        const Counts counts = check_range(from, std::min(from + slice, first_infinite));
        result.values += counts.values;
        result.fixed += counts.fixed;
        result.scientific += counts.scientific;
        result.wrong += counts.wrong;
        fmt::print(stderr, "\r{:3} of 255 exponents", from / slice + 1);
      }
    });
  }
  Counts total;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i].join();
    total.values += results[i].values;
    total.fixed += results[i].fixed;
    total.scientific += results[i].scientific;
    total.wrong += results[i].wrong;
  }
  fmt::print(stderr, "\n");
  fmt::print("{} values, {} decided fast in fixed and {} in scientific notation: {} wrong\n", total.values,
             total.fixed, total.scientific, total.wrong);
  return total.wrong == 0 ? 0 : 1;
}
