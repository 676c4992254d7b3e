// Hostile and damaged checkpoints. checkpoint_test.py has those that PyTorch writes.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <support/temporary_folder.h>
#include <sys/resource.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torchbook/training/checkpoint.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace torchbook {
namespace {

using namespace std::string_literals;

std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, number >>= 8) text += static_cast<char>(number & 0xFF);
  return text;
}

std::string pickled(const std::string& text) { return "X" + little_endian(text.size(), 4) + text; }
std::string pickled(std::int64_t number) {
  return "\x8A\x08" + little_endian(static_cast<std::uint64_t>(number), 8);
}

std::string pickled(const std::vector<std::int64_t>& numbers) {
  std::string text = "(";
  for (const auto number : numbers) text += pickled(number);
  return text + "t";
}

std::string repeated(const std::string& text, int times) {
  std::string whole;
  for (int i = 0; i < times; ++i) whole += text;
  return whole;
}

/// A storage of the key "0", in the pickle of a file.
std::string storage(const std::string& type = "FloatStorage", std::int64_t elements = 4) {
  return "(" + pickled("storage") + "ctorch\n" + type + "\n" + pickled("0") + pickled("cpu") +
         pickled(elements) + "tQ";
}

std::string tensor(std::int64_t offset, const std::vector<std::int64_t>& sizes,
                   const std::vector<std::int64_t>& strides, const std::string& of = storage(),
                   const std::string& requires_grad = "\x89") {
  return "ctorch._utils\n_rebuild_tensor_v2\n(" + of + pickled(offset) + pickled(sizes) + pickled(strides) +
         requires_grad + "}tR";
}

/// A file of torch.save without zip, whose storage has 16 bytes.
std::string old_file(const std::string& value, const std::string& little = "\x88") {
  const auto pickle = [](const std::string& body) { return "\x80\x02" + body + "."; };
  return pickle("\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19") + pickle("M\xE9\x03") +
         pickle("}" + pickled("little_endian") + little + "s") + pickle(value) +
         (value.find("storage") == std::string::npos
              ? pickle("]")
              : pickle("]" + pickled("0") + "a") + little_endian(4, 8) + std::string(16, 'x'));
}

class Checkpoint : public testing::Test {
 protected:
  /// Returns the message with which the bytes of a file are refused, without the path.
  std::string refusal(const std::string& bytes) const {
    std::filesystem::remove(path_);  // some file systems write to the disk if a file is truncated
    std::ofstream(path_, std::ios::binary) << bytes;
    const auto message = test::message_of<std::runtime_error>([&] { load(path_); });
    const auto start = path_.string() + ": ";
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }

