// Makes notebooks with nlohmann-json, so that every text in them is escaped.
#include <fmt/format.h>
#include <importing/notebooks.h>

#include <nlohmann/json.hpp>

namespace torchbook::test {

std::string notebook_of(const std::string& cells) {
  return fmt::format(R"({{"cells": [{}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}})", cells);
}

std::string code_cell(std::string_view source, std::string_view outputs, std::string_view count) {
  return fmt::format(
      R"({{"cell_type": "code", "id": "a", "metadata": {{}}, "execution_count": {}, "source": {}, "outputs": [{}]}})",
      count, nlohmann::json(source).dump(), outputs);
}

std::string markdown_cell(std::string_view source) {
  return fmt::format(R"({{"cell_type": "markdown", "metadata": {{}}, "source": {}}})",
                     nlohmann::json(source).dump());
}

std::string stdout_of(std::string_view text) {
  return fmt::format(R"({{"output_type": "stream", "name": "stdout", "text": {}}})",
                     nlohmann::json(text).dump());
}

std::string result_of(std::string_view plain) {
  return fmt::format(
      R"({{"output_type": "execute_result", "execution_count": 1, "metadata": {{}}, "data": {{"text/plain": {}}}}})",
      nlohmann::json(plain).dump());
}

importing::Draft draft_of_cells(const std::string& cells) {
  return importing::read_notebook(notebook_of(cells), "nb", "nb.ipynb");
}

std::string remarks_of(const importing::Draft& draft) {
  std::string text;
  for (const auto& remark : draft.remarks) {
    text += fmt::format("@{} [{}] {}\n", remark.position, remark.label, remark.what);
  }
  return text;
}

std::string error_of(std::string_view text, std::string_view file) {
  try {
    importing::read_notebook(text, "nb", file);
  } catch (const notebook::TextError& error) {
    return fmt::format("{}: {}", error.line, error.what());
  }
  return {};
}

}  // namespace torchbook::test
