// Tests that recordings are read back bit for bit, and that anything else is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <torchbook/golden/recording.h>

#include <string>
#include <utility>
#include <vector>

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
  EXPECT_EQ(read.golden.document, "PyTorch 9.9");
  EXPECT_EQ(read.fingerprint.torch, "PyTorch 9.9");
  EXPECT_EQ(read.fingerprint.threads, 3);
  EXPECT_EQ(read.fingerprint.onednn, 0);    // recordings of older releases have none
  EXPECT_EQ(read.fingerprint.library, "");  // nor this
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

TEST(Recording, MaySayWhatItsBitsDependOn) {
  EXPECT_TRUE(parse_recording(recording("")).depends_on.empty());
  EXPECT_EQ(parse_recording(recording("", R"(, "depends_on": ["blas", "torch"])")).depends_on,
            (std::vector<std::string>{"blas", "torch"}));
}

TEST(Recording, AddsItsTensorsToCellsWithTheSameOutputs) {
  const Recording read =
      parse_recording(cell_with(R"({"dtype": "torch.float32", "shape": [1], "bits": "3f800000"})"));
  Golden golden =
      parse_golden("golden of sums, from x.txt\n\n@1 In [1]\n= x\n\nend: 1 cells, 1 with output\n");
  add_tensors(golden, read);
  EXPECT_EQ(golden.cells[0].tensors, read.golden.cells[0].tensors);
  const auto added = [&](Golden to, const Recording& from) {
    to.cells[0].tensors.reset();
    add_tensors(to, from);
    return to.cells[0].tensors.has_value();
  };
  EXPECT_TRUE(added(golden, read));
  Golden longer = golden;
  longer.cells.push_back({});
  EXPECT_FALSE(added(longer, read));
  Golden other = golden;
  other.cells[0].result = "y";
  EXPECT_FALSE(added(other, read));
  Recording raised = read;
  raised.golden.cells[0].error = "sums.py:3: ValueError: no";
  EXPECT_FALSE(added(golden, raised));
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

TEST(Recording, APictureIsNoOutput) {
  const Recording read = parse_recording(recording(
      R"({"label": "1", "stdout": "", "result": "[<matplotlib.lines.Line2D at 0x7f>]", "tensors": []},
         {"label": "2", "stdout": "", "result": "a matplotlib", "tensors": []})"));
  EXPECT_TRUE(read.golden.cells[0].draws);
  EXPECT_EQ(read.golden.cells[0].result, std::nullopt);
  EXPECT_FALSE(read.golden.cells[1].draws);
  EXPECT_EQ(output_count(read.golden), 1U);
}

const std::string whole_recording = recording(
    R"({"label": "1", "stdout": "a", "result": null, "tensors": []},
       {"label": "2", "stdout": "b", "result": "x", "tensors": []})");

/// Returns a partial recording.
std::string partial(const std::string& cells, const std::string& name = "sums.json") {
  return R"({"notebook": "sums", "differs_from": ")" + name + R"(", "cells": [)" + cells +
         R"(], "fingerprint": {"torch": "PyTorch 10", "build": "", "cpu_capability": "", "blas": "", "threads": 1,
             "compiler": ""}})";
}

/// Returns a cell of a partial recording.
std::string differing(const std::string& position) {
  return R"({"position": )" + position + R"(, "label": "2", "stdout": "c", "result": null, "tensors": []})";
}

TEST(PartialRecording, HasTheCellsOfItsBaseAndItsOwn) {
  const Recording read =
      parse_recording(partial(differing("2")), {.name = "sums.json", .text = whole_recording});
  EXPECT_EQ(read.golden.document, "PyTorch 10");
  EXPECT_EQ(read.fingerprint.threads, 1);
  ASSERT_EQ(read.golden.cells.size(), 2U);
  EXPECT_EQ(read.golden.cells[0].out, "a");
  EXPECT_EQ(read.golden.cells[1].position, 2U);
  EXPECT_EQ(read.golden.cells[1].out, "c");
  EXPECT_EQ(read.golden.cells[1].result, std::nullopt);
  EXPECT_EQ(parse_recording(whole_recording, {.name = "sums.json", .text = partial("")}).golden.cells.size(),
            2U);
}

