// Generates the C++ source that defines a notebook's PortedNotebook. Runs during the build and
// links no LibTorch.
//
// torchbook-cells SLUG PORT GOLDEN TWIN RECORDING OUTPUT [FILE…]
//
// TWIN and RECORDING may be empty. With `<golden>` for GOLDEN without its extension, a FILE is one
// of:
//
// - `<golden>.exceptions`
// - `<golden>.RELEASE.golden`, `<golden>.RELEASE.exceptions` or `<golden>.RELEASE.json`, a recording, which
//   may be partial and refer to RECORDING
// - `<golden>.questions`, whose text is for torchbook-site
// - `<golden>.carried`, the carried values, of which only the path is used
//
// If the files do not fit together, the program writes
// `file:line: what is wrong, what would be right` to stderr and exits with code 1.
#include <fmt/format.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/exceptions.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/table.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <new>
#include <span>

namespace {

using namespace torchbook;
using notebook::in_file;

/// A file from the command line, with its text.
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

/// Returns the text as a C++ string literal, with a source line for each line of the text.
std::string literal(std::string_view text) {
  std::string result;
  do {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (!result.empty()) result += "\n    ";
    result += notebook::string_literal(text.substr(0, end), notebook::Letters::ascii);
    text.remove_prefix(std::min(end, text.size()));
  } while (!text.empty());
  return result;
}

std::string entry_text(const notebook::TableEntry& entry) {
  return std::string("    {.restored = ") + (entry.restored ? "true" : "false") +
         ",\n     .label = " + literal(entry.label) + ",\n     .source = " + literal(entry.source) +
         ",\n     .line = " + std::to_string(entry.line) +
         ",\n     .source_line = " + std::to_string(entry.source_line) +
         ",\n     .twin = " + literal(entry.twin) +
         ",\n     .twin_line = " + std::to_string(entry.twin_line) + "},\n";
}

/// The outputs of one release, or of all.
struct Reference {
  File golden{""};
  File exceptions{""};
  File recording{""};
};

/// Returns what belongs to each release. What is for all releases has an empty key.
std::map<std::string, Reference> references_of(const std::string& golden, const std::string& recording,
                                               std::span<const std::string> others) {
  std::map<std::string, Reference> references;
  references[""] = {.golden = File(golden), .recording = File(recording)};
  const auto start = std::filesystem::path(golden).stem().string() + '.';
  for (const auto& path : others) {
    const std::filesystem::path name = std::filesystem::path(path).filename();
    auto release = name.stem().string() + '.';  // `<golden>.2.6.`
    if (release.starts_with(start)) release.erase(0, start.size());
    if (!release.empty()) release.pop_back();
    if (release.find_first_not_of("0123456789.") != release.npos) {
      throw std::runtime_error(
          fmt::format("{}: it is named after no release; {}2.6{} would belong to PyTorch 2.6", path, start,
                      name.extension().string()));
    }
    auto& of_release = references[release];
    (name.extension() == ".golden" ? of_release.golden
     : name.extension() == ".json" ? of_release.recording
                                   : of_release.exceptions) = File(path);
  }
  for (const auto& [release, files] : references) {
    if (!files.golden.path.empty() || files.exceptions.path.empty()) continue;
    throw std::runtime_error(files.exceptions.path + ": there is no golden of that release beside it");
  }
  return references;
}

/// Throws unless a recording fits the table. `base` is the recording of all releases.
void check_recording(const File& recording, const File& base, const std::vector<notebook::TableEntry>& table,
                     std::string_view slug) {
  if (recording.path.empty()) return;
  in_file(recording.path, [&] {
    const auto read = golden::parse_recording(recording.text, {.name = base.name(), .text = base.text});
    golden::require_same_cells(read.golden, slug, notebook::labels_of(table));
  });
}

/// Throws unless the outputs of a release fit the table. `base` is the recording of all releases. Returns the
/// golden's document.
std::string checked(const Reference& files, const File& base, const std::vector<notebook::TableEntry>& table,
                    std::string_view slug) {
  check_recording(files.recording, base, table, slug);
  if (files.golden.path.empty()) return "";
  auto golden = in_file(files.golden.path, [&] {
    auto read = golden::parse_golden(files.golden.text);
    golden::require_same_cells(read, slug, notebook::labels_of(table));
    return read;
  });
  if (files.exceptions.path.empty()) return golden.document;
  in_file(files.exceptions.path, [&] {
    const auto exceptions = golden::parse_exceptions(files.exceptions.text, files.exceptions.name());
    golden::require_cells(exceptions, slug, golden.cells.size());
  });
  return golden.document;
}

/// Returns the fields with the outputs of a release.
std::string reference_fields(const Reference& files) {
  return ".golden_file = " + literal(files.golden.name()) + ",\n    .golden = " + literal(files.golden.text) +
         ",\n    .exceptions_file = " + literal(files.exceptions.name()) +
         ",\n    .exceptions = " + literal(files.exceptions.text) +
         ",\n    .recording_file = " + literal(files.recording.name()) +
         ",\n    .recording = " + literal(files.recording.text);
}

/// Returns the definition of `releases`.
std::string releases_text(const std::map<std::string, Reference>& references) {
  if (references.size() == 1) return "constexpr std::span<const ReleaseReference> releases;\n";
  std::string text = "constexpr ReleaseReference releases[] = {\n";
  for (const auto& [release, files] : references) {
    if (release.empty()) continue;
    text += "    {.release = " + literal(release) + ",\n    " + reference_fields(files) + "},\n";
  }
  return text + "};\n";
}

std::string source_text(const std::string& slug, const File& port,
                        const std::map<std::string, Reference>& references, const File& twin,
                        const File& questions, const std::string& carried) {
  const auto cells = in_file(port.path, [&] { return notebook::parse_port(port.text, slug); });
  const auto twin_cells = in_file(twin.path, [&] { return notebook::parse_twin(twin.text); });
  if (!twin.path.empty() && twin_cells.empty()) {
    throw std::runtime_error(twin.path + ": it has no cell; a cell of a twin begins with '# %% [label]'");
  }
  const auto table = in_file(twin.path, [&] { return notebook::table_of(cells, twin_cells, port.path); });
  std::string document;
  for (const auto& [release, files] : references) {
    const auto of_golden = checked(files, references.at("").recording, table, slug);
    if (release.empty()) document = of_golden;
  }
  std::string text =
      "// Made by the build from " + port.name() + " and what belongs to it. Do not edit.\n" +
      "#include <torchbook/notebook/ported_notebook.h>\n\nvoid " + slug +
      "(torchbook::notebook::Notebook& nb);\n\nnamespace torchbook::notebook {\nnamespace {\n\n" +
      "constexpr TableEntry table[] = {\n";
  for (const auto& entry : table) text += entry_text(entry);
  if (table.empty()) text += "    {},\n";
  text += "};\n\n" + releases_text(references) + "\n}  // namespace\n\nextern const PortedNotebook " + slug +
          "_notebook;\nconst PortedNotebook " + slug + "_notebook = {\n    .slug = " + literal(slug) +
          ",\n    .document = " + literal(document) + ",\n    .define = &::" + slug +
          ",\n    .port_file = " + literal(port.name()) + ",\n    .table = {table, " +
          std::to_string(table.size()) + "},\n    " + reference_fields(references.at("")) +
          ",\n    .releases = releases" + ",\n    .questions_file = " + literal(questions.name()) +
          ",\n    .questions = " + literal(questions.text) + ",\n    .twin_file = " + literal(twin.name()) +
          ",\n    .carried_file = " + literal(carried) + ",\n};\n\n}  // namespace torchbook::notebook\n";
  return text;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  if (!(stream << text).flush()) throw std::runtime_error(path + ": it cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() < 6) {
    std::cerr << "usage: torchbook-cells SLUG PORT GOLDEN TWIN RECORDING OUTPUT [FILE…]\n";
    return 2;
  }
  try {
    std::vector<std::string> others(args.begin() + 6, args.end());
    const auto take = [&](std::string_view extension) {
      const auto found = std::partition(others.begin(), others.end(),
                                        [&](const std::string& each) { return !each.ends_with(extension); });
      std::string path = found == others.end() ? "" : *found;
      others.erase(found, others.end());
      return path;
    };
    const auto carried = take(".carried");
    const File questions(take(".questions"));
    const auto references = references_of(args[2], args[4], others);
    write(args[5], source_text(args[0], File(args[1]), references, File(args[3]), questions, carried));
    return 0;
  } catch (const std::bad_alloc&) {
    std::cerr << "torchbook-cells: " << torchbook::cli::memory_ran_out << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
