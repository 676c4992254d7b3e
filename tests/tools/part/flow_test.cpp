// Tests which values a trace has, and how they were made.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <tools/part/flow.h>
#include <torchbook/notebook/temporary_file.h>
#include <torchbook/trace/trace.h>

#include <functional>
#include <memory>

namespace torchbook::trace_diff {
namespace {

/// A recorded program and its values.
struct Recorded {
  explicit Recorded(const std::function<void(trace::Trace&)>& program, const trace::Options& options = {}) {
    const notebook::TemporaryFile file;
    trace::Trace recording(file.path(), options);
    program(recording);
    recording.finish();
    bytes = file.bytes();
    trace = read_trace(bytes, texts);
    flow = std::make_unique<Flow>(trace, texts);
  }

  const Made& shown(std::size_t number) const { return (*flow)[flow->shown().at(number)]; }

  std::string bytes{};
  Texts texts{};
  ReadTrace trace{};
  std::unique_ptr<Flow> flow{};
};

TEST(Flow, AnOperationMadeWhatItGave) {
  const auto ones = at::ones({2, 2});
  const Recorded recorded([&](trace::Trace& trace) { trace.shown("s", ones.exp()); });
  const auto& made = recorded.shown(0);
  EXPECT_EQ(made.by, Made::By::operation);
  EXPECT_EQ(recorded.flow->name(made), "exp");
  ASSERT_EQ(made.inputs.size(), 1U);
  EXPECT_EQ((*recorded.flow)[made.inputs[0]].by, Made::By::unknown);
}

TEST(Flow, TheSameTensorAndItsCopyAreOneValue) {
  const Recorded recorded([](trace::Trace& trace) {
    const auto x = at::ones({2, 2}).exp();
    trace.shown("s", x);
    trace.shown("s", x.detach());
    trace.shown("s", x.clone());
    trace.shown("s", at::ones({2, 2}).exp());
  });
  const auto& shown = recorded.flow->shown();
  EXPECT_EQ(shown.at(0), shown.at(1));
  EXPECT_EQ(shown.at(0), shown.at(2));
  EXPECT_NE(shown.at(0), shown.at(3));
}

TEST(Flow, AViewKnowsWhatItShows) {
  const Recorded recorded([](trace::Trace& trace) {
    const auto x = at::arange(4).view({2, 2});
    trace.shown("s", x);
    trace.shown("s", x[1]);
    trace.shown("s", x[1]);
  });
  EXPECT_EQ(recorded.shown(1).by, Made::By::view);
  EXPECT_EQ(recorded.shown(1).inputs, std::vector<std::size_t>{recorded.flow->shown()[0]});
  EXPECT_EQ(recorded.flow->shown()[1], recorded.flow->shown()[2]);
}

TEST(Flow, AWriteMakesANewValueAndAWriteToAPartAnInsertion) {
  const Recorded recorded([](trace::Trace& trace) {
    const auto x = at::zeros({2, 2});
    trace.shown("s", x);
    x.add_(1);
    trace.shown("s", x);
    x[0].mul_(3);
    trace.shown("s", x);
  });
  const auto& shown = recorded.flow->shown();
  EXPECT_EQ(recorded.flow->name(recorded.shown(1)), "add_");
  EXPECT_EQ(recorded.shown(1).inputs.front(), shown[0]);
  const auto& inserted = recorded.shown(2);
  ASSERT_EQ(inserted.by, Made::By::insertion);
  ASSERT_EQ(inserted.inputs.size(), 3U);
  EXPECT_EQ(inserted.inputs[0], shown[1]);
  EXPECT_EQ((*recorded.flow)[inserted.inputs[1]].by, Made::By::view);
  EXPECT_EQ(recorded.flow->name((*recorded.flow)[inserted.inputs[2]]), "mul_");
}

TEST(Flow, WhatTheTraceDoesNotShowIsUnknown) {
  const Recorded recorded([](trace::Trace& trace) {
    const auto x = at::ones({2}).exp();
    x.data_ptr<float>()[0] = 7;
    trace.shown("s", x);
    trace.shown("s", at::empty({2}));
  });
  EXPECT_EQ(recorded.shown(0).by, Made::By::unknown);
  EXPECT_EQ(recorded.shown(1).by, Made::By::unknown);
}

// The trace has no operation that gave this view.
TEST(Flow, AllOfAMemoryInAnotherShapeIsALayout) {
  const auto x = at::ones({2, 3});
  const auto transposed = x.t();
  const Recorded recorded([&](trace::Trace& trace) {
    x.mul_(2);
    trace.shown("s", transposed);
    trace.shown("s", x);
  });
  EXPECT_EQ(recorded.shown(0).by, Made::By::layout);
  EXPECT_EQ(recorded.shown(0).inputs, std::vector<std::size_t>{recorded.flow->shown()[1]});
  EXPECT_EQ(recorded.shown(0).lost, "");
}

TEST(Flow, APartOfUnknownOriginMayDependOnTheWhole) {
  const auto x = at::ones({2, 3});
  const auto row = x[1];
  const Recorded recorded([&](trace::Trace& trace) {
    x.mul_(2);
    trace.shown("s", row);
    trace.shown("s", x);
  });
  EXPECT_EQ(recorded.shown(0).lost, "the origin of a view is not known");
  EXPECT_EQ(recorded.shown(0).inputs, std::vector<std::size_t>{recorded.flow->shown()[1]});
}

TEST(Flow, APartOfUnknownOriginIsNotMadeAgainAfterAWrite) {
  const auto x = at::ones({2, 3});
  const auto row = x[1];
  const Recorded recorded([&](trace::Trace& trace) {
    x.mul_(2);
    trace.shown("s", row);
    x.mul_(3);
    trace.shown("s", row);
  });
  const auto& shown = recorded.flow->shown();
  EXPECT_NE(shown.at(0), shown.at(1));
  EXPECT_EQ(recorded.shown(1).lost, "the origin of a view is not known");
}

TEST(Flow, AnUndefinedGeneratorIsTheDefaultOne) {
  const Recorded recorded([](trace::Trace& trace) { trace.shown("s", at::randn({2}, at::Generator())); });
  EXPECT_EQ(recorded.flow->name(recorded.shown(0)), "randn");
}

TEST(Flow, OnlyTheFirstOperationsOfAPartAreRecorded) {
  const Recorded recorded(
      [](trace::Trace& trace) {
        const auto x = at::ones({2}).exp();
        trace.mark("next");
        for (int i = 0; i < 3; ++i) x.add_(i);
        trace.mark("last");
        trace.shown("s", at::linear(x, at::ones({2, 2})));
      },
      {.most_of_a_part = 2});
  std::vector<std::string> names;
  for (const auto& step : recorded.flow->steps())
    names.push_back(recorded.texts[recorded.trace.operations[step.operation].name]);
  EXPECT_EQ(names, (std::vector<std::string>{"aten::ones", "aten::exp", "aten::add_.Scalar",
                                             "aten::add_.Scalar", "aten::ones", "aten::linear"}));
  EXPECT_EQ((*recorded.flow)[recorded.shown(0).inputs[0]].by, Made::By::unknown);
}

}  // namespace
}  // namespace torchbook::trace_diff
