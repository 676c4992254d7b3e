// Fills in notebook.mustache.
#include <fmt/format.h>
#include <tools/site/computing/page_program.h>
#include <tools/site/pages.h>
#include <torchbook/notebook/transcript.h>
#include <torchbook/report/highlight.h>
#include <torchbook/report/quoted.h>

#include <algorithm>

namespace torchbook::site {
namespace {

/// The data that the parts of a page share.
struct Context {
  const SiteContent& content;
  const SiteNotebook& notebook;
  std::vector<Picture> pictures;
  PageProgram program;

  /// Returns the pictures of one cell.
  std::span<const Picture> pictures_of(const notebook::Cell& cell) const {
    const auto is_before = [](const Picture& picture, std::size_t position) {
      return picture.position < position;
    };
    const auto begin = std::lower_bound(pictures.begin(), pictures.end(), cell.position, is_before);
    const auto end = std::lower_bound(begin, pictures.end(), cell.position + 1, is_before);
    return {begin, end};
  }
};

std::string code_html(const std::string& name, const std::string& twin, const std::string& source) {
  return filled(
      site_code,
      object({{"name", name},
              {"twin", text_or_false(report::highlighted(report::pictured(twin), report::Language::python,
                                                         report::Markup::html))},
              {"source",
               report::highlighted(report::pictured(source), report::Language::cpp, report::Markup::html)}}));
}

Data difference_data(const notebook::Cell& cell, const golden::JudgedTranscript& judged) {
  const auto* judgement = golden::judgement_of(judged.judgements, cell);
  if (judgement == nullptr || !judgement->difference) return false;
  const auto& difference = *judgement->difference;
  const auto lines = report::quoted_lines(difference);
  return object({{"line", fmt::format("{}", difference.line)},
                 {"where", std::string(difference.where)},
                 {"golden", lines.golden},
                 {"actual", lines.actual}});
}

/// Returns the link to the cell with a mark, or false if no cell has it.
Data link_to(const std::string& mark, const notebook::Transcript& transcript) {
  for (const notebook::Cell* cell : transcript.cells()) {
    if (mark == notebook::mark_of(cell->position)) return fmt::format("#cell-{}", cell->position);
  }
  return false;
}

Data parting_data(const golden::Parting& parting, const notebook::Transcript& transcript) {
  Data lines(Data::type::list);
  for (std::size_t i = 1; i < parting.lines.size(); ++i) lines.push_back(Data(parting.lines[i]));
  return object({{"heading", parting.lines.empty() ? parting.what : parting.lines.front()},
                 {"link", link_to(parting.from, transcript)},
                 {"more", lines.is_non_empty_list()},
                 {"lines", lines}});
}

/// Returns where and why a cell's operations differ from its twin's, or false if that is unknown.
Data partings_data(const golden::Judgement* live, const notebook::Transcript& transcript) {
  if (live == nullptr || live->partings.empty()) return false;
  const auto data_of = [&](const auto& parting) { return parting_data(parting, transcript); };
  return Data("list", list_of(live->partings, data_of));
}

/// Returns the cell's shown or unshown pictures, or false if there are none.
Data pictures_data(const notebook::Cell& cell, const Context& context, bool shown) {
  Data list(Data::type::list);
  for (const auto& picture : context.pictures_of(cell)) {
    if (picture.shown != shown) continue;
    const auto& computed = context.program.tensors;
    const auto index = static_cast<std::size_t>(&picture - context.pictures.data());
    list.push_back(Data("picture", tensor_html(picture, context.pictures,
                                               index < computed.size() ? computed[index] : std::nullopt)));
  }
  return list.is_empty_list() ? Data(false) : Data("pictures", list);
}

Data cell_data(const notebook::Cell& cell, const Context& context) {
  const auto pictures = context.pictures_of(cell);
  const auto& judged = context.notebook.judged;
  const auto* live = golden::judgement_of(context.notebook.live, cell);
  return object({{"position", fmt::format("{}", cell.position)},
                 {"label", cell.label},
                 {"verdicts", verdicts_data(cell_verdicts(cell, context.notebook, context.content))},
                 {"code", code_html(name_of(cell), cell.twin, cell.source)},
                 {"output", cell.has_output()},
                 {"out", text_or_false(output_html(cell.out, false, pictures))},
                 {"result", cell.result ? Data(output_html(*cell.result, true, pictures)) : Data(false)},
                 {"shown", pictures_data(cell, context, true)},
                 {"unshown", pictures_data(cell, context, false)},
                 {"error", text_or_false(cell.error)},
                 {"raised", live == nullptr ? Data(false) : text_or_false(live->raised)},
                 {"difference", difference_data(cell, judged)},
                 {"partings", partings_data(live, judged.transcript)}});
}

Data restored_data(const notebook::Restored& state) {
  return object({{"restored", paragraph(state.note)},
                 {"code", code_html("the restored state", state.twin, state.source)},
                 {"error", text_or_false(state.error)}});
}

/// Returns an item of the page. Sets `note`, `restored` or `cell`, and the other two to false.
Data item_data(const std::variant<notebook::Cell, notebook::Note, notebook::Restored>& item,
               const Context& context) {
  const auto* note = std::get_if<notebook::Note>(&item);
  const auto* state = std::get_if<notebook::Restored>(&item);
  const auto* cell = std::get_if<notebook::Cell>(&item);
  return object({{"note", note != nullptr ? Data(paragraph(note->text)) : Data(false)},
                 {"restored", state != nullptr ? restored_data(*state) : Data(false)},
                 {"cell", cell != nullptr ? cell_data(*cell, context) : Data(false)}});
}

Data items_data(const Context& context) {
  Data items(Data::type::list);
  for (const auto& item : context.notebook.judged.transcript.items) {
    const auto* cell = std::get_if<notebook::Cell>(&item);
    if (cell == nullptr || cell->selected) items.push_back(item_data(item, context));
  }
  return items;
}

/// Returns the table of contents. A cell is marked as bad if any of its verdicts is.
Data contents_data(const Context& context) {
  Data contents(Data::type::list);
  for (const notebook::Cell* cell : context.notebook.judged.transcript.cells()) {
    if (!cell->selected) continue;
    const auto verdicts = cell_verdicts(*cell, context.notebook, context.content);
    const bool bad = std::any_of(verdicts.begin(), verdicts.end(),
                                 [](const auto& verdict) { return verdict.mark == "bad"; });
    contents.push_back(object({{"position", fmt::format("{}", cell->position)},
                               {"label", fmt::format("In [{}]", cell->label)},
                               {"bad", bad}}));
  }
  return contents;
}

Data neighbour(const SiteContent& content, std::size_t index) {
  if (index >= content.notebooks.size()) return false;
  const auto& slug = content.notebooks[index].judged.transcript.slug;
  return object({{"page", page_name(slug)}, {"title", title_of(slug)}});
}

}  // namespace

std::string notebook_html(const SiteContent& content, std::size_t index) {
  const SiteNotebook& notebook = content.notebooks[index];
  const notebook::Transcript& transcript = notebook.judged.transcript;
  auto pictures = pictures_of(notebook.judged);
  auto program = program_of(transcript.trace, pictures);
  const Context context{content, notebook, std::move(pictures), std::move(program)};
  auto data = object({{"number", fmt::format("{}", index + 1)},
                      {"notebooks", fmt::format("{}", content.notebooks.size())},
                      {"title", title_of(transcript.slug)},
                      {"slug", transcript.slug},
                      {"document", transcript.document},
                      {"error", text_or_false(transcript.error())},
                      {"failure", text_or_false(notebook.judged.failure)},
                      {"live_failure", text_or_false(notebook.live_failure)},
                      {"contents", contents_data(context)},
                      {"items", items_data(context)},
                      {"program", text_or_false(context.program.json)},
                      {"previous", neighbour(content, index - 1)},
                      {"next", neighbour(content, index + 1)}});
  set_counts(data, notebook, content);
  return filled(site_notebook, data);
}

}  // namespace torchbook::site
