// Tests which tensors a page shows, how it names them, and which of them explain others.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/site/pictures.h>

#include <limits>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

const notebook::RecordedTensor a_matrix = tensor({2, 2}, {1, 2, 3, 4});
const notebook::RecordedTensor a_column = tensor({2, 1}, {5, 6});
const notebook::RecordedTensor their_product = tensor({2, 1}, {17, 39});  // a_matrix @ a_column
const notebook::RecordedTensor a_vector = tensor({2}, {7, 9});            // has no such origin

/// Returns a cell that displays these tensors.
notebook::Cell showing(std::size_t position, std::vector<notebook::RecordedTensor> tensors) {
  notebook::Cell one = cell(position, std::to_string(position), "", std::nullopt);
  one.tensors = std::move(tensors);
  return one;
}

std::vector<report::Picture> pictures_of(const std::vector<notebook::Cell>& cells,
                                         std::vector<notebook::TracedTensor> traced) {
  notebook::Transcript transcript{.slug = "s", .document = "d", .items = {}, .traced = std::move(traced)};
  for (const auto& one : cells) transcript.items.emplace_back(one);
  return report::pictures_of({.transcript = std::move(transcript), .judgements = {}});
}

std::vector<std::string> ids(const std::vector<report::Picture>& pictures) {
  std::vector<std::string> ids;
  for (const auto& picture : pictures) ids.push_back(picture.id);
  return ids;
}

std::vector<std::string> names(const std::vector<report::Picture>& pictures) {
  std::vector<std::string> names;
  for (const auto& picture : pictures) names.push_back(picture.name);
  return names;
}

using Texts = std::vector<std::string>;

TEST(Pictures, OfWhatIsShownNowhereStandInTheCellThatMadeIt) {
  const auto all = pictures_of({showing(1, {}), showing(2, {}), showing(3, {their_product})},
                               {{.tensor = a_matrix, .position = 1}, {.tensor = a_column, .position = 2}});
  EXPECT_EQ(ids(all), (Texts{"u1-1", "u2-1", "t3-1"}));
  EXPECT_EQ(names(all), (Texts{"unshown tensor of In [1]", "unshown tensor of In [2]", "In [3]"}));
  EXPECT_FALSE(all[0].shown);
  EXPECT_EQ(all[0].texts, (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(
      all[2].origin,
      (report::Origin{.kind = report::Origin::Kind::product, .left = {.tensor = 0}, .right = {.tensor = 1}}));
}

TEST(Pictures, AreNamedByTheirCellAndWithinIt) {
  const auto all = pictures_of({showing(1, {a_matrix}), showing(2, {a_column, a_vector}), showing(3, {})},
                               {{.tensor = tensor({2}, {1, 0}), .position = 1},
                                {.tensor = tensor({2}, {2, 0}), .position = 3},
                                {.tensor = tensor({2}, {3, 0}), .position = 3}});
  EXPECT_EQ(names(all),
            (Texts{"unshown tensor of In [1]", "In [1]", "tensor 1 of In [2]", "tensor 2 of In [2]",
                   "unshown tensor 1 of In [3]", "unshown tensor 2 of In [3]"}));
  Texts titles;
  for (const auto& picture : all) titles.push_back(picture.title);
  EXPECT_EQ(titles,
            (Texts{"unshown tensor", "", "tensor 1", "tensor 2", "unshown tensor 1", "unshown tensor 2"}));
}

TEST(Pictures, OfACellStandInTheOrderInWhichItMadeThem) {
  const auto all = pictures_of({showing(1, {a_matrix, a_column, a_vector})},
                               {{.tensor = their_product, .position = 1, .shown_before = 2}});
  EXPECT_EQ(ids(all), (Texts{"t1-1", "t1-2", "u1-1", "t1-3"}));
  ASSERT_TRUE(all[2].origin);
  EXPECT_EQ(all[2].origin->right.tensor, 1U);
}

TEST(Pictures, OfWhatTheCellShowsAreThereOnce) {
  EXPECT_EQ(
      ids(pictures_of({showing(1, {a_matrix})}, {{.tensor = a_matrix, .position = 1, .shown_before = 0},
                                                 {.tensor = a_column, .position = 1, .shown_before = 0},
                                                 {.tensor = a_matrix, .position = 1, .shown_before = 1}})),
      (Texts{"u1-1", "t1-1"}));
  EXPECT_EQ(ids(pictures_of({showing(1, {a_matrix}), showing(2, {a_matrix})}, {})), (Texts{"t1-1", "t2-1"}));
  const notebook::RecordedTensor none = tensor({2}, {std::numeric_limits<float>::quiet_NaN(), 1});
  EXPECT_EQ(ids(pictures_of({showing(1, {none})}, {{.tensor = none, .position = 1}})), Texts{"t1-1"});
}

TEST(Pictures, OfWhatAnotherCellMadeAgainAreThereAgain) {
  const notebook::TracedTensor before{.tensor = a_matrix, .position = 1};
  const notebook::TracedTensor again{.tensor = a_matrix, .position = 2};
  EXPECT_EQ(ids(pictures_of({showing(1, {}), showing(2, {})}, {before, again})), (Texts{"u1-1", "u2-1"}));
  EXPECT_EQ(ids(pictures_of({showing(1, {a_matrix}), showing(2, {})}, {again})), (Texts{"t1-1", "u2-1"}));
  EXPECT_EQ(ids(pictures_of({showing(1, {}), showing(2, {a_matrix})}, {before, again})), Texts{"t2-1"});
}

TEST(Pictures, OfWhatIsShownLaterAreThereOnlyWhereSomethingBeforeNeedsThem) {
  const std::vector<notebook::TracedTensor> traced = {{.tensor = a_vector, .position = 1},
                                                      {.tensor = a_matrix, .position = 1}};
  const auto all = pictures_of(
      {showing(1, {}), showing(2, {a_column}), showing(3, {a_matrix}), showing(4, {their_product, a_vector})},
      traced);
  EXPECT_EQ(ids(all), (Texts{"t2-1", "t3-1", "t4-1", "t4-2"}));
  EXPECT_EQ(
      all[2].origin,
      (report::Origin{.kind = report::Origin::Kind::product, .left = {.tensor = 1}, .right = {.tensor = 0}}));
  const auto needed = pictures_of(
      {showing(1, {}), showing(2, {a_column}), showing(3, {their_product}), showing(4, {a_matrix, a_vector})},
      traced);
  EXPECT_EQ(ids(needed), (Texts{"u1-1", "t2-1", "t3-1", "t4-1", "t4-2"}));
  EXPECT_EQ(
      needed[2].origin,
      (report::Origin{.kind = report::Origin::Kind::product, .left = {.tensor = 0}, .right = {.tensor = 1}}));
}

TEST(Pictures, LeaveOutTheCellsThatWereNotAskedFor) {
  notebook::Cell silent = showing(1, {a_matrix});
  silent.selected = false;
  EXPECT_EQ(ids(pictures_of({silent, showing(2, {a_column})}, {{.tensor = a_vector, .position = 1}})),
            Texts{"t2-1"});
}

TEST(Pictures, OfAnotherTypeAreNotTheSame) {
  const notebook::RecordedTensor integers{
      .dtype = "torch.int32", .shape = {1}, .bytes = std::string("\1\0\0\0", 4)};
  const notebook::RecordedTensor floats = tensor({1}, {1});
  EXPECT_EQ(ids(pictures_of({showing(1, {floats})}, {{.tensor = integers, .position = 1}})),
            (Texts{"u1-1", "t1-1"}));
}

}  // namespace
}  // namespace torchbook::test
