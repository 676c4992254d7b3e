// Must not compile. For each line marked below, f_errors_test.py expects a line of the compiler that names
// the mistake.
#include <torchbook/notebook/notebook.h>

void errors(torchbook::Notebook& nb, const at::Tensor& t) {
  using torchbook::f;
  nb.print(f("{} and {}", t));                       // f_has_more_braces_than_arguments
  nb.print(f("{}", t, 1));                           // f_has_more_arguments_than_braces
  nb.print(f("no braces {{}}", t));                  // f_has_more_arguments_than_braces
  nb.print(f("{}"));                                 // f_has_more_braces_than_arguments
  nb.print(f("{2}", 1, 2));                          // f_has_more_braces_than_arguments
  nb.print(torchbook::sep(", "), "a");               // sep and end must come behind the values of print
  nb.print(f("{} {{ {:.2f}", t, t), f("{}", 1), 2);  // compiles
}
