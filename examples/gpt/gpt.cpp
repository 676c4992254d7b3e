// Trains a small GPT on the letters of a text, saves it half-way, continues from the checkpoint, and samples.
// gpt.py does the same in Python and prints the same: gpt TEXT CHECKPOINT.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "model.h"

namespace {

using torch::Tensor;
namespace py = torchbook::pyrepr;

constexpr std::int64_t step_count = 60;

Tensor sampled(gpt::GPT& model, Tensor ids, int count) {
  const torch::NoGradGuard no_grad;
  model->eval();
  for (int i = 0; i < count; ++i) {
    const Tensor logits =
        model(ids.slice(0, std::max<std::int64_t>(ids.size(0) - gpt::context, 0)).unsqueeze(0))[0][-1] / 0.8;
    ids = torch::cat({ids, torch::multinomial(torch::softmax(logits, -1), 1)});
  }
  return ids;
}

void run(const std::string& text_file, const std::string& checkpoint) {
  std::ifstream file(text_file);
  if (!file) throw std::runtime_error("cannot read " + text_file);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::set<char> letters(text.begin(), text.end());
  std::vector<std::int64_t> numbers;
  for (const char letter : text) numbers.push_back(std::distance(letters.begin(), letters.find(letter)));
  const Tensor ids = torch::tensor(numbers);
  const Tensor places = torch::arange(ids.size(0) - gpt::context);
  const auto vocabulary = static_cast<std::int64_t>(letters.size());
  torch::manual_seed(1337);
  gpt::Training began(vocabulary, step_count);
  std::int64_t count = 0;
  for (const auto& each : began.model->parameters()) count += each.numel();
  py::print("parameters", count);
  began.steps(ids, places, 0, step_count / 2);
  torchbook::save(began.state(step_count / 2), checkpoint);
  gpt::Training goes_on(vocabulary, step_count);
  const auto state = torchbook::load(checkpoint).toGenericDict();
  goes_on.load(state);
  goes_on.steps(ids, places, state.at("step").toInt(), step_count);
  std::string sample;
  const Tensor drawn = sampled(goes_on.model, ids.slice(0, 0, 8), 80);
  for (std::int64_t i = 0; i < drawn.size(0); ++i)
    sample += *std::next(letters.begin(), drawn[i].item<std::int64_t>());
  py::print(sample);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: gpt TEXT CHECKPOINT");
  run(argv[1], argv[2]);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
