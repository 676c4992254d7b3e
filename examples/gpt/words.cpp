// Makes up little stories, trains the GPT of model.h on their words, and writes its weights as a script for
// the page "A small GPT" of the site: gpt_words WEIGHTS.js [STEPS].
#include <torchbook/training/random.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model.h"

namespace {

using torch::Tensor;
using Words = std::vector<std::string>;
using torchbook::random::Random;

constexpr int story_count = 20000;

// What people do depends on one thing each: who eats, when they drink, where they see an animal. So a model
// has to look at a word further back: at another one for each verb.
struct Person {
  std::string name, pronoun, food, other_food;
};
const std::vector<Person> people{{"anna", "she", "apples", "pears"},
                                 {"ben", "he", "bread", "cheese"},
                                 {"mia", "she", "cake", "honey"},
                                 {"tom", "he", "soup", "rice"}};
struct Time {
  Words words;
  std::string drink;
};
const std::vector<Time> times{
    {{"in", "the", "morning"}, "milk"}, {{"at", "noon"}, "water"}, {{"in", "the", "evening"}, "tea"}};
struct Place {
  std::string name, animal;
};
const std::vector<Place> places{{"garden", "bird"}, {"house", "cat"},   {"kitchen", "mouse"},
                                {"park", "dog"},    {"school", "fish"}, {"street", "horse"}};

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

Words story(Random& random) {
  const auto person = random.choice(people);
  const auto food = random.random() < 0.75 ? person.food : person.other_food;
  if (random.random() < 0.15) return {"who", "eats", food, "?", person.name, "eats", food, "."};
  const auto time = random.choice(times);
  const auto place = random.choice(places);
  Words words = time.words;
  append(words, {person.name});
  append(words, random.random() < 0.5 ? Words{"is", "in"} : Words{"goes", "to"});
  append(words, {"the", place.name});
  const std::vector<Words> all{{"eats", food}, {"drinks", time.drink}, {"sees", "a", place.animal}};
  for (const auto& does : random.sample(all, random.choice(std::vector<std::int64_t>{1, 1, 2}))) {
    append(words, random.random() < 0.6 ? Words{"and"} : Words{".", person.pronoun});
    append(words, does);
  }
  append(words, {"."});
  return words;
}

/// Returns the bytes of a contiguous tensor in base64.
std::string base64(const Tensor& tensor) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(tensor.data_ptr());
  std::string text;
  for (std::size_t i = 0; i < tensor.nbytes(); i += 3) {
    const std::size_t count = std::min<std::size_t>(tensor.nbytes() - i, 3);
    unsigned three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8U | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? letters[three >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

/// Writes the weights of a model as a script. The rest of the first line is JSON.
void write(const std::string& path, const torch::nn::Module& model, const std::set<std::string>& vocabulary,
           std::int64_t steps) {
  std::ofstream file(path);
  file << R"(globalThis.torchbook.gptWeights = {"context":)" << gpt::context << R"(,"heads":)" << gpt::heads
       << R"(,"layers":)" << gpt::layers << R"(,"steps":)" << steps << R"(,"vocabulary":)";
  for (char before = '['; const auto& word : vocabulary)
    file << std::exchange(before, ',') << '"' << word << '"';
  file << R"(],"weights":)";
  char before = '{';
  for (const auto& each : model.named_parameters()) {
    file << std::exchange(before, ',') << '"' << each.key() << R"(":[)" << each.value().sizes() << R"(,")"
         << base64(each.value().detach().contiguous()) << R"("])";
  }
  file << "}};\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void run(const std::string& path, std::int64_t steps) {
  Random random(1337);
  Words words;
  std::vector<std::int64_t> begins;
  for (int i = 0; i < story_count; ++i) {
    begins.push_back(static_cast<std::int64_t>(words.size()));
    append(words, story(random));
  }
  const std::set<std::string> vocabulary(words.begin(), words.end());
  std::vector<std::int64_t> numbers;
  for (const auto& word : words) numbers.push_back(std::distance(vocabulary.begin(), vocabulary.find(word)));
  begins.resize(begins.size() - gpt::context);  // the last ones are too near to the end
  torch::manual_seed(1337);
  gpt::Training training(static_cast<std::int64_t>(vocabulary.size()), steps);
  training.steps(torch::tensor(numbers), torch::tensor(begins), 0, steps, 100);
  write(path, *training.model, vocabulary, steps);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2 && argc != 3) throw std::invalid_argument("usage: gpt_words WEIGHTS.js [STEPS]");
  run(argv[1], argc == 3 ? std::stoll(argv[2]) : 3000);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
