// Fills in the page that compares two traces: their differences, and a row for each operation.
#include <fmt/format.h>
#include <tools/part/compared_traces.h>
#include <tools/part/describe.h>
#include <tools/part/names.h>
#include <tools/part/side.h>
#include <tools/site/html.h>
#include <tools/site/site.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

namespace torchbook::report {
namespace {

/// The most differences on the page. Rows that follow from later differences have no link.
constexpr std::size_t most_page_differences = 100;
constexpr std::size_t most_rows = 5000;
constexpr std::size_t most_values = 12;   // of an operation
constexpr std::size_t shortest_fold = 4;  // fewer equal rows are shown

using Rows = std::span<const part::Row>;

/// The names of parameters, buffers and other named tensors, as text numbers, by storage.
using StorageNames = std::unordered_map<std::uint32_t, std::uint32_t>;

/// An operation of one side.
struct Seen {
  const part::ReadTrace& trace;
  const StorageNames& names;
  std::uint32_t operation;
};

StorageNames names_in(const part::ReadTrace& trace) {
  StorageNames names;
  for (const auto& named : trace.named) {
    if (const auto storage = trace.tensors[named.tensor].storage; storage != 0)
      names.emplace(storage, named.name);
  }
  return names;
}

/// Returns a value for the template. `differs` says whether the corresponding value has other bits.
Data value_data(const ComparedTraces& traces, const Seen& seen, const part::Value& value, bool differs) {
  const auto words = shortened(part::value_words(seen.trace, traces.texts, value));
  if (value.tag != part::Tag::tensor) return object({{"words", words}, {"tensor", false}});
  const auto& tensor = seen.trace.tensors[value.index];
  const auto named = seen.names.find(tensor.storage);
  return object(
      {{"words", words},
       {"differs", differs},
       {"tensor",
        object({{"hash", text_or_false(tensor.hash == 0 ? "" : fmt::format("{:016x}", tensor.hash))},
                {"memory", text_or_false(tensor.storage == 0 ? "" : fmt::format("{}", tensor.storage))},
                {"named",
                 text_or_false(named == seen.names.end() ? "" : shortened(traces.texts[named->second]))}})}});
}

/// Returns the inputs of the operation `name`, or outputs if the name is empty. `more` counts the
/// values that are left out.
Data call_data(const ComparedTraces& traces, const std::string& name, const Seen& seen,
               const std::vector<part::Value>& values, const part::ReadTrace& other,
               const std::vector<part::Value>& others) {
  Data list(Data::type::list);
  const auto count = std::min(values.size(), most_values);
  for (std::size_t i = 0; i < count; ++i) {
    const bool both =
        i < others.size() && values[i].tag == part::Tag::tensor && others[i].tag == part::Tag::tensor;
    const bool differs =
        both && seen.trace.tensors[values[i].index].hash != other.tensors[others[i].index].hash;
    list.push_back(value_data(traces, seen, values[i], differs));
  }
  return object(
      {{"role", name.empty() ? "gives" : "takes"},
       {"name", text_or_false(name)},
       {"values", std::move(list)},
       {"more", text_or_false(values.size() > count ? fmt::format("{}", values.size() - count) : "")}});
}

std::vector<part::Value> inputs_of(const part::ReadTrace& trace, std::uint32_t operation) {
  return operation == part::no_operation ? std::vector<part::Value>{}
                                         : part::flat(trace, trace.inputs(operation));
}

std::vector<part::Value> outputs_of(const part::ReadTrace& trace, std::uint32_t operation) {
  return operation == part::no_operation ? std::vector<part::Value>{}
                                         : part::flat(trace, trace.outputs(operation));
}

Data side_data(const ComparedTraces& traces, const char* side, const Seen& seen, const Seen& other) {
  if (seen.operation == part::no_operation) return object({{"side", side}, {"operation", false}});
  const auto& one = seen.trace.operations[seen.operation];
  const auto name = shortened(part::plain_name(traces.texts[one.name]));
  const bool paired =
      other.operation != part::no_operation && other.trace.operations[other.operation].name == one.name;
  const auto beside =
      paired ? other.operation : part::no_operation;  // values of another operation are not comparable
  Data calls(Data::type::list);
  calls.push_back(call_data(traces, name.empty() ? "?" : name, seen, inputs_of(seen.trace, seen.operation),
                            other.trace, inputs_of(other.trace, beside)));
  calls.push_back(call_data(traces, "", seen, outputs_of(seen.trace, seen.operation), other.trace,
                            outputs_of(other.trace, beside)));
  return object({{"side", side},
                 {"operation", object({{"number", fmt::format("{}", seen.operation + 1)},
                                       {"module", text_or_false(shortened(traces.texts[one.module]))},
                                       {"line", text_or_false(shortened(traces.texts[one.line]))},
                                       {"cell", text_or_false(shortened(traces.texts[one.mark]))},
                                       {"calls", std::move(calls)}})}});
}

/// Returns whether the difference begins in the row: if the row is unmatched, or if the
/// difference's first operation is the row's operation or called by it.
bool begins(const ComparedTraces& traces, const part::Row& row, const part::Difference& difference) {
  const auto within = [](const part::ReadTrace& trace, std::uint32_t operation, const auto& operations) {
    return operation != part::no_operation && !operations.empty() && operations.front() >= operation &&
           operations.front() < trace.operations[operation].next;
  };
  return !row.matched || within(traces.here, row.pair.here, difference.here) ||
         within(traces.there, row.pair.there, difference.there);
}

/// Returns why the row differs.
Data why_data(const ComparedTraces& traces, const part::Row& row) {
  if (row.difference == 0) return object({{"cause", false}, {"without_effect", !row.matched}});
  const auto& difference = traces.comparison.differences[row.difference - 1];
  const auto kind = begins(traces, row, difference) ? kind_words(difference.kind) : "follows from it";
  return object({{"cause", object({{"number", fmt::format("{}", row.difference)},
                                   {"kind", kind},
                                   {"linked", row.difference <= most_page_differences}})},
                 {"without_effect", false}});
}

bool is_equal(const part::Row& row) { return row.matched && row.difference == 0; }

std::string row_class(const ComparedTraces& traces, const part::Row& row) {
  if (row.difference == 0) return row.matched ? "same" : "without-effect";
  const auto& difference = traces.comparison.differences[row.difference - 1];
  return kind_word(difference.kind) + (begins(traces, row, difference) ? " first" : "");
}

/// Makes the rows for the template.
struct Maker {
  const ComparedTraces& traces;
  StorageNames here_names;
  StorageNames there_names;

