// A cell keeps the tensors that it printed or displayed, as they were then.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/notebook/notebook.h>

#include <string>
#include <vector>

namespace torchbook::notebook {
namespace {

/// The tensors of a notebook's one cell.
template <class Body>
std::vector<RecordedTensor> tensors_of(const Body& body) {
  Notebook nb("nb.cell(\"1\", [&] {\n});\n", {});
  nb.cell(
      "1", [&] { return body(nb); }, 1);
  return nb.transcript().cells().front()->tensors;
}

const RecordedTensor one_two{"torch.float32", {2}, std::string("\0\0\x80\x3f\0\0\0\x40", 8)};
const RecordedTensor seven{"torch.int64", {}, std::string("\7\0\0\0\0\0\0\0", 8)};

TEST(RecordingOfACell, HoldsWhatIsDisplayed) {
  EXPECT_EQ(tensors_of([](Notebook&) { return at::tensor({1.F, 2.F}); }), std::vector{one_two});
}

TEST(RecordingOfACell, HoldsWhatIsPrintedThenWhatIsDisplayed) {
  const auto tensors = tensors_of([](Notebook& nb) {
    nb.print("{} and {}", at::tensor({1.F, 2.F}), 1.5);
    nb.print(at::scalar_tensor(7, at::kLong));
    return at::tensor({1.F, 2.F});
  });
  EXPECT_EQ(tensors, (std::vector{one_two, seven, one_two}));
}

TEST(RecordingOfACell, HoldsTheTensorsOfTuplesListsAndOptionals) {
  const auto tensors = tensors_of([](Notebook&) {
    const auto a = at::tensor({1.F, 2.F});
    const auto b = at::scalar_tensor(7, at::kLong);
    return std::tuple(a, 3, std::vector{b, b}, std::optional(a), std::optional<at::Tensor>());
  });
  EXPECT_EQ(tensors, (std::vector{one_two, seven, seven, one_two}));
}

TEST(RecordingOfACell, HoldsTheTensorAsItWasThen) {
  const auto tensors = tensors_of([](Notebook& nb) {
    auto a = at::tensor({1.F, 2.F});
    nb.print(a);
    return a.add_(1).sub_(1).mul_(0).add_(at::tensor({1.F, 2.F}));
  });
  EXPECT_EQ(tensors, (std::vector{one_two, one_two}));
  auto kept = at::tensor({1.F, 2.F});
  const auto before = tensors_of([&](Notebook& nb) {
    nb.print(kept);
    kept.zero_();
    return kept;
  });
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0], one_two);
  EXPECT_EQ(before[1].bytes, std::string(8, '\0'));
}

TEST(RecordingOfACell, IsRowMajorWhateverTheStrides) {
  const auto tensors = tensors_of([](Notebook&) {
    return at::tensor({1, 2, 3, 4}, at::kByte).view({2, 2}).t();
  });
  EXPECT_EQ(tensors, (std::vector{RecordedTensor{"torch.uint8", {2, 2}, "\1\3\2\4"}}));
}

TEST(RecordingOfACell, LeavesOutWhatHasNoPlainBits) {
  const auto tensors = tensors_of([](Notebook& nb) {
    nb.print("{} {} {}", 1, "text", shape(at::ones({2, 3})));
    nb.print(at::eye(2).to_sparse());
    nb.print(at::empty({2}, at::kMeta));
    return at::quantize_per_tensor(at::ones({2}), 0.5, 0, at::kQUInt8);
  });
  EXPECT_EQ(tensors, std::vector<RecordedTensor>{});
}

}  // namespace
}  // namespace torchbook::notebook
