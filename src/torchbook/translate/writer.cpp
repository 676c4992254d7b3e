// Writes lines, and names what is to stand in them.
#include <fmt/format.h>
#include <torchbook/translate/writer.h>

#include <algorithm>

namespace torchbook::translate {

std::string Writer::key(const Node& node, std::string_view name) const {
  return fmt::format("{}:{}:{}:{}", cell_, node.line(), node.column(), name);
}

void Writer::line(std::string text) {
  if (!may_emit_) throw NotPorted("it would need a statement inside an expression");
  if (text.find("torchbook::Dict<") != text.npos) need("#include <torchbook/notebook/dict.h>");
  if (text.find("torchbook::Tuple<") != text.npos || text.find("torchbook::tuple(") != text.npos)
    need("#include <torchbook/notebook/tensor_lists.h>");
  lines_->push_back(std::string(static_cast<std::size_t>(2 * indent_), ' ') + std::move(text));
}

Value Writer::hold(Value value, std::string_view wish) {
  const auto name = scope().fresh(wish);
  line(fmt::format("{}auto {} = {};", value.is(Kind::module) ? "" : "const ", name, value.code));
  value.code = name;
  if (value.is(Kind::size)) value.sizes = name + ".sizes";
  value.binding = Binding::postfix;
  value.acts = value.literal = value.reads = value.place = false;
  value.temporary = value.is(Kind::list) || value.is(Kind::dict);  // the expression alone knows the variable
  return value;
}

void Writer::keep_order(const std::vector<Value*>& values, const Progress& before,
                        const std::vector<std::string_view>& wishes) {
  const bool changed = changes_ != before.changes;
  std::vector<Value*> ordered;
  for (auto* value : values) {
    if (value->acts || (changed && value->reads)) ordered.push_back(value);
  }
  for (const auto* value : ordered) {  // a later one has written lines, which would come first
    if (value->lines != lines_->size()) throw NotPorted("its order of evaluation would change");
  }
  if (ordered.size() < 2) return;
  std::size_t next = 0;
  for (auto* value : ordered) {
    const bool copied = value->is(Kind::list) || value->is(Kind::dict) || value->is(Kind::record);
    if (copied && !value->acts) throw NotPorted("its order of evaluation would change");
    *value = hold(*value, wishes[std::min(next++, wishes.size() - 1)]);
  }
  reads_ = before.reads;
  for (const auto* value : values) reads_ += value->reads ? 1 : 0;
}

void Writer::keep_receiver(Value& receiver, const Progress& before) {
  const bool shows = (receiver.acts && (acts_ != before.acts || reads_ != before.reads)) ||
                     (receiver.reads && changes_ != before.changes);
  if (!shows) return;
  if (before.lines != lines_->size()) throw NotPorted("its order of evaluation would change");
  const bool held = receiver.is(Kind::tensor) || receiver.is(Kind::string) || receiver.type.is_number();
  if (held) receiver = hold(receiver, "value");  // C++ evaluates the object of any other method first, too
}

void Writer::note_beginning(Frame& frame) const {
  frame.changes_before = changes_;
  frame.acts_before = acts_;
  frame.resizes_before = resizes_;
}

void Writer::note_change(bool own) {
  ++changes_;
  if (own) ++frame_->own_changes;
}

void Writer::note_resize(bool own) {
  note_change(own);
  ++resizes_;
  if (own) ++frame_->own_resizes;
}

bool Writer::is_inferred(const Type& type, bool constant) {
  const bool function = type.is(Kind::function);
  if (function && !constant && type.name != tensor_function)
    throw NotPorted("a name holds several functions");
  const auto* made = class_of(type);
  return type.is(Kind::size) || type.is(Kind::tuple) || (function && constant) ||
         (made != nullptr && made->is_shared) || is_of_class_below(type);
}

}  // namespace torchbook::translate
