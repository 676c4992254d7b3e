// Runs a shell command and reads its exit code and, from files, its output.
#include <gtest/gtest.h>
#include <support/process.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace torchbook::test {
namespace {

/// A folder that is removed with this object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "torchbook-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::filesystem::filesystem_error("mkdtemp", name, {});
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Splits stderr. How many progress lines there are depends on how busy the machine is.
void take_stderr(std::istream& lines, Finished& finished) {
  static const std::regex progress("torchbook: [0-9]+ s, waiting for .+\n");
  for (std::string line; std::getline(lines, line);) {
    if (!lines.eof()) line += '\n';
    (std::regex_match(line, progress) ? finished.progress : finished.err) += line;
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Finished shell(const std::string& command) {
  const Folder outputs;
  const Folder work;
  const auto out = outputs.path() / "out";
  const auto err = outputs.path() / "err";
  std::ofstream(outputs.path() / "command") << command;
  const std::string line =
      "cd " + work.path().string() + " && unset NO_COLOR CLICOLOR_FORCE && BIN=" + TORCHBOOK_BIN + " sh " +
      (outputs.path() / "command").string() + " >" + out.string() + " 2>" + err.string() + " </dev/null";
  const int status = std::system(line.c_str());
  Finished finished;
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.out = read_file(out);
  std::ifstream errors(err, std::ios::binary);
  take_stderr(errors, finished);
  return finished;
}

std::size_t line_count(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    ++count;
    const auto end = text.find('\n');
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return count;
}

std::string golden_text(const std::string& slug) {
  return read_file(std::filesystem::path(TORCHBOOK_SOURCE) / "tests/golden" / (slug + ".txt"));
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis missing in\n" << text;
}

void expect_end(const std::string& text, const std::string& end) {
  EXPECT_TRUE(text.ends_with(end)) << end << "\nis not the end of\n" << text;
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
