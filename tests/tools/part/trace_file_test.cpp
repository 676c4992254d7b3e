// Tests that traces are read, that cut ones are read as far as they go, and that others are refused.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <support/mutator.h>
#include <tools/part/difference.h>
#include <tools/part/trace_bytes.h>

#include <cstring>
#include <functional>
#include <string>

namespace torchbook::trace_diff {
namespace {

using test::TraceBytes;

std::string good_trace() {
  TraceBytes trace;
  trace.record(
      2,
      R"({"language": "C++", "recorder": "callbacks", "libtorch": "1.13.1", "capability": "AVX2", "threads": 2})");
  trace.operation("aten::mul", {{{1, 2}, 1}, {{3, 4}, 2}}, {{{3, 8}, 3}});
  trace.operation("aten::add_", {{{3, 8}, 3}}, {{{4, 9}, 3}})
      .operation("aten::exp", {{{4, 9}, 3}}, {{{5, 5}, 4}});
  return trace.finish().bytes();
}

std::string refusal(const std::string& bytes) {
  Texts texts;
  return torchbook::test::message_of<TraceError>([&] { read_trace(bytes, texts); });
}

TEST(TraceFile, TellsWhatRan) {
  const std::string bytes = good_trace();
  Texts texts;
  const ReadTrace trace = read_trace(bytes, texts);
  EXPECT_TRUE(trace.finished);
  EXPECT_EQ(trace.fingerprint.torch, "LibTorch 1.13.1");
  EXPECT_EQ(trace.fingerprint.threads, 2);
  ASSERT_EQ(trace.operations.size(), 3U);
  EXPECT_EQ(texts[trace.operations[1].name], "aten::add_");
  EXPECT_EQ(texts[trace.operations[1].line], "net.py:2");
  ASSERT_EQ(trace.inputs(0).size(), 3U);
  const auto& tensor = trace.tensors[trace.inputs(0)[1].index];
  EXPECT_EQ(texts[tensor.dtype], "float32");
  EXPECT_EQ(tensor.storage, 2U);
  EXPECT_EQ(trace.shape(tensor)[0], 2);
  EXPECT_EQ(trace.bytes.at(tensor.hash).total, 8U);
}

TEST(TraceFile, CutOffAnywhereItIsReadAsFarAsItGoes) {
  const std::string whole = good_trace();
  std::size_t most = 0;
  for (std::size_t size = 20; size < whole.size(); ++size) {
    const std::string bytes = whole.substr(0, size);
    Texts texts;
    const ReadTrace trace = read_trace(bytes, texts);
    EXPECT_FALSE(trace.finished);
    EXPECT_GE(trace.operations.size(), most);
    most = trace.operations.size();
  }
  EXPECT_EQ(most, 3U);
}

TEST(TraceFile, RefusesWhatIsNoTrace) {
  EXPECT_EQ(refusal(""), "it is no trace: it does not begin with \"torchbook trace\"");
  EXPECT_EQ(refusal("torchbook trace\n"), "it ends after its first line");
  std::string newer = good_trace();
  newer[16] = 9;
  EXPECT_EQ(refusal(newer),
            "it has version 9 of the format; this torchbook reads version 2: record it again");
  EXPECT_EQ(refusal(good_trace() + "more"), "something follows its end");
  EXPECT_EQ(refusal(TraceBytes().record(77, "").bytes()), "there is no record of the kind 77");
  EXPECT_EQ(refusal(TraceBytes().record(2, "[]").bytes()), "what it says of its run is no JSON object");
  EXPECT_EQ(refusal(TraceBytes().record(6, std::string(5, '\0')).bytes()),
            "an operation ends that did not begin");
  EXPECT_EQ(refusal(TraceBytes().record(5, std::string(3, '\0')).bytes()),
            "a record is shorter than what it holds");
  EXPECT_EQ(refusal(TraceBytes().record(5, "\x05" + std::string(30, '\0')).bytes()), "there is no text 5");
}

TEST(TraceFile, DoesNotReserveWhatARecordCannotHold) {
  std::string begin(14, '\0');
  TraceBytes::append(begin, std::uint32_t{0xffffffff});  // values
  EXPECT_EQ(refusal(TraceBytes().record(5, begin).bytes()), "a record is shorter than what it holds");
}

TEST(TraceFile, DeepListsAndOperationsAreRefused) {
  std::string begin(14, '\0');
  TraceBytes::append(begin, std::uint32_t{1});
  for (int i = 0; i < 100; ++i) {
    TraceBytes::append(begin, std::uint8_t{6});
    TraceBytes::append(begin, std::uint32_t{1});
  }
  EXPECT_EQ(refusal(TraceBytes().record(5, begin + '\0').bytes()), "lists are nested too deeply");
  TraceBytes deep;
  for (int i = 0; i < 2000; ++i) deep.record(5, std::string(18, '\0'));
  EXPECT_EQ(refusal(deep.bytes()), "operations are nested too deeply");
}

/// Returns the bytes of a trace with the right checksums, as far as its records go.
std::string sealed(std::string bytes) {
  const auto seal = [&](std::size_t from, std::size_t size) {
    const auto checksum = trace::checksum(std::string_view(bytes).substr(from, size));
    std::memcpy(bytes.data() + from + size, &checksum, sizeof checksum);
  };
  for (std::size_t at = 20; at + 13 <= bytes.size();) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + at + 1, sizeof size);
    seal(at, 5);
    if (size > bytes.size() - at - 13) break;
    seal(at + 9, size);
    at += 13 + size;
  }
  return bytes;
}

TEST(TraceFile, AFlippedBitIsFound) {
  const std::string whole = good_trace();
  ASSERT_EQ(sealed(whole), whole);
  for (std::size_t bit = 20 * 8; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(refusal(flipped).starts_with("it is damaged: the record at byte ")) << bit;
  }
  std::string flipped = whole;
  flipped[21] ^= 1;
  EXPECT_EQ(refusal(flipped), "it is damaged: the record at byte 20 has a wrong checksum; record it again");
}

TEST(TraceFile, MutatedTracesAreComparedOrRefused) {
  const std::string whole = good_trace();
  int taken = 0;
  int refused = 0;
  for (int seed = 0; seed < torchbook::test::mutants(); ++seed) {
    const std::string changed = sealed(torchbook::test::Mutator(static_cast<unsigned>(seed)).changed(whole));
    Texts texts;
    try {
      const ReadTrace one = read_trace(changed, texts);
      const ReadTrace other = read_trace(whole, texts);
      compare(one, other, texts);
      compare(other, one, texts);
      ++taken;
    } catch (const TraceError& error) {
      EXPECT_LE(std::string_view(error.what()).size(), 200U);
      ++refused;
    }
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace torchbook::trace_diff