  std::string save_refusal(const c10::IValue& value) const {
    const auto message = test::message_of<std::runtime_error>([&] { save(value, path_); });
    return message.substr(message.find(": ") + 2);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "file";
};

constexpr auto* too_deep = "it has values that are nested more than 200 deep";
constexpr auto* cut_off = "it is cut off or damaged";
constexpr auto* broken = "its pickle is damaged";
constexpr auto* too_large = "it has a tensor that is larger than its storage";
constexpr auto most = std::numeric_limits<std::int64_t>::max();

TEST_F(Checkpoint, PicklesAreBounded) {
  EXPECT_EQ(refusal(old_file("N")), "nothing");
  EXPECT_EQ(refusal(old_file(repeated(")\x85", 150))), "nothing");
  EXPECT_EQ(refusal(old_file(repeated("]", 201) + repeated("a", 200))), too_deep);
  EXPECT_EQ(refusal(old_file(repeated("]", 100'000) + repeated("a", 99'999))), too_deep);
  EXPECT_EQ(refusal(old_file(")" + repeated("\x85", 100'000))), too_deep);
  // Each list has the one before it twice: 2 to the 150th power lists, if they were copied.
  EXPECT_EQ(refusal(old_file("]q" + "\0"s + repeated("](h\0h\0eq\0"s, 150))), "nothing");
  EXPECT_EQ(refusal(old_file("]q" + "\0"s + repeated("](h\0h\0eq\0"s, 250))), too_deep);
  // A value that is shallow where it is first, but deep where it occurs again.
  EXPECT_EQ(refusal(old_file("(" + repeated(")\x85", 1) + repeated("\x85", 150) + "q\0h\0"s +
                             repeated("\x85", 100) + "t")),
            too_deep);
  EXPECT_EQ(refusal(old_file("]q\0h\0a"s)), "it has a list or dict that contains itself");
  EXPECT_EQ(refusal(old_file("}q\0"s + pickled("a") + "h\0s"s)),
            "it has a list or dict that contains itself");
  EXPECT_EQ(refusal(old_file("Nr\xFF\xFF\xFF\xFF")), "nothing");
  EXPECT_EQ(refusal(old_file("\x8D" + little_endian(std::uint64_t{1} << 63, 8))), cut_off);
  EXPECT_EQ(refusal(old_file("X\xFF\xFF\xFF\xFF")), cut_off);
  EXPECT_EQ(refusal(old_file("\x8B\xFF\xFF\xFF\xFF")), cut_off);
}

TEST_F(Checkpoint, PicklesThatAreWrongAreRefused) {
  for (const auto* wrong : {"",       "a",    "]a",   "]NNe", "(",     "t",      "e",
                            "}(Nu",   "}N]s", "h\1",  "R",    "NR",    "N)R",    "cos\nsystem\nNR",
                            "NQ",     ")Q",   "b",    "NNb",  ")\x81", "N)\x81", "\x93",
                            "NN\x93", "(i",   "I1\n", "0",    "\x97",  "c\nx\n", "ca b\nx\n"})
    EXPECT_NE(refusal(old_file(wrong)), "nothing") << wrong;
  EXPECT_EQ(refusal(old_file(pickled("a\nb") + pickled("c") + "\x93")), broken);
  EXPECT_EQ(refusal("\x80\x06N."), "its pickle has the protocol 6, and not 2 to 5");
  EXPECT_EQ(refusal("\x80\x04N."), "it is a pickle, but not of torch.save");
  EXPECT_EQ(refusal(old_file("N", "\x89")), "it was written by a big-endian machine");
}

TEST_F(Checkpoint, NothingIsExecuted) {
  const auto only_python = [](const std::string& what) {
    return "it has " + what + ", which only Python has; save a state_dict(), numbers or texts instead";
  };
  EXPECT_EQ(refusal(old_file("cos\nsystem\n" + pickled("ls") + "\x85R")),
            only_python("a result of os.system"));
  EXPECT_EQ(refusal(old_file("cmymodel\nNet\n)\x81}b")), only_python("an object of the class mymodel.Net"));
  EXPECT_EQ(refusal(old_file("c__builtin__\neval\n")), only_python("eval"));
  EXPECT_EQ(refusal(old_file(pickled("\n") + "ctorch\n_\n(t\x86\x85R")), broken);
}

TEST_F(Checkpoint, KeysOfDictsAreStrsAndInts) {
  EXPECT_EQ(refusal(old_file("})Ns")), "it has a dict with a key that is neither a str nor an int");
  // LibTorch's dict multiplies a key by this number, modulo 2 to the 64th power, and takes the highest bits.
  constexpr std::uint64_t factor = 11400714819323198485u;
  std::uint64_t inverse = factor;
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  std::string near = "}(", far = "}(";
  for (std::uint64_t i = 0; i < 40; ++i) {
    near += pickled(static_cast<std::int64_t>(inverse * i)) + "N";
    far += pickled(static_cast<std::int64_t>(inverse * (i << 57))) + "N";
  }
  EXPECT_EQ(refusal(old_file(near + "u")), "it has a dict whose keys collide");
  EXPECT_EQ(refusal(old_file(far + "u")), "nothing");
}

TEST_F(Checkpoint, TensorsStayInTheirStorage) {
  EXPECT_EQ(refusal(old_file(tensor(0, {2, 2}, {2, 1}))), "nothing");
  EXPECT_EQ(refusal(old_file(tensor(3, {5}, {0}))), "nothing");
  EXPECT_EQ(refusal(old_file(tensor(4, {0}, {most}))), "nothing");
  EXPECT_EQ(refusal(old_file(tensor(0, {5}, {1}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(3, {2}, {1}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(4, {}, {}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(5, {0}, {1}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(-1, {1}, {1}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(most, {2}, {1}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(0, {most}, {most}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(0, {most, most}, {0, 0}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(0, {most, 0, most}, {0, 0, 0}))), too_large);
  EXPECT_EQ(refusal(old_file(tensor(0, {-1}, {1}))), "it has a tensor with a negative size or stride");
  EXPECT_EQ(refusal(old_file(tensor(3, {2}, {-1}))), "it has a tensor with a negative size or stride");
  EXPECT_EQ(refusal(old_file(tensor(0, {1, 1}, {1}))), "a tensor of its pickle is damaged");
  EXPECT_EQ(refusal(old_file(tensor(0, std::vector<std::int64_t>(65, 1), std::vector<std::int64_t>(65, 1)))),
            "it has a tensor of more than 64 dimensions");
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, storage("LongStorage")))),
            "its list of storages is damaged");  // 4 longs are 32 bytes
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, storage("IntStorage"), "\x88"))),
            "it has a tensor of whole numbers that requires gradients");
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, storage("FloatStorage", 5)))),
            "its storage '0' is too short");
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, storage("FloatStorage", -1)))),
            "its storage '0' is too short");
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, storage("FloatStorage", most)))),
            "its storage '0' is too short");
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, storage("DecimalStorage")))),
            "it has a tensor of torch.DecimalStorage, which this LibTorch does not have");
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, storage("QInt8Storage")))),
            "it has a tensor that is quantized, which is not read");
  EXPECT_EQ(refusal(old_file(tensor(0, {1}, {1}, "N"))), "a tensor of its pickle is damaged");
}

