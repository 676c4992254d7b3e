// Tests the functions of a transcript.
#include <gtest/gtest.h>
#include <torchbook/notebook/transcript.h>

#include <utility>

namespace torchbook::notebook {
namespace {

template <class T>
concept GivesCells = requires(T&& transcript) {
  std::forward<T>(transcript).cells();
};

TEST(Transcript, GivesNoPointersIntoATemporary) {
  static_assert(GivesCells<const Transcript&>);
  static_assert(!GivesCells<Transcript>);
  static_assert(!GivesCells<const Transcript>);
}

}  // namespace
}  // namespace torchbook::notebook
