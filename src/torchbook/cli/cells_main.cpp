// The build's program that makes the table of a notebook's cells. It links no LibTorch.
//
// torchbook-cells SLUG PORT GOLDEN TWIN RECORDING OUTPUT
//
// TWIN and RECORDING may be empty. The program writes a C++ source that defines the notebook's
// PortedNotebook. If something does not fit, it says so on stderr, as `file:line: what is wrong, what would
// be right`, and ends with exit code 1.
#include <torchbook/cli/exit.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/notebook/cells/table.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>

namespace {

using namespace torchbook;
using notebook::TextError;

/// A file that the build names, with its text.
struct File {
  std::string path;
  std::string text{};

  explicit File(std::string file) : path(std::move(file)) {
    if (path.empty()) return;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error(path + ": there is no such file, or it cannot be read");
    text.assign(std::istreambuf_iterator<char>(stream), {});
  }

  std::string name() const { return std::filesystem::path(path).filename().string(); }
};

/// Calls `read`. If that throws, the error names the file.
template <class Read>
auto in_file(const File& file, const Read& read) {
  try {
    return read();
  } catch (const TextError& error) {
    throw std::runtime_error(error.in_file(file.path));
  }
}

/// Returns the text as a C++ string literal with a line for each line of the text.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n\"\n    \"";
    } else if (c == '"' || c == '\\' || c == '?') {
      result += {'\\', c};
    } else if (code < 0x20 || code >= 0x7F) {
      char octal[5];
      std::snprintf(octal, sizeof(octal), "\\%03o", static_cast<unsigned>(code));
      result += octal;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string entry_text(const notebook::TableEntry& entry) {
  return std::string("    {.restored = ") + (entry.restored ? "true" : "false") +
         ",\n     .label = " + literal(entry.label) + ",\n     .source = " + literal(entry.source) +
         ",\n     .line = " + std::to_string(entry.line) + ",\n     .twin = " + literal(entry.twin) +
         ",\n     .twin_line = " + std::to_string(entry.twin_line) + "},\n";
}

/// Throws TextError, with the golden's line, unless the golden, or what a recording has of one, has the
/// table's cells.
void check_golden(const golden::Golden& golden, const std::vector<notebook::TableEntry>& table,
                  std::string_view slug) {
  std::vector<std::string_view> labels;
  for (const auto& entry : table) {
    if (!entry.restored) labels.push_back(entry.label);
  }
  golden::require_same_cells(golden, slug, labels);
}

std::string source_text(const std::string& slug, const File& port, const File& golden, const File& twin,
                        const File& recording) {
  const auto cells = in_file(port, [&] { return notebook::parse_port(port.text, slug); });
  const auto twin_cells = in_file(twin, [&] { return notebook::parse_twin(twin.text); });
  if (!twin.path.empty() && twin_cells.empty()) {
    throw std::runtime_error(twin.path + ": it has no cell; a cell of a twin begins with '# %% [label]'");
  }
  const auto table = in_file(twin, [&] { return notebook::table_of(cells, twin_cells, port.path); });
  const auto outputs = in_file(golden, [&] { return golden::parse_golden(golden.text); });
  in_file(golden, [&] { check_golden(outputs, table, slug); });
  if (!recording.path.empty()) {
    in_file(recording, [&] { check_golden(golden::parse_recording(recording.text).golden, table, slug); });
  }
  std::string text =
      "// Made by the build from " + port.name() + " and what belongs to it. Do not edit.\n" +
      "#include <torchbook/notebook/ported_notebook.h>\n\nvoid " + slug +
      "(torchbook::notebook::Notebook& nb);\n\nnamespace torchbook::notebook {\nnamespace {\n\n" +
      "constexpr TableEntry table[] = {\n";
  for (const auto& entry : table) text += entry_text(entry);
  if (table.empty()) text += "    {},\n";
  text += "};\n\n}  // namespace\n\nextern const PortedNotebook " + slug +
          "_notebook;\nconst PortedNotebook " + slug + "_notebook = {\n    .slug = " + literal(slug) +
          ",\n    .document = " + literal(outputs.document) + ",\n    .define = &::" + slug +
          ",\n    .port_file = " + literal(port.name()) + ",\n    .table = {table, " +
          std::to_string(table.size()) + "},\n    .golden_file = " + literal(golden.name()) +
          ",\n    .golden = " + literal(golden.text) + ",\n    .twin_file = " + literal(twin.name()) +
          ",\n    .recording_file = " + literal(recording.name()) +
          ",\n    .recording = " + literal(recording.text) + ",\n};\n\n}  // namespace torchbook::notebook\n";
  return text;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  if (!(stream << text).flush()) throw std::runtime_error(path + ": it cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() != 6) {
    std::cerr << "usage: torchbook-cells SLUG PORT GOLDEN TWIN RECORDING OUTPUT\n";
    return 2;
  }
  try {
    write(args[5], source_text(args[0], File(args[1]), File(args[2]), File(args[3]), File(args[4])));
    return 0;
  } catch (const std::bad_alloc&) {
    std::cerr << "torchbook-cells: " << torchbook::cli::memory_ran_out << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
