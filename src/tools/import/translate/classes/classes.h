// Translates classes to local structs. A class that derives from nn.Module also gets a holder.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the result type and name of a method: `int64_t size`.
std::string name_and_result(const NewClass& made, const Function& function, const std::string& name);

/// Returns the class that a class extends; nullptr if it extends none of the notebook.
NewClass* base_of(Builder& b, const NewClass& made);

/// Declares the pointer through which classes and the functions that they call print, above the first of
/// them.
void declare_notebook_pointer(Builder& b, const cpp::Stmts& body);

/// Marks the functions, classes and objects that read one of these names as unknown. `why` returns the reason
/// for each name.
void lose_readers(Builder& b, Names names, const std::function<Lost(const std::string& name)>& why);

/// Marks the readers of a name as unknown when the name gets another variable or class in C++: Python looks
/// the name up when the reader runs, C++ keeps the one above.
void lose_readers_of(Builder& b, const std::string& name);

void define_class(Builder& b, const Node& node);

/// Whether a method has the decorator `property`.
bool is_property(const Node& method);
/// Returns a member function by which the proving program reports the members.
std::string proved_members(const NewClass& made);

/// Calls a method of the class that is being translated. The constructor is translated first, so it
/// can only call methods that return nothing.
Value call_own_method(Builder& b, Function& method, const std::string& name, const Arguments& arguments);

/// `super().__init__()` and `super().forward(x)`
Value call_super(Builder& b, const Node& node);

Value construct(Builder& b, NewClass& made, Arguments arguments);
/// Returns the type of the objects of a class without a base.
Type object_of(const NewClass& made);

/// Notes that the port prints modules. Throws NotPorted if a class has another name in C++, which
/// would be printed.
void need_to_print_modules(Builder& b);

Value call_module(Builder& b, const Value& module, const Arguments& arguments);
Value call_object(Builder& b, const Value& object, const Arguments& arguments);
/// Returns the effects of calling a module.
cpp::Effects effects_of_module(Builder& b, const Type& module);

}  // namespace torchbook::translate
