// Tests which parts of a run a reader is shown.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/shown.h>

#include <utility>

namespace torchbook::report {
namespace {

/// Returns c for a cell, n for a note, r for restored state.
std::string kinds(const golden::JudgedTranscript& judged) {
  std::string kinds;
  for (const Item* item : shown_items(judged)) kinds += "cnr"[item->index()];
  return kinds;
}

template <class T>
concept HasShownItems = requires(T&& judged) {
  shown_items(std::forward<T>(judged));
};

TEST(ShownItems, AreNotThoseOfATemporary) {
  static_assert(HasShownItems<const golden::JudgedTranscript&>);
  static_assert(!HasShownItems<golden::JudgedTranscript>);
}

TEST(ShownItems, AreAllOfAWholeRun) { EXPECT_EQ(kinds(test::sample()), "cnrcc"); }

TEST(ShownItems, AreTheCellsThatWereAskedFor) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Cell>(judged.transcript.items[0]).selected = false;
  judged.judgements.erase(1);
  EXPECT_EQ(kinds(judged), "cc");
}

TEST(ShownItems, EndWithWhatThrew) {
  EXPECT_EQ(kinds(test::sample_that_threw()), "cnrc");
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Restored>(judged.transcript.items[2]).error = "boom";
  judged.judgements.erase(2);
  judged.judgements.erase(3);
  EXPECT_EQ(kinds(judged), "cnr");
}

}  // namespace
}  // namespace torchbook::report
