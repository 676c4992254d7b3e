// Handles each kind of output: streams, results, display() and errors.
#include <fmt/format.h>
#include <tools/import/ipynb_outputs.h>
#include <tools/import/shown_text.h>

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace torchbook::importing {
namespace {

/// The forms in which an output is stored.
struct Forms {
  std::optional<std::string> plain{};  ///< as text
  std::string rich{};                  ///< the form that Jupyter shows in place of the text: `image/png`
};

/// Returns whether Jupyter shows this form instead of plain text. Colab and some kernels also store
/// data for internal use, which is not shown.
bool is_shown(std::string_view type) {
  return type != "text/plain" && type != "application/json" && !type.ends_with("intrinsic+json");
}

Forms forms_4(const Part& output) {
  Forms forms;
  const Json* data = output.field("data");
  if (data == nullptr) return forms;
  const Part part = object_part(*data, output.place + ": its data");
  if (part.field("text/plain") != nullptr) forms.plain = part.text("text/plain");
  for (const auto& [type, value] : data->items()) {
    if (!is_shown(type)) continue;
    if (forms.rich.empty() || type.starts_with("image/")) forms.rich = type;
  }
  return forms;
}

Forms forms_3(const Part& output) {
  Forms forms;
  if (output.field("text") != nullptr) forms.plain = output.text("text");
  constexpr std::array<std::array<const char*, 2>, 8> types = {{{"png", "image/png"},
                                                                {"jpeg", "image/jpeg"},
                                                                {"svg", "image/svg+xml"},
                                                                {"html", "text/html"},
                                                                {"latex", "text/latex"},
                                                                {"javascript", "application/javascript"},
                                                                {"json", "application/json"},
                                                                {"pdf", "application/pdf"}}};
  for (const auto& [name, type] : types) {
    if (forms.rich.empty() && is_shown(type) && output.field(name) != nullptr) forms.rich = type;
  }
  return forms;
}

Forms forms_of(const Part& output) {
  return output.field("data") != nullptr ? forms_4(output) : forms_3(output);
}

void take_rich(const Forms& forms, SourceNotebook& notebook, SourceCell& cell) {
  const bool image = forms.rich.starts_with("image/");
  notebook.remark(cell, fmt::format("{} ({}): C++ prints text only", image ? "a picture" : "a rich output",
                                    cited(forms.rich)));
  if (cell.exception.empty()) {
    cell.exception = image ? "picture" : fmt::format("picture: {}", cited(forms.rich));
  }
}

void take_stream(const Part& output, SourceNotebook& notebook, SourceCell& cell) {
  const bool old = output.field("stream") != nullptr;  // nbformat 3
  const auto name = output.text(old ? "stream" : "name");
  if (output.field("text") == nullptr) return notebook.remark(cell, "a stream without text");
  if (name == "stdout" || name.empty()) {
    cell.shown.out += output.text("text");
  } else if (const auto text = output.text("text"); !text.empty()) {
    notebook.remark(cell, fmt::format("{}: {}", name == "stderr" ? "stderr" : cited(name), cited(text)));
  }
}

void take_result(const Part& output, SourceNotebook& notebook, SourceCell& cell) {
  auto forms = forms_of(output);
  if (!forms.rich.empty()) return take_rich(forms, notebook, cell);
  if (!forms.plain) return notebook.remark(cell, "a result without text");
  if (cell.shown.result)
    return notebook.remark(cell, fmt::format("a second result: {}", cited(*forms.plain)));
  cell.shown.result = std::move(forms.plain);
}

void take_display(const Part& output, SourceNotebook& notebook, SourceCell& cell) {
  const auto forms = forms_of(output);
  if (!forms.rich.empty()) return take_rich(forms, notebook, cell);
  if (!forms.plain) return notebook.remark(cell, "a display without text");
  notebook.remark(cell, fmt::format("display() is taken as print(): {}", cited(*forms.plain)));
  cell.shown.out += *forms.plain + '\n';
}

/// Returns the line of the cell that a traceback names, from 1 on; 0 if it names none. IPython writes `<cell
/// line: 3>`, `Cell In[7], line 3` or an arrow; the cell comes first.
int raised_line(std::string_view traceback) {
  for (const std::string_view before : {"<cell line: ", "], line ", "---> "}) {
    auto at = traceback.find(before);
    if (at == traceback.npos) continue;
    at += before.size();
    int line = 0;
    const auto digits = std::from_chars(traceback.data() + at, traceback.data() + traceback.size(), line);
    if (digits.ec == std::errc() && line > 0) return line;
  }
  return 0;
}

void take_error(const Part& output, SourceNotebook& notebook, SourceCell& cell) {
  const auto name = output.text("ename");
  const auto error = name.empty() ? "an error" : cited(name);
  const auto what = output.text("evalue");
  notebook.remark(cell, fmt::format("it raised {}{}{}", error, what.empty() ? "" : ": ", cited(what)));
  cell.exception = fmt::format("not ported: it raised {}", error);
  cell.raised_line = raised_line(output.text("traceback"));
  cell.raises = cell.raised_line > 0 && throws_in_libtorch(name, what);
}

/// Converts a text to the form that Jupyter shows. Returns whether that changed it.
bool show(std::string& text) {
  auto shown = shown_text(text);
  const bool changed = shown != text;
  text = std::move(shown);
  return changed;
}

}  // namespace

void take_output(const Part& output, SourceNotebook& notebook, SourceCell& cell) {
  const auto type = output.text("output_type");
  if (type == "stream") {
    take_stream(output, notebook, cell);
  } else if (type == "execute_result" || type == "pyout") {
    take_result(output, notebook, cell);
  } else if (type == "display_data" || type == "update_display_data") {
    take_display(output, notebook, cell);
  } else if (type == "error" || type == "pyerr") {
    take_error(output, notebook, cell);
  } else {
    notebook.remark(cell, fmt::format("an output of the unknown type '{}'", cited(type)));
  }
}

void finish_outputs(SourceNotebook& notebook, SourceCell& cell) {
  bool changed = show(cell.shown.out);
  if (auto& result = cell.shown.result) {
    changed = show(*result) || changed;
    if (result->ends_with('\n')) result->pop_back();
  }
  if (changed) {
    notebook.remark(cell, "carriage returns, backspaces or colours: the text is taken as Jupyter shows it");
  }
}

}  // namespace torchbook::importing
