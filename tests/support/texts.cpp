// Compares texts, and reads files.
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace torchbook::test {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
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
  return read_file(std::filesystem::path(source_folder()) / "notebooks_ported" / (slug + ".golden"));
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis missing in\n" << text;
}

void expect_end(const std::string& text, const std::string& end) {
  EXPECT_TRUE(text.ends_with(end)) << end << "\nis not the end of\n" << text;
}

}  // namespace torchbook::test
