#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/statements/globals.h>

#include <string>

namespace torchbook::translate {

static void declare_global(Builder& b, const std::string& name) {
  if (!b.notebook.uses.assigned_by_functions.contains(name)) return;  // functions only read it
  if (!b.frame->outer->is_notebook) refuse("a function inside of another one assigns the global {}", name);
  const auto* variable = b.notebook.scope.own(name);
  if (variable == nullptr) refuse("a function assigns the global {}, which has no value above", name);
  refuse_missing(*variable);
  const auto& type = variable->type;
  if (!type.is_number() && !type.is(Kind::tensor))
    refuse("a function assigns the global {}, which holds {}", name, in_words(type));
  if (!variable->is_global) refuse("a function assigns the global {}, which belongs to a loop", name);
  if (variable->still_int) refuse("a function assigns the global {}, which is an int and then a float", name);
  b.note_reading(name, *variable);
  b.scope().show(name, *variable);
}

void declare_globals(Builder& b, const Node& node) {
  if (b.frame->is_notebook) return;  // its names are global anyway
  for (const auto& name : node.texts("names")) declare_global(b, name);
}

}  // namespace torchbook::translate
