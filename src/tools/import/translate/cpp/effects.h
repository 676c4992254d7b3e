#pragma once

#include <set>
#include <string>
#include <tuple>

namespace torchbook::translate::cpp {

/// A kind of state that an expression can read or write, besides local variables that hold numbers.
enum class Place {
  memory,     ///< of tensors, any two of which may share it; also states and gradients of modules
  contents,   ///< of a list or dict; named after its variable, or empty if it may be any
  field,      ///< of any object; named after the member
  generator,  ///< of random numbers
  output,     ///< printed text
  control,    ///< whether the cell goes on: an exception ends it
  world,      ///< files and clocks
};

/// A place that is read or written.
struct Effect {
  Place place{};
  std::string name{};

  friend bool operator==(const Effect&, const Effect&) = default;
  friend bool operator<(const Effect& one, const Effect& other) {
    return std::tie(one.place, one.name) < std::tie(other.place, other.name);
  }
};

/// The effects of evaluating an expression or statement, including its parts and the functions that it calls.
struct Effects {
  std::set<Effect> reads{};
  std::set<Effect> writes{};
  /// Names whose tensors autograd records operations on. Gradients are summed in the order of these
  /// operations.
  std::set<std::string> records{};

  /// Whether evaluating it does more than read.
  bool act() const { return !writes.empty(); }
  friend bool operator==(const Effects&, const Effects&) = default;
  void add(const Effects& others);
};

/// Whether the order of two evaluations is observable: one writes what the other reads or writes,
/// or both record operations on the same tensor.
bool conflict(const Effects& one, const Effects& other);

/// Returns effects without reads and writes of the contents of these variables, which are local.
Effects without_contents(Effects effects, const std::set<std::string>& variables);

/// Whether something changes a value that others may read: a tensor, a list, an object.
bool changes_values(const Effects& effects);

/// Returns the effects of writing a place, or of reading it.
Effects writes(Place place, std::string name = {});
Effects reads(Place place, std::string name = {});

/// Returns the effects of drawing random numbers: it reads and writes the generator. Setting a seed
/// only writes it.
Effects draws();

/// Returns the effects of code that may do anything.
Effects everything();

/// Returns the effects of a function or method of C++ by its name, without those of its arguments:
/// `torch::rand` draws, `push_back` writes the contents of `receiver`. An unknown callee reads the
/// memory of tensors.
Effects effects_of_callee(const std::string& callee, const std::string& receiver);

}  // namespace torchbook::translate::cpp
