// Must not compile: tests/support/refused_test.py expects an error for each marked line.
#include <ATen/core/Tensor.h>
#include <fmt/ranges.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdint>
#include <forward_list>
#include <map>
#include <memory>
#include <optional>
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

void format_specs(const at::Tensor& t, const std::vector<int>& list, const std::optional<int>& perhaps) {
  py::f("{:d}", 1.5);          // refused: format_spec_has_a_type_that_the_argument_does_not_take
  py::f("{} {:.2f}", 1, "a");  // refused: format_spec_has_a_type_that_the_argument_does_not_take
  py::f("{!r:d}", 1);          // refused: format_spec_has_a_type_that_the_argument_does_not_take
  py::f("{:s}", t);            // refused: format_spec_has_a_type_that_the_argument_does_not_take
  py::f("{:s}", perhaps);      // refused: format_spec_has_a_type_that_the_argument_does_not_take
  py::f("{:>{:s}}", 1, 2);     // refused: format_spec_has_a_type_that_the_argument_does_not_take
  py::f("{:zz}", 1.5);         // refused: format_spec_is_not_readable
  py::f("{:2d }", true);       // refused: format_spec_is_not_readable
  py::f("{:.2}", 5);           // refused: format_spec_has_a_precision_but_the_argument_is_an_int
  py::f("{:.{}d}", 5, 2);      // refused: format_spec_has_a_precision_but_the_argument_is_an_int
  py::f("{:z}", 5);            // refused: format_spec_has_a_z_but_the_argument_is_an_int
  py::f("{:+c}", 65);          // refused: format_spec_has_a_sign_but_the_type_c
  py::f("{:#c}", 65);          // refused: format_spec_has_the_alternate_form_but_the_type_c
  py::f("{:.f}", 1.5);         // refused: format_spec_has_a_point_without_precision
  py::f("{:1000001}", 1.5);    // refused: format_spec_has_a_number_that_is_too_large
  py::f("{:,_}", 1.5);         // refused: format_spec_has_both_separators
  py::f("{:,s}", "a");         // refused: format_spec_has_a_separator_that_its_type_does_not_take
  py::f("{:=5}", "a");         // refused: format_spec_aligns_behind_a_sign_but_the_argument_is_a_text
  py::f("{:+}", "a");          // refused: format_spec_has_a_sign_but_the_argument_is_a_text
  py::f("{:z}", "a");          // refused: format_spec_has_a_z_but_the_argument_is_a_text
  py::f("{:#}", "a");          // refused: format_spec_has_the_alternate_form_but_the_argument_is_a_text
  py::f("{:08}", c10::complex<float>(1));  // refused: format_spec_pads_a_complex_number_with_zeros
  py::f("{:=8}", c10::complex<float>(1));  // refused: format_spec_aligns_a_complex_number_behind_its_sign
  py::f("{:d}", list);                     // refused: argument_takes_no_format_spec
  py::f("{:>{}}", nullptr, 5);             // refused: argument_takes_no_format_spec
  py::f("{:>9}", t.sizes());               // refused: argument_takes_no_format_spec
  fmt::format("{:s}", t);                  // refused: format_spec_has_a_type_that_the_argument_does_not_take
  py::f("{:{}} {:.2f} {:x} {:>{}} {:d}", list, "", t, t, 1.5, 5, perhaps);
}

void unknown_types(const int* pointer, wchar_t wide, long double exact) {
  py::repr(Unknown());                      // refused: pyrepr does not know how Python prints this type
  py::str(std::vector<InVector>());         // refused: pyrepr does not know how Python prints this type
  py::print(Printed());                     // refused: pyrepr does not know how Python prints this type
  py::f("{}", std::tuple<int, InTuple>());  // refused: pyrepr does not know how Python prints this type
  py::format(wide, "");                     // refused: pyrepr does not know how Python prints this type
  py::repr(exact);                          // refused: pyrepr does not know how Python prints this type
  py::repr(pointer);                        // refused: pyrepr prints no pointers
  py::repr(std::make_unique<int>(1));       // refused: pyrepr prints no pointers
  py::repr(std::forward_list<int>());       // refused: copy another container into a std::vector
  py::round(true, 1);                       // refused: use of deleted function
  py::round(std::uint64_t{1}, -1);          // refused: use of deleted function
  py::print(py::sep(", "), "a");            // refused: sep, end and file must come after the values of print
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
