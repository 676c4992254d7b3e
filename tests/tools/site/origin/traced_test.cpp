// Tests which tensors of a run get a picture though no cell shows them, and which cell made them.
#include <gtest/gtest.h>
#include <support/folders.h>
#include <tools/site/origin/traced_run.h>
#include <torchbook/notebook/ported_notebook.h>

namespace torchbook::test {
namespace {

using notebook::Notebook;
using Words = std::vector<std::string>;

/// Returns the unshown pictures, with their numbers: `u1-1: 6 6`.
Words unshown(const TracedCells& cells) {
  Words words;
  for (const auto& picture : site::pictures_of(traced_run(cells))) {
    if (picture.shown) continue;
    auto text = picture.id + ":";
    for (const auto& number : picture.exact) text += " " + number;
    words.push_back(text);
  }
  return words;
}

TEST(Traced, OperandsAndResultsStandInTheCellsThatMadeThem) {
  at::Tensor a, b;
  EXPECT_EQ(unshown({[&](Notebook&) {
                       a = at::ones({2, 2});
                     },
                     [&](Notebook&) { b = at::full({2}, 3.F); }, [&](Notebook&) { at::matmul(a, b); }}),
            (Words{"u1-1: 1 1 1 1", "u2-1: 3 3", "u3-1: 6 6"}));
  EXPECT_EQ(unshown({[&](Notebook&) {
              at::softmax(at::zeros({1, 2}), 1);
            }}),
            (Words{"u1-1: 0 0", "u1-2: 0.5 0.5"}));
}

TEST(Traced, AMatrixStandsForItsRowsAndItsTranspose) {
  at::Tensor inputs;
  EXPECT_EQ(unshown({[&](Notebook&) { inputs = counted(3, 2); },
                     [&](Notebook&) {
                       for (int i = 0; i < 3; ++i) at::dot(inputs[i], inputs[1]);
                     },
                     [&](Notebook&) { at::matmul(inputs, inputs.t()); }}),
            (Words{"u1-1: 1 2 3 4 5 6", "u3-1: 5 11 17 11 25 39 17 39 61"}));
}

TEST(Traced, AnyOtherViewIsATensorOfItsOwn) {
  EXPECT_EQ(unshown({[](Notebook&) { at::mv(counted(3, 2).t(), at::ones({3})); }}),
            (Words{"u1-1: 1 3 5 2 4 6", "u1-2: 1 1 1", "u1-3: 9 12"}));
  EXPECT_EQ(unshown({[](Notebook&) { at::dot(counted(3, 2).select(1, 0), at::full({3}, 2.F)); }}),
            (Words{"u1-1: 1 3 5", "u1-2: 2 2 2"}));
}

TEST(Traced, ATensorBelongsToTheCellThatWroteItLast) {
  at::Tensor scores;
  EXPECT_EQ(unshown({[&](Notebook&) { scores = at::empty({2}); },
                     [&](Notebook&) {
                       scores[0] = 1;
                       scores[1] = 1;
                     },
                     [&](Notebook&) { at::softmax(scores, 0); }, [&](Notebook&) { scores += 1; },
                     [&](Notebook&) { at::softmax(scores, 0); }}),
            (Words{"u2-1: 1 1", "u3-1: 0.5 0.5", "u4-1: 2 2", "u5-1: 0.5 0.5"}));
}

TEST(Traced, WhatNoCellMadeBelongsToTheFirstThatUsedIt) {
  const at::Tensor known = at::ones({2});
  EXPECT_EQ(unshown({[](Notebook&) {}, [&](Notebook&) { at::dot(known, at::full({2}, 2.F)); }}),
            (Words{"u2-1: 1 1", "u2-2: 2 2"}));
}

TEST(Traced, StandsBehindWhatItsCellHadShownBefore) {
  std::vector<std::string> ids;
  for (const auto& picture : site::pictures_of(traced_run({[](Notebook& nb) {
         nb.print(at::ones({2}));
         const auto between = at::zeros({2});
         nb.print(at::full({2}, 5.F));
         at::dot(between, at::full({2}, 7.F));
       }})))
    ids.push_back(picture.id + " " + picture.exact.front());
  EXPECT_EQ(ids, (Words{"t1-1 1", "u1-1 0", "t1-2 5", "u1-2 7"}));
}

TEST(Traced, TheSixteenOfACellThatWereUsedLast) {
  const auto kept = unshown({[](Notebook&) {
    const at::Tensor ones = at::ones({1, 2});
    for (int i = 0; i < 100; ++i) at::mm(at::full({2, 1}, static_cast<float>(i)), ones);
  }});
  ASSERT_EQ(kept.size(), 16U);
  EXPECT_EQ(kept[0], "u1-1: 1 1");
  EXPECT_EQ(kept[15], "u1-16: 99 99 99 99");
}

TEST(Traced, LeavesOutWhatNobodyCouldLookAt) {
  EXPECT_EQ(
      unshown({[](Notebook&) {
        at::matmul(at::ones({1, 1, 1, 1, 2}), at::ones({1, 1, 1, 2, 1}));               // four dimensions
        at::matmul(at::ones({1, 1025}), at::ones({1025, 1}));                           // too many elements
        at::mv(at::ones({1, 2}, at::kComplexFloat), at::ones({2}, at::kComplexFloat));  // no real numbers
        at::mm(at::empty({2, 2}, at::kMeta), at::empty({2, 2}, at::kMeta));             // no numbers at all
        at::mm(at::full({2, 2}, 2.F).to_sparse(), at::full({2, 1}, 7.F));               // sparse
      }}),
      (Words{"u1-1: 7 7", "u1-2: 28 28"}));
}

TEST(Traced, NothingOfOtherOperations) {
  EXPECT_EQ(unshown({[](Notebook& nb) { nb.print((at::ones({2}) + 1).sum()); }}), Words{});
}

void long_notebook(Notebook& nb) {
  nb.cell("1");
  auto x = at::ones({2});
  for (int i = 0; i < 10'000; ++i) x.add_(1);
  at::softmax(x, 0);
  nb.cell("1");
  nb.print(at::softmax(x, 0));
}

TEST(Traced, OfALongCellTheBeginningAndOfTheNextOneAll) {
  golden::JudgedTranscript judged{
      .transcript = notebook::run_traced(
          {.slug = "long", .document = "000.txt", .define = long_notebook, .table = table_of_ones(2)},
          trace_library()),
      .judgements = {}};
  const auto all = site::pictures_of(judged);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].id, "u2-1");
  EXPECT_EQ(words_of(all[1], all), "softmax(u2-1, 0)");
}

}  // namespace
}  // namespace torchbook::test
