// Tests that the readers of outside texts ask for memory in proportion to the text, whatever it repeats. A
// reader that copies what it has read at each step asks for four times as much for twice the text.
#include <golden/judged_cell.h>
#include <gtest/gtest.h>
#include <support/allocations.h>
#include <support/recorded_tensor.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/twin.h>

#include <string>
#include <string_view>

namespace torchbook::golden {
namespace {

constexpr std::size_t times = 1000;

std::string many(std::string_view piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

/// Expects `read` to ask for at most two and a half times as much for twice as many pieces. `read` takes a
/// number of pieces. What it asks for by itself, apart from the text, may be `besides` bytes.
template <class Read>
void expect_linear(std::string_view what, const Read& read) {
  read(10);  // what is made once, such as tables
  const auto once = test::bytes_asked_by([&] { read(times); });
  const auto twice = test::bytes_asked_by([&] { read(2 * times); });
  constexpr std::size_t besides = 4096;
  EXPECT_LE(2 * twice, 5 * once + besides) << what;
}

/// Calls `read`, which may refuse the text.
template <class Read>
void try_to(const Read& read) {
  try {
    read();
  } catch (const notebook::TextError&) {
    return;
  }
}

TEST(LinearReaders, OfGoldens) {
  const std::string title = "golden of a, from b\n\n";
  for (const std::string_view line :
       {"= 1\n", "> 1\n", "=\n", "= [[[[\n", "> 1\n\\ no newline\n", "\n", "@1 In [1]\n"}) {
    expect_linear(line, [&](std::size_t count) {
      try_to([&] { parse_golden(title + "@1 In [1]\n" + many(line, count)); });
    });
  }
  expect_linear("cells", [&](std::size_t count) {
    std::string text = title;
    for (std::size_t i = 1; i <= count; ++i) text += "@" + std::to_string(i) + " In [1]\n\n";
    try_to([&] { parse_golden(text + "end: 0 cells, 0 with output\n"); });
  });
  expect_linear("a long title", [&](std::size_t count) {
    try_to([&] { parse_golden("golden of " + many("a", count) + ", from b\n"); });
  });
}

TEST(LinearReaders, OfRecordings) {
  for (const std::string_view piece : {"[", "{\"a\":", "1,", "\"", "{},", "{\"label\":\"1\"},", "\\n"}) {
    expect_linear(piece, [&](std::size_t count) {
      try_to([&] { parse_recording("{\"notebook\": \"a\", \"cells\": [" + many(piece, count)); });
      try_to([&] { parse_recording("{\"notebook\": \"a\", \"cells\": [" + many(piece, count) + "0]}"); });
    });
  }
  const auto with_tensor = [](const std::string& shape, const std::string& bits) {
    return R"({"notebook": "a", "cells": [{"label": "1", "stdout": "", "result": "", "tensors": [{"dtype":)"
           R"( "torch.int8", "shape": [)" +
           shape + R"(], "bits": ")" + bits + "\"}]}]}";
  };
  expect_linear("bits", [&](std::size_t count) {
    try_to([&] { parse_recording(with_tensor("1", many("00 ", count))); });
    try_to([&] { parse_recording(with_tensor("1", many("0", count))); });
    try_to([&] { parse_recording(with_tensor(many("1, ", count) + "1", "00")); });
  });
}

TEST(LinearReaders, OfTwins) {
  for (const std::string_view line :
       {"1\n", "\n", "# %% [1]\n", "'''\n", "\"\\\n", "'", "((((", "# %% [1", "# %% [markdown]\n"}) {
    expect_linear(line, [&](std::size_t count) {
      try_to([&] { notebook::parse_twin("# %% [1]\n" + many(line, count)); });
    });
  }
}

TEST(LinearReaders, OfPorts) {
  for (const std::string_view piece : {"a;", "nb.cell(\"1\");\n", "{", "{}", "\"a\" ", "R\"(", "//\n", "\\\n",
                                       "#if 1\n", "/*", "'", "<%", "1'1"}) {
    expect_linear(piece, [&](std::size_t count) {
      const std::string head = "void a(torchbook::Notebook& nb) {\nnb.cell(\"1\");\n";
      try_to([&] { notebook::parse_port(head + many(piece, count) + "\n}\n", "a"); });
      try_to([&] { notebook::parse_port(many(piece, count) + head + "}\n", "a"); });
    });
  }
}

TEST(LinearReaders, OfPrintedValues) {
  for (const std::string_view piece :
       {"[", "]", "tensor(", "tensor([", "tensor([1])\n", "1, ", "1.5 ", "1", "1\n", "\n", "torch.Size([1]) ",
        "...,", "size=(1,", "1+1j,", "e", "\xff", "-"}) {
    expect_linear(piece, [&](std::size_t count) {
      for (const char* before : {"", "tensor([["}) {
        const auto text = before + many(piece, count);
        auto transcript = ran(text, text + "1");
        auto& tensors = std::get<notebook::Cell>(transcript.items[0]).tensors;
        tensors.assign(count, test::floats({1}));
        auto expected = golden(text + "2", text);
        expected.cells[0].tensors = tensors;
        expected.cells[0].tensors->back() = test::floats({2});
        EXPECT_EQ(judged(transcript, expected).verdict, Verdict::different);
      }
    });
  }
}

}  // namespace
}  // namespace torchbook::golden
