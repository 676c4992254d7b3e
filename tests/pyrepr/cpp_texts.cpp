// Writes what cpp() returns of each tensor, which cpp_test.cpp includes.
#include <torchbook/pyrepr/describe.h>

#include <fstream>

#include "cpp_tensors.h"

int main(int, char** arguments) {
  std::ofstream out(arguments[1]);
  for (const at::Tensor& t : torchbook::test::tensors_of_cpp()) out << torchbook::pyrepr::cpp(t) << ",\n";
  return out.flush() ? 0 : 1;
}
