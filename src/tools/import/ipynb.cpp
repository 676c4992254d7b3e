// Reads nbformat 4, and nbformat 3, which has its cells in worksheets and under other names.
#include <fmt/format.h>
#include <tools/import/ipynb_outputs.h>
#include <tools/import/text.h>
#include <torchbook/golden/json_text.h>

#include <cstdint>
#include <utility>

namespace torchbook::importing {
namespace {

constexpr golden::JsonBounds bounds = {.depth = 200, .values = 2000000};

/// Returns whether an execution count is missing or valid.
bool has_count_or_none(const Json* count) { return count == nullptr || count->is_number_unsigned(); }

/// Returns the label that Jupyter shows for a cell. It is `None` if the count is missing or
/// invalid.
std::string label_of(const Json* count) {
  return count != nullptr && count->is_number_unsigned() ? std::to_string(count->get<std::uint64_t>())
                                                         : "None";
}

/// Returns a text in the nested objects of a notebook's or cell's metadata; empty if there is none.
std::string metadata_text(const Json& owner, const char* part, const char* name) {
  const auto metadata = owner.find("metadata");
  if (metadata == owner.end() || !metadata->is_object()) return {};
  const auto object = metadata->find(part);
  if (object == metadata->end() || !object->is_object()) return {};
  const auto text = object->find(name);
  return text != object->end() && text->is_string() ? text->get<std::string>() : std::string();
}

/// Reads one notebook.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json), part_(object_part(json, "the notebook")) {}

  SourceNotebook notebook() {
    require_python();
    const auto format = major_format();
    if (format == 4) {
      part_.require("cells");
      for (const Json& cell : part_.list("cells")) take(cell, "source", "execution_count");
    } else {
      part_.require("worksheets");
      for (const Json& sheet : part_.list("worksheets")) {
        const Part part = object_part(sheet, "a worksheet");
        for (const Json& cell : part.list("cells")) take(cell, "input", "prompt_number");
      }
    }
    if (notebook_.release.empty()) {
      notebook_.release = named_release(metadata_text(json_, "kernelspec", "display_name"));
    }
    return std::move(notebook_);
  }

 private:
  std::int64_t major_format() const {
    part_.require("nbformat");
    const Json* format = part_.field("nbformat");
    if (!format->is_number_integer()) {
      part_.fail(
          fmt::format("its nbformat is of type {}; it must be the number 3 or 4", format->type_name()));
    }
    if (*format != 3 && *format != 4) {
      part_.fail(
          fmt::format("its nbformat is {}; it must be 3 or 4 (Jupyter converts others when it saves "
                      "them)",
                      format->dump()));
    }
    return format->get<std::int64_t>();
  }

  void require_python() const {
    auto language = metadata_text(json_, "language_info", "name");
    if (language.empty()) language = metadata_text(json_, "kernelspec", "language");
    if (language.empty() || begins_with_word(language, "python") || language == "ipython") return;
    part_.fail(fmt::format("its language is {}; only notebooks in Python can be imported", cited(language)));
  }

  void take(const Json& json, const char* source, const char* count) {
    const Part cell = object_part(json, fmt::format("cell {} of the file", ++number_));
    const auto type = cell.text("cell_type");
    if (type == "code") {
      take_code(cell, source, count);
    } else if (type == "markdown") {
      add_text(cell.text("source"));
    } else if (type == "heading") {
      const auto* level = cell.field("level");
      const bool is_level =
          level != nullptr && level->is_number_unsigned() && level->get<std::size_t>() - 1 < 6;
      add_text(std::string(is_level ? level->get<std::size_t>() : 1, '#') + ' ' + cell.text("source"));
    } else if (type == "raw" || type == "html") {
      notebook_.remark(
          fmt::format("{} cell: {}", type == "html" ? "an html" : "a raw", cited(cell.text("source"))));
    } else {
      notebook_.remark(fmt::format("a cell of the unknown type '{}'", cited(type)));
    }
    list_attachments(cell);
  }

  void add_text(std::string markdown) { notebook_.items.emplace_back(SourceText{std::move(markdown)}); }

  void take_code(const Part& part, const char* source, const char* count) {
    part.require(source);
    const bool is_empty = part.text(source).find_first_not_of(" \t\r\n") == std::string::npos;
    if (is_empty && part.list("outputs").empty()) return;  // as Jupyter has one at the end
    const Json* label = part.field(count);
    SourceCell& cell = notebook_.add_cell(label_of(label), part.text(source));
    if (!has_count_or_none(label)) {
      notebook_.remark(cell, fmt::format("its {} is {}, which is not the number of a run", count,
                                         cited(label->dump(-1, ' ', true))));
    }
    take_language(part, cell);
    for (const Json& output : part.list("outputs")) {
      take_output(object_part(output, part.place + ": an output"), notebook_, cell);
    }
    finish_outputs(notebook_, cell);
    notebook_.find_release(cell);
  }

  /// VS Code stores the language of a cell if it differs from the notebook's.
  void take_language(const Part& part, SourceCell& cell) {
    const auto language = metadata_text(part.json, "vscode", "languageId");
    if (language.empty() || language == "python") return;
    cell.why_no_python = fmt::format("it is not Python: VS Code runs it as {}", cited(language));
  }

  void list_attachments(const Part& cell) {
    const Json* attachments = cell.field("attachments");
    if (attachments == nullptr || !attachments->is_object()) return;
    for (const auto& [name, content] : attachments->items()) {
      notebook_.remark(fmt::format("an attachment: {}", cited(name)));
    }
  }

  const Json& json_;
  Part part_;
  SourceNotebook notebook_{};
  std::size_t number_ = 0;  // of the cell in the file
};

}  // namespace

SourceNotebook read_ipynb(std::string_view text) {
  const Json json = golden::parse_json(text, bounds);
  return Reader(json).notebook();
}

}  // namespace torchbook::importing
