// Words for values and operations.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/part/roles.h>
#include <tools/part/side.h>
#include <tools/part/value_words.h>
#include <torchbook/golden/element.h>

#include <algorithm>
#include <array>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t most_names = 6;
constexpr std::size_t most_values = 8;
constexpr golden::IeeeFormat float64{.bytes = 8, .mantissa = 52};

std::string list_words(const ReadTrace& trace, const Texts& texts, const Value& list) {
  const auto values = trace.part({.first = list.index, .count = list.count});
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const auto& value : values.first(std::min(values.size(), most_values)))
    words.push_back(value_words(trace, texts, value));
  if (values.size() > most_values) words.emplace_back("…");
  return fmt::format("[{}]", fmt::join(words, ", "));
}

}  // namespace

std::string tensor_words(const ReadTrace& trace, const Texts& texts, const SeenTensor& tensor) {
  const auto shape = trace.shape(tensor);
  const auto device = texts[tensor.device] == "cpu" ? "" : fmt::format(" on {}", texts[tensor.device]);
  return fmt::format("{} {}{}", texts[tensor.dtype], golden::shape_text({shape.begin(), shape.end()}),
                     device);
}

std::string value_words(const ReadTrace& trace, const Texts& texts, const Value& value) {
  switch (value.tag) {
    case Tag::none:
      return "None";
    case Tag::tensor:
      return tensor_words(trace, texts, trace.tensors[value.index]);
    case Tag::whole:
      return std::to_string(static_cast<std::int64_t>(value.bits));
    case Tag::real:
      return golden::float_text(value.bits, float64);
    case Tag::boolean:
      return value.bits != 0 ? "True" : "False";
    case Tag::text:
      return fmt::format("'{}'", texts[value.index]);
    case Tag::list:
      return list_words(trace, texts, value);
    case Tag::complex:
      return fmt::format("complex({}, {})", golden::float_text(value.bits, float64),
                         golden::float_text(value.imaginary, float64));
    case Tag::other:
      return fmt::format("a {}", texts[value.index]);
  }
  return "";
}

std::string argument_words(const ReadTrace& trace, const Texts& texts, std::uint32_t operation,
                           std::size_t position) {
  const auto known = trace.arguments.find(trace.operations[operation].name);
  std::string_view names = known == trace.arguments.end() ? "" : std::string_view(texts[known->second]);
  std::size_t before = 0;
  for (const auto& value : trace.inputs(operation)) {
    const auto name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    const auto count = value.tag == Tag::list ? flat(trace, {&value, 1}).size() : 1;
    if (position - before >= count) {
      before += count;
    } else if (name.empty()) {
      break;
    } else {
      return value.tag == Tag::list ? fmt::format("argument {}[{}]", name, position - before)
                                    : fmt::format("argument {}", name);
    }
  }
  return fmt::format("argument {}", position + 1);
}

std::string setting_words(const ReadTrace& trace, const Texts& texts, std::string_view argument,
                          const Value& value) {
  constexpr std::array<const char*, 3> reductions = {"'none'", "'mean'", "'sum'"};
  const bool is_reduction =
      argument == "argument reduction" && value.tag == Tag::whole && value.bits < reductions.size();
  return is_reduction ? reductions.at(value.bits) : value_words(trace, texts, value);
}

std::string names_of(const ReadTrace& trace, const Texts& texts,
                     const std::vector<std::uint32_t>& operations) {
  std::vector<std::string> names;
  names.reserve(operations.size());
  for (const auto operation : operations)
    names.emplace_back(plain_name(texts[trace.operations[operation].name]));
  if (names.size() > most_names) {
    names.resize(most_names);
    return fmt::format("{} and {} more", fmt::join(names, ", "), operations.size() - most_names);
  }
  if (names.size() < 2) return names.empty() ? "nothing" : names.front();
  const auto last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace torchbook::trace_diff
