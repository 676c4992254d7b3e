#include <torchbook/training/input_file.h>
#include <torchbook/training/unpickler.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace torchbook::training {
namespace {

[[noreturn]] void broken() { damaged("its pickle"); }

bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

std::string full_name(const Node& node) {
  if (node.text == "builtins" || node.text == "__builtin__") return std::string(node.name);
  return std::string(node.text) + "." + std::string(node.name);
}

Node* as(const PickleValue& value, Kind kind) {
  const auto* node = std::get_if<Node*>(&value);
  return node != nullptr && (*node)->kind == kind ? *node : nullptr;
}

std::string_view Unpickler::take(std::uint64_t count) {
  if (count > bytes_.size() - at_) throw CutOff();
  const auto taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

std::string_view Unpickler::take_line() {
  const auto line = take(std::min(bytes_.find('\n', at_), bytes_.size()) - at_);
  take(1);
  return line;
}

template <class Number>
Number Unpickler::number() {
  return little_endian<Number>(take(sizeof(Number)));
}

void Unpickler::push(Kind kind, std::string_view text, std::string_view name) {
  stack_.emplace_back(&nodes_.emplace_back(Node{kind, text, name, {}, {}}));
}

void Unpickler::push(Kind kind, std::vector<PickleValue> items) {
  stack_.emplace_back(&nodes_.emplace_back(Node{kind, {}, {}, std::move(items), {}}));
}

/// Pushes an int in two's complement, of any length.
void Unpickler::push_int(std::string_view bytes) {
  if (bytes.size() > sizeof(std::int64_t)) return push(Kind::long_int, bytes);
  const bool negative = !bytes.empty() && (bytes.back() & 0x80) != 0;
  std::uint64_t bits = negative ? ~std::uint64_t{0} : 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  stack_.emplace_back(static_cast<std::int64_t>(bits));
}

PickleValue Unpickler::pop() { return pop(1).front(); }

std::vector<PickleValue> Unpickler::pop(std::size_t count) {
  if (stack_.size() - (marks_.empty() ? 0 : marks_.back()) < count) broken();
  const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
  std::vector<PickleValue> popped(first, stack_.end());
  stack_.erase(first, stack_.end());
  return popped;
}

std::vector<PickleValue> Unpickler::pop_mark() {
  if (marks_.empty()) broken();
  auto popped = pop(stack_.size() - marks_.back());
  marks_.pop_back();
  return popped;
}

template <class Size>
std::string_view Unpickler::sized() {
  return take(number<Size>());
}

void Unpickler::require_protocol(unsigned protocol) {
  if (protocol < 2 || protocol > 5)
    throw std::runtime_error("its pickle has the protocol " + std::to_string(protocol) + ", and not 2 to 5");
}

void Unpickler::push_float() {
  stack_.emplace_back(std::bit_cast<double>(__builtin_bswap64(number<std::uint64_t>())));
}

/// Adds items to the list or dict on top of the stack.
void Unpickler::extend(Kind kind, const std::vector<PickleValue>& items) {
  const auto target = pop();
  stack_.push_back(target);
  if (auto* called = as(target, Kind::call)) called->kind = Kind::object;
  if (as(target, Kind::object) != nullptr) return;
  auto* container = as(target, kind);
  if (container == nullptr || (kind == Kind::dict && items.size() % 2 != 0)) broken();
  container->items.insert(container->items.end(), items.begin(), items.end());
}

/// Calls a function with a tuple of arguments. Some functions return what they are given; others wait until
/// the value is built. Copies nothing, because a file may have many calls with the same arguments.
void Unpickler::call() {
  const auto arguments = pop();
  const auto* function = as(pop(), Kind::global);
  const auto* tuple = as(arguments, Kind::tuple);
  if (tuple == nullptr || function == nullptr) broken();
  const auto& items = tuple->items;
  const auto name = full_name(*function);
  const bool is_dict = name == "collections.OrderedDict" || name == "collections.Counter";
  const bool returns_argument =
      name == "torch.Size" || function->text == "torch.jit._pickle";  // LibTorch's own notes of types
  if (is_dict && items.empty()) {
    push(Kind::dict, items);
  } else if ((is_dict || returns_argument) && !items.empty()) {
    if (auto* pairs = as(items.front(), Kind::list); is_dict && pairs != nullptr) become_dict(*pairs);
    stack_.push_back(items.front());
  } else if (name == "set" || name == "frozenset") {  // before the protocol 4
    push(Kind::set, pop(0));
  } else if (name == "_codecs.encode") {  // before the protocol 3
    push(Kind::bytes, pop(0));
  } else {
    push(Kind::call, function->text, function->name);
    nodes_.back().items = {arguments};
  }
}

/// Turns a list of pairs, as Python 2 wrote the items of an OrderedDict, into a dict.
void Unpickler::become_dict(Node& pairs) {
  std::vector<PickleValue> items;
  for (const auto& each : pairs.items) {
    const auto* pair = as(each, Kind::list);
    if (pair == nullptr || pair->items.size() != 2) broken();
    items.insert(items.end(), pair->items.begin(), pair->items.end());
  }
  pairs.kind = Kind::dict;
  pairs.items = std::move(items);
}

/// Sets the state of an object. The state of an OrderedDict is ignored; that of others only Python knows.
void Unpickler::build() {
  pop();
  const auto target = pop();
  stack_.push_back(target);
  if (auto* called = as(target, Kind::call)) {
    called->kind = Kind::object;
  } else if (as(target, Kind::object) == nullptr && as(target, Kind::dict) == nullptr) {
    broken();
  }
}

void Unpickler::push_global(std::string_view module, std::string_view name) {
  if (!is_plain(module) || !is_plain(name)) broken();
  push(Kind::global, module, name);
}

void Unpickler::push_stacked_global() {
  const auto names = pop(2);
  const auto *module = as(names[0], Kind::text), *name = as(names[1], Kind::text);
  if (module == nullptr || name == nullptr) broken();
  push_global(module->text, name->text);
}

/// Pushes a new object of a class that is followed by a number of arguments.
void Unpickler::push_object(std::size_t arguments) {
  pop(arguments);
  const auto* type = as(pop(), Kind::global);
  if (type == nullptr) broken();
  push(Kind::object, type->text, type->name);
}

/// Pushes a storage. A class whose source torch.save kept is referred to in the same way.
void Unpickler::push_persistent() {
  const auto id = pop();
  const auto* tuple = as(id, Kind::tuple);
  if (tuple == nullptr || tuple->items.size() < 2) broken();
  if (const auto* type = as(tuple->items[0], Kind::text); type != nullptr && type->text == "module") {
    stack_.push_back(tuple->items[1]);
  } else {
    push(Kind::storage, std::vector{id});
  }
}

void Unpickler::get(std::uint64_t index) {
  const auto found = memo_.find(index);
  if (found == memo_.end()) broken();
  stack_.push_back(found->second);
}

void Unpickler::put(std::uint64_t index) {
  const auto value = pop();
  stack_.push_back(memo_[index] = value);
}

using U = Unpickler;

// The comments have Python's names. The instructions that torch.save does not write are left out.
const Unpickler::Instruction Unpickler::instructions[] = {
    {0x80, [](U& u) { u.require_protocol(u.number<std::uint8_t>()); }},                   // PROTO
    {0x95, [](U& u) { u.take(8); }},                                                      // FRAME
    {'(', [](U& u) { u.marks_.push_back(u.stack_.size()); }},                             // MARK
    {'N', [](U& u) { u.stack_.emplace_back(); }},                                         // NONE
    {0x88, [](U& u) { u.stack_.emplace_back(true); }},                                    // NEWTRUE
    {0x89, [](U& u) { u.stack_.emplace_back(false); }},                                   // NEWFALSE
    {'J', [](U& u) { u.push_int(u.take(4)); }},                                           // BININT
    {'K', [](U& u) { u.stack_.emplace_back(std::int64_t{u.number<std::uint8_t>()}); }},   // BININT1
    {'M', [](U& u) { u.stack_.emplace_back(std::int64_t{u.number<std::uint16_t>()}); }},  // BININT2
    {0x8A, [](U& u) { u.push_int(u.sized<std::uint8_t>()); }},                            // LONG1
    {0x8B, [](U& u) { u.push_int(u.sized<std::uint32_t>()); }},                           // LONG4
    {'G', [](U& u) { u.push_float(); }},                                                  // BINFLOAT
    {'X', [](U& u) { u.push(Kind::text, u.sized<std::uint32_t>()); }},                    // BINUNICODE
    {0x8C, [](U& u) { u.push(Kind::text, u.sized<std::uint8_t>()); }},                    // SHORT_BINUNICODE
    {0x8D, [](U& u) { u.push(Kind::text, u.sized<std::uint64_t>()); }},                   // BINUNICODE8
    {'T', [](U& u) { u.push(Kind::text, u.sized<std::uint32_t>()); }},                    // BINSTRING
    {'U', [](U& u) { u.push(Kind::text, u.sized<std::uint8_t>()); }},                     // SHORT_BINSTRING
    {'B', [](U& u) { u.push(Kind::bytes, u.sized<std::uint32_t>()); }},                   // BINBYTES
    {'C', [](U& u) { u.push(Kind::bytes, u.sized<std::uint8_t>()); }},                    // SHORT_BINBYTES
    {0x8E, [](U& u) { u.push(Kind::bytes, u.sized<std::uint64_t>()); }},                  // BINBYTES8
    {0x96, [](U& u) { u.push(Kind::bytes, u.sized<std::uint64_t>()); }},                  // BYTEARRAY8
    {')', [](U& u) { u.push(Kind::tuple, u.pop(0)); }},                                   // EMPTY_TUPLE
    {0x85, [](U& u) { u.push(Kind::tuple, u.pop(1)); }},                                  // TUPLE1
    {0x86, [](U& u) { u.push(Kind::tuple, u.pop(2)); }},                                  // TUPLE2
    {0x87, [](U& u) { u.push(Kind::tuple, u.pop(3)); }},                                  // TUPLE3
    {'t', [](U& u) { u.push(Kind::tuple, u.pop_mark()); }},                               // TUPLE
    {']', [](U& u) { u.push(Kind::list, u.pop(0)); }},                                    // EMPTY_LIST
    {'a', [](U& u) { u.extend(Kind::list, u.pop(1)); }},                                  // APPEND
    {'e', [](U& u) { u.extend(Kind::list, u.pop_mark()); }},                              // APPENDS
    {'}', [](U& u) { u.push(Kind::dict, u.pop(0)); }},                                    // EMPTY_DICT
    {'s', [](U& u) { u.extend(Kind::dict, u.pop(2)); }},                                  // SETITEM
    {'u', [](U& u) { u.extend(Kind::dict, u.pop_mark()); }},                              // SETITEMS
    {0x8F, [](U& u) { u.push(Kind::set, u.pop(0)); }},                                    // EMPTY_SET
    {0x90, [](U& u) { u.pop_mark(); }},                                                   // ADDITEMS
    {0x91, [](U& u) { u.push(Kind::set, u.pop_mark()); }},                                // FROZENSET
    {'q', [](U& u) { u.put(u.number<std::uint8_t>()); }},                                 // BINPUT
    {'r', [](U& u) { u.put(u.number<std::uint32_t>()); }},                                // LONG_BINPUT
    {0x94, [](U& u) { u.put(u.memo_.size()); }},                                          // MEMOIZE
    {'h', [](U& u) { u.get(u.number<std::uint8_t>()); }},                                 // BINGET
    {'j', [](U& u) { u.get(u.number<std::uint32_t>()); }},                                // LONG_BINGET
    {'c', [](U& u) { const auto module = u.take_line(); u.push_global(module, u.take_line()); }},  // GLOBAL
    {0x93, [](U& u) { u.push_stacked_global(); }},                                        // STACK_GLOBAL
    {'R', [](U& u) { u.call(); }},                                                        // REDUCE
    {'b', [](U& u) { u.build(); }},                                                       // BUILD
    {0x81, [](U& u) { u.push_object(1); }},                                               // NEWOBJ
    {0x92, [](U& u) { u.push_object(2); }},                                               // NEWOBJ_EX
    {'Q', [](U& u) { u.push_persistent(); }},                                             // BINPERSID
};

PickleValue Unpickler::load() {
  constexpr std::uint8_t stop = '.';
  stack_.clear();
  marks_.clear();
  memo_.clear();
  for (auto opcode = number<std::uint8_t>(); opcode != stop; opcode = number<std::uint8_t>()) {
    const auto* instruction =
        std::find_if(std::begin(instructions), std::end(instructions),
                     [opcode](const Instruction& each) { return each.opcode == opcode; });
    if (instruction == std::end(instructions)) broken();
    instruction->run(*this);
  }
  return pop();
}

}  // namespace torchbook::training