TEST_F(Checkpoint, FilesOfLibTorchAreRead) {
  c10::Dict<std::string, std::vector<at::Tensor>> lists;
  lists.insert("a", std::vector{at::arange(3), at::ones({2, 2})});
  const auto bytes =
      torch::jit::pickle_save(c10::ivalue::Tuple::create(lists, std::vector<std::int64_t>{1, 2}, 0.5));
  std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto judge_value = torch::jit::pickle_load(bytes), loaded_value = load(path_);
  const auto &judge = judge_value.toTupleRef(), &loaded = loaded_value.toTupleRef();
  const auto expected = judge.elements()[0].toGenericDict().at("a").toTensorVector();
  const auto found = loaded.elements()[0].toGenericDict().at("a").toListRef();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(at::equal(found[i].toTensor(), expected[i]));
  EXPECT_EQ(loaded.elements()[1].toListRef()[1], judge.elements()[1].toListRef()[1]);
  EXPECT_EQ(loaded.elements()[2], judge.elements()[2]);
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Checkpoint, DamagedFilesAreRefusedInOneLine) {
  save(c10::IValue(at::arange(3)), path_);
  for (const auto& whole : {contents(path_), old_file(tensor(0, {2, 2}, {2, 1}))}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_NE(refusal(whole.substr(0, i)), "nothing") << i;
      auto changed = whole;
      for (const char byte : {'\xFF', '\0', '\x7F'}) {
        changed[i] = byte;
        refusal(changed);
      }
    }
  }
}

std::string safetensors(const std::string& header, const std::string& data = "") {
  return little_endian(header.size(), 8) + header + data;
}

