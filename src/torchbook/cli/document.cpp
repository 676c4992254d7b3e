// Checks the options for documents, and decides where the documents go.
#include <fmt/format.h>
#include <torchbook/cli/document.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/cli/quote.h>
#include <torchbook/report/documents/ipynb.h>
#include <torchbook/report/documents/markdown.h>

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

void check_ipynb_options(const Options& options, const std::vector<SelectedNotebook>& notebooks) {
  if (options.source == report::Sources::none) {
    throw UsageError("--format ipynb needs code, so --source must be cpp or python");
  }
  if (notebooks.size() > 1 && options.output.empty()) {
    throw UsageError(fmt::format(
        "--format ipynb writes a file for each notebook: name one, as in: {} {} --format ipynb, or a "
        "folder for all with --output DIR",
        options.again, notebooks.front().notebook.slug));
  }
  const report::Sources sources = shown_sources(options);
  if (!report::shows_python(sources)) return;
  for (const auto& [notebook, positions] : notebooks) {
    if (!notebook.twin_file.empty()) continue;
    throw UsageError(fmt::format("--source {}: {} has no PyTorch twin", option_word(sources), notebook.slug));
  }
}

}  // namespace

void check_document_options(const Options& options, const std::vector<SelectedNotebook>& notebooks) {
  if (options.format == Format::ipynb) check_ipynb_options(options, notebooks);
}

std::string markdown_document(const std::vector<golden::JudgedTranscript>& judged, const Options& options) {
  return report::markdown_report(judged, shown_sources(options));
}

std::vector<ReportFile> ipynb_documents(const std::vector<golden::JudgedTranscript>& judged,
                                        const Options& options) {
  const bool in_folder = judged.size() > 1 || is_folder(options.output);
  if (in_folder) make_output_folder(options.output);
  const auto language = report::shows_python(shown_sources(options)) ? report::NotebookLanguage::python
                                                                     : report::NotebookLanguage::cpp;
  std::vector<ReportFile> files;
  for (const auto& one : judged) {
    const auto path =
        in_folder ? (fs::path(options.output) / (one.transcript.slug + ".ipynb")).string() : options.output;
    files.push_back({path, report::ipynb_report(one, language)});
  }
  return files;
}

}  // namespace torchbook::cli
