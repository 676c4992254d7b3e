// Tests which tensors a page shows, how it names them, and which of them explain others.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <tools/site/origin/pictures.h>
#include <tools/site/origin/traced_run.h>

#include <limits>
#include <string>
#include <vector>

namespace torchbook::test {
namespace {

using notebook::Notebook;
using Texts = std::vector<std::string>;

std::vector<site::Picture> pictures_of(const TracedCells& cells) {
  return site::pictures_of(traced_run(cells));
}

Texts ids(const std::vector<site::Picture>& pictures) {
  Texts ids;
  for (const auto& picture : pictures) ids.push_back(picture.id);
  return ids;
}

TEST(Pictures, OfWhatIsShownNowhereStandInTheCellThatMadeIt) {
  at::Tensor a, b;
  const auto all = pictures_of({[&](Notebook&) { a = counted(2, 2); },
                                [&](Notebook&) {
                                  b = at::full({2, 1}, 5.F);
                                },
                                [&](Notebook& nb) { nb.print(at::mm(a, b)); }});
  EXPECT_EQ(ids(all), (Texts{"u1-1", "u2-1", "t3-1"}));
  EXPECT_EQ(all[0].name, "view of In [1]");
  EXPECT_FALSE(all[0].shown);
  EXPECT_EQ(all[0].texts, (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(words_of(all[2], all), "u1-1 @ u2-1");
}

TEST(Pictures, AreNamedByTheirCellAndWithinIt) {
  const auto all = pictures_of({[](Notebook& nb) {
                                  nb.print(counted(2, 2));
                                  at::softmax(at::ones({2}), 0);
                                },
                                [](Notebook& nb) { nb.print(counted(2, 2), counted(2, 1)); }});
  Texts names, titles;
  for (const auto& picture : all) {
    names.push_back(picture.name);
    titles.push_back(picture.title);
  }
  EXPECT_EQ(names, (Texts{"In [1]", "ones of In [1]", "softmax of In [1]", "tensor 1 of In [1]",
                          "tensor 2 of In [1]"}));
  EXPECT_EQ(titles, (Texts{"", "ones", "softmax", "tensor 1", "tensor 2"}));
}

TEST(Pictures, OfWhatTheCellShowsAreThereOnce) {
  EXPECT_EQ(ids(pictures_of({[](Notebook& nb) {
              const auto a = counted(2, 2);
              const auto b = at::mm(a, a);
              nb.print(a, b);
            }})),
            (Texts{"t1-1", "t1-2"}));
  at::Tensor a;
  EXPECT_EQ(ids(pictures_of({[&](Notebook& nb) {
                               a = counted(2, 2);
                               nb.print(a);
                             },
                             [&](Notebook& nb) { nb.print(a); }})),
            (Texts{"t1-1", "t2-1"}));
}

TEST(Pictures, OfWhatIsShownLaterAreThereOnlyWhereSomethingBeforeNeedsThem) {
  at::Tensor a, b;
  const auto make = [&](Notebook&) {
    a = counted(2, 2);
    b = at::softmax(a, 1);
  };
  const auto show_a = [&](Notebook& nb) { nb.print(a); };
  const auto show_b = [&](Notebook& nb) { nb.print(b); };
  EXPECT_EQ(ids(pictures_of({make, show_a, show_b})), (Texts{"t2-1", "t3-1"}));
  const auto needed = pictures_of({make, show_b, show_a});
  EXPECT_EQ(ids(needed), (Texts{"u1-1", "t2-1", "t3-1"}));
  EXPECT_EQ(words_of(needed[1], needed), "softmax(u1-1, 1)");
}

TEST(Pictures, WithEqualNumbersOfOtherOperationsAreNotTheSame) {
  EXPECT_EQ(ids(pictures_of({[](Notebook& nb) {
              nb.print(at::softmax(at::zeros({2}), 0));
              at::softmax(at::ones({2}), 0);
            }})),
            (Texts{"u1-1", "t1-1", "u1-2", "u1-3"}));
}

TEST(Pictures, LeaveOutTheCellsThatWereNotAskedFor) {
  auto judged = traced_run(
      {[](Notebook& nb) { nb.print(counted(2, 2)); }, [](Notebook& nb) { nb.print(counted(2, 1)); }});
  std::get<notebook::Cell>(judged.transcript.items[0]).selected = false;
  EXPECT_EQ(ids(site::pictures_of(judged)), Texts{"t2-1"});
}

TEST(Pictures, OfARunThatWasNotTracedHaveNoOrigins) {
  auto judged = traced_run({[](Notebook& nb) { nb.print(at::softmax(counted(2, 2), 0)); }});
  judged.transcript.trace.clear();
  const auto all = site::pictures_of(judged);
  ASSERT_EQ(ids(all), Texts{"t1-1"});
  EXPECT_FALSE(all[0].origin);
}

TEST(Pictures, OfNumbersThatAreNotFinite) {
  const auto all =
      pictures_of({[](Notebook& nb) { nb.print(at::full({2}, std::numeric_limits<float>::quiet_NaN())); }});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].exact, (Texts{"nan", "nan"}));
}

}  // namespace
}  // namespace torchbook::test
