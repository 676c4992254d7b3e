// Tests the version's parts, and which PyTorch's text is printed.
#include <gtest/gtest.h>
#include <pyrepr/judged.h>
#include <torch/version.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/version.h>

#include <string>
#include <typeinfo>

namespace torchbook::pyrepr {
namespace {

TEST(Version, TextHasTheThreeNumbers) {
  const std::string numbers = std::to_string(TORCHBOOK_PYREPR_VERSION_MAJOR) + "." +
                              std::to_string(TORCHBOOK_PYREPR_VERSION_MINOR) + "." +
                              std::to_string(TORCHBOOK_PYREPR_VERSION_PATCH);
  EXPECT_EQ(TORCHBOOK_PYREPR_VERSION, numbers);
}

TEST(Version, OfTheLibraryIsThatOfItsHeaders) { EXPECT_EQ(version(), TORCHBOOK_PYREPR_VERSION); }

TEST(Version, NamespaceIsTheMajorVersion) {
  const std::string major = std::to_string(TORCHBOOK_PYREPR_VERSION_MAJOR);
  const std::string name = typeid(PrintOptions).name();
  EXPECT_NE(name.find("6pyrepr2v" + major + "12PrintOptions"), name.npos) << name;
}

TEST(Version, OfPyTorchIsThatWhoseTextIsPrinted) {
  EXPECT_PYTHON("'.'.join(torch.__version__.split('.')[:2])", std::string(pytorch_release()),
                std::to_string(TORCH_VERSION_MAJOR) + "." + std::to_string(TORCH_VERSION_MINOR));
}

}  // namespace
}  // namespace torchbook::pyrepr
