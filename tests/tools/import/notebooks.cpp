// Makes notebooks with nlohmann-json, so that every text in them is escaped.
#include <fmt/format.h>
#include <support/message_of.h>
#include <tools/import/notebooks.h>
#include <tools/import/update.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/table.h>

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
  return message_of<notebook::TextError>([&] { importing::read_notebook(text, "nb", file); });
}

std::string fault_of(const importing::Draft& draft) try {
  const auto golden = golden::parse_golden(golden::golden_text(draft.golden));
  const auto port = importing::port_text(draft), twin = importing::marked_twin(draft);
  const auto exceptions = importing::exceptions_text(draft);
  const auto port_cells = notebook::parse_port(port, "nb");
  const auto twin_cells = notebook::parse_twin(twin);
  const auto table = notebook::table_of(port_cells, twin_cells, "nb.cpp");
  if (golden.cells.size() != draft.cells.size() || table.size() != draft.cells.size())
    return "a cell is lost";
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto& read = golden.cells[i];
    const auto& shown = draft.golden.cells[i];
    const auto& cell = draft.cells[i];
    if (read.label != cell.label || read.out != shown.out || read.result != shown.result) {
      return fmt::format("the golden of cell @{} is read as another", i + 1);
    }
    if (table[i].twin != cell.twin.text || table[i].label != cell.label) {
      return fmt::format("the twin of cell @{} is read as another", i + 1);
    }
  }
  const importing::OldFiles old{.port = port, .twin = twin, .exceptions = exceptions};
  const auto again = importing::update(draft, old);
  const bool same = again.port == port && again.twin == twin && again.exceptions == exceptions;
  return same && again.kept == draft.cells.size() ? "" : "an update with the same notebook changes it";
} catch (const notebook::TextError& error) {
  return fmt::format("the build cannot read it: {}", error.in_file("file"));
}

}  // namespace torchbook::test
