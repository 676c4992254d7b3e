// Each cell gets its part of the twin.
#include <gtest/gtest.h>
#include <torchbook/notebook/twin.h>

#include <stdexcept>
#include <string>

namespace torchbook::notebook {
namespace {

Transcript port() {
  Transcript transcript;
  transcript.slug = "sums";
  transcript.items.emplace_back(Note{"Before."});
  Cell first;
  first.label = "1";
  Cell second;
  second.label = "None";
  transcript.items.emplace_back(first);
  transcript.items.emplace_back(Restored{"A seed.", "seed(1);", "", std::nullopt});
  transcript.items.emplace_back(second);
  return transcript;
}

std::string complaint(const std::string& twin) {
  Transcript transcript = port();
  try {
    attach_twin(transcript, twin);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Twin, GivesEachCellItsPart) {
  Transcript transcript = port();
  attach_twin(
      transcript,
      "# A twin.\n\n# %% [1]\nimport torch\n\n\nx = 1\n\n\n# %% [restored] the seed\ntorch.manual_seed(1)\n\n"
      "# %% [None]\nx  # no newline");
  EXPECT_EQ(transcript.cells()[0]->twin, "import torch\n\n\nx = 1");
  EXPECT_EQ(transcript.cells()[1]->twin, "x  # no newline");
  EXPECT_EQ(std::get<Restored>(transcript.items[2]).twin, "torch.manual_seed(1)");
}

TEST(Twin, GivesNothingWhereThereIsNone) {
  Transcript transcript = port();
  attach_twin(transcript, "");
  EXPECT_EQ(transcript.cells()[0]->twin, "");
}

TEST(Twin, IsRefusedWhereItsCellsAreOthers) {
  EXPECT_EQ(complaint("# %% [1]\n# %% [restored]\n# %% [2]\n"),
            "the twin of sums has [2] where the port has [None]");
  EXPECT_EQ(complaint("# %% [1]\n# %% [None]\n"),
            "the twin of sums has [None] where the port has [restored]");
  EXPECT_EQ(complaint("# %% [1]\n# %% [restored]\n"), "the twin of sums has ended where the port has [None]");
  EXPECT_EQ(complaint("# %% [1]\n# %% [restored]\n# %% [None]\n# %% [4]\n"),
            "the twin of sums has more cells than the port");
  EXPECT_EQ(complaint("no cells"), "the twin of sums has ended where the port has [1]");
}

}  // namespace
}  // namespace torchbook::notebook
