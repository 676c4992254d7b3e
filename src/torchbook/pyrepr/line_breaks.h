// Breaks the text of a container into lines as Jupyter does.
#pragma once

#include <torchbook/pyrepr/composition.h>

#include <span>
#include <string>
#include <string_view>

namespace torchbook::pyrepr::inline v1::detail {

/// Returns the text with some of its breakable spaces as new lines. It follows IPython.lib.pretty, also where
/// that is surprising: a value of several lines breaks a group around it, and a group that began to break
/// stays so.
std::string with_line_breaks(std::string_view text, std::span<const Composition::Mark> marks);

}  // namespace torchbook::pyrepr::inline v1::detail
