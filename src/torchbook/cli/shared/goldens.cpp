// Chooses goldens by release, and reads them.
#include <fmt/format.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/causes.h>
#include <torchbook/golden/exceptions.h>
#include <torchbook/golden/recording.h>

#include <algorithm>
#include <cctype>
#include <utility>

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

/// Adds the tensors of the built-in recording, if there is one.
void add_recording(golden::Golden& golden, const notebook::PortedNotebook& notebook,
                   const notebook::Fingerprint& here) {
  const auto built_in = built_in_recording(notebook, here.torch);
  if (built_in.text.empty()) return;
  const auto recording = notebook::in_file<UsageError>(
      built_in.file, [&] { return golden::parse_recording(built_in.text, built_in.base); });
  golden::add_tensors(golden, recording);
  const auto causes = golden::causes(here, recording.fingerprint, "");
  const auto& fields = recording.depends_on;
  const bool same = std::none_of(causes.begin(), causes.end(), [&](const golden::Cause& cause) {
    return std::find(fields.begin(), fields.end(), cause.about) != fields.end();
  });
  golden.closeness = fields.empty() ? golden::Closeness::any
                     : same         ? golden::Closeness::bits
                                    : golden::Closeness::rounding;
}

}  // namespace

void add_exceptions_of_the_port(golden::Golden& golden, const notebook::PortedNotebook& notebook) {
  const auto exceptions =
      exceptions_of(notebook, notebook.exceptions, notebook.exceptions_file, golden.cells.size());
  golden::add_exceptions(golden, golden::of_the_port(exceptions));
}

std::vector<golden::Exceptions> exceptions_in(const std::string& file) {
  if (file.empty()) return {};
  return notebook::in_file<UsageError>(file, [&] {
    auto all = golden::parse_exceptions_of_several(read_file(file), file);
    const auto known = notebook::linked_notebooks();
    for (const auto& one : all) {
      const auto of =
          std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.slug == one.slug; });
      if (of == known.end()) {
        throw golden::GoldenError(one.cells.empty() ? 1 : one.cells.front().line,
                                  fmt::format("{} is no notebook of this program", one.slug));
      }
      golden::require_cells(one, of->slug, notebook::labels_of(of->table).size());
    }
    return all;
  });
}

void add_exceptions(golden::Golden& golden, const std::vector<golden::Exceptions>& all) {
  for (const auto& one : all) {
    if (one.slug == golden.slug) golden::add_exceptions(golden, one);
  }
}

ChosenGolden named_golden(const notebook::PortedNotebook& notebook, const std::string& file,
                          const notebook::Fingerprint& here) {
  const bool piped = file == "-";
  const std::string name = piped ? "/dev/stdin" : file;
  ChosenGolden chosen{.golden = golden_of(notebook, piped ? read_stdin() : read_file(file), name),
                      .file = name};
  add_exceptions_of_the_port(chosen.golden, notebook);
  add_recording(chosen.golden, notebook, here);
  return chosen;
}

ChosenGolden built_in_golden(const notebook::PortedNotebook& notebook, const notebook::Fingerprint& here) {
  const notebook::ReleaseReference of_all_releases{.golden_file = notebook.golden_file,
                                                   .golden = notebook.golden,
                                                   .exceptions_file = notebook.exceptions_file,
                                                   .exceptions = notebook.exceptions};
  const auto* release = release_with(&notebook::ReleaseReference::golden_file, notebook, here.torch);
  const auto& from = release == nullptr ? of_all_releases : *release;
  ChosenGolden chosen{.golden = golden_of(notebook, from.golden, from.golden_file),
                      .file = std::string(from.golden_file),
                      .release = std::string(from.release)};
  auto& golden = chosen.golden;
  if (release != nullptr) add_exceptions_of_the_port(golden, notebook);
  golden::add_exceptions(golden,
                         exceptions_of(notebook, from.exceptions, from.exceptions_file, golden.cells.size()));
  add_recording(golden, notebook, here);
  return chosen;
}

golden::JudgedTranscript judged_by(const ChosenGolden& chosen, const notebook::PortedNotebook& notebook,
                                   notebook::Transcript transcript) {
  auto judged = golden::judge(std::move(transcript), chosen.golden);
  judged.golden_from = golden_from(chosen, notebook);
  return judged;
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
