// Makes the rows of the page that shows where two traces part.
#pragma once

#include <torchbook/report/parting.h>
#include <torchbook/report/site/templates.h>

namespace torchbook::report {

/// How many differences the page has. A row that follows from a later one has no link to it.
inline constexpr std::size_t most_page_differences = 100;

/// Returns `runs`, `more_rows` and `rows_left_out` for the template. Consecutive operations that gave the
/// same bits are a run that is folded, and of traces with many operations only its length is told.
Data rows_data(const Parting& parting);

}  // namespace torchbook::report
