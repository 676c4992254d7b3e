// A notebook whose notes have formulas.
#include <torchbook/notebook/notebook.h>

void formulas(torchbook::Notebook& nb) {
  nb.note("# Scaled attention");
  nb.note("Scores are divided by $\\sqrt{d_k}$, and `$x$` is code.");
  nb.note("## Where $Q \\cdot K < 1$");
  nb.note("$$\\text{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right)V$$");
  nb.note(
      "KaTeX cannot read $\\frac{1$ and $\\nothing$, and makes no link of $\\href{javascript:alert(1)}{x}$.");
  nb.cell("1");
  nb.print("computed");
}
