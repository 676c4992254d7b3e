// Tests that a fault in work is told with the step at which it happened.
#include <gtest/gtest.h>
#include <tools/import/trial.h>

#include <csignal>
#include <new>
#include <stdexcept>

namespace torchbook::importing {
namespace {

using Begins = std::function<void(std::size_t)>;

TEST(FailingStep, WorkThatEndsHasNone) {
  EXPECT_EQ(failing_step([](const Begins& begins) { begins(1); }), std::nullopt);
  EXPECT_EQ(failing_step([](const Begins& /*begins*/) {}), std::nullopt);
}

TEST(FailingStep, IsTheLastThatBeganBeforeAFault) {
  for (const int fault : {SIGSEGV, SIGABRT, SIGKILL}) {
    const auto failing = [&](const Begins& begins) {
      begins(1);
      begins(2);
      ::raise(fault);
      begins(3);
    };
    EXPECT_EQ(failing_step(failing), 2) << fault;
  }
}

TEST(FailingStep, IsThatOfAnException) {
  EXPECT_EQ(failing_step([](const Begins& begins) {
              begins(4);
              throw std::bad_alloc();
            }),
            4);
  EXPECT_EQ(failing_step([](const Begins& /*begins*/) { throw std::runtime_error("before any step"); }), 0);
}

}  // namespace
}  // namespace torchbook::importing
