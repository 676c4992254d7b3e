// Tests that recordings are read back bit for bit, and that anything else is refused.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <torchbook/golden/recording.h>

#include <string>
#include <utility>

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

std::string refusal(const std::string& text) {
  return test::message_of<GoldenError>([&] { parse_recording(text); });
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
      R"({"label": "1", "stdout": "a\n", "result": null, "tensors": [], "error": "sums.py:3: ValueError: no", "raised": 2},
         {"label": "2", "stdout": "", "result": null, "tensors": [], "ran": false})",
      R"(, "restored_errors": ["sums.py:1: KeyError: 'x'"])"));
  EXPECT_EQ(read.golden.cells[0].error, "sums.py:3: ValueError: no");
  EXPECT_EQ(read.golden.cells[0].raised_line, 2);
  EXPECT_EQ(read.golden.cells[0].out, "a\n");
  EXPECT_TRUE(read.golden.cells[0].ran);
  EXPECT_EQ(read.golden.cells[1].error, std::nullopt);
  EXPECT_FALSE(read.golden.cells[1].ran);
  EXPECT_EQ(read.restored_errors, std::vector<std::string>{"sums.py:1: KeyError: 'x'"});
}

/// The end of every complaint about what is no JSON.
const std::string hint = " (torchbook compare --record DIR writes recordings)";

TEST(Recording, RefusesWhatIsNoJsonWithLineAndColumn) {
  EXPECT_EQ(refusal(""), "1: the JSON breaks off" + hint);
  EXPECT_EQ(refusal("tensor([1.])"), "1: column 2: no JSON goes on like this" + hint);
  EXPECT_EQ(refusal("{\n \"cells\": [}"), "2: column 12: no JSON goes on like this" + hint);
  EXPECT_EQ(refusal(recording("").substr(0, 60)), "1: the JSON breaks off" + hint);
  EXPECT_EQ(refusal("{\"a\": \"\xff\"}"), "1: column 8: no JSON goes on like this" + hint);
}

