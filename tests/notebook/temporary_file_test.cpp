// Tests the files without a name.
#include <gtest/gtest.h>
#include <torchbook/notebook/temporary_file.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace torchbook::notebook {
namespace {

TEST(TemporaryFile, HasTheBytesThatWereWrittenUnderItsPath) {
  const TemporaryFile file;
  EXPECT_EQ(file.size(), 0U);
  EXPECT_EQ(file.bytes(), "");
  const std::string text("one\n\0two", 8);
  std::ofstream(file.path(), std::ios::binary) << text;
  EXPECT_EQ(file.size(), 8U);
  EXPECT_EQ(file.bytes(), text);
  EXPECT_EQ(file.bytes(3), "two");
  EXPECT_EQ(file.bytes(0), "");
  EXPECT_EQ(file.bytes(9), text);
}

TEST(TemporaryFile, IsGoneWithItsObject) {
  std::string path;
  {
    const TemporaryFile file;
    path = file.path();
    EXPECT_TRUE(std::filesystem::exists(path));
    EXPECT_GE(file.descriptor(), 0);
  }
  EXPECT_FALSE(std::filesystem::is_symlink(path));
}

}  // namespace
}  // namespace torchbook::notebook
