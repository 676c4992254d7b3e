// Lists the files that the options name, and compares each output with all others.
#include <fmt/format.h>
#include <torchbook/cli/clashes.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/target.h>

#include <string>

namespace torchbook::cli {
namespace {

/// A file, and the option that names it, or the stream that it is.
struct Named {
  const char* option;
  std::string path;
  Target target;
};

constexpr const char* standard_output = "/dev/stdout";

using Files = std::vector<Named>;

void add(Files& files, const char* option, const std::string& path) {
  if (!path.empty()) files.push_back({option, path, target_of(path)});
}

/// Returns the name of a standard stream instead of `-`.
std::string spelled_out(const std::string& path, const char* stream) { return path == "-" ? stream : path; }

/// Adds the file of each notebook in a folder.
void add_in(Files& files, const char* option, const std::string& folder, const char* ending,
            const std::vector<notebook::PortedNotebook>& notebooks) {
  if (folder.empty()) return;
  for (const auto& notebook : notebooks) {
    add(files, option, fmt::format("{}/{}{}", folder, notebook.slug, ending));
  }
}

Files written_files(const Options& options, const std::vector<notebook::PortedNotebook>& notebooks) {
  Files files;
  if (options.output.empty()) add(files, "stdout", standard_output);
  add(files, "--output", options.output);
  add(files, "--junit", spelled_out(options.junit, standard_output));
  if (options.format == Format::ipynb) add_in(files, "--output", options.output, ".ipynb", notebooks);
  add_in(files, "--record", options.compare.record, ".json", notebooks);
  return files;
}

Files read_files(const Options& options, const std::vector<notebook::PortedNotebook>& notebooks) {
  Files files;
  add(files, "--golden", spelled_out(options.golden, "/dev/stdin"));
  add_in(files, "--reference", options.compare.reference_folder, ".json", notebooks);
  add_in(files, "--twins", options.compare.twins, ".py", notebooks);
  return files;
}

}  // namespace

void refuse_clashes(const Options& options, const std::vector<notebook::PortedNotebook>& notebooks) {
  const Files written = written_files(options, notebooks);
  const Files read = read_files(options, notebooks);
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [option, path, target] = written[i];
    for (const auto& other : read) {
      if (!same_file(target, other.target)) continue;
      throw UsageError(fmt::format("{} would overwrite {}, which {} reads; name another file", option,
                                   target.descriptor ? other.path : path, other.option));
    }
    for (std::size_t j = i + 1; j < written.size(); ++j) {
      if (!same_file(target, written[j].target)) continue;
      throw UsageError(fmt::format("{} and {} are both {}; they need a file each", option, written[j].option,
                                   written[j].path));
    }
  }
}

}  // namespace torchbook::cli
