// Tests that recordings are read back bit for bit, and that anything else is refused.
#include <gtest/gtest.h>
#include <torchbook/golden/recording.h>

#include <string>

namespace torchbook::golden {
namespace {

const std::string fingerprint =
    R"("fingerprint": {"torch": "PyTorch 9.9", "build": "by hand", "cpu_capability": "AVX9", "blas": "slide rule",
       "threads": 3, "compiler": "Python 4"})";

std::string recording(const std::string& cells, const std::string& more = "") {
  return R"({"notebook": "sums", "cells": [)" + cells + "], " + fingerprint + more + "}";
}

std::string cell_with(const std::string& tensor) {
  return recording(R"({"label": "1", "stdout": "", "result": "x", "tensors": [)" + tensor + "]}");
}

/// Returns the message of the error that reading the text throws.
std::string complaint(const std::string& text) {
  try {
    parse_recording(text);
  } catch (const GoldenError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Recording, HoldsTextBitsAndFingerprint) {
  const Recording read = parse_recording(recording(
      R"json({"label": "7", "stdout": "a\n", "result": null, "tensors": []},
             {"label": "None", "stdout": "", "result": "tensor([1., 2.])", "tensors":
               [{"dtype": "torch.float32", "shape": [2], "bits": "3f800000 40000001"}]})json"));
  EXPECT_EQ(read.golden.slug, "sums");
  EXPECT_EQ(read.fingerprint.torch, "PyTorch 9.9");
  EXPECT_EQ(read.fingerprint.threads, 3);
  EXPECT_TRUE(read.restored_errors.empty());
  ASSERT_EQ(read.golden.cells.size(), 2U);
  EXPECT_EQ(read.golden.cells[0].position, 1U);
  EXPECT_EQ(read.golden.cells[0].out, "a\n");
  EXPECT_TRUE(read.golden.cells[0].ran);
  EXPECT_EQ(read.golden.cells[0].error, std::nullopt);
  EXPECT_EQ(read.golden.cells[0].result, std::nullopt);
  EXPECT_EQ(read.golden.cells[1].label, "None");
  EXPECT_EQ(read.golden.cells[1].result, "tensor([1., 2.])");
  const notebook::RecordedTensor expected{
      .dtype = "torch.float32", .shape = {2}, .bytes = std::string("\0\0\x80\x3f\1\0\0\x40", 8)};
  EXPECT_EQ(read.golden.cells[1].tensors, std::vector{expected});
}

TEST(Recording, ReadsElementsOfEverySize) {
  const auto bytes = [](const std::string& tensor) {
    return parse_recording(cell_with(tensor)).golden.cells[0].tensors->front().bytes;
  };
  EXPECT_EQ(bytes(R"({"dtype": "torch.bool", "shape": [3], "bits": "01 00 01"})"), std::string("\1\0\1", 3));
  EXPECT_EQ(bytes(R"({"dtype": "torch.float16", "shape": [], "bits": "3c00"})"), std::string("\0\x3c", 2));
  EXPECT_EQ(bytes(R"({"dtype": "torch.int64", "shape": [1], "bits": "fffffffffffffffe"})"),
            "\xfe\xff\xff\xff\xff\xff\xff\xff");
  EXPECT_EQ(bytes(R"({"dtype": "torch.complex64", "shape": [1], "bits": "3f800000 40000000"})"),
            std::string("\0\0\x80\x3f\0\0\0\x40", 8));
  EXPECT_EQ(bytes(R"({"dtype": "torch.float32", "shape": [0, 2], "bits": ""})"), "");
}

TEST(Recording, GivesAGoldenItsBitsToExplainAndNotToDecide) {
  const Recording read =
      parse_recording(cell_with(R"({"dtype": "torch.float32", "shape": [1], "bits": "3f800000"})"));
  EXPECT_TRUE(read.golden.bits_decide);
  Golden golden =
      parse_golden("golden of sums, from x.txt\n\n@1 In [1]\n= y\n\nend: 1 cells, 1 with output\n");
  add_bits(golden, read);
  EXPECT_EQ(golden.cells[0].tensors, read.golden.cells[0].tensors);
  EXPECT_EQ(golden.cells[0].result, "y");
  EXPECT_FALSE(golden.bits_decide);
  Golden other = golden;
  other.cells.push_back({});
  add_bits(other, read);
  EXPECT_EQ(other.cells[1].tensors, std::nullopt);
}

TEST(Recording, TellsWhatCellsAndRestoredStatesRaisedAndWhatDidNotRun) {
  const Recording read = parse_recording(recording(
      R"({"label": "1", "stdout": "a\n", "result": null, "tensors": [], "error": "sums.py:3: ValueError: no"},
         {"label": "2", "stdout": "", "result": null, "tensors": [], "ran": false})",
      R"(, "restored_errors": ["sums.py:1: KeyError: 'x'"])"));
  EXPECT_EQ(read.golden.cells[0].error, "sums.py:3: ValueError: no");
  EXPECT_EQ(read.golden.cells[0].out, "a\n");
  EXPECT_TRUE(read.golden.cells[0].ran);
  EXPECT_EQ(read.golden.cells[1].error, std::nullopt);
  EXPECT_FALSE(read.golden.cells[1].ran);
  EXPECT_EQ(read.restored_errors, std::vector<std::string>{"sums.py:1: KeyError: 'x'"});
}

TEST(Recording, RefusesWhatIsNone) {
  EXPECT_NE(complaint(""), "nothing");
  EXPECT_NE(complaint("tensor([1.])"), "nothing");
  EXPECT_NE(complaint("[]"), "nothing");
  EXPECT_NE(complaint("{}"), "nothing");
  EXPECT_NE(complaint(R"({"notebook": "sums", "cells": []})"), "nothing");
  EXPECT_NE(complaint(recording(R"({"label": 1, "stdout": "", "result": null, "tensors": []})")), "nothing");
  EXPECT_NE(complaint(recording("").substr(0, 60)), "nothing");
}

TEST(Recording, RefusesBitsThatAreNoneOfTheTensors) {
  EXPECT_EQ(complaint(cell_with(R"({"dtype": "torch.float32", "shape": [3], "bits": "3f800000 40000000"})")),
            "a tensor of 3 elements has the bits of 2");
  EXPECT_EQ(complaint(cell_with(R"({"dtype": "torch.float32", "shape": [1], "bits": "3f80000g"})")),
            "'3f80000g' is no element");
  EXPECT_EQ(complaint(cell_with(R"({"dtype": "torch.float32", "shape": [1], "bits": "3f8"})")),
            "'3f8' is no element");
  EXPECT_EQ(complaint(cell_with(R"({"dtype": "torch.float32", "shape": [2], "bits": "3f800000  "})")),
            "'' is no element");
  EXPECT_EQ(complaint(cell_with(R"({"dtype": "torch.float32", "shape": [2], "bits": "3f800000 3f8000"})")),
            "'3f8000' is not as long as the others");
}

TEST(Recording, RefusesShapesThatAreNone) {
  const auto shaped = [](const std::string& shape) {
    return complaint(
        cell_with(R"({"dtype": "torch.float32", "shape": )" + shape + R"(, "bits": "3f800000"})"));
  };
  EXPECT_EQ(shaped("[1]"), "nothing");
  EXPECT_EQ(shaped("[1.5]"), "[1.5] is no shape");
  EXPECT_EQ(shaped("[-1, -1]"), "[-1,-1] is no shape");
  EXPECT_EQ(shaped("[4611686018427387904, 2]"), "no tensor has the shape [4611686018427387904, 2]");
}

}  // namespace
}  // namespace torchbook::golden
