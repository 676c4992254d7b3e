// Runs both sides and judges one by the other.
#include <fmt/format.h>
#include <torchbook/cli/compare.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/cli/python.h>
#include <torchbook/cli/selection.h>
#include <torchbook/golden/recording.h>

#include <map>
#include <optional>

namespace torchbook::cli {
namespace {

using Texts = std::map<std::string, std::string>;  // by slug

/// What one file a notebook holds: `folder/slug.suffix`, or what the build embedded.
std::string text_of(const notebook::PortedNotebook& notebook, std::string_view embedded,
                    const std::string& folder, std::string_view suffix, std::string_view what) {
  if (!folder.empty()) return read_file(fmt::format("{}/{}.{}", folder, notebook.slug, suffix));
  if (embedded.empty()) throw UsageError(fmt::format("the notebook {} has no {}", notebook.slug, what));
  return std::string(embedded);
}

std::string twin_text(const notebook::PortedNotebook& notebook) {
  std::string text;
  for (const auto& entry : notebook.table) {
    text += fmt::format("# %% [{}]\n{}\n", entry.restored ? "restored" : entry.label, entry.twin);
  }
  return text;
}

Texts twins_of(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options) {
  Texts twins;
  for (const auto& notebook : notebooks) {
    twins.emplace(notebook.slug, text_of(notebook, twin_text(notebook), options.compare.twins, "py", "twin"));
  }
  return twins;
}

Texts references_of(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options) {
  Texts references;
  for (const auto& notebook : notebooks) {
    references.emplace(notebook.slug, text_of(notebook, notebook.recording, options.compare.reference_folder,
                                              "json", "recording"));
  }
  return references;
}

/// Where the recording of a notebook comes from, for messages.
std::string origin(const Options& options, std::string_view slug) {
  if (options.compare.reference == Reference::live) return fmt::format("the twin of {}", slug);
  return fmt::format("the recording of {} ({})", slug, reference_word(options.compare));
}

/// Judges a run by a recording; cells that the twin did not run to their end are left unjudged.
golden::JudgedTranscript judge_by(const golden::Recording& recording, notebook::Transcript transcript) {
  auto judged = golden::judge(std::move(transcript), recording.golden);
  judged.against = "PyTorch";
  judged.compared_with = recording.fingerprint;
  judged.judgements.erase(judged.judgements.upper_bound(recording.cells_run), judged.judgements.end());
  return judged;
}

/// The pages also show what the cells computed on the way.
notebook::Transcript run_for(const Options& options, const notebook::PortedNotebook& notebook) {
  if (options.action == Action::site) return notebook::run_traced(notebook);
  return notebook::run(notebook, selected_cells(options.cells, notebook::outline(notebook)));
}

void write_recordings(const Texts& recordings, const std::string& folder) {
  if (folder.empty()) return;
  for (const auto& [slug, text] : recordings) write_file(fmt::format("{}/{}.json", folder, slug), text);
}

}  // namespace

Comparison compare(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options) {
  if (!options.compare.record.empty()) make_folder(options.compare.record);  // first: nothing runs in vain
  const bool live = options.compare.reference == Reference::live;
  std::optional<RunningTwins> twins;
  if (live) twins.emplace(options.compare.python.value_or(default_python), twins_of(notebooks, options));
  Texts recordings = live ? Texts{} : references_of(notebooks, options);
  std::vector<notebook::Transcript> transcripts;
  transcripts.reserve(notebooks.size());
  for (const auto& notebook : notebooks) transcripts.push_back(run_for(options, notebook));
  if (live) recordings = twins->recordings(options.compare.timeout);
  write_recordings(recordings, options.compare.record);

  Comparison comparison;
  for (auto& transcript : transcripts) {
    const std::string slug = transcript.slug;
    try {
      golden::Recording recording = golden::parse_recording(recordings[slug]);
      if (recording.error) comparison.errors.push_back(fmt::format("{}: {}", slug, *recording.error));
      comparison.judged.push_back(judge_by(recording, std::move(transcript)));
      comparison.recordings.push_back(std::move(recording));
    } catch (const golden::GoldenError& error) {
      throw UsageError(fmt::format("{}: {}", origin(options, slug), error.what()));
    }
  }
  return comparison;
}

}  // namespace torchbook::cli
