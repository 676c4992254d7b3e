#include <fmt/format.h>
#include <tools/site/computing/taken.h>

#include <algorithm>

namespace torchbook::site {
namespace {

/// Collects the numbers among arguments. 0 and 1 are everywhere.
void collect(const Json& argument, std::vector<std::string>& numbers) {
  if (argument.is_array()) {
    for (const auto& one : argument) collect(one, numbers);
  } else if (argument.contains("real") || (argument.is_number_integer() && argument > 1)) {
    numbers.push_back(argument.dump());
  }
}

std::vector<std::string> numbers_of(const Json& node) {
  std::vector<std::string> numbers;
  if (node.contains("args")) {
    collect(node["args"], numbers);
  } else {
    numbers.push_back(node["dtype"].dump() + node["values"].dump());
  }
  return numbers;
}

bool is_whole(const std::string& number) { return number.find_first_not_of("0123456789") == number.npos; }

}  // namespace

void TakenNumbers::take(TakenNumber one, const Json& elements) {
  all_.push_back(one);
  if (elements.size() != 1 || !elements[0].is_number()) return;
  last_ = fmt::format("{:.0f}", elements[0].get<double>());
  after_last_ = one.before;
  wholes_.insert(last_);
}

void TakenNumbers::leave_out(std::size_t position, std::size_t node) {
  const auto found = std::ranges::find_if(
      all_, [&](const auto& one) { return one.position == position && one.node == node && !one.is_printed; });
  if (found != all_.end()) all_.erase(found);
}

void TakenNumbers::take_unseen(std::size_t position, std::size_t node) {
  const auto is_before = [](const auto& one, std::size_t before) { return one.before < before; };
  all_.insert(std::lower_bound(all_.begin(), all_.end(), node + 1, is_before),
              {.position = position, .node = node, .before = node + 1});
}

std::optional<std::size_t> TakenNumbers::since(const Json& node, std::size_t index) {
  std::optional<std::size_t> since;
  for (const auto& number : numbers_of(node)) {
    const auto first = first_.try_emplace(number, index).first->second;
    if (!is_whole(number) || wholes_.contains(number)) since = std::max(since.value_or(0), first);
  }
  const bool is_index = index == after_last_ && node.value("op", "") == "aten::select.int" &&
                        node["args"].size() == 3 && node["args"][2].dump() == last_;
  return is_index ? index : since;
}

}  // namespace torchbook::site
