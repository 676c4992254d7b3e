// Prints and computes arrays as NumPy does: arrays IN OUT. IN has a list of arrays, a list of operands, and a
// list of arrays and axes. It prints str, repr and format of each array and NumPy 2's repr of its one number,
// with a null character after each, and writes what the operators give for each pair of operands, and sums,
// means and variances, to OUT; None if they throw. numpy_test.py compares both.
#include <torch/csrc/jit/serialization/pickle.h>
#include <torchbook/runtime/numpy.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <vector>

namespace {

namespace np = torchbook::np;

np::Operand operand(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor();
  if (value.isBool()) return value.toBool();
  return value.isInt() ? np::Operand(value.toInt()) : np::Operand(value.toDouble());
}

c10::impl::GenericList results(const c10::ArrayRef<c10::IValue>& operands) {
  c10::impl::GenericList all(c10::AnyType::get());
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    for (const auto function : {np::add, np::subtract, np::multiply, np::divide, np::less, np::less_equal,
                                np::greater, np::greater_equal, np::equal, np::not_equal}) {
      try {
        all.push_back(function(operand(operands[i]), operand(operands[i + 1])));
      } catch (const c10::Error&) {
        all.push_back(c10::IValue());
      }
    }
    if (!operands[i].isDouble() || !operands[i + 1].isDouble()) continue;
    const auto first = operands[i].toDouble();
    const auto second = operands[i + 1].toDouble();
    all.push_back(np::linspace(first, second, 1 + static_cast<std::int64_t>(i % 50)));
    all.push_back(np::arange(first, first + second, second / static_cast<double>(1 + i % 50)));
  }
  return all;
}

void add_sums(const c10::ArrayRef<c10::IValue>& given, c10::impl::GenericList& results) {
  for (std::size_t i = 0; i + 1 < given.size(); i += 2) {
    const auto array = given[i].toTensor();
    const auto axis = given[i + 1].toOptional<std::int64_t>();
    results.push_back(np::sum(array, axis));
    results.push_back(np::mean(array, axis, /*keepdims=*/true));
    results.push_back(np::var(array, axis, /*ddof=*/1));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  std::ifstream file(arguments[1], std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  const auto read = torch::jit::pickle_load(bytes);
  const auto given = read.toListRef();
  for (const auto& each : given[0].toListRef()) {
    const np::Array array{each.toTensor()};
    std::cout << np::str(array) << '\0' << np::repr(array) << '\0' << np::format(array, "") << '\0';
    const bool number = array.tensor.dim() == 0 && array.tensor.element_size() > 1;
    std::cout << (number ? np::Element(array.tensor, 2).repr() : "") << '\0';
  }
  auto computed = results(given[1].toListRef());
  add_sums(given[2].toListRef(), computed);
  const auto result = torch::jit::pickle_save(computed);
  std::ofstream(arguments[2], std::ios::binary)
      .write(result.data(), static_cast<std::streamsize>(result.size()));
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
