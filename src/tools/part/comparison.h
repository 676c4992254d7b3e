// Walks along two traces, and finds what differs and why.
#pragma once

#include <tools/part/difference.h>
#include <tools/part/pairing.h>
#include <tools/part/side.h>

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace torchbook::trace_diff {

/// What to do about random numbers that only one side draws, or that are drawn in another order.
inline constexpr const char* draw_alike =
    "Draw the same random numbers in the same order in both, because each draw moves the generator on. "
    "C++ does not say which operand it evaluates first: give each draw a statement of its own.";

/// A comparison in progress. Pairs the operations of both sides, and gives each pair with other results a
/// cause: the difference that it is or follows from. Compares the operations that a pair called only if the
/// pair returned other bits of the same inputs.
class Comparison {
 public:
  Comparison(const ReadTrace& here, const ReadTrace& there, const Texts& texts, const Above& above);

  /// Compares everything. To be called once.
  TraceComparison run();

 private:
  using Steps = std::vector<std::uint32_t>;
  using Number = std::uint32_t;  ///< the number of a difference or region, from 1 on; 0 is none

  /// Operations without a partner.
  struct Region {
    Steps here;
    Steps there;
    std::uint32_t at = 0;  ///< as in Difference
    bool outermost = true;
    Number cause = 0;  ///< its difference, or 0 while it has had no effect
  };

  /// A tensor that both sides of a pair take or both programs showed.
  struct Operand {
    std::string name;         ///< `argument self`, `W_query.weight`, `shown @3.1`
    std::string reader;       ///< ` of mul`; empty for a shown tensor
    Pair readers;             ///< for a shown tensor, the operations before which it was shown
    std::uint32_t here = 0;   ///< index in ReadTrace::tensors
    std::uint32_t there = 0;  ///< likewise
    std::uint32_t mark = 0;
    bool is_shown = false;

    std::string words() const { return name + reader; }
  };

  using Storages = std::pair<std::uint32_t, std::uint32_t>;

  // The walk and its results, in comparison.cpp.
  void compare_steps(const Steps& here, const Steps& there);
  bool lies_behind_cut(const Gap& gap, const Steps& here, const Steps& there) const;
  void compare_pair(Pair pair);
  void compare_shown();
  Number cause_of(Pair pair);
  Number inner_cause(Pair pair);
  Number kernel_cause(Pair pair);
  Number add(Difference difference);
  Number add(Kind kind, std::string what, Pair pair, std::string advice = {});
  Number add(std::string what, const Operand& operand, std::string advice = {});
  void sort_differences();
  std::string_view name(const ReadTrace& trace, std::uint32_t operation) const;
  bool is_backward(Pair pair) const;

  // Operations that only one side has, in regions.cpp.
  void keep_region(const Gap& gap);
  Number region_cause(Number number);
  void blame_feeders(const Side& side, const Steps& steps);
  Number moved_cause(Number number);
  Number backward_cause(Pair pair);
  bool is_harmless(const Region& region) const;
  std::string advice_on(const Region& region) const;
  bool only_draws(const Region& region) const;
  bool reaches_the_end(const Region& region) const;
  Number followed_cause(const Region& region) const;
  void judge_regions();

  // Arguments and operands, in operands.cpp.
  void compare_named();
  void add_named(const std::vector<std::pair<Named, Named>>& all, bool parameters);
  Number argument_cause(Pair pair);
  std::string argument_words(Pair pair) const;
  Number operand_cause(Pair pair);
  std::vector<Operand> differing_operands(Pair pair) const;
  bool fills(std::uint32_t operation, std::uint32_t input) const;
  Number written_cause(Pair writers);
  Number origin_cause(const Operand& operand, Pair writers);
  Number outside_cause(const Operand& reader);
  Storages storages_of(const Operand& operand) const;
  void keep_readers(Pair pair);
  Number literal_cause(const Operand& operand);
  Number changed_cause(const Operand& operand, Pair writers);
  Number view_cause(const Operand& operand, Pair writers);
  Number part_cause(const Operand& operand, Pair writers, Pair tensors);
  Number other_parameter_cause(Pair pair, const std::vector<Operand>& operands);
  bool is_other_parameter(const Operand& operand) const;
  bool are_exchanged(Pair pair) const;
  const Named* named(const ReadTrace& trace, std::uint32_t tensor) const;

  // Random numbers, in draws.cpp.
  Number random_cause(Pair pair);
  Number drawn_region(Pair pair) const;
  Number seed_cause(const GeneratorState& ours, const GeneratorState& theirs) const;
  std::string seed_words(Pair pair, const GeneratorState& ours, const GeneratorState& theirs) const;
  std::string order_words(Pair pair, const GeneratorState& ours, const GeneratorState& theirs) const;
  std::string drawer(const ReadTrace& trace, std::uint32_t draw) const;
  Number index_cause(std::uint32_t before);
  void keep_generators(Pair pair, Number cause);

  const ReadTrace& here_;
  const ReadTrace& there_;
  const Texts& texts_;
  Equality equality_;
  Roles roles_;
  Side side_here_;
  Side side_there_;
  std::vector<Region> regions_{};
  std::map<std::tuple<Kind, std::uint32_t, std::string>, Number> known_{};  // by kind, mark and words
  std::map<Storages, Number> outside_{};         // the differences of tensors that no operation wrote
  std::map<Storages, Operand> first_readers_{};  // likewise, while their first readers return the same
  std::map<std::pair<std::uint64_t, std::uint64_t>, Number>
      read_{};                                             // of numbers that were read from tensors
  std::unordered_map<std::uint32_t, Named> named_here_{};  // by storage, without 0
  std::unordered_map<std::uint32_t, Named> named_there_{};
  std::unordered_map<std::uint64_t, Number> seeds_{};  // of generators that a program made, by seed
  Number random_ = 0;                                  // the difference since which the generators part
  Number index_ = 0;                        // the difference of random numbers that may select data
  Number forward_ = 0;                      // the last difference of a forward pass
  Pair equal_draw_{.here = 0, .there = 0};  // the operations after the last draw in the same state
  std::uint32_t newest_ = no_operation;     // the operation here of the pair that was added last
  bool reordered_ = false;                  // whether outermost operations ran in another order
  int depth_ = 0;
  TraceComparison result_{};
};

}  // namespace torchbook::trace_diff