TEST(PartialRecording, ThatDoesNotFitIsRefused) {
  const auto refused = [](const std::string& text, const std::string& base = whole_recording) {
    return test::message_of<GoldenError>([&] { parse_recording(text, {.name = "sums.json", .text = base}); });
  };
  EXPECT_EQ(refused(partial("")), "nothing");
  EXPECT_EQ(refused(partial(differing("1") + ", " + differing("2"))), "nothing");
  for (const auto* position : {"0", "3", "18446744073709551615"}) {
    EXPECT_EQ(refused(partial(differing(position))),
              fmt::format("there is no cell @{}; sums.json has 2 cells", position));
  }
  EXPECT_EQ(refused(partial(differing("-1"))), "\"position\" is no number that is possible here: -1");
  EXPECT_EQ(refused(partial("{}")), "the field \"position\" is missing");
  EXPECT_EQ(refused(partial("3")), "an object with \"position\" is expected, not number");
  EXPECT_EQ(refused(partial(R"({"position": 2, "label": "2"})")), "cell @2: the field \"stdout\" is missing");
  for (const auto* second : {"1", "2"}) {
    EXPECT_EQ(refused(partial(differing("2") + ", " + differing(second))),
              fmt::format("cell @{} follows cell @2; positions must increase", second));
  }
  EXPECT_EQ(refused(partial("", "x.json")), "\"differs_from\" is x.json; it must be sums.json");
  const std::string alone = "it has only what differs from sums.json; here it must be whole";
  EXPECT_EQ(refusal(partial("")), alone);
  EXPECT_EQ(refused(partial(""), partial("")), alone);
  EXPECT_EQ(refused(R"({"notebook": "sums", "differs_from": 1})"),
            "\"differs_from\" has the wrong type: number");
}

/// The end of every complaint about what is no JSON.
const std::string hint = " (compare --record DIR writes recordings)";

TEST(Recording, RefusesWhatIsNoJsonWithLineAndColumn) {
  EXPECT_TRUE(refusal("").starts_with("1: column 1: ")) << refusal("");
  EXPECT_EQ(
      refusal("{\n \"cells\": [}"),
      "2: column 12: syntax error while parsing value - unexpected '}'; expected '[', '{', or a literal" +
          hint);
  EXPECT_TRUE(refusal(recording("").substr(0, 60)).ends_with(hint));
}

TEST(Recording, RefusesFieldsThatAreMissingOrOfAnotherKind) {
  EXPECT_EQ(refusal("[]"), "an object with \"notebook\" is expected, not array");
  EXPECT_EQ(refusal("{}"), "the field \"notebook\" is missing");
  EXPECT_EQ(refusal(R"({"notebook": "sums", "cells": []})"), "the field \"fingerprint\" is missing");
  EXPECT_EQ(refusal(recording("3")), "cell @1: an object with \"label\" is expected, not number");
  EXPECT_EQ(refusal(recording(R"({"label": 1})")), "cell @1: \"label\" has the wrong type: number");
  const std::pair<const char*, const char*> fields[] = {
      {R"("stdout": null)", "\"stdout\" has the wrong type: null"},
      {R"("result": null)", "the field \"stdout\" is missing"},
      {R"("stdout": "", "result": 1.5)", "\"result\" has the wrong type: number"},
      {R"("stdout": "", "result": null)", "the field \"tensors\" is missing"},
      {R"("stdout": "", "result": null, "tensors": [], "error": [])", "\"error\" has the wrong type: array"},
      {R"("stdout": "", "result": null, "tensors": [], "ran": 1)", "\"ran\" has the wrong type: number"},
  };
  for (const auto& [field, what] : fields) {
    const auto cell = std::string(R"({"label": "4", )") + field + "}";
    EXPECT_EQ(refusal(recording(cell)), std::string("cell @1: ") + what);
  }
  EXPECT_EQ(refusal(recording("", R"(, "restored_errors": [1])")),
            "\"restored_errors\" has the wrong type: array");
}

/// Returns the error message about a tensor, without the part that all messages have.
std::string refusal_of_tensor(const std::string& tensor) {
  const std::string before = "cell @1: tensor 1: ";
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

TEST(Recording, RefusesShapesThatAreNone) {
  const auto shaped = [](const std::string& shape) {
    return refusal_of_tensor(R"({"dtype": "torch.float32", "shape": )" + shape + R"(, "bits": "3f800000"})");
  };
  EXPECT_EQ(shaped("[1]"), "nothing");
  EXPECT_EQ(shaped("[]"), "nothing");
  EXPECT_EQ(shaped("1"), "\"shape\" has the wrong type: number");
  EXPECT_EQ(shaped("[\"1\"]"), "\"shape\" has the wrong type: array");
  for (const auto* length : {"1.5", "1e+121", "9223372036854775808"})
    EXPECT_EQ(shaped(fmt::format("[1, {}]", length)),
              fmt::format("\"shape\" is no number that is possible here: {}", length));
  EXPECT_EQ(shaped("[-1, -1]"), "no tensor has the shape (-1, -1)");
  EXPECT_EQ(shaped("[9223372036854775807]"),
            "its \"bits\" are 1 numbers; a torch.float32 of shape (9223372036854775807,) has "
            "9223372036854775807");
  EXPECT_EQ(shaped("[4611686018427387904, 2]"), "no tensor has the shape (4611686018427387904, 2)");
}

}  // namespace
}  // namespace torchbook::golden
