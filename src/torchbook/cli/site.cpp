// Runs both sides, hands them to the pages, and writes those.
#include <fmt/format.h>
#include <torchbook/cli/compare.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/selection.h>
#include <torchbook/cli/site.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/report/site/site.h>
#include <torchbook/report/summary.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

namespace torchbook::cli {

extern const std::string_view porting_guide;  // the text of docs/porting.md

namespace {

/// The twins under a PyTorch; nullopt, and `why`, where there is none and nobody asked for one.
std::optional<Comparison> live_comparison(const std::vector<notebook::PortedNotebook>& notebooks,
                                          const Options& options, std::string& why) {
  if (options.site_without_python) {
    why = "none was asked for (--no-python).";
    return std::nullopt;
  }
  try {
    return compare(notebooks, options);
  } catch (const UsageError& error) {
    if (options.compare.python) throw;
    why = fmt::format("{}.", error.what());
    return std::nullopt;
  }
}

report::SiteContent content_of(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options,
                               std::vector<std::string>& errors) {
  report::SiteContent content;
  content.guide = porting_guide;
  content.here = notebook::fingerprint();
  auto comparison = live_comparison(notebooks, options, content.not_compared);
  if (comparison) {
    content.pytorch = comparison->recordings.front().fingerprint;
    errors = comparison->errors;
  }
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    report::SiteNotebook notebook;
    auto transcript =
        comparison ? std::move(comparison->judged[i].transcript) : notebook::run_traced(notebooks[i]);
    if (comparison) notebook.live = std::move(comparison->judged[i].judgements);
    if (const auto threw = transcript.error())
      errors.push_back(fmt::format("{}: {}", transcript.slug, *threw));
    notebook.judged = golden::judge(std::move(transcript), golden::parse_golden(notebooks[i].golden));
    content.notebooks.push_back(std::move(notebook));
  }
  return content;
}

void write_files(const std::vector<report::SiteFile>& files, const std::string& folder) {
  make_folder(folder);
  for (const auto& [name, text] : files) write_file((std::filesystem::path(folder) / name).string(), text);
}

/// How many outputs equal PyTorch's, and of how many.
struct Live {
  std::size_t equal = 0;
  std::size_t all = 0;
};

Live live_count(const report::SiteContent& content) {
  Live count;
  for (const auto& notebook : content.notebooks) {
    for (const auto& [position, judgement] : notebook.live) {
      if (judgement.verdict == golden::Verdict::no_output) continue;
      ++count.all;
      if (judgement.verdict == golden::Verdict::equal) ++count.equal;
    }
  }
  return count;
}

}  // namespace

void add_site_options(CLI::App& app, Options& options) {
  app.add_option("-o,--output", options.output, "write the pages into DIR")->type_name("DIR")->required();
  auto* python = app.add_option(
      "--python", options.compare.python,
      fmt::format("the Python whose PyTorch runs the twins; {} where it has one", default_python));
  python->type_name("PATH");
  app.add_flag("--no-python", options.site_without_python, "compare with the documents only")
      ->excludes(python);
}

WrittenSite write_site(const Options& options) {
  const auto notebooks = selected_notebooks(options.slugs);
  WrittenSite site;
  const report::SiteContent content = content_of(notebooks, options, site.errors);
  write_files(report::site_files(content), options.output);
  report::Summary summary;
  for (const auto& notebook : content.notebooks) summary.add(notebook.judged);
  const Live live = live_count(content);
  site.report = summary.text() + '\n';
  if (content.pytorch) {
    site.report +=
        fmt::format("{} of {} equal {}, text and bits\n", live.equal, live.all, content.pytorch->torch);
  }
  site.report += fmt::format("{}\n", (std::filesystem::path(options.output) / "index.html").string());
  const bool equal = summary.all_equal() && live.equal == live.all;
  site.code = !site.errors.empty() ? exit_threw : equal ? exit_equal : exit_different;
  return site;
}

}  // namespace torchbook::cli
