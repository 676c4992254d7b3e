// The comparison of two traces as JSON.
#include <torchbook/report/programs/fingerprint.h>
#include <torchbook/report/programs/parting.h>

#include <nlohmann/json.hpp>

namespace torchbook::report {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const part::Texts& texts, std::uint32_t number) {
  return number == 0 ? Json(nullptr) : Json(texts[number]);
}

Json operations_json(const part::Trace& trace, const part::Texts& texts,
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

Json bits_json(const TensorComparison& compared) {
  if (!compared.difference) return nullptr;
  const auto& values = compared.difference->difference;
  return {{"elements", compared.difference->compared},
          {"differing", values.differing},
          {"largest_ulps", values.largest_ulps ? Json(*values.largest_ulps) : Json(nullptr)},
          {"index", values.index},
          {"here", values.actual},
          {"there", values.golden}};
}

Json difference_json(const Parting& parting, const part::Difference& difference) {
  Json tensors = Json::array();
  for (const auto& pair : difference.tensors) {
    const auto compared = compare_tensors(parting, pair);
    tensors.push_back({{"what", pair.what},
                       {"equal", compared.equal},
                       {"text", compared.words},
                       {"bits", bits_json(compared)}});
  }
  Json grown = Json::array();
  for (const auto& one : growth(parting, difference)) {
    grown.push_back({{"here", operations_json(parting.here, parting.texts, {one.pair.here}).front()},
                     {"there", operations_json(parting.there, parting.texts, {one.pair.there}).front()},
                     {"text", one.output.words},
                     {"bits", bits_json(one.output)}});
  }
  return {{"kind", kind_word(difference.kind)},
          {"what", difference.what},
          {"advice", difference.advice.empty() ? Json(nullptr) : Json(difference.advice)},
          {"here", operations_json(parting.here, parting.texts, difference.here)},
          {"there", operations_json(parting.there, parting.texts, difference.there)},
          {"tensors", std::move(tensors)},
          {"followers", difference.followers.size()},
          {"growth", std::move(grown)}};
}

Json side_json(const part::Trace& trace, const std::string& name) {
  return {{"file", name},
          {"language", trace.language},
          {"recorder", trace.recorder},
          {"operations", trace.operations.size()},
          {"finished", trace.finished},
          {"fingerprint", fingerprint_json(trace.fingerprint)}};
}

}  // namespace

std::string parting_json(const Parting& parting) {
  Json differences = Json::array();
  for (const auto& one : parting.verdict.differences) differences.push_back(difference_json(parting, one));
  Json without_effect = Json::array();
  for (const auto& one : parting.verdict.without_effect) {
    without_effect.push_back({{"here", operations_json(parting.here, parting.texts, one.here)},
                              {"there", operations_json(parting.there, parting.texts, one.there)}});
  }
  const Json json = {{"here", side_json(parting.here, parting.here_name)},
                     {"there", side_json(parting.there, parting.there_name)},
                     {"pairs", parting.verdict.pairs},
                     {"differing", parting.verdict.differing},
                     {"not_compared", parting.verdict.not_compared},
                     {"differences", std::move(differences)},
                     {"without_effect", std::move(without_effect)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace torchbook::report
