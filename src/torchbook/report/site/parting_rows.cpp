// Puts operations into rows, and equal rows into runs.
#include <fmt/format.h>
#include <torchbook/part/describe.h>
#include <torchbook/part/names.h>
#include <torchbook/part/side.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/site/parting_rows.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <span>
#include <unordered_map>

namespace torchbook::report {
namespace {

constexpr std::size_t most_rows = 5000;
constexpr std::size_t most_values = 12;   // of an operation
constexpr std::size_t shortest_fold = 4;  // fewer equal rows are shown

using Rows = std::span<const part::Row>;

/// The numbers of the names of parameters and buffers, by storage.
using Names = std::unordered_map<std::uint32_t, std::uint32_t>;

/// An operation of one side.
struct Seen {
  const part::Trace& trace;
  const Names& names;
  std::uint32_t operation;
};

Names names_in(const part::Trace& trace) {
  Names names;
  for (const auto& named : trace.named) {
    if (const auto storage = trace.tensors[named.tensor].storage; storage != 0)
      names.emplace(storage, named.name);
  }
  return names;
}

Data optional_text(const std::string& text) { return text.empty() ? Data(false) : Data(text); }

/// Returns a value for the template. `differs` says whether the other side has other bits in its place.
Data value_data(const Parting& parting, const Seen& seen, const part::Value& value, bool differs) {
  Data data;
  data.set("words", shortened(part::value_words(seen.trace, parting.texts, value)));
  data.set("tensor", Data(false));
  data.set("differs", differs);
  if (value.tag != part::Tag::tensor) return data;
  const auto& tensor = seen.trace.tensors[value.index];
  const auto named = seen.names.find(tensor.storage);
  Data link;
  link.set("hash", tensor.hash == 0 ? Data(false) : Data(fmt::format("{:016x}", tensor.hash)));
  link.set("memory", optional_text(tensor.storage == 0 ? "" : fmt::format("{}", tensor.storage)));
  link.set("named", optional_text(named == seen.names.end() ? "" : shortened(parting.texts[named->second])));
  data.set("tensor", link);
  return data;
}

/// Returns what an operation takes or gives, with `more` for what the list lacks. Without a name it is what
/// it gives.
Data call_data(const Parting& parting, const std::string& name, const Seen& seen,
               const std::vector<part::Value>& values, const part::Trace& other,
               const std::vector<part::Value>& others) {
  Data list(Data::type::list);
  const auto count = std::min(values.size(), most_values);
  for (std::size_t i = 0; i < count; ++i) {
    const bool both =
        i < others.size() && values[i].tag == part::Tag::tensor && others[i].tag == part::Tag::tensor;
    const bool differs =
        both && seen.trace.tensors[values[i].index].hash != other.tensors[others[i].index].hash;
    list.push_back(value_data(parting, seen, values[i], differs));
  }
  Data data;
  data.set("role", name.empty() ? "gives" : "takes");
  data.set("name", optional_text(name));
  data.set("values", list);
  data.set("more", optional_text(values.size() > count ? fmt::format("{}", values.size() - count) : ""));
  return data;
}

std::vector<part::Value> inputs_of(const part::Trace& trace, std::uint32_t operation) {
  return operation == part::no_operation ? std::vector<part::Value>{}
                                         : part::flat(trace, trace.inputs(operation));
}

std::vector<part::Value> outputs_of(const part::Trace& trace, std::uint32_t operation) {
  return operation == part::no_operation ? std::vector<part::Value>{}
                                         : part::flat(trace, trace.outputs(operation));
}

Data side_data(const Parting& parting, const char* side, const Seen& seen, const Seen& other) {
  Data data;
  data.set("side", side);
  data.set("operation", Data(false));
  if (seen.operation == part::no_operation) return data;
  const auto& one = seen.trace.operations[seen.operation];
  Data operation;
  operation.set("number", fmt::format("{}", seen.operation + 1));
  operation.set("module", optional_text(shortened(parting.texts[one.module])));
  operation.set("line", optional_text(shortened(parting.texts[one.line])));
  operation.set("cell", optional_text(shortened(parting.texts[one.mark])));
  const auto name = shortened(part::plain_name(parting.texts[one.name]));
  const bool paired =
      other.operation != part::no_operation && other.trace.operations[other.operation].name == one.name;
  const auto beside =
      paired ? other.operation : part::no_operation;  // another operation's values stand for something else
  Data calls(Data::type::list);
  calls.push_back(call_data(parting, name.empty() ? "?" : name, seen, inputs_of(seen.trace, seen.operation),
                            other.trace, inputs_of(other.trace, beside)));
  calls.push_back(call_data(parting, "", seen, outputs_of(seen.trace, seen.operation), other.trace,
                            outputs_of(other.trace, beside)));
  operation.set("calls", calls);
  data.set("operation", operation);
  return data;
}

/// Returns whether an operation of the difference is the row's, or was called by it.
bool begins(const Parting& parting, const part::Row& row, const part::Difference& difference) {
  const auto within = [](const part::Trace& trace, std::uint32_t operation, const auto& operations) {
    return operation != part::no_operation && !operations.empty() && operations.front() >= operation &&
           operations.front() < trace.operations[operation].next;
  };
  return !row.matched || within(parting.here, row.pair.here, difference.here) ||
         within(parting.there, row.pair.there, difference.there);
}

/// Returns why the row differs.
Data why_data(const Parting& parting, const part::Row& row) {
  Data data;
  data.set("cause", Data(false));
  data.set("without_effect", row.difference == 0 && !row.matched);
  if (row.difference == 0) return data;
  const auto& difference = parting.verdict.differences[row.difference - 1];
  Data cause;
  cause.set("number", fmt::format("{}", row.difference));
  cause.set("kind", begins(parting, row, difference) ? kind_words(difference.kind) : "follows from it");
  cause.set("linked", row.difference <= most_page_differences);
  data.set("cause", cause);
  return data;
}

bool is_equal(const part::Row& row) { return row.matched && row.difference == 0; }

std::string row_class(const Parting& parting, const part::Row& row) {
  if (row.difference == 0) return row.matched ? "same" : "without-effect";
  const auto& difference = parting.verdict.differences[row.difference - 1];
  return kind_word(difference.kind) + (begins(parting, row, difference) ? " first" : "");
}

/// The rows while they are made.
struct Maker {
  const Parting& parting;
  Names here_names;
  Names there_names;

