// Reads twins and checks that their cells are those of the notebooks.
#include <fmt/format.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/pyrepr/utf8.h>

namespace torchbook::cli {
namespace {

/// Throws TextError unless the text is UTF-8, the default encoding of Python source.
void require_utf8(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty()) {
    const auto [code, length] = pyrepr::detail::first_character(text);
    if (code >= 0xD800 && code < 0xE000) throw notebook::TextError(line, "this is no text in UTF-8");
    if (code == '\n') ++line;
    text.remove_prefix(length);
  }
}

Twin built_in_twin(const notebook::PortedNotebook& notebook) {
  if (notebook.twin_file.empty()) throw UsageError("the notebook has no twin");
  Twin twin{.file = std::string(notebook.twin_file), .cells = {}};
  for (const auto& entry : notebook.table) {
    twin.cells.push_back({.restored = entry.restored,
                          .label = std::string(entry.label),
                          .source = std::string(entry.twin),
                          .line = entry.twin_line});
  }
  return twin;
}

}  // namespace

Twin twin_of(const notebook::PortedNotebook& notebook, const std::string& folder) {
  if (folder.empty()) return built_in_twin(notebook);
  const auto path = fmt::format("{}/{}.py", folder, notebook.slug);
  const auto text = read_file(path);
  return notebook::in_file<UsageError>(path, [&] {
    require_utf8(text);
    Twin twin{.file = path, .cells = notebook::parse_twin(text)};
    notebook::require_same_cells(notebook.table, twin.cells, notebook.port_file);
    return twin;
  });
}

}  // namespace torchbook::cli
