// Tests that a cell keeps the tensors that it printed or displayed, as they were then.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <notebook/table_of_ones.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/notebook_run.h>

#include <string>
#include <vector>

namespace torchbook::notebook {
namespace {

/// Returns the tensors of a notebook's only cell.
template <class Body>
std::vector<RecordedTensor> tensors_of(const Body& body) {
  NotebookRun run(test::table_of_ones(1));
  run.cell("1");
  body(run);
  run.finish();
  return run.transcript().cells().front()->tensors;
}

const RecordedTensor one_two{"torch.float32", {2}, std::string("\0\0\x80\x3f\0\0\0\x40", 8)};
const RecordedTensor seven{"torch.int64", {}, std::string("\7\0\0\0\0\0\0\0", 8)};

TEST(RecordingOfACell, HoldsWhatIsDisplayed) {
  EXPECT_EQ(tensors_of([](Notebook& nb) { nb.display(at::tensor({1.F, 2.F})); }), std::vector{one_two});
}

TEST(RecordingOfACell, HoldsWhatIsPrintedThenWhatIsDisplayed) {
  const auto tensors = tensors_of([](Notebook& nb) {
    nb.print(f("{} and {}", at::tensor({1.F, 2.F}), 1.5));
    nb.print(at::scalar_tensor(7, at::kLong));
    nb.display(at::tensor({1.F, 2.F}));
  });
  EXPECT_EQ(tensors, (std::vector{one_two, seven, one_two}));
}

TEST(RecordingOfACell, HoldsTheTensorsOfTuplesListsAndOptionals) {
  const auto tensors = tensors_of([](Notebook& nb) {
    const auto a = at::tensor({1.F, 2.F});
    const auto b = at::scalar_tensor(7, at::kLong);
    nb.display(std::tuple(a, 3, std::vector{b, b}, std::optional(a), std::optional<at::Tensor>()));
  });
  EXPECT_EQ(tensors, (std::vector{one_two, seven, seven, one_two}));
}

TEST(RecordingOfACell, HoldsTheTensorAsItWasThen) {
  const auto tensors = tensors_of([](Notebook& nb) {
    auto a = at::tensor({1.F, 2.F});
    nb.print(a);
    nb.display(a.add_(1).sub_(1).mul_(0).add_(at::tensor({1.F, 2.F})));
  });
  EXPECT_EQ(tensors, (std::vector{one_two, one_two}));
  auto kept = at::tensor({1.F, 2.F});
  const auto before = tensors_of([&](Notebook& nb) {
    nb.print(kept);
    kept.zero_();
    nb.display(kept);
  });
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0], one_two);
  EXPECT_EQ(before[1].bytes, std::string(8, '\0'));
}

TEST(RecordingOfACell, IsRowMajorWhateverTheStrides) {
  const auto tensors = tensors_of([](Notebook& nb) {
    nb.display(at::tensor({1, 2, 3, 4}, at::kByte).view({2, 2}).t());
  });
  EXPECT_EQ(tensors, (std::vector{RecordedTensor{"torch.uint8", {2, 2}, "\1\3\2\4"}}));
}

TEST(RecordingOfACell, HoldsTheValuesOfANegativeView) {
  const auto tensors = tensors_of([](Notebook& nb) { nb.display(at::tensor({-1.F, -2.F})._neg_view()); });
  EXPECT_EQ(tensors, std::vector{one_two});
}

TEST(RecordingOfACell, LeavesOutWhatHasNoPlainBits) {
  const auto tensors = tensors_of([](Notebook& nb) {
    nb.print(1, "text", torchbook::shape(at::ones({2, 3})));
    nb.print(at::eye(2).to_sparse());
    nb.print(at::empty({2}, at::kMeta));
    nb.print(at::_nested_tensor_from_tensor_list({at::ones({2}), at::zeros({1})}));
    nb.display(at::quantize_per_tensor(at::ones({2}), 0.5, 0, at::kQUInt8));
  });
  EXPECT_EQ(tensors, std::vector<RecordedTensor>{});
  EXPECT_FALSE(recorded(at::Tensor()));
}

TEST(RecordingOfACell, HoldsEachTensorOfAPrintInPythonsOrder) {
  const auto a = at::tensor({1.F, 2.F});
  const auto b = at::scalar_tensor(7, at::kLong);
  const auto fstrings = tensors_of([&](Notebook& nb) { nb.print(f("{}", a), f("{} {}", b, a), f("{}", b)); });
  EXPECT_EQ(fstrings, (std::vector{one_two, seven, one_two, seven}));
  // Python makes the text of an f-string before print makes the texts of the other arguments.
  const auto mixed = tensors_of([&](Notebook& nb) { nb.print(a, f("{}", b)); });
  EXPECT_EQ(mixed, (std::vector{seven, one_two}));
}

TEST(RecordingOfACell, HoldsWhatStrAndReprWereAskedFor) {
  const auto a = at::tensor({1.F, 2.F});
  const auto tensors = tensors_of([&](Notebook& nb) {
    const auto text = pyrepr::str(a);
    nb.print(text);
    nb.print(pyrepr::Parameter{a}, at::eye(2).to_sparse());
  });
  EXPECT_EQ(tensors, (std::vector{one_two, one_two}));
}

TEST(RecordingOfACell, KeepsAnFStringInTheCellThatMadeIt) {
  NotebookRun run(test::table_of_ones(3));
  run.cell("1");
  const auto made = f("{}", at::tensor({1.F, 2.F}));
  run.cell("1");
  const auto not_printed = f("{}", at::tensor({1.F, 2.F}));
  run.print(f("{}", at::scalar_tensor(7, at::kLong)), made);
  run.cell("1");
  run.print(f("{}", at::scalar_tensor(7, at::kLong)), f("{}", at::tensor({1.F, 2.F})));
  run.finish();
  EXPECT_EQ(run.transcript().cells()[0]->tensors, std::vector{one_two});
  EXPECT_EQ(run.transcript().cells()[1]->tensors, (std::vector{one_two, seven}));
  EXPECT_EQ(run.transcript().cells()[2]->tensors, (std::vector{seven, one_two}));
  EXPECT_EQ(run.transcript().cells()[1]->out, "7 tensor([1., 2.])\n");
}

}  // namespace
}  // namespace torchbook::notebook
