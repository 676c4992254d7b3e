// Reads only the first characters of a golden's lines: `@` begins a cell, `>` and `=` are its output.
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/goldens.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace torchbook::test {
namespace {

GoldenCounts counts_of(const std::filesystem::path& path) {
  GoldenCounts counts;
  counts.slug = path.stem().string();
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::string line;
  std::getline(file, line);
  counts.document = line.substr(line.rfind(' ') + 1);
  bool shown = false;
  while (std::getline(file, line)) {
    if (line.starts_with("@")) {
      ++counts.cells;
      shown = false;
    } else if ((line.starts_with(">") || line.starts_with("=")) && !shown) {
      ++counts.outputs;
      shown = true;
    }
  }
  return counts;
}

std::size_t sum(std::size_t GoldenCounts::*count) {
  const auto all = goldens();
  return std::accumulate(all.begin(), all.end(), std::size_t{0},
                         [&](std::size_t before, const auto& one) { return before + one.*count; });
}

}  // namespace

std::vector<GoldenCounts> goldens() {
  std::vector<GoldenCounts> all;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/notebooks_ported")) {
    if (entry.path().extension() == ".golden") all.push_back(counts_of(entry.path()));
  }
  std::sort(all.begin(), all.end(),
            [](const auto& one, const auto& other) { return one.document < other.document; });
  return all;
}

std::size_t cell_count() { return sum(&GoldenCounts::cells); }

std::size_t output_count() { return sum(&GoldenCounts::outputs); }

std::string summary_begin() {
  return std::to_string(goldens().size()) + " notebooks, " + std::to_string(cell_count()) + " cells, " +
         std::to_string(output_count()) + " outputs: ";
}

std::string summary_of_equal() { return summary_begin() + std::to_string(output_count()) + " equal"; }

}  // namespace torchbook::test
