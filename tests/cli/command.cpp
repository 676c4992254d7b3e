// Runs commands in a shell, and reads their output from files.
#include <cli/command.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/temporary_folder.h>
#include <support/texts.h>
#include <sys/wait.h>
#include <torchbook/cli/shared/words.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <string_view>

namespace torchbook::test {
namespace {

/// Splits stderr. How many progress lines there are depends on how busy the machine is.
void take_stderr(std::istream& lines, Finished& finished) {
  static const std::regex progress("[a-z_]+: [0-9]+ s, waiting for .+\n");
  for (std::string line; std::getline(lines, line);) {
    if (!lines.eof()) line += '\n';
    (std::regex_match(line, progress) ? finished.progress : finished.err) += line;
  }
}

}  // namespace

Finished shell(const std::string& command) {
  ::unsetenv("NO_COLOR");
  ::unsetenv("CLICOLOR_FORCE");
  ::setenv("BIN", warm_folder().c_str(), 1);
  const TemporaryFolder outputs;
  const TemporaryFolder work;
  const auto out = outputs.path() / "out";
  const auto err = outputs.path() / "err";
  Finished finished;
  std::ofstream(outputs.path() / "command") << command;
  const int status =
      std::system(fmt::format("cd {} && exec sh {}/command </dev/null >{} 2>{}", work.path().string(),
                              outputs.path().string(), out.string(), err.string())
                      .c_str());
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
  expect_part(finished.err, message);
}

Finished torchbook(const std::vector<std::string>& arguments) {
  std::string command = "$BIN/torchbook";
  for (const auto& argument : arguments) command += ' ' + cli::shell_quoted(argument);
  return shell(command);
}

std::string refusal(const std::vector<std::string>& arguments) {
  const auto finished = torchbook(arguments);
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(finished.out, "");
  constexpr std::string_view start = "torchbook: ";
  EXPECT_TRUE(finished.err.starts_with(start) && finished.err.ends_with('\n')) << finished.err;
  if (finished.err.size() <= start.size()) return finished.err;
  return finished.err.substr(start.size(), finished.err.size() - start.size() - 1);
}

std::string write_notebook(const std::string& source) {
  return fmt::format(
      R"(printf '%s' '{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [)"
      R"({{"cell_type": "markdown", "source": "# Start"}},)"
      R"({{"cell_type": "code", "execution_count": 3, "source": "%matplotlib inline\nx = 1", "outputs": []}},)"
      R"({{"cell_type": "code", "execution_count": null, "source": "{}", "outputs": [)"
      R"({{"output_type": "execute_result", "data": {{"text/plain": "1"}}}}]}}]}}' >small.ipynb; )",
      source);
}

}  // namespace torchbook::test
