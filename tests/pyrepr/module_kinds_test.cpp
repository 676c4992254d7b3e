// Holds the list of module classes against LibTorch's headers and against the tests.
#include <c10/util/Type.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <torchbook/pyrepr/module_kinds.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace torchbook::pyrepr {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the include folders that have LibTorch's module headers.
std::vector<fs::path> header_folders() {
  std::vector<fs::path> folders;
  const std::string includes = TORCHBOOK_TORCH_INCLUDES;
  const std::regex separator(":");
  for (std::sregex_token_iterator path(includes.begin(), includes.end(), separator, -1), end; path != end;
       ++path) {
    const fs::path folder = fs::path(path->str()) / "torch/nn/modules";
    if (fs::exists(folder)) folders.push_back(folder);
  }
  return folders;
}

/// Returns the names of the module classes that LibTorch's headers define.
std::set<std::string> classes_of_libtorch() {
  const std::regex holder(R"(\n(?:TORCH_MODULE\((\w+)\);|class (\w+) : public torch::nn::ModuleHolder<))");
  std::set<std::string> names;
  for (const fs::path& folder : header_folders()) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string text = entry.is_regular_file() ? contents(entry.path()) : "";
      for (std::sregex_iterator match(text.begin(), text.end(), holder), end; match != end; ++match)
        names.insert(match->str(1) + match->str(2));
    }
  }
  return names;
}

std::set<std::string> classes_of_pyrepr() {
  std::set<std::string> names;
  for (const ModuleKind& kind : all_module_kinds())
    names.insert(module_class_name(c10::demangle(kind.type.name())));
  return names;
}

TEST(ModuleKinds, AreAllClassesOfLibTorch) {
  const auto listed = classes_of_pyrepr();
  const auto defined = classes_of_libtorch();
  EXPECT_GT(defined.size(), 120U);
  for (const std::string& name : defined) EXPECT_TRUE(listed.contains(name)) << name << " is not listed";
  for (const std::string& name : listed)
    EXPECT_TRUE(defined.contains(name)) << name << " was not found in the headers";
}

TEST(ModuleKinds, AreAllTested) {
  std::string tests = contents(test::module_classes());
  for (const auto& entry : fs::directory_iterator(test::source_folder() + "/tests/pyrepr"))
    if (entry.is_regular_file()) tests += contents(entry.path());
  std::set<std::string> tested;
  for (std::size_t at = tests.find("nn::"); at != tests.npos; at = tests.find("nn::", at + 4))
    tested.insert(tests.substr(at + 4, tests.find_first_of(" ({:", at + 4) - at - 4));
  for (const std::string& name : classes_of_pyrepr())
    EXPECT_TRUE(tested.contains(name)) << "no test prints a " << name;
}

}  // namespace
}  // namespace torchbook::pyrepr
