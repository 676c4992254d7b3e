// Tests that a port reads text as Python's open() does.
#include <gtest/gtest.h>
#include <support/temporary_folder.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/runtime/class.h>
#include <torchbook/runtime/text_file.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace torchbook {
namespace {

/// A test with a file of text.
class TextFile : public testing::Test {
 protected:
  std::string read(const std::string& bytes) const {
    const auto path = folder_.path() / "text";
    std::ofstream(path, std::ios::binary) << bytes;
    return read_text(path.string());
  }

  test::TemporaryFolder folder_;
};

TEST_F(TextFile, IsReadWhole) {
  EXPECT_EQ(read("emma\nava\n"), "emma\nava\n");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read(std::string("a\0b", 3)), std::string("a\0b", 3));
}

TEST_F(TextFile, HasTheEndsOfLinesThatPythonGives) {
  EXPECT_EQ(read("a\r\nb\rc\n"), "a\nb\nc\n");
  EXPECT_EQ(read("a\r\r\n"), "a\n\n");
  EXPECT_EQ(read("\r"), "\n");
}

TEST_F(TextFile, KeepsLettersBeyondAscii) { EXPECT_EQ(read("caf\xC3\xA9\n"), "caf\xC3\xA9\n"); }

TEST_F(TextFile, IsRefusedIfItIsNone) {
  EXPECT_THROW(read_text("/nowhere/at all"), std::runtime_error);
  EXPECT_THROW(read_text(folder_.path().string()), std::runtime_error);
  EXPECT_THROW(read_text("/dev/zero"), std::runtime_error);
}

TEST(Class, PrintsAsPythonAndAsJupyter) {
  EXPECT_EQ(pyrepr::repr(Class{"torch.Tensor"}), "torch.Tensor");
  EXPECT_EQ(pyrepr::str(Class{"int"}), "<class 'int'>");
}

}  // namespace
}  // namespace torchbook
