// Fills in the page that shows where two traces part.
#include <fmt/format.h>
#include <torchbook/report/details.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/site/markup.h>
#include <torchbook/report/site/parting.h>
#include <torchbook/report/site/parting_rows.h>
#include <torchbook/report/words.h>

#include <algorithm>

namespace torchbook::report {
namespace {

Data lines_data(const std::vector<std::string>& lines) {
  Data list(Data::type::list);
  for (const auto& line : lines) list.push_back(Data(shortened(line)));
  return list;
}

Data trace_data(const char* side, const part::Trace& trace, const std::string& name) {
  Data data;
  data.set("side", side);
  data.set("file", shortened(name));
  data.set("facts", fmt::format("{}, {}{}", counted(trace.operations.size(), "operation"),
                                shortened(fingerprint_line(trace.fingerprint)),
                                trace.finished ? "" : "; it was cut off"));
  return data;
}

Data tensors_data(const Parting& parting, const part::Difference& difference) {
  Data list(Data::type::list);
  for (const auto& pair : difference.tensors) {
    const auto compared = compare_tensors(parting, pair);
    Data values;
    values.set("here", compared.here);
    values.set("there", compared.there);
    Data data;
    data.set("what", shortened(pair.what));
    data.set("words", shortened(compared.words));
    data.set("both", compared.here.empty() ? Data(false) : values);
    list.push_back(data);
  }
  return list;
}

Data followers_data(const Parting& parting, const part::Difference& difference) {
  if (difference.followers.empty()) return Data(false);
  Data list(Data::type::list);
  for (const auto& one : growth(parting, difference)) {
    Data data;
    data.set("operation", operation_words(parting.here, parting.texts, one.pair.here));
    data.set("words", shortened(one.output.words));
    list.push_back(data);
  }
  Data data;
  data.set("count", followers_words(difference));
  data.set("growth", list);
  return data;
}

Data difference_data(const Parting& parting, std::size_t index) {
  const auto& difference = parting.verdict.differences[index];
  const bool ran = !difference.here.empty() || !difference.there.empty();
  Data places;
  places.set("here", place(parting, parting.here, difference.here));
  places.set("there", place(parting, parting.there, difference.there));
  const bool kernel = difference.kind == part::Kind::kernel;
  Data data;
  data.set("number", fmt::format("{}", index + 1));
  data.set("kind", kind_words(difference.kind));
  data.set("kind_class", kind_word(difference.kind));
  data.set("what", shortened(difference.what));
  data.set("places", ran ? places : Data(false));
  data.set("tensors", tensors_data(parting, difference));
  data.set("environment", lines_data(kernel ? environment_differences(parting) : std::vector<std::string>{}));
  data.set("advice", difference.advice.empty() ? Data(false) : Data(paragraph(difference.advice)));
  data.set("followers", followers_data(parting, difference));
  return data;
}

/// Sets `firsts`, `others` and how many others there are.
void set_differences(const Parting& parting, Data& page) {
  Data firsts(Data::type::list);
  Data others(Data::type::list);
  const auto& all = parting.verdict.differences;
  const auto shown = std::min(all.size(), most_page_differences);
  for (std::size_t i = 0; i < shown; ++i) {
    auto& list = is_first_of_kind(parting.verdict, i) ? firsts : others;
    list.push_back(difference_data(parting, i));
  }
  page.set("firsts", firsts);
  page.set("any_others", others.is_non_empty_list());
  page.set("others", others);
  page.set("differences_left_out",
           all.size() > shown ? Data(fmt::format("{}", all.size() - shown)) : Data(false));
}

std::string verdict_words(const Parting& parting) {
  const auto& verdict = parting.verdict;
  const auto pairs = counted(verdict.pairs, "operation");
  auto words = verdict.differences.empty()
                   ? fmt::format("{} gave the same bits.", pairs)
                   : fmt::format("{} of {} gave other bits.", verdict.differing, pairs);
  for (const auto& line : cut_lines(parting)) words += ' ' + line;
  return words;
}

std::string heading(const Parting& parting) {
  if (!parting.verdict.differences.empty()) return "Where they part";
  return cut_lines(parting).empty() ? "Nothing differs" : "Nothing differs as far as both traces go";
}

}  // namespace

std::string parting_html(const Parting& parting) {
  Data page = rows_data(parting);
  Data traces(Data::type::list);
  traces.push_back(trace_data("here", parting.here, parting.here_name));
  traces.push_back(trace_data("there", parting.there, parting.there_name));
  page.set("traces", traces);
  page.set("heading", heading(parting));
  page.set("verdict", verdict_words(parting));
  set_differences(parting, page);
  page.set("colours", std::string(site_colours));
  page.set("style", std::string(site_style));
  page.set("parting_style", std::string(site_parting_style));
  page.set("theme", std::string(site_theme));
  page.set("follow", std::string(site_follow));
  return filled(site_parting, page);
}

}  // namespace torchbook::report
