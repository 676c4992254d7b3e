// Must not compile: tests/support/refused_test.py expects an error for each marked line.
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/transcript.h>

void refused(torchbook::Notebook& nb, const at::Tensor& t) {
  using torchbook::f;
  nb.print(f("{} and {}", t));          // refused: f_has_more_braces_than_arguments
  nb.print(f("{:d}", 1.5));             // refused: format_spec_has_a_type_that_the_argument_does_not_take
  nb.print(torchbook::sep(", "), "a");  // refused: sep, end and file must come after the values of print
  torchbook::notebook::Transcript().cells();  // refused: use of deleted function
  const torchbook::notebook::Transcript transcript;
  transcript.cells();
  nb.print(f("{} {{ {:.2f}", t, t), f("{}", 1), 2);
}
