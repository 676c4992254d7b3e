// Writes lines, and names what is to stand in them.
#include <fmt/format.h>
#include <torchbook/translate/writer.h>

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
  value.acts = value.literal = false;
  value.temporary = value.is(Kind::list) || value.is(Kind::dict);  // the expression alone knows the variable
  return value;
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
