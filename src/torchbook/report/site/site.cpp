// Puts the pages into their frame and makes the index.
#include <fmt/format.h>
#include <torchbook/report/site/html.h>
#include <torchbook/report/site/marks.h>
#include <torchbook/report/site/pages.h>
#include <torchbook/report/site/site.h>

#include <algorithm>

namespace torchbook::report {
namespace {

/// The data of a page's frame.
struct Page {
  std::string title;
  std::string trail{};    // after the site's name; empty on the index
  std::size_t cells = 0;  // the number of cells to step through
};

std::string framed(const Page& page, const std::string& main) {
  Data data;
  data.set("title", page.title);
  data.set("trail", page.trail.empty() ? Data(false) : Data(page.trail));
  data.set("stepping", page.cells != 0);
  data.set("cells", fmt::format("{}", page.cells));
  data.set("main", main);
  return filled(site_frame, data);
}

/// Returns the note before the first cell, which introduces the notebook. Empty if there is none.
std::string intro_of(const notebook::Transcript& transcript) {
  for (const auto& item : transcript.items) {
    if (const auto* note = std::get_if<notebook::Note>(&item)) return paragraph(note->text);
    if (std::holds_alternative<notebook::Cell>(item)) break;
  }
  return {};
}

Data book_data(const SiteNotebook& notebook, const SiteContent& content) {
  const notebook::Transcript& transcript = notebook.judged.transcript;
  Data data;
  data.set("page", page_name(transcript.slug));
  data.set("title", title_of(transcript.slug));
  data.set("intro", intro_of(transcript));
  set_counts(data, notebook, content);
  return data;
}

Data fact(const std::string& name, const std::string& value) {
  Data data;
  data.set("name", name);
  data.set("value", value);
  return data;
}

Data run_data(const std::string& what, const trace::Fingerprint& fingerprint) {
  Data facts(Data::type::list);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) facts.push_back(fact(name, value));
  };
  add("library", fingerprint.torch);
  add("file", fingerprint.library);
  add("kernels", fingerprint.cpu_capability);
  add("BLAS", fingerprint.blas);
  add("threads", fingerprint.threads == 0 ? std::string() : fmt::format("{}", fingerprint.threads));
  add("made with", fingerprint.compiler);
  Data data;
  data.set("what", what);
  data.set("build", fingerprint.build.empty() ? Data(false) : Data(fingerprint.build));
  data.set("facts", facts);
  return data;
}

std::string index_html(const SiteContent& content) {
  Data books(Data::type::list);
  for (const auto& notebook : content.notebooks) books.push_back(book_data(notebook, content));
  Data runs(Data::type::list);
  if (content.here) runs.push_back(run_data("The ports", *content.here));
  if (content.pytorch) runs.push_back(run_data("Their twins", *content.pytorch));
  Data data;
  data.set("verdicts", verdicts_data(verdicts_on(content.notebooks, content)));
  data.set("books", books);
  data.set("guide", !content.guide.empty());
  data.set("not_compared", content.pytorch ? Data(false) : Data(content.not_compared));
  data.set("runs", runs);
  return filled(site_index, data);
}

std::vector<SiteFile> assets() {
  const auto file = [](const char* name, std::string_view text) { return SiteFile{name, std::string(text)}; };
  return {file("colours.css", site_colours),  file("style.css", site_style), file("theme.js", site_theme),
          file("switches.js", site_switches), file("steps.js", site_steps),  file("tables.js", site_tables),
          file("origins.js", site_origins)};
}

}  // namespace

std::vector<SiteFile> site_files(const SiteContent& content) {
  auto files = report::assets();
  for (std::size_t i = 0; i < content.notebooks.size(); ++i) {
    const auto& transcript = content.notebooks[i].judged.transcript;
    const auto title = report::title_of(transcript.slug);
    files.push_back({page_name(transcript.slug),
                     report::framed({title + " · torchbook", title, selected_cells(transcript)},
                                    report::notebook_html(content, i))});
  }
  if (!content.guide.empty()) {
    files.push_back({"porting.html", report::framed({"From PyTorch to LibTorch · torchbook", "Porting guide"},
                                                    "<div class=\"guide\">\n" +
                                                        report::guide_html(content.guide) + "</div>")});
  }
  files.push_back(
      {"index.html", report::framed({"torchbook: PyTorch beside C++"}, report::index_html(content))});
  return files;
}

}  // namespace torchbook::report
