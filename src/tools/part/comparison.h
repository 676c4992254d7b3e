// Walks along two traces, and finds what differs and why.
#pragma once

#include <tools/part/alignment.h>
#include <tools/part/difference.h>
#include <tools/part/side.h>

#include <map>
#include <optional>
#include <utility>

namespace torchbook::trace_diff {

/// A comparison in progress. Visits operations in the order of `here`, outermost first. Visits the operations
/// that an operation called only if that operation produced other bits from the same input.
class Comparison {
 public:
  Comparison(const ReadTrace& here, const ReadTrace& there, const Texts& texts);

  /// Compares everything. To be called once.
  TraceComparison run();

 private:
  static constexpr std::size_t most_searched =
      1000;  // differences of which more is told than a look at the operation tells
  static constexpr auto no_argument = static_cast<std::size_t>(-1);

  using Steps = std::vector<std::uint32_t>;
  using Number = std::uint32_t;  ///< the number of a difference or region, from 1 on; 0 is none

  /// What is known about an operation.
  struct Known {
    std::uint32_t partner = no_operation;
    Number cause = 0;   ///< the difference that it follows from
    Number region = 0;  ///< the region that it belongs to
  };

  /// Consecutive operations that have no partner.
  struct Region {
    Steps here;
    Steps there;
    bool outermost = true;
    std::uint32_t at = 0;  ///< as in Difference
    Number cause = 0;      ///< its difference, or 0 while it has had no effect
    Number fed_by = 0;     ///< a region before it that wrote one of its inputs
  };

  /// A tensor that both operations of a pair take, at the same position.
  struct Input {
    std::size_t position = 0;
    std::uint32_t here = 0;  ///< index in ReadTrace::tensors
    std::uint32_t there = 0;
  };

  using NamedMemories = std::unordered_map<std::uint32_t, Named>;  ///< by storage, without 0

  /// Views of a tensor, one of the other.
  struct Views {
    Steps steps;
    Steps tensors{};  ///< the one that each step takes, and the last view; indices in ReadTrace::tensors
  };

  /// What a difference says.
  struct Words {
    std::string what;
    std::string advice{};
  };

  /// A parameter or buffer that differs, and the one there that has its bits or its draws.
  struct NamedPair {
    Named here;
    Named there;
    const Named* origin = nullptr;
  };

  // The parameters, in parameters.cpp.
  void compare_named();
  void add_named(const std::vector<NamedPair>& differing);
  const Named* origin_of(const Named& named) const;
  bool is_other_parameter(const Input& input) const;
  Number other_parameter_cause(Pair pair);

  // The walk, in comparison.cpp and regions.cpp.
  void compare_steps(const Steps& here, const Steps& there);
  void compare_gap(const Steps& here, const Steps& there, bool last);
  void visit(const Steps& here, const Steps& there, const std::vector<Match>& matches, bool by_name);
  void compare_between(const Steps& here, const Steps& there, bool by_name);
  bool lies_behind_cut(const Steps& here, const Steps& there) const;
  Steps expanded(const Side& side, const Steps& steps) const;
  void keep_marked(const Steps& here, const Steps& there);
  void keep_modules(const Steps& here, const Steps& there);
  void keep_region(const Steps& here, const Steps& there);
  void judge_regions(std::size_t first);
  bool are_unrelated(std::uint32_t here, std::uint32_t there) const;
  bool has_same_result(const Region& region) const;
  bool leaves_nothing(const Region& region) const;
  Number followed_cause(const Region& region) const;
  Number converted_cause(const Region& region) const;
  bool joins_the_one_before(Number number);
  void make_partners(Pair pair);
  void compare_pair(Pair pair);
  std::vector<std::uint64_t> tokens(const ReadTrace& trace, const Steps& steps, bool with_shapes) const;

  // What the programs showed, in shown.cpp.
  void compare_shown();
  Number known_cause(std::uint32_t ours, std::uint32_t theirs, std::uint32_t tensor_here,
                     std::uint32_t tensor_there);
  Number shown_cause(std::uint32_t ours, std::uint32_t theirs, const TensorPair& tensors);

  // The rows, in rows.cpp.
  void keep_rows(const Steps& here, const Steps& there, Number region);
  void sort_rows();
  void sort_differences();

