// A notebook that has the slug of a page of the site.
#include <torchbook/notebook/notebook.h>

void porting(torchbook::Notebook& nb) {
  nb.cell("1");
  nb.print("refused");
}
