// Translates attributes of modules and other objects: declaring, assigning and reading them.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns a member of self: `this->x` if a parameter or variable hides it.
cpp::Expr member_of_self(Builder& b, std::string_view name);

/// Returns a member as an expression that reads it.
cpp::Expr as_member(Builder& b, cpp::Expr expr, const Type& type, const std::string& name);

/// `self.register_buffer("mask", mask)`
Value register_member(Builder& b, std::string_view function, const Arguments& arguments);

void assign_attribute(Builder& b, const Node& target, const Value& value);
/// Returns the C++ of a module as its first name: `lin` for `other` after `other = lin`.
std::string first_name_of(Builder& b, const cpp::Expr& module);

/// Notes that a module becomes part of another one. Throws NotPorted if it is part of one
/// already: C++ would list its parameters twice, Python lists them once.
void note_holder(Builder& b, const Value& module);

bool has_member(Builder& b, const Value& module, std::string_view name);
/// Whether the class of a value is defined below, so that C++ does not know its name yet.
bool is_of_class_below(Builder& b, const Type& type);

/// Returns a member of an object, and the call of a method.
cpp::Expr member_of(Builder& b, const Value& object, const std::string& name);

cpp::Expr method_of(Builder& b, const Value& object, const std::string& name,
                    std::vector<cpp::Expr> arguments = {});

/// Returns the name in C++ of a member.
std::string member_code(const NewClass& made, const std::string& name);

}  // namespace torchbook::translate
