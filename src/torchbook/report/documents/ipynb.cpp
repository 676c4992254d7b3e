// Writes notebooks as nbformat itself does: sorted keys, an indent of one, texts as lists of lines.
#include <fmt/format.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/documents/ipynb.h>
#include <torchbook/report/documents/markdown.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/shown.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/terminal/heatmap.h>
#include <torchbook/report/verdict_words.h>

#include <algorithm>

namespace torchbook::report {
namespace {

using SortedJson = nlohmann::json;

/// Splits a text into lines, which keep their newlines.
SortedJson lines(std::string_view text) {
  SortedJson lines = SortedJson::array();
  while (!text.empty()) {
    const auto line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    lines.push_back(line);
    text.remove_prefix(line.size());
  }
  return lines;
}

/// Returns a label as Jupyter's execution count, or null if it is not a number.
SortedJson execution_count(const std::string& label) {
  const auto number = notebook::parse_integer<int>(label);
  return number && *number >= 0 ? SortedJson(*number) : SortedJson(nullptr);
}

SortedJson markdown_cell(const std::string& id, const std::string& text,
                         SortedJson metadata = SortedJson::object()) {
  return {{"cell_type", "markdown"}, {"id", id}, {"metadata", std::move(metadata)}, {"source", lines(text)}};
}

SortedJson code_cell(const std::string& id, const std::string& source, SortedJson metadata) {
  return {{"cell_type", "code"},
          {"execution_count", nullptr},
          {"id", id},
          {"metadata", std::move(metadata)},
          {"outputs", SortedJson::array()},
          {"source", lines(source)}};
}

SortedJson error_output(const std::string& what) {
  return {{"output_type", "error"}, {"ename", "Error"}, {"evalue", what}, {"traceback", lines(what)}};
}

SortedJson heatmap_output(const std::string& text) {
  return {{"output_type", "display_data"},
          {"data", {{"text/plain", lines(text)}}},
          {"metadata", SortedJson::object()}};
}

SortedJson outputs_of(const notebook::Cell& cell) {
  SortedJson outputs = SortedJson::array();
  if (!cell.out.empty()) {
    outputs.push_back({{"output_type", "stream"}, {"name", "stdout"}, {"text", lines(cell.out)}});
  }
  if (cell.result) {
    outputs.push_back({{"output_type", "execute_result"},
                       {"execution_count", execution_count(cell.label)},
                       {"data", {{"text/plain", lines(*cell.result)}}},
                       {"metadata", SortedJson::object()}});
  }
  for (const auto& tensor : cell.tensors) {
    if (const auto text = heatmap_text(tensor, {}); !text.empty()) outputs.push_back(heatmap_output(text));
  }
  if (cell.error) outputs.push_back(error_output(*cell.error));
  return outputs;
}

/// Returns the origin and the counts of a run.
std::string origin(const golden::JudgedTranscript& judged) {
  Summary summary;
  summary.add(judged);
  return fmt::format("{}, ported to LibTorch. This run: {}.", markdown_paragraph(judged.transcript.document),
                     summary_text(summary));
}

/// Returns how a cell differs from its golden, and what was expected of it: a sentence, and both sides in a
/// fence. Empty if it does not differ and has no expectation().
std::string difference(const golden::Judgement& judgement, std::string_view against) {
  const auto lines = difference_lines(judgement, against);
  if (lines.empty() && expectation(judgement).empty() && !judgement.not_ported) return "";
  auto text = fmt::format("**The cell {}.**", markdown_paragraph(relation(judgement, against)));
  return lines.empty() ? text : text + "\n\n" + markdown_fence(lines, "text");
}

/// Collects the cells of one notebook.
class Writer {
 public:
  Writer(const golden::JudgedTranscript& judged, NotebookLanguage language)
      : judged_(judged), language_(language) {}

