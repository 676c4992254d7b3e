// Fuzzes the reader of Jupyter notebooks.
#include <fuzz/fuzz.h>
#include <tools/import/draft.h>

TORCHBOOK_FUZZ(text) { torchbook::importing::read_notebook(text, "notebook", "notebook.ipynb"); }
