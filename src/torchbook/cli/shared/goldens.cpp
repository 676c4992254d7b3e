// Chooses goldens by release, and reads them.
#include <fmt/format.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/exceptions.h>

#include <cctype>

namespace torchbook::cli {
namespace {

golden::Golden golden_of(const notebook::PortedNotebook& notebook, std::string_view text,
                         std::string_view file) {
  return notebook::in_file<UsageError>(file, [&] {
    auto golden = golden::parse_golden(text);
    golden::require_same_cells(golden, notebook.slug, notebook::labels_of(notebook.table));
    return golden;
  });
}

golden::Exceptions exceptions_of(const notebook::PortedNotebook& notebook, std::string_view text,
                                 std::string_view file, std::size_t cells) {
  if (file.empty()) return {};
  return notebook::in_file<UsageError>(file, [&] {
    auto exceptions = golden::parse_exceptions(text, file);
    golden::require_cells(exceptions, notebook.slug, cells);
    return exceptions;
  });
}

/// Returns whether a version such as `2.6.0` belongs to `release`, such as `2.6`.
bool is_release(std::string_view release, std::string_view version) {
  if (!version.starts_with(release)) return false;
  const auto rest = version.substr(release.size());
  return rest.empty() || std::isdigit(static_cast<unsigned char>(rest.front())) == 0;
}

/// Returns the longest release that matches a version such as `LibTorch 2.6.0`, of those that have a `file`;
/// nullptr if there is none.
const notebook::ReleaseReference* release_with(std::string_view notebook::ReleaseReference::*file,
                                               const notebook::PortedNotebook& notebook,
                                               std::string_view torch) {
  const auto version = torch.substr(torch.find(' ') + 1);
  const notebook::ReleaseReference* best = nullptr;
  for (const auto& one : notebook.releases) {
    const bool better = best == nullptr || one.release.size() > best->release.size();
    if (better && !(one.*file).empty() && is_release(one.release, version)) best = &one;
  }
  return best;
}

}  // namespace

void add_exceptions_of_the_port(golden::Golden& golden, const notebook::PortedNotebook& notebook) {
  const auto exceptions =
      exceptions_of(notebook, notebook.exceptions, notebook.exceptions_file, golden.cells.size());
  golden::add_exceptions(golden, golden::of_the_port(exceptions));
}

ChosenGolden named_golden(const notebook::PortedNotebook& notebook, const std::string& file) {
  const bool piped = file == "-";
  const std::string name = piped ? "/dev/stdin" : file;
  ChosenGolden chosen{.golden = golden_of(notebook, piped ? read_stdin() : read_file(file), name),
                      .file = name};
  add_exceptions_of_the_port(chosen.golden, notebook);
  return chosen;
}

ChosenGolden built_in_golden(const notebook::PortedNotebook& notebook, std::string_view torch) {
  const notebook::ReleaseReference of_all_releases{.golden_file = notebook.golden_file,
                                                   .golden = notebook.golden,
                                                   .exceptions_file = notebook.exceptions_file,
                                                   .exceptions = notebook.exceptions};
  const auto* release = release_with(&notebook::ReleaseReference::golden_file, notebook, torch);
  const auto& from = release == nullptr ? of_all_releases : *release;
  ChosenGolden chosen{.golden = golden_of(notebook, from.golden, from.golden_file),
                      .file = std::string(from.golden_file),
                      .release = std::string(from.release)};
  auto& golden = chosen.golden;
  if (release != nullptr) add_exceptions_of_the_port(golden, notebook);
  golden::add_exceptions(golden,
                         exceptions_of(notebook, from.exceptions, from.exceptions_file, golden.cells.size()));
  return chosen;
}

BuiltInRecording built_in_recording(const notebook::PortedNotebook& notebook, std::string_view torch) {
  const auto* release = release_with(&notebook::ReleaseReference::recording_file, notebook, torch);
  if (release == nullptr) return {.file = notebook.recording_file, .text = notebook.recording};
  return {.file = release->recording_file,
          .text = release->recording,
          .base = {.name = notebook.recording_file, .text = notebook.recording}};
}

std::string golden_from(const ChosenGolden& chosen, const notebook::PortedNotebook& notebook) {
  const bool is_document = chosen.release.empty() && chosen.golden.document == notebook.document;
  return is_document ? "" : fmt::format("{}, from {}", chosen.file, chosen.golden.document);
}

}  // namespace torchbook::cli
