// Tests that names of entries follow tensors through operations, and that a wrong number of them is an error.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <tools/site/origin/pictures.h>
#include <tools/site/origin/traced_run.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

using notebook::Notebook;
using Texts = std::vector<std::string>;

std::string joined(const std::vector<site::EntryName>& names) {
  std::string text;
  for (const auto& name : names) text += name.text;
  return text.empty() ? "-" : text;
}

/// Returns the names of each shown tensor: `abc x -`, by dimension, with `of a` for a row.
Texts names_of(const std::function<void(Notebook&)>& cell) {
  Texts all;
  for (const auto& picture : site::pictures_of(traced_run({cell}))) {
    if (!picture.shown) continue;
    std::string text;
    const auto& names = picture.entry_names;
    for (std::size_t i = 0; i < picture.numbers.shape.size(); ++i)
      text += (i == 0 ? "" : " ") + (names.dims.empty() ? "-" : joined(names.dims[i]));
    all.push_back(text + (names.row.text.empty() ? "" : " of " + names.row.text));
  }
  return all;
}

TEST(AxisNames, FollowProductsAndWhatKeepsRowsAndColumns) {
  EXPECT_EQ(names_of([](Notebook& nb) {
              const auto x = counted(3, 2);
              nb.axis(x, 0, {"a", "b", "c"});
              const auto scores = at::matmul(x, x.t());
              nb.print(x, x.t(), scores, at::softmax(scores, 1) / 2,
                       at::exp(scores) / at::exp(scores).sum(1, true));
              nb.print(at::matmul(at::softmax(scores, 1), x), scores.sum(0), scores.mean(1), scores.sum());
            }),
            (Texts{"abc -", "- abc", "abc abc", "abc abc", "abc abc", "abc -", "abc", "abc"}));
}

TEST(AxisNames, OfARowAreItsOwnAndThatOfTheMatrix) {
  EXPECT_EQ(names_of([](Notebook& nb) {
              const auto x = counted(3, 3);
              nb.axis(x, 0, {"a", "b", "c"});
              nb.axis(x, 1, {"u", "v", "w"});
              nb.print(x[1], x.select(1, 2), x.slice(0, 1, 3), at::matmul(x, x[1]), x.unsqueeze(0),
                       x.view({9}));
            }),
            (Texts{"uvw of b", "abc of w", "bc uvw", "abc of b", "- abc uvw", "-"}));
}

TEST(AxisNames, FollowStacksAndCats) {
  EXPECT_EQ(names_of([](Notebook& nb) {
              const auto x = counted(3, 2);
              nb.axis(x, 0, {"a", "b", "c"});
              nb.axis(x, 1, {"u", "v"});
              nb.print(at::stack({x[0], x[2]}), at::stack({x[0], x[2]}, 1), at::stack({x[0], at::ones({2})}));
              nb.print(at::cat({x, x.slice(0, 0, 2)}), at::cat({x, x}, -1), at::cat({x, at::ones({1, 2})}));
              nb.print(at::stack({x, x}), at::cat({x[0], x[1]}));
            }),
            (Texts{"ac uv", "uv ac", "- -", "abcab uv", "abc uvuv", "- -", "- abc uv", "uvuv"}));
}

TEST(AxisNames, FollowViewsThatSplitOrJoinOtherDimensions) {
  EXPECT_EQ(
      names_of([](Notebook& nb) {
        const auto x = counted(3, 4);
        nb.axis(x, 0, {"a", "b", "c"});
        const auto heads = x.view({3, 2, 2});
        nb.print(heads, heads.transpose(0, 1), heads.view({3, 4}), x.reshape({1, 3, 4}), x.view({4, 3}));
        nb.print(x.view({2, 6}), x[1].view({2, 2}), heads.transpose(0, 1).reshape({2, 6}));
        const auto square = counted(4, 4);
        nb.axis(square, 0, {"a", "b", "c", "d"});
        nb.print(square.view({2, 2, 4}), square.t().reshape({2, 2, 4}), square.view({4, 2, 2}));
      }),
      (Texts{"abc - -", "- abc -", "abc -", "- abc -", "- -", "- -", "- - of b", "- -", "- - -", "- - abcd",
             "abcd - -"}));
}