TEST(Recording, RefusesFieldsThatAreMissingOrOfAnotherKind) {
  EXPECT_EQ(refusal("[]"), "a list stands where an object must stand");
  EXPECT_EQ(refusal("{}"), "the field \"notebook\" is missing");
  EXPECT_EQ(refusal(R"({"notebook": "sums", "cells": []})"), "the field \"fingerprint\" is missing");
  EXPECT_EQ(refusal(R"({"notebook": "sums", "cells": {}})"), "\"cells\" is an object; it must be a list");
  EXPECT_EQ(refusal(recording("3")), "cell @1: a number stands where an object must stand");
  EXPECT_EQ(refusal(recording(R"({"label": 1})")), "cell @1: \"label\" is 1; it must be a text");
  EXPECT_EQ(refusal(recording(R"({"label": "\u001b[31m"})")),
            "cell @1: a label must have 1 to 64 bytes, no brackets and no control characters");
  const std::pair<const char*, const char*> fields[] = {
      {R"("stdout": null)", "\"stdout\" is null; it must be a text"},
      {R"("result": null)", "the field \"stdout\" is missing"},
      {R"("stdout": "", "result": 1.5)", "\"result\" is a number; it must be a text or null"},
      {R"("stdout": "", "result": null)", "the field \"tensors\" is missing"},
      {R"("stdout": "", "result": null, "tensors": "")", "\"tensors\" is a text; it must be a list"},
      {R"("stdout": "", "result": null, "tensors": [], "error": [])",
       "\"error\" is a list; it must be a text"},
      {R"("stdout": "", "result": null, "tensors": [], "ran": 1)", "\"ran\" is 1; it must be true or false"},
  };
  for (const auto& [field, what] : fields) {
    const auto cell = std::string(R"({"label": "4", )") + field + "}";
    EXPECT_EQ(refusal(recording(cell)), std::string("cell In [4] (@1): ") + what);
  }
  EXPECT_EQ(refusal(recording("", R"(, "restored_errors": [1])")),
            "\"restored_errors\" holds a number; it must hold texts");
}

TEST(Recording, RefusesThreadsThatAreNoNumberOfThem) {
  const auto with_threads = [](const std::string& threads) {
    std::string text = recording("");
    return refusal(text.replace(text.find(": 3,"), 4, ": " + threads + ","));
  };
  const std::string wanted = "; it must be a whole number from 0 to 2147483647";
  EXPECT_EQ(with_threads("0"), "nothing");
  EXPECT_EQ(with_threads("2147483647"), "nothing");
  EXPECT_EQ(with_threads("2147483648"), "its \"fingerprint\": \"threads\" is 2147483648" + wanted);
  EXPECT_EQ(with_threads("-5"), "its \"fingerprint\": \"threads\" is -5" + wanted);
  EXPECT_EQ(with_threads("1e30"), "its \"fingerprint\": \"threads\" is a number" + wanted);
  EXPECT_EQ(with_threads("\"3\""), "its \"fingerprint\": \"threads\" is a text" + wanted);
}

/// Returns the error message about a tensor, without the part that all messages have.
std::string refusal_of_tensor(const std::string& tensor) {
  const std::string before = "cell In [1] (@1), tensor 1: ";
  const auto text = refusal(cell_with(tensor));
  return text.starts_with(before) ? text.substr(before.size()) : text;
}

TEST(Recording, RefusesBitsThatAreNoneOfTheTensors) {
  const auto with = [](const std::string& dtype, const std::string& shape, const std::string& bits) {
    return refusal_of_tensor(R"({"dtype": ")" + dtype + R"(", "shape": )" + shape + R"(, "bits": ")" + bits +
                             "\"}");
  };
  const auto float32 = [&](const std::string& shape, const std::string& bits) {
    return with("torch.float32", shape, bits);
  };
  const std::string digits = R"(of its "bits" must have 8 hexadecimal digits)";
  EXPECT_EQ(float32("[3]", "3f800000 40000000"),
            "its \"bits\" are 2 numbers; a torch.float32 of shape (3,) has 3");
  EXPECT_EQ(float32("[1]", "3f800000 40000000"),
            "its \"bits\" are 2 numbers; a torch.float32 of shape (1,) has 1");
  EXPECT_EQ(with("torch.complex64", "[2]", "3f800000 40000000"),
            "its \"bits\" are 2 numbers; a torch.complex64 of shape (2,) has 4");
  EXPECT_EQ(float32("[1]", "3f80000g"), "number 1 " + digits);
  EXPECT_EQ(float32("[1]", "3f8"), "number 1 " + digits);
  EXPECT_EQ(float32("[1]", " 3f800000"), "number 1 " + digits);
  EXPECT_EQ(float32("[1]", "3f800000 "), "number 2 " + digits);
  EXPECT_EQ(float32("[2]", "3f800000 3f8000"), "number 2 " + digits);
  EXPECT_EQ(with("torch.int64", "[1]", "3f800000"),
            R"(number 1 of its "bits" must have 16 hexadecimal digits)");
  // If the dtype is unknown, all numbers must be as long as the first one.
  EXPECT_EQ(with("torch.float8_e5m2", "[2]", "3f 40"), "nothing");
  EXPECT_EQ(with("torch.bcomplex32", "[1]", "3f80 3f80"), "nothing");
  EXPECT_EQ(with("torch.quad", "[1]", std::string(32, '0')), "nothing");
  const std::string first = R"(the first number of its "bits" must have 2, 4, … or 32 digits)";
  EXPECT_EQ(with("torch.quad", "[1]", std::string(34, '0')), first);
  EXPECT_EQ(with("torch.quad", "[1]", "3f8"), first);
  EXPECT_EQ(with("torch.quad", "[2]", "3f80 40"), R"(number 2 of its "bits" must have 4 hexadecimal digits)");
}

TEST(Recording, RefusesDtypesAndShapesThatAreNone) {
  const auto shaped = [](const std::string& shape) {
    return refusal_of_tensor(R"({"dtype": "torch.float32", "shape": )" + shape + R"(, "bits": "3f800000"})");
  };
  const std::string wanted = "; each of its values must be a whole number from 0 to 9223372036854775807";
  EXPECT_EQ(shaped("[1]"), "nothing");
  EXPECT_EQ(shaped("[]"), "nothing");
  EXPECT_EQ(shaped("1"), "\"shape\" is 1; it must be a list");
  EXPECT_EQ(shaped("[1.5]"), "\"shape\" holds a number" + wanted);
  EXPECT_EQ(shaped("[-1, -1]"), "\"shape\" holds -1" + wanted);
  EXPECT_EQ(shaped("[9223372036854775808]"), "\"shape\" holds 9223372036854775808" + wanted);
  EXPECT_EQ(shaped("[9223372036854775807]"),
            "its \"bits\" are 1 numbers; a torch.float32 of shape (9223372036854775807,) has "
            "9223372036854775807");
  EXPECT_EQ(shaped("[4611686018427387904, 2]"), "no tensor has the shape (4611686018427387904, 2)");
  const std::string longest = "torch.a234567890123456789012345678901234";  // 40 characters
  EXPECT_EQ(refusal_of_tensor(R"({"dtype": ")" + longest + R"(", "shape": [], "bits": "00"})"), "nothing");
  for (const char* dtype : {"float32", "torch.", "torch.\\u001b", "torch.Float", "",
                            "torch.a2345678901234567890123456789012345"}) {
    EXPECT_EQ(refusal_of_tensor(std::string(R"({"dtype": ")") + dtype + R"(", "shape": [], "bits": "00"})"),
              "\"dtype\" must be a name such as torch.float32");
  }
}

}  // namespace
}  // namespace torchbook::golden
