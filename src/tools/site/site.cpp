// Puts the pages into their frame and makes the index.
#include <fmt/format.h>
#include <tools/site/pages.h>
#include <tools/site/site.h>
#include <torchbook/notebook/kernels.h>

#include <algorithm>
#include <utility>

namespace torchbook::site {
namespace {

/// The data of a page's frame.
struct Page {
  std::string title;
  std::string trail{};    // after the site's name; empty on the index
  std::size_t cells = 0;  // the number of cells to step through
  bool reloads = false;
};

std::string framed(const Page& page, const std::string& main) {
  return filled(site_frame, object({{"title", page.title},
                                    {"trail", text_or_false(page.trail)},
                                    {"stepping", page.cells != 0},
                                    {"cells", fmt::format("{}", page.cells)},
                                    {"reloads", page.reloads},
                                    {"main", main}}));
}

/// Returns the first paragraph before the first cell, which introduces the notebook. Empty if there is none.
std::string intro_of(const notebook::Transcript& transcript) {
  for (const auto& item : transcript.items) {
    const auto* note = std::get_if<notebook::Note>(&item);
    auto line = note != nullptr ? line_html(note->text) : std::string();
    if (!line.empty()) return line;
    if (std::holds_alternative<notebook::Cell>(item)) break;
  }
  return {};
}

Data book_data(const SiteNotebook& notebook, const SiteContent& content) {
  const notebook::Transcript& transcript = notebook.judged.transcript;
  auto data = object({{"page", page_name(transcript.slug)},
                      {"title", title_of(transcript)},
                      {"intro", intro_of(transcript)}});
  set_counts(data, notebook, content);
  return data;
}

Data run_data(const std::string& what, const notebook::Fingerprint& fingerprint) {
  Data facts(Data::type::list);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) facts.push_back(object({{"name", name}, {"value", value}}));
  };
  add("library", fingerprint.torch);
  add("file", fingerprint.library);
  add("kernels", fingerprint.cpu_capability);
  add("oneDNN", std::string(notebook::onednn_name(fingerprint.onednn)));
  add("BLAS", fingerprint.blas);
  add("threads", fingerprint.threads == 0 ? std::string() : fmt::format("{}", fingerprint.threads));
  add("made with", fingerprint.compiler);
  return object({{"what", what}, {"build", text_or_false(fingerprint.build)}, {"facts", facts}});
}

/// The notebook whose sentence and seed the index shows. The site of these lessons also has the page of a
/// small GPT.
constexpr std::string_view lesson = "attention_by_hand";

/// Returns the page of the small GPT, which follows the notebooks.
std::string small_gpt_html(const SiteContent& content) {
  const auto& last = content.notebooks.back().judged.transcript;
  return filled(site_small_gpt, object({{"page", page_name(last.slug)}, {"title", title_of(last)}}));
}

std::string index_html(const SiteContent& content) {
  Data runs(Data::type::list);
  if (content.here) runs.push_back(run_data("The ports", *content.here));
  if (content.pytorch) runs.push_back(run_data("Their twins", *content.pytorch));
  const auto book = [&](const auto& notebook) { return book_data(notebook, content); };
  return filled(site_index,
                object({{"verdicts", verdicts_data(verdicts_on(content.notebooks, content))},
                        {"books", list_of(content.notebooks, book)},
                        {"attention", has_small_gpt(content) ? Data(page_name(lesson)) : Data(false)},
                        {"guide", !content.guide.empty()},
                        {"not_compared", content.pytorch ? Data(false) : Data(content.not_compared)},
                        {"runs", runs}}));
}

std::vector<SiteFile> assets() {
  const auto file = [](const char* name, std::string_view text) { return SiteFile{name, std::string(text)}; };
  return {file("colours.css", site_colours),      file("style.css", site_style),
          file("theme.js", site_theme),           file("switches.js", site_switches),
          file("steps.js", site_steps),           file("tables.js", site_tables),
          file("origins.js", site_origins),       file("engine.js", site_engine),
          file("computing.js", site_computing),   file("computing.css", site_computing_style),
          file("lines.js", site_lines),           file("lines.css", site_lines_style),
          file("attention.js", site_attention),   file("attention.css", site_attention_style),
          file("reading.css", site_reading_style)};
}

void add_small_gpt(std::vector<SiteFile>& files, const SiteContent& content) {
  files.push_back(
      {"small_gpt.html", framed({"A small GPT · torchbook", "A small GPT"}, small_gpt_html(content))});
  files.push_back({"gpt.js", std::string(site_gpt)});
  files.push_back({"gpt_weights.js", std::string(site_gpt_weights)});
  files.push_back({"gpt.css", std::string(site_gpt_style)});
}

}  // namespace

bool is_reserved(std::string_view slug) {
  return slug == "index" || slug == "porting" || slug == "small_gpt";
}

bool has_small_gpt(const SiteContent& content) {
  return std::any_of(content.notebooks.begin(), content.notebooks.end(),
                     [](const auto& notebook) { return notebook.judged.transcript.slug == lesson; });
}

std::vector<SiteFile> site_files(const SiteContent& content) {
  auto files = assets();
  const auto add = [&](std::string name, Page page, const std::string& main) {
    page.reloads = !content.stamp.empty();
    files.push_back({std::move(name), framed(page, main)});
  };
  for (std::size_t i = 0; i < content.notebooks.size(); ++i) {
    const auto& transcript = content.notebooks[i].judged.transcript;
    const auto title = title_of(transcript);
    add(page_name(transcript.slug), {title + " · torchbook", title, selected_cells(transcript)},
        notebook_html(content, i));
  }
  if (!content.guide.empty()) {
    add("porting.html", {"From PyTorch to LibTorch · torchbook", "Porting guide"},
        "<div class=\"guide\">\n" + guide_html(content.guide) + "</div>");
  }
  if (has_small_gpt(content)) add_small_gpt(files, content);
  add("index.html", {"torchbook: PyTorch beside C++"}, index_html(content));
  if (!content.stamp.empty()) {
    files.push_back({"reload.js", std::string(site_reload)});
    files.push_back({"stamp.js", fmt::format("torchbookStamp(\"{}\");\n", content.stamp)});
  }
  return files;
}

}  // namespace torchbook::site
