// Makes the page that shows where two traces part.
#pragma once

#include <torchbook/report/parting.h>

namespace torchbook::report {

/// Returns the comparison as an HTML file that loads nothing. It shows the differences, and below them the
/// operations of both sides side by side.
std::string parting_html(const Parting& parting);

}  // namespace torchbook::report
