// Finds the effects of functions and methods by their names.
#include <tools/import/translate/cpp/effects.h>
#include <tools/import/translate/rows/signatures.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace torchbook::translate::cpp {
namespace {

/// Places that functions and methods write, beyond what LibTorch's schemas say. `->` marks a method
/// of a module.
const std::map<Place, std::set<std::string_view>> writing = {
    {Place::output, {"nb.print", "nb.display"}},
    {Place::control, {"TORCH_CHECK", "torchbook::read_text"}},
    {Place::world, {"torchbook::seconds"}},
    {Place::contents, {"push_back", "insert", "clear", "erase", "update", "python::pop"}},
    {Place::generator,
     {"torch::manual_seed", "torch::cuda::manual_seed", "torch::cuda::manual_seed_all", "set_current_seed",
      "torchbook::data::random_split", "torchbook::data::Pass", "next"}},
    {Place::memory,
     {"backward",
      "retain_grad",
      "step",
      "load_state_dict",
      "zero_grad",
      "->train",
      "->eval",
      "->to",
      "set_data",
      "set_requires_grad",
      "mutable_grad",
      "set_lr",
      "torch::autograd::grad",
      "torchbook::optim::zero_grad",
      "torchbook::nn::clip_grad_norm_",
      "torchbook::np::assign",
      "torchbook::nn::load_state_dict",
      "torchbook::optim::load_state_dict",
      "torchbook::nn::replace_parameter",
      "setDeterministicCuDNN",
      "setBenchmarkCuDNN"}}};

/// Returns the place that a function or method writes; nullopt if the table has none.
std::optional<Place> place_written(std::string_view callee) {
  const auto found = std::find_if(writing.begin(), writing.end(),
                                  [&](const auto& each) { return each.second.contains(callee); });
  return found == writing.end() ? std::nullopt : std::optional(found->first);
}

/// Whether a function may read numbers of tensors.
bool reads_memory(std::string_view callee) {
  static const std::set<std::string_view> of_tensors = {"list",   "rows",    "sum",     "sorted",
                                                        "tensor", "largest", "smallest"};
  for (const auto other : {"std::", "static_cast<", "torch::cuda::", "torch::Device", "torch::get_default"}) {
    if (callee.starts_with(other)) return false;
  }
  for (const std::string_view ours : {"torchbook::", "python::"}) {
    if (!callee.starts_with(ours)) continue;
    const auto name = callee.substr(ours.size());
    return name.find("::") != name.npos || of_tensors.contains(name.substr(0, name.find('<')));
  }
  return true;
}

bool has_place(const std::set<Effect>& effects, const Effect& wanted) {
  const bool named = wanted.place == Place::contents || wanted.place == Place::field;
  return std::any_of(effects.begin(), effects.end(), [&](const Effect& each) {
    return each.place == wanted.place &&
           (each.name == wanted.name || (named && (each.name.empty() || wanted.name.empty())));
  });
}

bool intersect(const std::set<Effect>& written, const std::set<Effect>& others) {
  return std::any_of(written.begin(), written.end(),
                     [&](const Effect& each) { return has_place(others, each); });
}

}  // namespace

void Effects::add(const Effects& others) {
  reads.insert(others.reads.begin(), others.reads.end());
  writes.insert(others.writes.begin(), others.writes.end());
  records.insert(others.records.begin(), others.records.end());
}

bool conflict(const Effects& one, const Effects& other) {
  const bool writes = intersect(one.writes, other.writes) || intersect(one.writes, other.reads) ||
                      intersect(other.writes, one.reads);
  return writes || std::any_of(one.records.begin(), one.records.end(),
                               [&](const auto& name) { return other.records.contains(name); });
}

Effects without_contents(Effects effects, const std::set<std::string>& variables) {
  for (auto* const all : {&effects.reads, &effects.writes}) {
    std::erase_if(*all, [&](const Effect& each) {
      return each.place == Place::contents && variables.contains(each.name);
    });
  }
  return effects;
}

bool changes_values(const Effects& effects) {
  return std::any_of(effects.writes.begin(), effects.writes.end(), [](const Effect& each) {
    return each.place == Place::memory || each.place == Place::contents || each.place == Place::field;
  });
}

Effects writes(Place place, std::string name) {
  return {.reads = {}, .writes = {{place, std::move(name)}}, .records = {}};
}

Effects reads(Place place, std::string name) {
  return {.reads = {{place, std::move(name)}}, .writes = {}, .records = {}};
}

Effects draws() {
  auto effects = writes(Place::generator);
  effects.reads = effects.writes;
  return effects;
}

Effects everything() {
  Effects all;
  for (const auto place : {Place::memory, Place::contents, Place::field, Place::generator, Place::output,
                           Place::control, Place::world})
    all.writes.insert({place, {}});
  all.reads = all.writes;
  return all;
}

Effects effects_of_callee(const std::string& callee, const std::string& receiver) {
  auto effects = reads_memory(callee) ? reads(Place::memory) : Effects{};
  const auto plain = callee.starts_with("->") ? callee.substr(2) : callee;
  const auto written = place_written(callee);
  if (const auto place = written ? written : place_written(plain)) {
    effects.writes.insert({*place, *place == Place::contents ? receiver : std::string()});
    const bool seeds = plain.starts_with("torch::") && plain.find("manual_seed") != plain.npos;
    if (*place == Place::generator && !seeds) effects.add(draws());
    if (*place == Place::output) effects.reads.insert({Place::control, {}});
    if (*place == Place::control) effects.reads.insert({Place::output, {}});
    return effects;
  }
  if (callee.starts_with("torch::nn::init::")) {
    effects.add(writes(Place::memory));
    effects.add(draws());
    return effects;
  }
  const auto name = plain.substr(plain.rfind(':') + 1);
  for (const auto& signature : signatures_of(name)) {
    if (signature.writes && name.ends_with('_')) effects.writes.insert({Place::memory, {}});
    if (signature.draws) effects.add(draws());
  }
  return effects;
}

}  // namespace torchbook::translate::cpp
