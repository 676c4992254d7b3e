// Follows each tensor of a trace back to the operation that made it.
#pragma once

#include <tools/part/names.h>
#include <tools/part/trace_file.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::part {

/// A tensor at one moment, and how it was made. Values are numbered.
struct Made {
  enum class By {
    unknown,    ///< before the trace, by something that the trace does not show, or of no tensor: `fill_`
    operation,  ///< an operation gave it
    view,       ///< an operation shows with it what another tensor holds, or a part of that
    insertion,  ///< an operation wrote a part of a larger tensor
  };

  By by = By::unknown;
  std::uint32_t tensor = 0;                ///< index in ReadTrace::tensors
  std::uint32_t operation = no_operation;  ///< what gave or wrote it
  std::uint32_t output = 0;                ///< which of the operation's results it is
  std::uint32_t moment = 0;  ///< the operation that made it or, if none did, before which it was there
  /// The inputs of the operation: one value for each tensor, also of lists. For an insertion: the
  /// larger tensor before it, the view that was written to, and the value that was written.
  std::vector<std::size_t> inputs{};
};

/// An outermost operation, with the values of its inputs and results: one for each tensor, also of
/// lists.
struct Step {
  std::uint32_t operation = 0;
  std::vector<std::size_t> inputs{};
  std::vector<std::size_t> results{};
};

/// The values of a trace. A node of the backward graph without results is replaced by the
/// operations that it calls.
class Flow {
 public:
  /// The trace and the texts must outlive this object.
  Flow(const ReadTrace& of, const Texts& names);

  const Made& operator[](std::size_t value) const { return values_[value]; }
  std::size_t size() const { return values_.size(); }

  /// Returns the operations, in order.
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
  /// What fills a storage: a value, and a tensor that shows all of it.
  struct Whole {
    std::size_t value = none;
    std::uint32_t tensor = 0;
  };

  void visit(std::uint32_t operation);
  std::size_t give(Made made);
  std::optional<std::size_t> sharing(std::uint32_t storage) const;
  bool are_copies(std::size_t value, std::uint32_t number) const;
  std::size_t view(Made made, std::size_t from);
  std::size_t write(const Made& made);
  std::size_t value_of(std::uint32_t number, std::uint32_t moment);
  std::size_t add(Made made);
  void know(std::uint32_t number, std::size_t value);
  std::string place_of(const SeenTensor& tensor) const;
  std::string identity_of(const SeenTensor& tensor) const;

  Roles roles_;
  std::vector<Made> values_;
  std::vector<Step> steps_;
  std::vector<std::size_t> shown_;
  std::unordered_map<std::string, std::size_t> known_;  // values by where they are and what they hold
  std::unordered_map<std::string, std::size_t> views_;  // by what they show
  std::unordered_map<std::uint32_t, Whole> whole_;      // by storage
  std::vector<std::uint32_t> taken_;                    // the tensors that the visited operation takes
};

}  // namespace torchbook::part
