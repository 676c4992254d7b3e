// Reads the cells of nbformat 4, and those of nbformat 3, which stand in worksheets and have other names.
#include <fmt/format.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/importing/ipynb.h>
#include <torchbook/importing/ipynb_outputs.h>
#include <torchbook/importing/release.h>
#include <torchbook/importing/words.h>

#include <cstdint>
#include <utility>

namespace torchbook::importing {
namespace {

constexpr golden::JsonBounds bounds = {.depth = 200, .values = 2000000};

/// Returns the label that Jupyter shows for a cell. A cell that was not run, or in another form, has none.
std::string label_of(const Part& cell, const char* name) {
  const Json* count = cell.field(name);
  return count != nullptr && count->is_number_unsigned() ? std::to_string(count->get<std::uint64_t>())
                                                         : "None";
}

/// Returns the text of a name inside nested objects of the metadata; empty if there is none.
std::string metadata_text(const Json& notebook, const char* part, const char* name) {
  const auto metadata = notebook.find("metadata");
  if (metadata == notebook.end() || !metadata->is_object()) return {};
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
      if (part_.field("cells") == nullptr) part_.fail("the field \"cells\" is missing");
      for (const Json& cell : part_.list("cells")) take(cell, "source", "execution_count");
    } else {
      if (part_.field("worksheets") == nullptr) part_.fail("the field \"worksheets\" is missing");
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
    const Json* format = part_.field("nbformat");
    const bool known = format != nullptr && format->is_number_integer() && (*format == 3 || *format == 4);
    if (!known) {
      part_.fail(
          fmt::format("its nbformat is {}; it must be 3 or 4 (Jupyter converts others when it saves them)",
                      format != nullptr && format->is_number_integer() ? format->dump() : "missing"));
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
      add_text("# " + cell.text("source"));
    } else if (type == "raw" || type == "html") {
      notebook_.remark(fmt::format("a {} cell: {}", type, cited(cell.text("source"))));
    } else {
      notebook_.remark(fmt::format("a cell of the unknown type '{}'", cited(type)));
    }
    list_attachments(cell);
  }

  void add_text(std::string markdown) { notebook_.items.emplace_back(SourceText{std::move(markdown)}); }

  void take_code(const Part& part, const char* source, const char* count) {
    if (part.field(source) == nullptr) part.fail(fmt::format("the field \"{}\" is missing", source));
    SourceCell& cell = notebook_.add_cell(label_of(part, count), part.text(source));
    for (const Json& output : part.list("outputs")) {
      take_output(object_part(output, part.place + ": an output"), notebook_, cell);
    }
    finish_outputs(notebook_, cell);
    if (!notebook_.release.empty()) return;
    notebook_.release = shown_release(cell.python, cell.shown.out);
    if (notebook_.release.empty() && cell.shown.result) {
      notebook_.release = shown_release(cell.python, *cell.shown.result);
    }
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
