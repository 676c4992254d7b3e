// Numbers the values of a trace: what each tensor holds at each moment, and how it came about.
#pragma once

#include <tools/part/memory.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::trace_diff {

/// A tensor at one moment, and how it was made. Values are numbered.
struct Made {
  enum class By {
    unknown,      ///< no operation of the trace: it was there before, or fill_() wrote it into new memory
    operation,    ///< an operation gave it
    overwriting,  ///< an operation wrote it and did not read what was there: `zero_`
    view,         ///< an operation shows with it what another tensor holds, or a part of that
    layout,       ///< it shows all of another tensor in other sizes; the trace has no operation that gave it
    insertion,    ///< an operation wrote a part of a larger tensor
  };

  By by = By::unknown;
  std::uint32_t tensor = 0;                ///< index in ReadTrace::tensors; has its shape
  bool is_seen = true;                     ///< whether that tensor also has its bits
  std::uint32_t operation = no_operation;  ///< what gave or wrote it
  std::uint32_t output = 0;                ///< which of the operation's results it is
  std::uint32_t moment = 0;  ///< the operation that made it or, if none did, before which it was there
  /// The inputs of the operation: one value for each tensor, also of lists. For an insertion: the
  /// larger tensor before it, the view that was written to, and the value that was written.
  /// For a value whose origin is lost: what it may depend on.
  std::vector<std::size_t> inputs{};
  std::string_view lost{};  ///< why the trace does not show how it was made, as a clause; empty if it does
};

/// An outermost operation, with the values of its inputs and results: one for each tensor, also of
/// lists.
struct Step {
  std::uint32_t operation = 0;
  std::vector<std::size_t> inputs{};
  std::vector<std::size_t> results{};
};

/// The values of a trace, each after those of which it was made. A memory that is written to gets a new
/// value; a view that is used after that is made again from the new value.
class Flow {
 public:
  /// The trace and the texts must outlive this object.
  Flow(const ReadTrace& of, const Texts& names);

  const Made& operator[](std::size_t value) const { return values_[value]; }
  std::size_t size() const { return values_.size(); }

  /// Returns the outermost operations, as called_by() does.
  const std::vector<Step>& steps() const { return steps_; }
  /// Returns the values that the program showed, in the order of ReadTrace::shown.
  const std::vector<std::size_t>& shown() const { return shown_; }

  /// Returns the name of the operation that made a value: `add_` for `aten::add_.Tensor`.
  std::string_view name(const Made& made) const;
  std::span<const std::int64_t> shape(std::size_t value) const;

  const ReadTrace& trace;
  const Texts& texts;

  static constexpr std::size_t none = ~std::size_t{0};

 private:
  /// All of a memory, or a part of it that a view shows.
  struct Part {
    std::uint32_t tensor = 0;  // that shows it
    std::size_t value = none;  // what it holds …
    std::size_t version = 0;   // … in this version of the memory
    std::size_t from = none;   // the part of which it is a view; none of all of it, and if that is not known
    std::size_t input = 0;     // which input of the view that is
  };

  struct Memory {
    std::vector<Part> parts;  // the first is all of it
    std::size_t version = 0;
    bool is_literal = false;   // only fill_() or no operation wrote it, and nothing used it
    std::size_t taker = none;  // the step that took it last since it was written
  };

  void show_until(std::uint32_t operation);
  void visit(std::uint32_t operation);
  void visit_called(std::uint32_t operation, std::uint32_t outermost);
  bool keeps_inside(std::uint32_t operation) const;
  Step call(std::uint32_t operation, std::uint32_t moment);
  std::size_t give(Made made);
  std::size_t look(Made made, std::size_t input);
  std::size_t write(Made made, std::size_t input);
  std::size_t value_of(std::uint32_t tensor, std::uint32_t moment);
  std::size_t unseen(Memory& memory, std::size_t part, Made made);
  bool is_layout(std::uint32_t of, std::uint32_t tensor) const;
  std::size_t now(Memory& memory, std::size_t part, std::uint32_t moment);
  std::size_t viewed(Made made);
  std::size_t add(Made made);
  std::size_t begin_memory(std::uint32_t tensor, std::size_t value);
  std::size_t part_of(const Memory& memory, std::uint32_t tensor) const;
  void use(std::uint32_t tensor);
  bool is_alike(std::uint32_t one, std::uint32_t other) const;
  bool is_copy(std::size_t value, std::uint32_t tensor) const;

  Roles roles_;
  std::vector<Made> values_;
  std::vector<Step> steps_;
  std::vector<std::size_t> shown_;
  std::unordered_map<std::string, std::size_t> views_;  // by what they show
  std::unordered_map<std::uint32_t, Memory> memories_;  // by storage
  std::vector<std::uint32_t> taken_;                    // the tensors that the visited operation takes
  std::set<std::uint32_t> kept_;  // operations inside of others that gave what later ones take, such as the
                                  // logarithms that a cross entropy keeps for its gradient
};

}  // namespace torchbook::trace_diff
