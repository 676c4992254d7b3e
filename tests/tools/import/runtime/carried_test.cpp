#include <gtest/gtest.h>
#include <support/message_of.h>
#include <support/temporary_folder.h>
#include <torch/torch.h>
#include <torchbook/notebook/notebook_run.h>
#include <torchbook/runtime/carried_state.h>

#include <cmath>
#include <fstream>

namespace torchbook::notebook {
namespace {

constexpr TableEntry table[] = {{.label = "1", .twin = "x = 1"}, {.label = "2", .twin = "y = 2"}};

std::int64_t hash_of_table() {
  const std::vector<std::string_view> cells = {"x = 1", "y = 2"};
  return hash_of_python(cells);
}

CarriedValues values() {
  c10::impl::GenericList list(c10::AnyType::get());
  list.push_back(std::int64_t{1});
  list.push_back(std::int64_t{2});
  c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
  dict.insert("b", 0.5);
  dict.insert("a", -1.25);
  CarriedValues carried;
  carried.values = {{"1/tensor", torch::tensor({1.5, -2.5}, torch::kFloat64)},
                    {"1/number", std::int64_t{-7}},
                    {"1/real", std::nextafter(0.1, 1.0)},
                    {"1/infinite", -INFINITY},
                    {"1/text", std::string("k\n\"\xC3\xA9")},
                    {"2/truth", true},
                    {"2/list", list},
                    {"2/pair", c10::ivalue::Tuple::create({std::int64_t{3}, list})},
                    {"2/dict", dict}};
  auto generator = at::detail::createCPUGenerator(7);
  carried.generators = {{"2", generator.get_state()}};
  return carried;
}

/// 0x34531ca7168b8f38 is a test vector of FNV's authors, for "foobar" with a zero after it.
TEST(HashOfPython, IsFnv1aOfTheCellsWithAZeroAfterEach) {
  const std::vector<std::string_view> cells = {"foobar"};
  EXPECT_EQ(static_cast<std::uint64_t>(hash_of_python(cells)), 0x34531ca7168b8f38U);
  EXPECT_EQ(static_cast<std::uint64_t>(hash_of_python({})), 0xcbf29ce484222325U);
}

struct CarriedTest : testing::Test {
  test::TemporaryFolder folder;
  std::string path = (folder.path() / "nb.carried").string();