TEST(AxisNames, FollowLoopsThatWriteProducts) {
  EXPECT_EQ(names_of([](Notebook& nb) {
              const auto x = counted(3, 2);
              nb.axis(x, 0, {"a", "b", "c"});
              const auto scores = at::empty({3});
              for (std::int64_t i = 0; i < 3; ++i) scores[i] = at::dot(x[1], x[i]);
              nb.print(scores, at::softmax(scores, 0));
            }),
            (Texts{"abc of b", "abc of b"}));
}

TEST(AxisNames, ThatContradictAreDropped) {
  EXPECT_EQ(names_of([](Notebook& nb) {
              const auto x = counted(2, 2), y = counted(2, 2) + 1;
              nb.axis(x, 0, {"a", "b"});
              nb.axis(y, 0, {"c", "d"});
              nb.print(x + y, x + x, at::cat({x, y}, 1), at::sort(x, 0));
            }).front(),
            "- -");
}

TEST(AxisNames, MustBeAsManyAsThereAreEntries) {
  const auto error_of = [](std::int64_t dim) {
    return test::message_of<std::runtime_error>([&] {
      traced_run({[&](Notebook& nb) { nb.axis(counted(3, 2), dim, {"a", "b"}); }});
    });
  };
  EXPECT_EQ(error_of(1), "nothing");
  EXPECT_TRUE(error_of(0).starts_with("axis_names_test.cpp:")) << error_of(0);
  EXPECT_TRUE(error_of(0).ends_with(": dimension 0 has 3 entries, but 2 names")) << error_of(0);
  EXPECT_TRUE(error_of(2).ends_with(": dimension 2 does not exist; the tensor has 2 dimensions"));
}

TEST(AxisNames, OfWordsFollowIdsToTheirRowsAndClasses) {
  EXPECT_EQ(names_of([](Notebook& nb) {
              const auto ids = at::tensor({2, 0, 1}, at::kLong);
              nb.words(ids, {"cat", "mat", "the"});
              const auto table = counted(3, 2);
              const auto x = at::embedding(table, ids);
              const auto logits = at::matmul(x, counted(2, 3));
              at::cross_entropy_loss(logits.slice(0, 0, 2), ids.slice(0, 1));
              nb.print(ids, ids.slice(0, 1), table, x, logits, at::softmax(logits[2], 0));
            }),
            (Texts{"thecatmat", "catmat", "catmatthe -", "thecatmat -", "thecatmat catmatthe",
                   "catmatthe of mat"}));
}

TEST(AxisNames, OfTwoRowsOfIdsAreNone) {
  EXPECT_EQ(names_of([](Notebook& nb) {
              const auto ids = at::tensor({1, 0, 0, 1}, at::kLong).view({2, 2});
              nb.words(ids, {"cat", "mat"});
              nb.print(ids);
            }),
            (Texts{"- -"}));
}

TEST(AxisNames, OfWordsNeedAWordForEachId) {
  const auto message = [](const at::Tensor& ids) {
    return message_of<std::runtime_error>([&] {
      traced_run({[&](Notebook& nb) { nb.words(ids, {"cat", "mat"}); }});
    });
  };
  EXPECT_EQ(message(at::tensor({0, 2}, at::kLong)).substr(0, 20), "axis_names_test.cpp:");
  EXPECT_TRUE(message(at::tensor({0, 2}, at::kLong)).ends_with("the id 2 has no word; there are 2"));
  EXPECT_TRUE(message(at::tensor({0, -1}, at::kLong)).ends_with("the id -1 has no word; there are 2"));
  EXPECT_TRUE(message(at::tensor({0.5})).ends_with("words are named by a contiguous tensor of int64"));
}

}  // namespace
}  // namespace torchbook::test
