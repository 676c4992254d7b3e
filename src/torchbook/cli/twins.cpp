// Reads twins, and holds their cells to those of the notebooks.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/twins.h>
#include <torchbook/pyrepr/utf8.h>

namespace torchbook::cli {
namespace {

constexpr std::string_view built_in_folder = "built-in";

void require_utf8(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty()) {
    const auto [code, length] = pyrepr::first_character(text);
    if (code >= 0xD800 && code < 0xE000) throw notebook::TextError(line, "it is no text in UTF-8");
    if (code == '\n') ++line;
    text.remove_prefix(length);
  }
}

void require_cells_of(const std::vector<notebook::TwinCell>& twin,
                                const notebook::Transcript& outline) {
  const auto cells = outline.cells();
  auto next = cells.begin();
  std::size_t line = 1;
  for (const auto& cell : twin) {
    line = cell.line;
    if (cell.restored) continue;
    if (next == cells.end()) {
      throw notebook::TextError(
          line, fmt::format("In [{}] is one cell too many; the notebook has {}", cell.label, cells.size()));
    }
    if ((*next)->label != cell.label) {
      throw notebook::TextError(line, fmt::format("In [{}] stands where the notebook has In [{}] (@{})",
                                                  cell.label, (*next)->label, (*next)->position));
    }
    ++next;
  }
  if (next == cells.end()) return;
  throw notebook::TextError(line, fmt::format("no cell follows, and the notebook has In [{}] (@{}) there",
                                              (*next)->label, (*next)->position));
}

}  // namespace

NamedText file_of(const notebook::PortedNotebook& notebook, std::string_view built_in,
                  const std::string& folder, std::string_view suffix, std::string_view what) {
  const auto name = fmt::format("{}.{}", notebook.slug, suffix);
  if (!folder.empty() && folder != built_in_folder) {
    const auto path = fmt::format("{}/{}", folder, name);
    return {path, read_file(path)};
  }
  if (built_in.empty()) throw UsageError(fmt::format("it has no {}", what));
  return {name, std::string(built_in)};
}

Twin twin_of(const notebook::PortedNotebook& notebook, const notebook::Transcript& outline,
             const std::string& folder) {
  const auto [name, text] = file_of(notebook, notebook.twin, folder, "py", "twin");
  try {
    require_utf8(text);
    Twin twin{.file = name, .cells = notebook::parse_twin(text)};
    require_cells_of(twin.cells, outline);
    return twin;
  } catch (const notebook::TextError& error) {
    throw UsageError(fmt::format("{}:{}: {}", name, error.line, error.what()));
  }
}

}  // namespace torchbook::cli