  // Random numbers, in draws.cpp.
  Number random_cause(Pair pair);
  Words seed_words(Pair pair, const GeneratorState& ours, const GeneratorState& theirs) const;
  Words order_words(Pair pair, const GeneratorState& ours, const GeneratorState& theirs) const;
  bool draw_otherwise(const Steps& here, const Steps& there, bool indices) const;
  Number drawn_cause(bool indices);
  Number index_cause();
  void keep_generators(Pair pair, Number cause);
  Number exchanged_draw_cause(Pair pair, const Input& input, std::uint32_t ours, std::uint32_t theirs);

  // The causes of a pair with different results, in causes.cpp, views.cpp and regions.cpp.
  Number cause_of(Pair pair);
  Number input_cause(Pair pair);
  void add_dtypes(Difference& difference, Pair pair) const;
  Number cause_of_input(Pair pair, const Input& input);
  static Views views_of(const Side& side, std::uint32_t tensor, std::uint32_t writer, std::uint32_t reader);
  void keep_other_views(Views& here, Views& there) const;
  std::size_t other_argument(std::uint32_t here, std::uint32_t there) const;
  std::pair<std::string, std::string> view_words(const Views& here, const Views& there) const;
  bool select_otherwise(const Views& here, const Views& there) const;
  bool has_exchanged_views(Pair pair) const;
  Number part_cause(Pair pair, const Input& input, std::uint32_t ours, std::uint32_t theirs);
  Number view_cause(Pair pair, const Input& input, std::uint32_t ours, std::uint32_t theirs);
  Number origin_cause(Pair pair, const Input& input, std::uint32_t ours, std::uint32_t theirs);
  std::string origin_words(std::uint32_t ours, std::uint32_t theirs) const;
  Number outside_cause(Pair pair, const Input& input);
  Number changed_cause(Pair pair, const Input& input);
  bool is_default(const Value& value, const Value& named) const;
  std::string argument_difference(Pair pair) const;
  Number argument_cause(Pair pair);
  bool is_backward(const Steps& here, const Steps& there) const;
  Number forward_cause();
  Number accumulation_cause(const Steps& here, const Steps& there);
  Number inner_cause(Pair pair);
  Number region_cause(Number number);
  bool fills_number(std::uint32_t operation) const;
  bool is_literal(const Region& region) const;
  bool only_draws(const Region& region) const;
  Number literal_cause(Number number, TensorPair tensors);
  Number reordered_cause(Number number) const;
  void compare_outside(Pair pair);
  bool fills(std::uint32_t operation, std::uint32_t input) const;
  bool other_order(Pair pair) const;
  std::vector<Input> differing_inputs(Pair pair) const;
  std::string input_name(Pair pair, const Input& input) const;
  std::string dtype_difference(Pair pair, std::size_t position) const;

  // Shared helpers, in comparison.cpp.
  Number add(Difference difference);
  Number add(Kind kind, std::string what, Pair pair);
  bool gave_the_same(Pair pair) const;
  bool same_tensor(std::uint32_t here, std::uint32_t there) const;
  bool same_value(const Value& here, const Value& there) const;

  const ReadTrace& here_;
  const ReadTrace& there_;
  const Texts& texts_;
  Roles roles_;
  Side side_here_;
  Side side_there_;
  std::vector<Known> known_here_;
  std::vector<Known> known_there_;
  std::vector<Region> regions_;
  std::vector<Number> row_regions_;                                    // by row; 0 for a pair
  std::map<std::pair<std::uint32_t, std::uint32_t>, Number> outside_;  // differences of inputs, by storages
  NamedMemories named_here_;
  NamedMemories named_there_;
  Number random_ = 0;                       // the difference since which the generators part
  Number drawn_index_ = 0;                  // the difference of random numbers that may select data
  std::size_t drawn_from_ = 0;              // how many regions lie before the last equal generators
  Number forward_ = 0;                      // the last other operation of a forward pass
  Number forward_region_ = 0;               // the last region of a forward pass
  std::size_t viewed_ = 0;                  // how many inputs have been looked at for views
  Number order_ = 0;                        // the last difference of the order of operands
  Number accumulation_ = 0;                 // the difference that gradients are added in another order
  bool other_evaluation_ = false;           // whether outermost operations ran in another order
  std::uint32_t at_ = 0;                    // the last operation here that was compared
  std::size_t behind_regions_ = 0;          // how many regions lie before the last outermost pair
  std::uint32_t last_here_ = no_operation;  // the last outermost steps without a partner
  std::uint32_t last_there_ = no_operation;
  int depth_ = 0;
  TraceComparison result_;
};

}  // namespace torchbook::trace_diff
