// Runs commands in a shell, or in this process, and reads their output from files.
#include <cli/command.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <support/texts.h>
#include <sys/wait.h>
#include <torchbook/cli/descriptor.h>
#include <torchbook/cli/options.h>
#include <torchbook/cli/program.h>
#include <torchbook/notebook/ported_notebook.h>
#include <unistd.h>
#include <wordexp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <string_view>
#include <vector>

namespace torchbook::test {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed with this object.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "torchbook-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw fs::filesystem_error("mkdtemp", name, {});
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// While it lives, the working folder is another one, and stdin, stdout and stderr are files.
class Redirected {
 public:
  Redirected(const fs::path& folder, const fs::path& out, const fs::path& err) : before_(fs::current_path()) {
    fs::current_path(folder);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, out, O_WRONLY | O_CREAT);
    redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT);
  }
  ~Redirected() {
    std::fflush(nullptr);
    for (int fd = 0; fd < 3; ++fd) ::dup2(saved_[static_cast<std::size_t>(fd)].get(), fd);
    fs::current_path(before_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  static cli::Descriptor saved(int fd) { return cli::Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 10)); }
  static void redirect(int fd, const fs::path& file, int flags) {
    const cli::Descriptor opened(::open(file.c_str(), flags | O_CLOEXEC, 0600));
    if (::dup2(opened.get(), fd) < 0) throw fs::filesystem_error("open", file, {});
  }

  fs::path before_;
  std::array<cli::Descriptor, 3> saved_ = {saved(0), saved(1), saved(2)};
};

/// Splits stderr. How many progress lines there are depends on how busy the machine is.
void take_stderr(std::istream& lines, Finished& finished) {
  static const std::regex progress("[a-z_]+: [0-9]+ s, waiting for .+\n");
  for (std::string line; std::getline(lines, line);) {
    if (!lines.eof()) line += '\n';
    (std::regex_match(line, progress) ? finished.progress : finished.err) += line;
  }
}

/// Returns the words of a command, or nothing if it needs a shell.
std::vector<std::string> words_of(const std::string& command) {
  wordexp_t expanded{};
  std::vector<std::string> words;
  if (::wordexp(command.c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF) == 0) {
    words.assign(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
    ::wordfree(&expanded);
  }
  return words;
}

/// Returns the name of the program if this process can do what it would: torchbook, or a notebook's.
std::optional<std::string> program_here(const std::string& path) {
  const fs::path program = path;
  const auto name = program.filename().string();
  if (program.parent_path() != TORCHBOOK_BIN) return std::nullopt;
  const auto notebooks = notebook::linked_notebooks();
  const bool known = std::any_of(notebooks.begin(), notebooks.end(),
                                 [&](const auto& notebook) { return notebook.slug == name; });
  return known || name == "torchbook" ? std::optional(name) : std::nullopt;
}

/// Does what the main of a program does.
int run_here(const std::string& name, const std::vector<std::string>& words) {
  std::vector<const char*> argv;
  for (const auto& word : words) argv.push_back(word.c_str());
  const int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return cli::program_main(name, name == "torchbook", [&] {
    return name == "torchbook" ? cli::parse_torchbook_options(argc, argv.data())
                               : cli::parse_notebook_options(argc, argv.data(), name);
  });
}

int run_in_shell(const std::string& command, const fs::path& script) {
  std::ofstream(script) << command;
  const int status = std::system(("sh " + script.string()).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A command of the form `PREPARATION; PROGRAM` or `PREPARATION && PROGRAM`.
struct Prepared {
  std::string preparation;
  bool must_succeed = false;  ///< whether the program runs only if the preparation exited with 0
  std::string program;
};

/// Splits a command at its last `; ` or `&& `. There is no preparation if there is nothing to split, or if
/// the preparation would change the shell that starts the program.
Prepared split(const std::string& command) {
  static const std::regex changes(R"((^|[\s;&{(])(cd|exec|exit|export|set|trap|ulimit|umask|[A-Za-z_]+=))");
  const auto both = command.rfind("&& ");
  const auto either = command.rfind("; ");
  const bool must_succeed = both != command.npos && (either == command.npos || both > either);
  const auto end = must_succeed ? both : either;
  if (end == command.npos || std::regex_search(command.substr(0, end), changes)) return {"", false, command};
  return {command.substr(0, end), must_succeed, command.substr(end + (must_succeed ? 3 : 2))};
}

/// Runs a command in a shell, but a program of torchbook that ends it in this process.
int run(const std::string& command, const fs::path& script) {
  const auto [preparation, must_succeed, program] = split(command);
  const auto words = words_of(program);
  const auto name = words.empty() ? std::nullopt : program_here(words.front());
  if (!name) return run_in_shell(command, script);
  const int prepared = preparation.empty() ? 0 : run_in_shell(preparation, script);
  return must_succeed && prepared != 0 ? prepared : run_here(*name, words);
}

}  // namespace

Finished shell(const std::string& command) {
  ::unsetenv("NO_COLOR");
  ::unsetenv("CLICOLOR_FORCE");
  ::setenv("BIN", TORCHBOOK_BIN, 1);
  const Folder outputs;
  const Folder work;
  const auto out = outputs.path() / "out";
  const auto err = outputs.path() / "err";
  Finished finished;
  {
    const Redirected redirected(work.path(), out, err);
    finished.code = run(command, outputs.path() / "command");
  }
  finished.out = read_file(out);
  std::ifstream errors(err, std::ios::binary);
  take_stderr(errors, finished);
  return finished;
}

void expect_refused(const std::string& command, const std::string& message) {
  SCOPED_TRACE(command);
  const auto finished = shell(command);
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(line_count(finished.err), 1U) << finished.err;
  EXPECT_NE(finished.err.find(message), std::string::npos) << finished.err;
}

}  // namespace torchbook::test
