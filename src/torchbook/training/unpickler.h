// Reads pickles of the protocols 2 to 5 into a graph of values, which no other code has to trust.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace torchbook::training {

struct Node;

/// A value of a pickle: None, bool, int, float, or an object.
using PickleValue = std::variant<std::monostate, bool, std::int64_t, double, Node*>;

enum class Kind : std::uint8_t {
  text,
  bytes,
  long_int,  ///< an int of more than 64 bits
  global,    ///< a class or a function
  list,
  tuple,
  dict,  ///< keys and values in turn
  set,
  call,     ///< the result of a function: the tuple of its arguments
  object,   ///< an object that only Python can make
  storage,  ///< the tuple by which torch.save refers to a storage
};

/// An object of a pickle.
struct Node {
  Kind kind;
  std::string_view text;  ///< of a text or a long int: its bytes; of a global, call or object: the module
  std::string_view name;  ///< of a global, call or object
  std::vector<PickleValue> items;

  c10::IValue value;  ///< what it became
  int height = 0;     ///< of the value: 1 if it has no others
  bool open = false;  ///< its items are becoming values
};

/// Returns the name of a global, call or object as Python shows it: `mymodel.Net`, `set`.
std::string full_name(const Node& node);

/// Returns the node of a value if it is of that kind, or nullptr otherwise.
Node* as(const PickleValue& value, Kind kind);

/// Reads one pickle after another from a text, which must outlive it. Throws std::runtime_error for what is
/// not a pickle.
class Unpickler {
 public:
  explicit Unpickler(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the value of the next pickle.
  PickleValue load();

  /// Returns the number of bytes that were read.
  std::size_t position() const { return at_; }

  std::deque<Node>& nodes() { return nodes_; }

 private:
  struct Instruction {
    std::uint8_t opcode;
    void (*run)(Unpickler&);
  };
  static const Instruction instructions[];

  std::string_view take(std::uint64_t count);
  std::string_view take_line();
  template <class Number>
  Number number();
  template <class Size>
  std::string_view sized();
  PickleValue pop();
  std::vector<PickleValue> pop(std::size_t count);
  std::vector<PickleValue> pop_mark();
  void push(Kind kind, std::string_view text, std::string_view name = {});
  void push(Kind kind, std::vector<PickleValue> items);
  void push_int(std::string_view bytes);
  void push_float();
  void push_global(std::string_view module, std::string_view name);
  void push_stacked_global();
  void push_object(std::size_t arguments);
  void push_persistent();
  void extend(Kind kind, const std::vector<PickleValue>& items);
  void become_dict(Node& pairs);
  void require_protocol(unsigned protocol);
  void call();
  void build();
  void get(std::uint64_t index);
  void put(std::uint64_t index);

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<PickleValue> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, PickleValue> memo_;  // a vector would grow to any index that a file has
  std::deque<Node> nodes_;
};

}  // namespace torchbook::training
