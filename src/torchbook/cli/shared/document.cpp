// Chooses the paths of the documents.
#include <fmt/format.h>
#include <torchbook/cli/shared/document.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/report/documents/ipynb.h>

#include <filesystem>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code unreadable;  // writing it says why
  return fs::is_directory(path, unreadable);
}

void make_output_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !is_folder(path)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw UsageError(fmt::format("cannot write into the folder {}: {}", path, error.message()));
}

}  // namespace

void refuse_impossible_ipynb(const ReportOptions& options, const std::vector<SelectedNotebook>& notebooks,
                             const SameCommand& again) {
  if (options.source == report::Sources::none) {
    throw UsageError("--format ipynb needs code, so --source must be cpp or python");
  }
  if (notebooks.size() > 1 && options.output.to_stdout()) {
    throw UsageError(fmt::format(
        "--format ipynb writes a file for each notebook: name one, as in: {} --format ipynb, or a "
        "folder for all with --output DIR",
        again.of(std::string(notebooks.front().notebook.slug))));
  }
  const report::Sources sources = shown_sources(options);
  if (!report::shows_python(sources)) return;
  for (const auto& [notebook, positions] : notebooks) {
    if (!notebook.twin_file.empty()) continue;
    throw UsageError(fmt::format("--source {}: {} has no PyTorch twin", option_word(sources), notebook.slug));
  }
}

std::vector<ReportFile> ipynb_documents(const std::vector<golden::JudgedTranscript>& judged,
                                        const ReportOptions& options) {
  const auto& output = options.output.file;
  const bool in_folder = judged.size() > 1 || is_folder(output);
  if (in_folder) make_output_folder(output);
  const auto language = report::shows_python(shown_sources(options)) ? report::NotebookLanguage::python
                                                                     : report::NotebookLanguage::cpp;
  std::vector<ReportFile> files;
  for (const auto& one : judged) {
    const auto path = in_folder ? (fs::path(output) / (one.transcript.slug + ".ipynb")).string() : output;
    files.push_back({path, report::ipynb_report(one, language)});
  }
  return files;
}

}  // namespace torchbook::cli
