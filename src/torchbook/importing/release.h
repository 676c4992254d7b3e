// Finds the release of PyTorch that made a notebook's outputs.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns the release that an output shows, such as `2.4.0+cu121`, if the cell's Python asks for it:
/// `torch.__version__` or `version("torch")`. Returns an empty text otherwise.
std::string shown_release(std::string_view python, std::string_view output);

/// Returns the release in a text that names PyTorch, such as `PyTorch 1.13 (GPU)`; empty if there is none.
std::string named_release(std::string_view text);

}  // namespace torchbook::importing
