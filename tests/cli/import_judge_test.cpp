// Tests what `torchbook import` says of the cells that it has had built. CMake and the port are shell scripts
// here; tests/consumer/project_test.py has the real ones.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <filesystem>
#include <string>

namespace torchbook::test {
namespace {

/// Returns a shell command that makes a project. `build` is what `cmake --build` does, `port` what the port
/// does.
std::string project(const std::string& port, const std::string& build = "exit 0",
                    const std::string& configure = "printf %s \"$PWD/port\" >build/small.program") {
  return write_notebook("x, y") +
         "printf 'project(p)\\ntorchbook_add_program(p)\\n' >CMakeLists.txt; mkdir -p bin build; cat "
         ">bin/cmake "
         "<<'END'\n#!/bin/sh\necho \"$*\" >>commands\ncase $1 in\n-S) " +
         configure + ";;\n--build) " + build + ";;\nesac\nEND\ncat >port <<'END'\n#!/bin/sh\n" + port +
         "\nEND\nchmod +x bin/cmake port; export PATH=\"$PWD/bin:$PATH\"; unset CMAKE_PREFIX_PATH\n";
}

/// Returns the script of a port whose check says this of its cells.
std::string says(const std::string& cells) { return "cat >&3 <<'JSON'\n{\"cells\": [" + cells + "]}\nJSON"; }

/// Returns the beginning of the commands that are told: CMake finds torchbook in this build folder.
std::string told() {
  return "; this builds and checks it: env CMAKE_PREFIX_PATH=" +
         std::filesystem::path(bin_folder()).parent_path().string() + " cmake -S . -B build";
}

const std::string left = "not ported:\n  @2 In [None]: the name y is not known\n";

/// Imports the notebook. What it says before it judges the port is left out.
Finished imported(const std::string& made, const std::string& options = "") {
  auto run = shell(made + "$BIN/torchbook import small.ipynb " + options);
  const auto wrote = run.out.find("wrote ");
  run.out = wrote == run.out.npos ? run.out : run.out.substr(run.out.find('\n', wrote) + 1);
  return run;
}

constexpr const char* first = R"({"position": 1, "verdict": "no-output"}, )";

TEST(ImportJudges, TellsWhatDiffers) {
  const auto values = imported(project(says(
      first + std::string(R"({"position": 2, "verdict": "different", "difference": {"error": null, )"
                          R"("text": null, "values": [{"mismatch": null, "golden": "1", "here": "2"}]}})"))));
  EXPECT_EQ(values.out, left +
                            "  @2 In [None] differs from its golden: golden 1, here 2\n"
                            "1 notebook, 2 cells, 1 output: 0 equal, 1 different\nmore: ./port --failed\n");
  EXPECT_EQ(values.code, 1) << values.err;
  const auto text = imported(project(
      says(first +
           std::string(
               R"({"position": 2, "verdict": "different", "difference": {"error": null, "values": [], )"
               R"("text": {"output": "result", "line": 1, "column": 1, "golden": "a", "here": null}}})"))));
  expect_part(text.out, "  @2 In [None] differs from its golden: golden a, here (nothing more)\n");
  const auto mismatch = imported(project(says(
      first +
      std::string(R"({"position": 2, "verdict": "different", "difference": {"error": null, "text": null, )"
                  R"("values": [{"mismatch": "an int here", "golden": null, "here": null}]}})"))));
  expect_part(mismatch.out, "  @2 In [None] differs from its golden: an int here\n");
}

TEST(ImportJudges, WhatIsEqualOrNotPortedIsADraft) {
  const auto equal = imported(project(says(first + std::string(R"({"position": 2, "verdict": "equal"})"))));
  EXPECT_EQ(equal.out, left + "1 notebook, 2 cells, 1 output: 1 equal\n");
  EXPECT_EQ(equal.code, 0) << equal.err;
  const auto unported = imported(project(says(
      first + std::string(R"({"position": 2, "verdict": "not-ported", "not_ported": "y is not known"})"))));
  EXPECT_EQ(unported.out, left + "1 notebook, 2 cells, 1 output: 0 equal, 1 not ported\n");
  EXPECT_EQ(unported.code, 0) << unported.err;
}

TEST(ImportJudges, WhatIsKnownToDifferPasses) {
  const std::string known =
      R"({"position": 2, "verdict": "different", "exception": {"kind": "differs", "reason": "a time", )"
      R"("place": "small.exceptions:3", "holds": true}, "difference": {"error": null, "text": null, "values": []}})";
  const auto run = imported(project(says(first + known)));
  EXPECT_EQ(run.out, left +
                         "  @2 In [None] differs from its golden, as expected: a time\n"
                         "1 notebook, 2 cells, 1 output: 0 equal; as expected: 1 different\n");
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(ImportJudges, ACellThatThrewEndsWith3) {
  const auto run = imported(project(says(
      R"({"position": 1, "verdict": "threw", "difference": {"error": "boom", "text": null, "values": []}})")));
  expect_end(run.out,
             "1 of them because of @1\n  @1 In [3] threw: boom\n1 notebook, 2 cells, 0 outputs: 0 equal, 1 "
             "threw, 1 cell not run\n"
             "more: ./port --failed\n");
  EXPECT_EQ(run.code, 3);
}

TEST(ImportJudges, BuildsTheNotebookAlone) {
  const auto run =
      shell(project(says(first)) + "$BIN/torchbook import small.ipynb >/dev/null 2>&1; cat commands");
  EXPECT_EQ(
      run.out,
      "-S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release\n--build build --config Release --target small\n");
  const auto configured =
      shell(project(says(first)) +
            "touch build/CMakeCache.txt; $BIN/torchbook import small.ipynb >/dev/null 2>&1; "
            "head -1 commands");
  EXPECT_EQ(configured.out, "-S . -B build\n");
}

TEST(ImportJudges, APortThatDoesNotCompileIsABug) {
  const auto run = imported(
      project("", "echo start; echo 'small.cpp:7:3: error: no type'; echo 'ninja: build stopped'; exit 1"));
  EXPECT_EQ(run.out, left);
  expect_end(run.err,
             "torchbook: small does not compile, which is a bug of torchbook: small.cpp:7:3: error: no type "
             "(the log "
             "is build/small.build.log)\n");
  EXPECT_EQ(run.code, 1);
  const auto killed = imported(project("", "echo 'c++: fatal error: Killed signal'; exit 1"));
  expect_end(killed.err,
             "torchbook: small does not compile: c++: fatal error: Killed signal (the log is "
             "build/small.build.log)\n");
}

TEST(ImportJudges, WhereNothingCanBeBuiltTheCommandsAreTold) {
  const std::string commands = told() +
                               " -G Ninja -DCMAKE_BUILD_TYPE=Release && cmake --build build --config Release "
                               "--target small && \"$(cat "
                               "build/small.program)\" --check\n";
  const auto fails = imported(
      project("", "", "printf 'CMake Error at a:\\n\\n  No compiler\\n  here.\\n\\nmore\\n'; exit 1"));
  EXPECT_EQ(fails.out, left);
  expect_end(fails.err,
             "the port is not built: CMake Error at a: No compiler here. (the log is build/small.build.log)" +
                 commands);
  EXPECT_EQ(fails.code, 0);
  const auto unfit = imported(project("", "",
                                      "printf 'CMake Error at a:\\n  Found package configuration file:\\n\\n "
                                      "   /b/cConfig.cmake\\n\\n  but it set "
                                      "c_FOUND to FALSE. Reason given by\\n  package:\\n\\n  It was built\\n "
                                      " with d.\\n\\nmore\\n'; exit 1"));
  expect_end(unfit.err,
             "the port is not built: CMake Error at a: It was built with d. (the log is "
             "build/small.build.log)" +
                 commands);
  const auto none = imported(project("") + "rm bin/cmake; ln -s /bin/sh bin; PATH=$PWD/bin ");
  EXPECT_EQ(none.out, left);
  expect_end(none.err, "the port is not built: cmake is not in PATH" + commands);
  EXPECT_EQ(none.code, 0);
  expect_end(imported(project("", "", "exit 0")).err,
             "the port is not built: ./CMakeLists.txt does not lead to torchbook_add_notebook(small); "
             "add_subdirectory(…) adds a folder" +
                 commands);
}

TEST(ImportJudges, TheToldCommandsKeepTheGenerator) {
  const auto run = imported(project("", "", "exit 1") + "touch build/CMakeCache.txt; ");
  expect_part(run.err, told() + " && cmake --build build --config Release ");
}

// CMake does not pass on SIGTERM; Ninja starts compilers in groups of their own, and ends them on SIGTERM.
TEST(ImportJudges, NothingOfABuildOutlivesIt) {
  const auto run = shell(project("", "sh ./ninja; exit 1") + R"(cat >ninja <<'END'
setsid sleep 100 & compiler=$!
trap 'kill $compiler; wait; exit 1' TERM
echo $compiler >told.new; mv told.new told
wait
END
$BIN/torchbook import small.ipynb >out 2>&1 & torchbook=$!
until test -s told; do sleep 0.02; done
kill $torchbook; wait $torchbook; echo $?
kill -0 $(cat told) && echo runs
kill -9 $(cat told))");
  EXPECT_EQ(run.out, "143\n") << run.err;
}

TEST(ImportJudges, TheLinkersReasonIsTold) {
  const auto run = imported(project(
      "", "echo '/usr/bin/ld: no space left'; echo 'collect2: error: ld returned 1 exit status'; exit 1"));
  expect_part(run.err, "torchbook: small does not compile: /usr/bin/ld: no space left (the log is ");
}

TEST(ImportJudges, ABuildFolderOfAnotherProjectIsNamed) {
  const auto run =
      imported(project("") + "echo \"CMAKE_HOME_DIRECTORY:INTERNAL=/other\" >build/CMakeCache.txt; ");
  expect_part(
      run.err,
      "the port is not built: build is a build folder of /other, so it must be moved or removed first");
}

TEST(ImportJudges, BuildsOneNotebookAtATime) {
  const auto run = shell(
      project("", "echo begins >>order; sleep 1; echo ends >>order; exit 1",
              "touch build/small.program build/other.program") +
      "for slug in small other; do $BIN/torchbook import small.ipynb --slug $slug >/dev/null 2>&1 & done; "
      "wait; cat order; grep -c add_notebook CMakeLists.txt");
  EXPECT_EQ(run.out, "begins\nends\nbegins\nends\n2\n") << run.err;
}

TEST(ImportJudges, WaitsForAnotherImportIntoTheFolder) {
  const auto run = shell(project("") + R"(cat >late <<'END'
touch held; sleep 1.5
printf 'torchbook_add_notebook(late)\ntorchbook_add_program(p)\n' >CMakeLists.txt
END
flock -o . sh late & until test -e held; do sleep 0.02; done
$BIN/torchbook import small.ipynb --no-build >/dev/null 2>&1; wait; grep notebook CMakeLists.txt)");
  EXPECT_EQ(run.out, "torchbook_add_notebook(late)\ntorchbook_add_notebook(small)\n") << run.err;
}

TEST(ImportJudges, APortThatDoesNotReportIsTold) {
  const auto endless = imported(project("exec sleep 1000"), "--timeout 1");
  EXPECT_EQ(endless.out, left);
  expect_end(endless.err,
             "the cells are not checked: ./port did not end within 1 s (--timeout sets another limit)\n");
  EXPECT_EQ(endless.code, 1);
  const auto killed = imported(project("kill -9 $$"));
  EXPECT_EQ(killed.out, left);
  expect_end(killed.err, "the cells are not checked: ./port was ended by signal 9\n");
  EXPECT_EQ(killed.code, 3);
}

TEST(ImportJudges, BuildsNothingWithoutAProject) {
  for (const std::string other : {"--no-build", "--frame"}) {
    const auto run =
        shell(project(says(first)) + "$BIN/torchbook import small.ipynb " + other + "; ls commands");
    EXPECT_EQ(run.code, 2) << run.out << run.err;  // of ls
  }
  const auto none =
      shell(project(says(first)) + "sed -i 1d CMakeLists.txt; $BIN/torchbook import small.ipynb");
  expect_end(none.err, "no CMakeLists.txt at or above . calls project(…), so the port is not built\n");
  EXPECT_EQ(none.code, 0);
}

TEST(ImportJudges, BuildsNothingWithoutOutputs) {
  const auto run = shell(project(says(first)) +
                         "sed -i 's/\"outputs\": .{.*/\"outputs\": []}]}/' small.ipynb; "
                         "$BIN/torchbook import small.ipynb; ls commands");
  expect_part(run.out, "2 cells, 0 with output");
  expect_part(run.err, "torchbook: small.ipynb stores no outputs; --run takes those that PyTorch gives");
  EXPECT_EQ(run.code, 2) << run.out << run.err;  // of ls
}

TEST(ImportJudges, FindsTheProjectAboveAFolder) {
  const auto run = shell(project(says(first)) +
                         "mkdir sub; echo 'torchbook_add_program(p)' >sub/CMakeLists.txt; "
                         "$BIN/torchbook import small.ipynb --into sub >/dev/null 2>&1; head -1 commands");
  EXPECT_EQ(run.out, "-S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release\n");
}

}  // namespace
}  // namespace torchbook::test