TEST_F(Checkpoint, SafetensorsAreChecked) {
  const auto one = [](const std::string& shape, const std::string& offsets,
                      const std::string& dtype = "F32") {
    return R"({"a": {"dtype": ")" + dtype + R"(", "shape": [)" + shape + R"(], "data_offsets": [)" + offsets +
           "]}}";
  };
  EXPECT_EQ(refusal(safetensors(one("1", "0,4"), "1234")), "nothing");
  EXPECT_EQ(refusal(safetensors("{}")), "nothing");
  EXPECT_EQ(refusal(safetensors(one("1", "0,4"), "123")), "its tensor 'a' is cut off");
  EXPECT_EQ(refusal(safetensors(one("1", "0,4"), "12345")), "it has data that are of no tensor");
  EXPECT_EQ(refusal(safetensors(one("1", "1,5"), "12345")),
            "its tensor 'a' does not begin where another one ends");
  const auto shape = "its tensor 'a' has a shape that does not fit its data";
  EXPECT_EQ(refusal(safetensors(one("2", "0,4"), "1234")), shape);
  EXPECT_EQ(refusal(safetensors(one("4611686018427387904,4", "0,0"))), shape);
  EXPECT_EQ(refusal(safetensors(one("4611686018427387904,4611686018427387904,0", "0,0"))), shape);
  EXPECT_EQ(refusal(safetensors(one("1", "4,0"), "1234")),
            "its tensor 'a' has a wrong number in data_offsets");
  EXPECT_EQ(refusal(safetensors(one("1", "0"), "1234")), "its tensor 'a' has a wrong number in data_offsets");
  EXPECT_EQ(refusal(safetensors(one("-1", "0,4"), "1234")), "its tensor 'a' has a wrong number in shape");
  EXPECT_EQ(refusal(safetensors(one("1.0", "0,4"), "1234")), "its tensor 'a' has a wrong number in shape");
  EXPECT_EQ(refusal(safetensors(one("99999999999999999999", "0,4"), "1234")),
            "its tensor 'a' has a wrong number in shape");
  EXPECT_EQ(refusal(safetensors(one("1", "0,4", "F33"), "1234")),
            "its tensor 'a' has the dtype 'F33', which this LibTorch does not have");
  const std::string two = R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
                              "b": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}})";
  EXPECT_EQ(refusal(safetensors(two, "123")), "its tensor 'b' does not begin where another one ends");
  for (const auto* wrong : {"", "[]", "{", "3", "{\"a\": 1}", "{\"a\": {}}", "{\"a\": {\"dtype\": 1}}",
                            "{\"a\": {\"dtype\": \"F32\"}}"})
    EXPECT_NE(refusal(safetensors(wrong)), "nothing") << wrong;
  EXPECT_EQ(refusal(safetensors(repeated("[", 100'000))), "its header of JSON is damaged");
  EXPECT_EQ(refusal(little_endian(50, 8) + "{}"), cut_off);
  EXPECT_EQ(refusal("some other text"), "it is no file of torch.save, and no safetensors file");
}

TEST_F(Checkpoint, WhatCannotBeSavedIsNamed) {
  std::ofstream(path_) << "before";
  EXPECT_EQ(save_refusal(at::eye(2).to_sparse()),
            "a tensor that is torch.sparse_coo cannot be saved; save a dense one of its values");
  EXPECT_EQ(save_refusal(at::empty({2}, at::kMeta)),
            "a tensor that is without data cannot be saved; save a dense one of its values");
  EXPECT_EQ(save_refusal(at::quantize_per_tensor(at::ones(2), 1, 0, at::kQInt8)),
            "a tensor that is quantized cannot be saved; save a dense one of its values");
  EXPECT_EQ(save_refusal(at::Tensor()), "an undefined tensor cannot be saved");
  const auto complex = at::ones(2, at::kComplexFloat);
  EXPECT_EQ(save_refusal(c10::ivalue::Tuple::create(complex, at::view_as_real(complex))),
            "two tensors that share memory but have other dtypes cannot be saved; clone one of them");
  EXPECT_EQ(save_refusal("\xFF"), "a str that is not UTF-8 cannot be saved: '\\udcff'");
  EXPECT_EQ(save_refusal(at::make_generator<at::CPUGeneratorImpl>()),
            "a value of the type Generator cannot be saved");
  c10::IValue deep;
  for (int i = 0; i < 201; ++i) deep = c10::ivalue::Tuple::create(deep);
  EXPECT_EQ(save_refusal(deep), "values that are nested more than 200 deep cannot be saved");
  EXPECT_EQ(contents(path_), "before");
  EXPECT_EQ(test::message_of<std::runtime_error>([] { save(1, "/nowhere/file"); }),
            "/nowhere/file: cannot be written: No such file or directory");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

// The limit of a file's size acts like a full disk.
TEST_F(Checkpoint, AFileThatCannotBeWrittenIsLeftAsItWas) {
  std::ofstream(path_) << "before";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto message = save_refusal(at::ones(1'000'000));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot be written: File too large");
  EXPECT_EQ(contents(path_), "before");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

}  // namespace
}  // namespace torchbook