  void write(const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

  /// Returns the error message for a value that cannot be carried.
  std::string failure(std::string file, std::size_t position, std::string_view name) {
    return test::message_of<std::runtime_error>(
        [&] { Carried(std::move(file), table).value(position, name); });
  }
};

TEST_F(CarriedTest, TakesEachKindOfValueUnchanged) {
  write(carried_file(values(), hash_of_table()));
  Carried carried(path, table);
  const auto take = [&]<class T>(std::size_t position, std::string_view name, T /*type*/) {
    return detail::carried_as<T>(carried.value(position, name));
  };
  EXPECT_TRUE(torch::equal(take(1, "tensor", at::Tensor()), torch::tensor({1.5, -2.5}, torch::kFloat64)));
  EXPECT_EQ(take(1, "number", std::int64_t{}), -7);
  EXPECT_EQ(take(1, "real", double{}), std::nextafter(0.1, 1.0));
  EXPECT_EQ(take(1, "infinite", double{}), -INFINITY);
  EXPECT_EQ(take(1, "text", std::string()), "k\n\"\xC3\xA9");
  EXPECT_TRUE(take(2, "truth", bool{}));
  EXPECT_EQ(take(2, "list", std::vector<std::int64_t>()), (std::vector<std::int64_t>{1, 2}));
  const auto pair = take(2, "pair", std::tuple<std::int64_t, std::vector<std::int64_t>>());
  EXPECT_EQ(pair, (std::tuple(std::int64_t{3}, std::vector<std::int64_t>{1, 2})));
  const auto dict = take(2, "dict", Dict<std::string, double>());
  EXPECT_EQ(dict.keys(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(dict.at("a"), -1.25);
}

TEST_F(CarriedTest, TheGeneratorGoesOn) {
  write(carried_file(values(), hash_of_table()));
  auto expected = at::detail::createCPUGenerator(7);
  auto generator = at::detail::createCPUGenerator(1);
  generator.set_state(Carried(path, table).generator(2));
  const auto drawn = torch::rand({9}, expected);
  EXPECT_TRUE(torch::equal(torch::rand({9}, generator), drawn));
  NotebookRun run(table, std::nullopt, nullptr, path);
  run.cell("1");
  run.cell("2");
  run.carried_generator();
  EXPECT_TRUE(torch::equal(torch::rand({9}), drawn));
}

TEST_F(CarriedTest, SaysWhatToDoIfTheFileIsMissing) {
  EXPECT_EQ(failure("", 1, "number"),
            "the file of carried values is missing; torchbook carry SLUG writes it anew");
  EXPECT_EQ(failure(path, 1, "number"), path + " is missing; torchbook carry SLUG writes it anew");
}

TEST_F(CarriedTest, SaysThatTheFileIsTornOrForeign) {
  const auto whole = carried_file(values(), hash_of_table());
  for (const auto& bytes :
       {whole.substr(0, whole.size() / 2), std::string(), std::string("golden of nb\n")}) {
    write(bytes);
    EXPECT_EQ(failure(path, 1, "number"), path + " cannot be read; torchbook carry SLUG writes it anew");
  }
}

TEST_F(CarriedTest, SaysWhatTheFileLacks) {
  write(carried_file(values(), hash_of_table()));
  EXPECT_EQ(failure(path, 2, "number"), path + " lacks 2/number; torchbook carry SLUG writes it anew");
}

/// Returns the message of the error that `restore` throws.
template <class Restore>
std::string refusal(const Restore& restore) {
  try {
    restore();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

c10::IValue dict_of(std::initializer_list<std::pair<const char*, c10::IValue>> items) {
  c10::impl::GenericDict dict(c10::AnyType::get(), c10::AnyType::get());
  for (const auto& [name, value] : items) dict.insert(name, value);
  return dict;
}

c10::IValue list_of(std::initializer_list<c10::IValue> items) {
  c10::impl::GenericList list(c10::AnyType::get());
  for (const auto& item : items) list.push_back(item);
  return list;
}

TEST(CarriedModuleTest, GivesWeightsGradientsDtypesAndMode) {
  const auto weight = torch::tensor({{1.5, 2.5}}, torch::kFloat64);
  const auto gradient = torch::tensor({{0.5, 0.25}}, torch::kFloat64);
  torch::nn::Linear net(torch::nn::LinearOptions(2, 1).bias(false));
  CarriedState(dict_of({{"state", dict_of({{"weight", weight}})},
                        {"gradients", dict_of({{"weight", gradient}})},
                        {"frozen", list_of({"weight"})},
                        {"training", false}}))
      .restore(*net);
  EXPECT_TRUE(torch::equal(net->weight, weight));
  EXPECT_TRUE(torch::equal(net->weight.grad(), gradient));
  EXPECT_FALSE(net->weight.requires_grad());
  EXPECT_FALSE(net->is_training());
}

TEST(CarriedModuleTest, RefusesAnotherModule) {
  const CarriedState carried(dict_of({{"state", dict_of({{"weight", torch::ones({1, 2})}})},
                                      {"gradients", dict_of({})},
                                      {"frozen", list_of({})},
                                      {"training", true}}));
  torch::nn::Linear wide(torch::nn::LinearOptions(3, 1).bias(false)), biased(2, 1);
  EXPECT_EQ(refusal([&] { carried.restore(*wide); }),
            "the state_dict does not fit: weight has the sizes torch.Size([1, 2]), and in the module "
            "torch.Size([1, 3])");
  EXPECT_EQ(refusal([&] { carried.restore(*biased); }),
            "the state_dict does not fit: it has no bias, which the module has");
}

TEST(CarriedOptimizerTest, RefusesAnotherOptimizer) {
  const auto momentum = dict_of({{"momentum_buffer", torch::ones({2})}});
  const CarriedState carried(dict_of({{"rates", list_of({0.25})}, {"states", list_of({momentum})}}));
  const auto weight = torch::zeros({2}, torch::requires_grad());
  torch::optim::SGD sgd({weight}, torch::optim::SGDOptions(0.1));
  carried.restore(sgd);
  EXPECT_EQ(sgd.param_groups()[0].options().get_lr(), 0.25);
  torch::optim::RMSprop other({weight}, torch::optim::RMSpropOptions(0.1));
  EXPECT_EQ(refusal([&] { carried.restore(other); }),
            "the state does not fit the optimizer: the state of a parameter has no step");
  torch::optim::SGD two({weight, torch::zeros({2}, torch::requires_grad())}, torch::optim::SGDOptions(0.1));
  EXPECT_EQ(refusal([&] { carried.restore(two); }),
            "Python's state belongs to an optimizer with other parameters");
}

}  // namespace
}  // namespace torchbook::notebook
