// Writes the comparison of two traces as JSON.
#include <tools/part/description.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/report/programs/json.h>

namespace torchbook::trace_diff {
namespace {

using golden::Json;

Json text_or_null(const Texts& texts, std::uint32_t number) {
  return number == 0 ? Json(nullptr) : Json(texts[number]);
}

Json operations_json(const ReadTrace& trace, const Texts& texts,
                     const std::vector<std::uint32_t>& operations) {
  Json all = Json::array();
  for (const auto operation : operations) {
    const auto& one = trace.operations[operation];
    all.push_back({{"operation", operation + 1},
                   {"name", texts[one.name]},
                   {"module", text_or_null(texts, one.module)},
                   {"line", text_or_null(texts, one.line)},
                   {"cell", text_or_null(texts, one.mark)}});
  }
  return all;
}

Json bits_json(const DescribedTensor& tensor) {
  if (!tensor.bits) return nullptr;
  const auto& values = tensor.bits->difference;
  return {{"elements", tensor.bits->compared},
          {"differing", values.differing},
          {"largest_ulps", values.largest_ulps ? Json(*values.largest_ulps) : Json(nullptr)},
          {"index", values.index},
          {"here", values.actual},
          {"there", values.golden}};
}

Json difference_json(const ComparedTraces& traces, const Difference& difference) {
  const auto words = described(traces, difference);
  Json tensors = Json::array();
  for (const auto& one : words.tensors) {
    tensors.push_back(
        {{"what", one.what}, {"equal", one.equal}, {"text", one.words}, {"bits", bits_json(one)}});
  }
  Json grown = Json::array();
  for (const auto& one : words.growth) {
    grown.push_back({{"here", operations_json(traces.here, traces.texts, {one.pair.here}).front()},
                     {"there", operations_json(traces.there, traces.texts, {one.pair.there}).front()},
                     {"text", one.output.words},
                     {"bits", bits_json(one.output)}});
  }
  return {{"kind", kind_word(difference.kind)},
          {"what", words.what},
          {"advice", words.advice.empty() ? Json(nullptr) : Json(words.advice)},
          {"here", operations_json(traces.here, traces.texts, difference.here)},
          {"there", operations_json(traces.there, traces.texts, difference.there)},
          {"count", difference.count},
          {"tensors", std::move(tensors)},
          {"followers", difference.followers.size()},
          {"growth", std::move(grown)}};
}

Json side_json(const ReadTrace& trace, const std::string& name) {
  return {{"file", name},
          {"language", trace.language},
          {"recorder", trace.recorder},
          {"operations", trace.operations.size()},
          {"outermost", outermost_operations(trace)},
          {"finished", trace.finished},
          {"fingerprint", report::fingerprint_json(trace.fingerprint)}};
}

}  // namespace

std::string traces_json(const ComparedTraces& traces) {
  Json differences = Json::array();
  for (const auto& one : traces.comparison.differences) differences.push_back(difference_json(traces, one));
  Json without_effect = Json::array();
  for (const auto& one : traces.comparison.without_effect) {
    without_effect.push_back({{"here", operations_json(traces.here, traces.texts, one.here)},
                              {"there", operations_json(traces.there, traces.texts, one.there)}});
  }
  const Json json = {{"here", side_json(traces.here, traces.here_name)},
                     {"there", side_json(traces.there, traces.there_name)},
                     {"pairs", traces.comparison.pairs},
                     {"differing", traces.comparison.differing},
                     {"not_compared", traces.comparison.not_compared},
                     {"differences", std::move(differences)},
                     {"without_effect", std::move(without_effect)}};
  return golden::text_of_json(json, 2);
}

}  // namespace torchbook::trace_diff