  Data row(const part::Row& row) const {
    const Seen here{.trace = parting.here, .names = here_names, .operation = row.pair.here};
    const Seen there{.trace = parting.there, .names = there_names, .operation = row.pair.there};
    Data sides(Data::type::list);
    sides.push_back(side_data(parting, "here", here, there));
    sides.push_back(side_data(parting, "there", there, here));
    Data data;
    data.set("row_class", row_class(parting, row));
    data.set("why", why_data(parting, row));
    data.set("sides", sides);
    return data;
  }

  Data table(Rows rows) const {
    Data list(Data::type::list);
    for (const auto& one : rows) list.push_back(row(one));
    Data data;
    data.set("rows", list);
    return data;
  }
};

}  // namespace

Data rows_data(const Parting& parting) {
  const Rows all = parting.verdict.rows;
  const Maker maker{
      .parting = parting, .here_names = names_in(parting.here), .there_names = names_in(parting.there)};
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
    Data data;
    data.set("folded", folded ? Data(counted(run.size(), "operation")) : Data(false));
    data.set("table", shown.empty() ? Data(false) : maker.table(shown));
    runs.push_back(data);
  }
  const auto differing = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const auto& row) { return !is_equal(row); }));
  Data data;
  data.set("runs", runs);
  data.set("large", large);
  data.set("rows_left_out",
           optional_text(large && differing > most_rows ? fmt::format("{}", differing - most_rows) : ""));
  return data;
}

}  // namespace torchbook::report
