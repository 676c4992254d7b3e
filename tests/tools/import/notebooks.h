// Makes small notebooks for tests.
#pragma once

#include <tools/import/draft.h>

#include <string>
#include <string_view>

namespace torchbook::test {

/// Returns a notebook of nbformat 4.5 with these cells, each a JSON text.
std::string notebook_of(const std::string& cells);

/// Returns a code cell of nbformat 4 as a JSON text. `outputs` are JSON texts with commas between them.
std::string code_cell(std::string_view source, std::string_view outputs = "", std::string_view count = "1");

std::string markdown_cell(std::string_view source);

/// Returns a stream of stdout as a JSON text.
std::string stdout_of(std::string_view text);

/// Returns a result as a JSON text.
std::string result_of(std::string_view plain);

/// Returns the draft of a notebook of these cells, named `nb.ipynb` and `nb`.
importing::Draft draft_of_cells(const std::string& cells);

/// Returns all remarks of a draft, a line each: `@1 [7] what`.
std::string remarks_of(const importing::Draft& draft);

/// Returns the error that reading a text throws, with its line: `3: what`. Empty if it throws none.
std::string error_of(std::string_view text, std::string_view file = "nb.ipynb");

/// Returns the fault in the files made from a draft; empty if there is none. The build must be able
/// to read them and find the draft's cells, and an update with the same notebook must not change
/// them.
std::string fault_of(const importing::Draft& draft);

}  // namespace torchbook::test
