// Breaks the text of a container into lines as Jupyter does.
#pragma once

#include <torchbook/pyrepr/composition.h>

#include <span>
#include <string>
#include <string_view>

namespace torchbook::pyrepr::inline v1::detail {

/// Returns the text with some of its breakable spaces replaced by new lines. Follows
/// IPython.lib.pretty even in its surprises: a multi-line value breaks a group around it, and once
/// a group has started to break, the rest of it breaks too.
std::string with_line_breaks(std::string_view text, std::span<const Composition::Mark> marks);

}  // namespace torchbook::pyrepr::inline v1::detail