  Data row(const part::Row& row) const {
    const Seen here{.trace = traces.here, .names = here_names, .operation = row.pair.here};
    const Seen there{.trace = traces.there, .names = there_names, .operation = row.pair.there};
    Data sides(Data::type::list);
    sides.push_back(side_data(traces, "here", here, there));
    sides.push_back(side_data(traces, "there", there, here));
    return object(
        {{"row_class", row_class(traces, row)}, {"why", why_data(traces, row)}, {"sides", std::move(sides)}});
  }

  Data table(Rows rows) const {
    return object({{"rows", list_of(rows, [&](const auto& one) { return row(one); })}});
  }
};

/// Returns `runs`, `large` and `rows_left_out` for the template. Long runs of operations with equal
/// bits are folded. In large traces, only the length of such runs is shown.
Data rows_data(const ComparedTraces& traces) {
  const Rows all = traces.comparison.rows;
  const Maker maker{
      .traces = traces, .here_names = names_in(traces.here), .there_names = names_in(traces.there)};
  const bool large = all.size() > most_rows;
  std::size_t left = most_rows;
  Data runs(Data::type::list);
  for (auto rows = all; !rows.empty();) {
    const bool equal = is_equal(rows.front());
    const auto end =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return is_equal(row) != equal; });
    const auto run = rows.first(static_cast<std::size_t>(end - rows.begin()));
    rows = rows.subspan(run.size());
    const auto shown = large && equal ? Rows() : run.first(std::min(left, run.size()));
    if (!equal && shown.empty()) break;
    left -= shown.size();
    const bool folded = equal && (large || run.size() >= shortest_fold);
    runs.push_back(object({{"folded", folded ? Data(counted(run.size(), "operation")) : Data(false)},
                           {"table", shown.empty() ? Data(false) : maker.table(shown)}}));
  }
  const auto differing = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const auto& row) { return !is_equal(row); }));
  const auto left_out = large && differing > most_rows ? fmt::format("{}", differing - most_rows) : "";
  return object({{"runs", std::move(runs)}, {"large", large}, {"rows_left_out", text_or_false(left_out)}});
}

