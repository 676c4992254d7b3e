// Fills in notebook.mustache.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/site/computing/page_program.h>
#include <tools/site/pages.h>
#include <tools/site/questions/questions.h>
#include <torchbook/notebook/cells/text_error.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/transcript.h>
#include <torchbook/report/highlight.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <vector>

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
  return object({{"expected", golden::is_expected(*judgement)},
                 {"line", fmt::format("{}", difference.line)},
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

/// Where a page has a picture: the cell shows it; it only uses it; or it is folded.
enum class Place { shown, used, inside };

Place place_of(const Picture& picture) {
  if (picture.shown) return Place::shown;
  return picture.folded ? Place::inside : Place::used;
}

/// Returns the cell's pictures at a place, or false if there are none.
Data pictures_data(const notebook::Cell& cell, const Context& context, Place place) {
  Data list(Data::type::list);
  for (const auto& picture : context.pictures_of(cell)) {
    if (place_of(picture) != place) continue;
    const auto& computed = context.program.tensors;
    const auto index = static_cast<std::size_t>(&picture - context.pictures.data());
    list.push_back(Data("picture", tensor_html(picture, context.pictures,
                                               index < computed.size() ? computed[index] : std::nullopt)));
  }
  return list.is_empty_list() ? Data(false) : Data("pictures", list);
}

/// Returns a line that names the folded pictures of a cell: `2 tensors inside: scores, weights`.
std::string inside_names(const notebook::Cell& cell, const Context& context) {
  std::vector<std::string_view> names;
  for (const auto& picture : context.pictures_of(cell)) {
    if (place_of(picture) == Place::inside) names.push_back(picture.title);
  }
  return fmt::format("{} inside: {}", notebook::counted(names.size(), "tensor"), fmt::join(names, ", "));
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
                 {"shown", pictures_data(cell, context, Place::shown)},
                 {"used", pictures_data(cell, context, Place::used)},
                 {"inside", pictures_data(cell, context, Place::inside)},
                 {"inside_names", inside_names(cell, context)},
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

/// Returns whether a note is on C++ only. Pages hide it with the C++ of the cells.
bool is_on_cpp(std::string_view note) { return note.starts_with("In C++"); }

constexpr std::string_view part = "<h2 class=\"part\">";  // note_html() writes a heading of level 1 so

/// Returns the first heading in the HTML of a note, empty if it has none.
std::string heading_in(std::string_view html) {
  for (auto at = html.find("<h"); at != html.npos; at = html.find("<h", at + 1)) {
    const auto begin = html.find('>', at) + 1;
    if (html[at + 2] != 'r') return std::string(html.substr(begin, html.find("</h", begin) - begin));
  }
  return {};
}

/// Returns an item of the page, whose title is left out. Sets `note`, `restored` or `cell`, and the other two
/// to false.
Data item_data(const std::variant<notebook::Cell, notebook::Note, notebook::Restored>& item,
               const Context& context) {
  const auto* note = std::get_if<notebook::Note>(&item);
  const auto* state = std::get_if<notebook::Restored>(&item);
  const auto* cell = std::get_if<notebook::Cell>(&item);
  auto shown = note != nullptr ? note_html(note->text) : std::string();
  const bool is_title = &item == context.notebook.judged.transcript.items.data() && shown.starts_with(part);
  if (is_title) shown.erase(0, shown.find('\n') + 1);
  return object({{"note", text_or_false(shown)},
                 {"on_cpp", note != nullptr && is_on_cpp(note->text)},
                 {"restored", state != nullptr ? restored_data(*state) : Data(false)},
                 {"cell", cell != nullptr ? cell_data(*cell, context) : Data(false)}});
}

/// Returns the first sentence of a note, up to a colon in it: the title of its section.
std::string_view first_sentence(std::string_view note) {
  const auto ends = [&](std::size_t at) {
    const bool before_space = at + 1 == note.size() || note[at + 1] == ' ';
    return before_space && std::string_view(".:?!").find(note[at]) != std::string_view::npos;
  };
  for (std::size_t i = 0; i < note.size(); ++i) {
    if (ends(i)) return note.substr(0, note[i] == '?' || note[i] == '!' ? i + 1 : i);
  }
  return note;
}

/// Returns the first heading of each item as HTML, empty for items that are not notes with one.
std::vector<std::string> headings_in(const notebook::Transcript& transcript) {
  std::vector<std::string> headings;
  for (const auto& item : transcript.items) {
    const auto* note = std::get_if<notebook::Note>(&item);
    headings.push_back(note != nullptr ? heading_in(note_html(note->text)) : "");
  }
  return headings;
}

/// Returns the first sentence of a note without headings as HTML.
std::string sentence_html(std::string_view note) {
  const auto sentence = first_sentence(note.substr(0, note.find('\n')));
  auto html = line_html(sentence);
  return html.empty() ? escaped(sentence) : html;
}

/// A section of a page: a note, and the items after it up to the next one.
struct Section {
  std::string title = "The beginning";  ///< HTML
  std::string words = title;            ///< the title as plain text
  Data items{Data::type::list};
  Data cells{Data::type::list};  ///< for the contents
};

/// Returns a cell in the contents. It is marked as bad if any of its verdicts is.
Data content_data(const notebook::Cell& cell, const Context& context) {
  const auto verdicts = cell_verdicts(cell, context.notebook, context.content);
  const bool bad = std::any_of(verdicts.begin(), verdicts.end(),
                               [](const auto& verdict) { return verdict.mark == "bad"; });
  return object({{"position", fmt::format("{}", cell.position)},
                 {"label", fmt::format("In [{}]", cell.label)},
                 {"bad", bad}});
}

/// Returns the sections. A note on C++ begins none, and in a notebook with headings, neither does a note
/// without.
Data sections_data(const Context& context) {
  std::vector<Section> sections;
  const auto& transcript = context.notebook.judged.transcript;
  const auto headings = headings_in(transcript);
  const bool by_heading =
      std::any_of(headings.begin(), headings.end(), [](const auto& one) { return !one.empty(); });
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const auto& item = transcript.items[i];
    const auto* cell = std::get_if<notebook::Cell>(&item);
    const auto* note = std::get_if<notebook::Note>(&item);
    if (cell != nullptr && !cell->selected) continue;
    const bool begins = note != nullptr && !is_on_cpp(note->text) && (!by_heading || !headings[i].empty());
    if (begins || sections.empty()) sections.emplace_back();
    if (begins) {
      sections.back().title = by_heading ? headings[i] : sentence_html(note->text);
      sections.back().words = plain(sections.back().title);
    }
    sections.back().items.push_back(item_data(item, context));
    if (cell != nullptr) sections.back().cells.push_back(content_data(*cell, context));
  }
  std::size_t number = 0;
  return list_of(sections, [&](const Section& section) {
    return object({{"section", fmt::format("{}", ++number)},
                   {"title", section.title},
                   {"words", section.words},
                   {"headed", by_heading},
                   {"alone", sections.size() == 1},
                   {"items", section.items},
                   {"contents", section.cells}});
  });
}

/// Returns the questions as HTML, empty if there are none.
std::string questions_html(const Context& context) {
  const auto& notebook = context.notebook;
  const auto& program = context.program;
  if (notebook.questions.empty() || program.json.empty()) return {};
  const auto& transcript = notebook.judged.transcript;
  Askable page{.pictures = context.pictures, .computed = program.tensors};
  for (const auto seed : program.seeds) {
    const auto cells = transcript.cells();
    const bool is_known = seed >= 1 && seed <= cells.size();
    page.seeds.push_back({.position = seed, .cell = is_known ? name_of(*cells[seed - 1]) : "the run"});
  }
  return notebook::in_file<QuestionsError>(notebook.questions_file, [&] {
    const auto list = questions_data(notebook.questions, transcript.slug, page);
    return list.is_non_empty_list() ? filled(site_questions, object({{"list", list}})) : std::string();
  });
}

Data neighbour(const SiteContent& content, std::size_t index) {
  if (index == content.notebooks.size() && has_small_gpt(content))
    return object({{"page", "small_gpt.html"}, {"title", "A small GPT"}});
  if (index >= content.notebooks.size()) return false;
  const auto& transcript = content.notebooks[index].judged.transcript;
  return object({{"page", page_name(transcript.slug)}, {"title", title_of(transcript)}});
}

/// Returns the data of a notebook's page.
Data notebook_data(const Context& context, std::size_t index) {
  const auto& content = context.content;
  const auto& notebook = context.notebook;
  const notebook::Transcript& transcript = notebook.judged.transcript;
  auto data = object({{"number", fmt::format("{}", index + 1)},
                      {"notebooks", fmt::format("{}", content.notebooks.size())},
                      {"title", title_of(transcript)},
                      {"document", transcript.document},
                      {"error", text_or_false(transcript.error())},
                      {"failure", text_or_false(notebook.judged.failure)},
                      {"live_failure", text_or_false(notebook.live_failure)},
                      {"sections", sections_data(context)},
                      {"questions", text_or_false(questions_html(context))},
                      {"program", text_or_false(context.program.json)},
                      {"previous", neighbour(content, index - 1)},
                      {"next", neighbour(content, index + 1)}});
  set_counts(data, notebook, content);
  return data;
}

}  // namespace

std::string title_of(const notebook::Transcript& transcript) {
  for (const auto& item : transcript.items) {
    const auto* note = std::get_if<notebook::Note>(&item);
    const auto html = note != nullptr ? note_html(note->text) : std::string();
    if (html.starts_with(part)) return plain(heading_in(html));
  }
  return title_of(transcript.slug);
}

std::string notebook_html(const SiteContent& content, std::size_t index) {
  const SiteNotebook& notebook = content.notebooks[index];
  auto pictures = pictures_of(notebook.judged);
  auto program = program_of(notebook.judged.transcript, pictures);
  const Context context{content, notebook, std::move(pictures), std::move(program)};
  return filled(site_notebook, notebook_data(context, index));
}

}  // namespace torchbook::site
