// Fills in notebook.mustache.
#include <fmt/format.h>
#include <torchbook/notebook/notebook_run.h>
#include <torchbook/report/highlight.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/site/html.h>
#include <torchbook/report/site/marks.h>
#include <torchbook/report/site/pages.h>

#include <algorithm>

namespace torchbook::report {
namespace {

/// The data that the parts of a page share.
struct Context {
  const SiteContent& content;
  const SiteNotebook& notebook;
  std::vector<Picture> pictures;

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

Data text_or_false(const std::string& text) { return text.empty() ? Data(false) : Data(text); }

Data text_or_false(const std::optional<std::string>& text) { return text ? Data(*text) : Data(false); }

std::string code_html(const std::string& name, const std::string& twin, const std::string& source) {
  Data data;
  data.set("name", name);
  data.set("twin", text_or_false(highlighted(pictured(twin), Language::python, Markup::html)));
  data.set("source", highlighted(pictured(source), Language::cpp, Markup::html));
  return filled(site_code, data);
}

Data difference_data(const notebook::Cell& cell, const golden::JudgedTranscript& judged) {
  const auto* judgement = golden::judgement_of(judged.judgements, cell);
  if (judgement == nullptr || !judgement->difference) return false;
  const auto& difference = *judgement->difference;
  const auto lines = quoted_lines(difference);
  Data data;
  data.set("line", fmt::format("{}", difference.line));
  data.set("where", std::string(difference.where));
  data.set("golden", lines.golden);
  data.set("actual", lines.actual);
  return data;
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
  Data data;
  data.set("heading", parting.lines.empty() ? parting.what : parting.lines.front());
  data.set("link", link_to(parting.from, transcript));
  data.set("more", lines.is_non_empty_list());
  data.set("lines", lines);
  return data;
}

/// Returns where and why a cell's operations differ from its twin's, or false if that is unknown.
Data partings_data(const golden::Judgement* live, const notebook::Transcript& transcript) {
  if (live == nullptr || live->partings.empty()) return false;
  Data list(Data::type::list);
  for (const auto& parting : live->partings) list.push_back(parting_data(parting, transcript));
  return Data("list", list);
}

/// Returns the cell's shown or unshown pictures, or false if there are none.
Data pictures_data(const notebook::Cell& cell, const Context& context, bool shown) {
  Data list(Data::type::list);
  for (const auto& picture : context.pictures_of(cell)) {
    if (picture.shown == shown) list.push_back(Data("picture", tensor_html(picture, context.pictures)));
  }
  return list.is_empty_list() ? Data(false) : Data("pictures", list);
}

Data cell_data(const notebook::Cell& cell, const Context& context) {
  const auto pictures = context.pictures_of(cell);
  Data data;
  data.set("position", fmt::format("{}", cell.position));
  data.set("label", cell.label);
  data.set("verdicts", verdicts_data(cell_verdicts(cell, context.notebook, context.content)));
  data.set("code", code_html(name_of(cell), cell.twin, cell.source));
  data.set("output", cell.has_output());
  data.set("out", text_or_false(output_html(cell.out, false, pictures)));
  data.set("result", cell.result ? Data(output_html(*cell.result, true, pictures)) : Data(false));
  data.set("shown", pictures_data(cell, context, true));
  data.set("unshown", pictures_data(cell, context, false));
  data.set("error", text_or_false(cell.error));
  const auto* live = golden::judgement_of(context.notebook.live, cell);
  data.set("raised", live == nullptr ? Data(false) : text_or_false(live->raised));
  data.set("difference", difference_data(cell, context.notebook.judged));
  data.set("partings", partings_data(live, context.notebook.judged.transcript));
  return data;
}

Data restored_data(const notebook::Restored& state) {
  Data data;
  data.set("restored", paragraph(state.note));
  data.set("code", code_html("the restored state", state.twin, state.source));
  data.set("error", text_or_false(state.error));
  return data;
}

/// Returns an item of the page. Sets `note`, `restored` or `cell`, and the other two to false.
Data item_data(const std::variant<notebook::Cell, notebook::Note, notebook::Restored>& item,
               const Context& context) {
  Data data;
  data.set("note", false);
  data.set("restored", false);
  data.set("cell", false);
  if (const auto* note = std::get_if<notebook::Note>(&item)) data.set("note", paragraph(note->text));
  if (const auto* state = std::get_if<notebook::Restored>(&item)) data.set("restored", restored_data(*state));
  if (const auto* cell = std::get_if<notebook::Cell>(&item)) data.set("cell", cell_data(*cell, context));
  return data;
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
    Data entry;
    entry.set("position", fmt::format("{}", cell->position));
    entry.set("label", fmt::format("In [{}]", cell->label));
    entry.set("bad", std::any_of(verdicts.begin(), verdicts.end(),
                                 [](const auto& verdict) { return verdict.mark == "bad"; }));
    contents.push_back(entry);
  }
  return contents;
}

Data neighbour(const SiteContent& content, std::size_t index) {
  if (index >= content.notebooks.size()) return false;
  const auto& slug = content.notebooks[index].judged.transcript.slug;
  Data data;
  data.set("page", page_name(slug));
  data.set("title", title_of(slug));
  return data;
}

}  // namespace

std::string notebook_html(const SiteContent& content, std::size_t index) {
  const SiteNotebook& notebook = content.notebooks[index];
  const notebook::Transcript& transcript = notebook.judged.transcript;
  const Context context{content, notebook, pictures_of(notebook.judged)};
  Data data;
  data.set("number", fmt::format("{}", index + 1));
  data.set("notebooks", fmt::format("{}", content.notebooks.size()));
  data.set("title", title_of(transcript.slug));
  data.set("document", transcript.document);
  set_counts(data, notebook, content);
  data.set("error", text_or_false(transcript.error()));
  data.set("failure", text_or_false(notebook.judged.failure));
  data.set("live_failure", text_or_false(notebook.live_failure));
  data.set("contents", contents_data(context));
  data.set("items", items_data(context));
  data.set("previous", neighbour(content, index - 1));
  data.set("next", neighbour(content, index + 1));
  return filled(site_notebook, data);
}

}  // namespace torchbook::report
