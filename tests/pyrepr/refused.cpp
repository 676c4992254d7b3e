// Must not compile: tests/support/refused_test.py expects an error for each marked line.
#include <ATen/core/Tensor.h>
#include <fmt/ranges.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace py = torchbook::pyrepr;

struct Unknown {};
struct InVector {};
struct Printed {};
struct InTuple {};

void f_strings(const at::Tensor& t) {
  py::f("{} and {}", t);       // refused: f_has_more_braces_than_arguments
  py::f("{}", t, 1);           // refused: f_has_more_arguments_than_braces
  py::f("no braces {{}}", t);  // refused: f_has_more_arguments_than_braces
  py::f("{}");                 // refused: f_has_more_braces_than_arguments
  py::f("{2}", 1, 2);          // refused: f_has_more_braces_than_arguments
  py::f("{} }", t);            // refused: f_has_a_single_brace_so_double_it
  py::f("{", t);               // refused: f_takes_numbers_in_braces_and_no_names
  py::f("{t}", t);             // refused: f_takes_numbers_in_braces_and_no_names
  py::f("{!a}", t);            // refused: f_takes_only_the_conversions_r_and_s
  py::f("{0} {}", t);          // refused: f_mixes_numbered_and_automatic_fields
  py::f("{:{:{}}}", 1, 2, 3);  // refused: f_nests_braces_too_deep
  py::f("{} {{ {:.2f}", t, t);
}

void unknown_types(const int* pointer, wchar_t wide, long double exact) {
  py::repr(Unknown());                      // refused: Specialize torchbook::pyrepr::Printer
  py::str(std::vector<InVector>());         // refused: Specialize torchbook::pyrepr::Printer
  py::print(Printed());                     // refused: Specialize torchbook::pyrepr::Printer
  py::f("{}", std::tuple<int, InTuple>());  // refused: Specialize torchbook::pyrepr::Printer
  py::format(wide, "");                     // refused: Specialize torchbook::pyrepr::Printer
  py::repr(exact);                          // refused: Specialize torchbook::pyrepr::Printer
  py::repr(pointer);                        // refused: pyrepr prints no pointers
  py::print(py::sep(", "), "a");            // refused: sep, end and file must come behind the values of print
  py::print("a", py::sep(", "), py::end(""));
}

void containers_in_fmt(const at::Tensor& t) {
  const std::tuple pair(t, 1);
  const std::map<std::string, at::Tensor> named{{"t", t}};
  fmt::format("{}", std::vector{t});  // refused: fmt does not print containers
  fmt::format("{}", pair);            // refused: fmt does not print containers|ambiguous
  fmt::format("{}", named);           // refused: fmt does not print containers|ambiguous
  fmt::format("{} {}", py::python(std::vector{t}), py::python(named));
}