Data trace_data(const char* side, const part::ReadTrace& trace, const std::string& name) {
  return object({{"side", side}, {"file", shortened(name)}, {"facts", trace_words(trace)}});
}

/// Returns both texts, or false if there are none.
Data both_or_false(const std::string& here, const std::string& there) {
  return here.empty() ? Data(false) : object({{"here", here}, {"there", there}});
}

Data tensor_data(const DescribedTensor& tensor) {
  return object({{"what", shortened(tensor.what)},
                 {"words", shortened(tensor.words)},
                 {"both", both_or_false(tensor.here, tensor.there)}});
}

Data followers_data(const DescribedDifference& difference) {
  if (difference.followers.empty()) return false;
  const auto grown = [](const auto& one) {
    return object({{"operation", one.operation}, {"words", shortened(one.output.words)}});
  };
  return object({{"count", difference.followers}, {"growth", list_of(difference.growth, grown)}});
}

Data difference_data(const ComparedTraces& traces, std::size_t index) {
  const auto& difference = traces.comparison.differences[index];
  const auto words = described(traces, difference);
  return object({{"number", fmt::format("{}", index + 1)},
                 {"kind", words.kind},
                 {"kind_class", kind_word(difference.kind)},
                 {"what", shortened(words.what)},
                 {"places", both_or_false(words.here, words.there)},
                 {"tensors", list_of(words.tensors, tensor_data)},
                 {"environment", list_of(words.environment, shortened)},
                 {"advice", text_or_false(paragraph(words.advice))},
                 {"followers", followers_data(words)}});
}

/// Sets `firsts`, `others` and how many others there are.
void set_differences(const ComparedTraces& traces, Data& page) {
  Data firsts(Data::type::list);
  Data others(Data::type::list);
  const auto& all = traces.comparison.differences;
  const auto shown = std::min(all.size(), most_page_differences);
  for (std::size_t i = 0; i < shown; ++i) {
    auto& list = is_first_of_kind(traces.comparison, i) ? firsts : others;
    list.push_back(difference_data(traces, i));
  }
  page.set("firsts", firsts);
  page.set("any_others", others.is_non_empty_list());
  page.set("others", others);
  page.set("differences_left_out",
           text_or_false(all.size() > shown ? fmt::format("{}", all.size() - shown) : ""));
}

/// Returns the sentences below the heading.
std::string lede(const ComparedTraces& traces) {
  auto words = bits_words(traces.comparison) + '.';
  for (const auto& line : cut_lines(traces)) words += ' ' + line;
  return words;
}

}  // namespace

std::string traces_html(const ComparedTraces& traces) {
  Data page = rows_data(traces);
  Data sides(Data::type::list);
  sides.push_back(trace_data("here", traces.here, traces.here_name));
  sides.push_back(trace_data("there", traces.there, traces.there_name));
  page.set("traces", sides);
  page.set("heading", traces.comparison.differences.empty() ? nothing_differs(traces) : "Where they part");
  page.set("verdict", lede(traces));
  set_differences(traces, page);
  page.set("colours", std::string(site_colours));
  page.set("style", std::string(site_style));
  page.set("parting_style", std::string(site_parting_style));
  page.set("theme", std::string(site_theme));
  page.set("follow", std::string(site_follow));
  return filled(site_parting, page);
}

}  // namespace torchbook::report