  void add(const notebook::Cell& cell) {
    const auto& judgement = judged_.judgements.at(cell.position);
    const auto id = fmt::format("cell-{}", cell.position);
    SortedJson about = {{"label", cell.label},
                        {"position", cell.position},
                        {"verdict", golden::row_of(judgement.verdict).name}};
    auto& written = add_code(id, cell.source, cell.twin, std::move(about));
    written["execution_count"] = execution_count(cell.label);
    written["outputs"] = outputs_of(cell);
    const auto differs = difference(judgement, judged_.against);
    if (!differs.empty()) cells_.push_back(markdown_cell(id + "-difference", differs));
  }

  void add(const notebook::Note& note) {
    cells_.push_back(markdown_cell(fmt::format("note-{}", ++notes_), pictured(note.text)));
  }

  void add(const notebook::Restored& state) {
    const auto id = fmt::format("restored-{}", ++states_);
    const SortedJson about = {{"restored", true}};
    cells_.push_back(markdown_cell(id + "-note", "**Restored state.** " + markdown_paragraph(state.note),
                                   {{"torchbook", about}}));
    auto& written = add_code(id, state.source, state.twin, about);
    if (state.error) written["outputs"].push_back(error_output(*state.error));
  }

  void add_title() {
    const bool cpp = language_ == NotebookLanguage::cpp;
    const auto* const what =
        cpp ? "The cells are those of the port, to be read; the outputs are what "
              "torchbook computed."
            : "The cells are PyTorch; above each is its port, and the outputs are what the port computed.";
    cells_.push_back(markdown_cell(
        "title",
        fmt::format("# {}\n\n{} {}", markdown_paragraph(judged_.transcript.slug), origin(judged_), what)));
    if (!judged_.failure) return;
    cells_.push_back(markdown_cell("not-judged", "**Not judged**: " + markdown_paragraph(*judged_.failure)));
  }

  SortedJson take() { return std::move(cells_); }

 private:
  /// Adds a code cell. The other language's source is in its metadata or in a Markdown cell before
  /// it.
  SortedJson& add_code(const std::string& id, const std::string& source, const std::string& twin,
                       SortedJson about) {
    if (language_ == NotebookLanguage::cpp) {
      if (!twin.empty()) about["twin"] = twin;
      cells_.push_back(code_cell(id, source, {{"torchbook", std::move(about)}}));
    } else {
      cells_.push_back(markdown_cell(id + "-cpp", markdown_fence(source, "cpp")));
      cells_.push_back(code_cell(id, twin, {{"torchbook", std::move(about)}}));
    }
    return cells_.back();
  }

  const golden::JudgedTranscript& judged_;
  NotebookLanguage language_;
  SortedJson cells_ = SortedJson::array();
  std::size_t notes_ = 0;
  std::size_t states_ = 0;
};

/// Returns Jupyter's metadata for a notebook in this language: its kernel and its syntax
/// highlighting.
SortedJson language_metadata(NotebookLanguage language) {
  if (language == NotebookLanguage::python) {
    return {{"kernelspec", {{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}},
            {"language_info",
             {{"codemirror_mode", {{"name", "ipython"}, {"version", 3}}},
              {"file_extension", ".py"},
              {"mimetype", "text/x-python"},
              {"name", "python"},
              {"pygments_lexer", "ipython3"}}}};
  }
  return {{"kernelspec", {{"display_name", "C++20"}, {"language", "C++"}, {"name", "xcpp20"}}},
          {"language_info",
           {{"codemirror_mode", "text/x-c++src"},
            {"file_extension", ".cpp"},
            {"mimetype", "text/x-c++src"},
            {"name", "C++"},
            {"pygments_lexer", "cpp"},
            {"version", "20"}}}};
}

}  // namespace

std::string ipynb_report(const golden::JudgedTranscript& judged, NotebookLanguage language) {
  Writer writer(judged, language);
  writer.add_title();
  for (const Item* item : shown_items(judged)) {
    std::visit([&](const auto& one) { writer.add(one); }, *item);
  }
  SortedJson metadata = language_metadata(language);
  metadata["torchbook"] = {{"document", judged.transcript.document}, {"notebook", judged.transcript.slug}};
  const SortedJson notebook = {
      {"cells", writer.take()}, {"metadata", std::move(metadata)}, {"nbformat", 4}, {"nbformat_minor", 5}};
  return golden::text_of_json(notebook, 1);
}

}  // namespace torchbook::report
