// Adds a notebook to a project's CMakeLists.txt.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns the line of CMake that adds a notebook.
std::string cmake_line(std::string_view slug);

/// Returns whether CMake code adds the notebook.
bool has_notebook(std::string_view cmake, std::string_view slug);

/// Returns whether CMake code adds a program of this name.
bool has_program(std::string_view cmake, std::string_view name);

/// Returns whether CMake code calls `project`, so that it can be configured by itself.
bool is_project(std::string_view cmake);

/// Returns the text with a line for the notebook: after the last notebook above `torchbook_add_program`, or
/// above that call. If the call names its notebooks, it gets the new one, too. Returns nullopt if there is no
/// such call.
std::optional<std::string> with_notebook(std::string_view cmake, std::string_view slug);

}  // namespace torchbook::importing
