// Runs ports and twins, makes the pages of the results, and writes them.
#include <fmt/format.h>
#include <torchbook/cli/compare.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/goldens.h>
#include <torchbook/cli/option_groups.h>
#include <torchbook/cli/selection.h>
#include <torchbook/cli/site.h>
#include <torchbook/cli/verdicts.h>
#include <torchbook/cli/write_file.h>
#include <torchbook/report/site/site.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/trace/fingerprint.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <span>

namespace torchbook::cli {

extern const std::string_view porting_guide;  // the text of docs/porting.md

namespace {

/// Runs the live comparison. Returns nullopt and sets `why` if there is no PyTorch and no option needs one.
std::optional<std::vector<golden::JudgedTranscript>> live_comparison(
    const std::vector<SelectedNotebook>& notebooks, const Options& options, std::string& why) {
  if (options.site_without_python) {
    why = "none was asked for (--no-python).";
    return std::nullopt;
  }
  try {
    return compare(notebooks, options);
  } catch (const UsageError& error) {
    if (options.compare.python || options.compare.trace) throw;
    why = fmt::format("{}.", error.what());
    return std::nullopt;
  }
}

/// Judges a run by its document. If that is impossible, the result keeps the run and says why.
golden::JudgedTranscript judged_by_document(notebook::Transcript transcript,
                                            const notebook::PortedNotebook& notebook) {
  try {
    const auto document = built_in_golden(notebook, trace::fingerprint().torch);
    auto judged = golden::judge(std::move(transcript), document.golden);
    judged.golden_from = golden_from(document, notebook);
    return judged;
  } catch (const UsageError& error) {
    return {.transcript = std::move(transcript), .judgements = {}, .failure = error.what()};
  }
}

/// Takes from a live comparison what all pages show of it.
void take_live(const std::vector<golden::JudgedTranscript>& live, report::SiteContent& content,
               WrittenSite& site) {
  site.errors = complaints(live, true);
  site.code = exit_code(live, golden::Accept::equal);
  const auto compared =
      std::find_if(live.begin(), live.end(), [](const auto& one) { return one.compared_with.has_value(); });
  if (compared != live.end()) {
    content.pytorch = compared->compared_with;
  } else {
    content.not_compared = "no twin could be run.";
  }
}

report::SiteContent content_of(const std::vector<SelectedNotebook>& notebooks, const Options& options,
                               WrittenSite& site) {
  report::SiteContent content;
  content.guide = porting_guide;
  content.here = trace::fingerprint();
  auto live = live_comparison(notebooks, options, content.not_compared);
  if (live) take_live(*live, content, site);
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    report::SiteNotebook notebook;
    auto transcript = live ? std::move((*live)[i].transcript) : notebook::run_traced(notebooks[i].notebook);
    if (live) notebook.live = std::move((*live)[i].judgements);
    if (live) notebook.live_failure = (*live)[i].failure.value_or("");
    notebook.judged = judged_by_document(std::move(transcript), notebooks[i].notebook);
    content.notebooks.push_back(std::move(notebook));
  }
  return content;
}

void write_files(const std::vector<report::SiteFile>& files, const std::string& folder) {
  make_folder(folder);
  for (const auto& [name, text] : files) write_file((std::filesystem::path(folder) / name).string(), text);
}

/// How many outputs were compared with PyTorch's, and how many of them are equal.
struct Live {
  std::size_t equal = 0;
  std::size_t all = 0;
};

Live live_count(const report::SiteContent& content) {
  Live count;
  for (const auto& notebook : content.notebooks) {
    for (const auto& [position, judgement] : notebook.live) {
      if (judgement.verdict == golden::Verdict::no_output || judgement.verdict == golden::Verdict::threw ||
          golden::is_expected(judgement))
        continue;
      ++count.all;
      if (judgement.verdict == golden::Verdict::equal) ++count.equal;
    }
  }
  return count;
}

}  // namespace

void add_site_options(CLI::App& app, Options& options) {
  app.add_option("-o,--output", options.output, "write the pages into DIR")->type_name("DIR")->required();
  app.add_option("--python", options.compare.python,
                 fmt::format("the Python whose PyTorch runs the twins; {} where it has one", default_python))
      ->type_name("PATH");
  add_trace_option(app, options.compare);
  app.add_flag("--no-python", options.site_without_python, "compare with the documents only");
}

WrittenSite write_site(const Options& options) {
  const auto notebooks = select_cells(selected_notebooks(options.slugs), {});
  WrittenSite site;
  const report::SiteContent content = content_of(notebooks, options, site);
  write_files(report::site_files(content), options.output);
  report::Summary summary;
  for (const auto& notebook : content.notebooks) {
    const std::span<const golden::JudgedTranscript> one(&notebook.judged, 1);
    summary.add(notebook.judged);
    site.code = std::max(site.code, exit_code(one, golden::Accept::equal));
    for (auto& line : complaints(one, true)) {
      if (std::find(site.errors.begin(), site.errors.end(), line) == site.errors.end()) {
        site.errors.push_back(std::move(line));
      }
    }
  }
  const Live live = live_count(content);
  site.report = report::summary_text(summary) + '\n';
  if (content.pytorch) {
    site.report +=
        fmt::format("{} of {} equal {}, text and bits\n", live.equal, live.all, content.pytorch->torch);
  }
  site.report += fmt::format("{}\n", (std::filesystem::path(options.output) / "index.html").string());
  return site;
}

}  // namespace torchbook::cli
