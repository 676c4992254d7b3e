// Writes a small Jupyter notebook for tests of import.
#pragma once

#include <fmt/format.h>

#include <string>

namespace torchbook::test {

/// Returns a shell command that writes a small notebook with this source in its second cell.
inline std::string write_notebook(const std::string& source = "x") {
  return fmt::format(
      R"(printf '%s' '{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [)"
      R"({{"cell_type": "markdown", "source": "# Start"}},)"
      R"({{"cell_type": "code", "execution_count": 3, "source": "%matplotlib inline\nx = 1", "outputs": []}},)"
      R"({{"cell_type": "code", "execution_count": null, "source": "{}", "outputs": [)"
      R"({{"output_type": "execute_result", "data": {{"text/plain": "1"}}}}]}}]}}' >small.ipynb; )",
      source);
}

}  // namespace torchbook::test
