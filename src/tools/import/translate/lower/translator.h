// Translates the statements and expressions of a notebook's Python to C++.
#pragma once

#include <tools/import/translate/cpp/expr.h>
#include <tools/import/translate/lower/state.h>
#include <tools/import/translate/lower/value.h>
#include <tools/import/translate/tables/signatures.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace torchbook::translate {

/// What is in the brackets of `x[…]`: an int, or the list of indices that LibTorch takes.
struct Index {
  cpp::Expr code{};
  bool is_one = false;  ///< it is an int
};

/// Builds a call from its arguments, which are in the order of the parameters.
using Call = std::function<cpp::Expr(std::vector<cpp::Expr>)>;

/// What the translation of a loop's head depends on.
struct LoopSite {
  Names reassigned{};      ///< names of the loop that the body gives another value
  Names changed{};         ///< names that `+=` and the like change, a tensor in place
  bool continues = false;  ///< the body has a continue
  bool of_comprehension = false;
};

/// The head of a loop in C++, and what its body begins and ends with.
struct LoopHead {
  std::variant<cpp::Count, cpp::Each, cpp::While> loop{};
  cpp::Stmts first{};
  cpp::Stmts last{};
  std::vector<cpp::Expr> through{};  ///< the lists that zip() goes through
  std::string broken{};   ///< the variable that tells whether `break` left the loop; empty if none does
  bool may_hold = false;  ///< the loop may hold its end, if the body changes what it reads
};

/// The name of a module whose class is known inside a block.
struct Narrowed {
  std::string name;
  Variable before;  ///< what it is outside of the block
};

/// Translates statements and expressions. Each group of functions is in the file of its name.
class Translator : protected State {
 protected:
  explicit Translator(const std::vector<PythonCell>& cells) : State{.cells_ = cells} {}

  // writing
  /// Adds a statement, in the order in which Python evaluates it.
  void emit(const cpp::Stmt& statement);
  void emit(decltype(cpp::Stmt::kind) statement) { emit(cpp::Stmt{.kind = std::move(statement)}); }
  /// Returns the statements that `write` would have added.
  template <class Write>
  cpp::Stmts captured(const Write& write) {
    cpp::Stmts added;
    auto* const before = std::exchange(statements_, &added);
    try {
      write();
    } catch (...) {
      statements_ = before;  // calls of what failed are still learned of
      throw;
    }
    statements_ = before;
    return added;
  }
  /// Adds statements that were captured.
  void add(cpp::Stmts statements);
  /// Emits a variable that holds a value, with a name made of `wish`. Only the translation of a
  /// statement may call it, not that of an expression.
  Value hold(const Value& value, std::string_view wish);
  /// Applies `use` to a value that it needs more than once. Unless the value is a name already,
  /// `use` gets a variable that holds it.
  Value named(const Value& value, std::string_view wish, const std::function<Value(const Value&)>& use);
  /// Returns a value as the variable `name` that holds it.
  Value held(const Value& value, const std::string& name) const;
  /// Returns the key of a definition in Facts.
  std::string key(const Node& node, std::string_view name) const;
  /// Notes a line that the port needs above its function, such as an include.
  void need(std::string_view what) { port_.needs.emplace(what); }
  Scope& scope() { return frame_->scope; }

  /// Returns infinity, and the number that a str names, as in `float("-inf")`.
  Value infinity();
  Value special_number(std::string_view text);
  /// Whether a cell may compute gradients. Then the order of operations is observable.
  bool wants_gradients();
  /// Whether operations on values of the type may be recorded for gradients.
  bool is_recorded(const Type& type);
  /// Whether the inferred kinds of numbers in tensors hold. They do if the notebook has no complex
  /// tensors.
  bool knows_numbers();
  /// Returns the module or function of Python that a node names: `torch.nn.functional`.
  std::optional<std::string> path_of(const Node& node) const;
  /// Whether a function or method computes no gradients. Throws NotPorted if it has another decorator.
  bool is_without_gradients(const Node& function) const;
  /// Imports the names of `from torch.nn import *`. Throws NotPorted if it is another module.
  void import_all(const std::string& module);
  /// Returns a function of the notebook. One that is an argument may be defined below the function that calls
  /// it.
  Function& function_named(const std::string& key);
  /// Whether an argument is a function that is not translated yet. Its parameters get their types
  /// from calls in the function that receives it.

  bool is_read_by_classes(const std::string& name) const;
  /// Gives a double that is still an int in Python a type for both.
  [[noreturn]] void widen_int(const Variable& number, std::string_view name);
  /// Does so unless the other operand makes both equivalent.
  void widen_int_beside(const Variable& number, std::string_view name, const Value& partner);
  /// Notes that functions read a variable of a function around them, or of the notebook.
  void note_reading(std::string_view name, const Variable& variable);
  /// Returns a member of self: `this->x` if a parameter or variable hides it.
  cpp::Expr member_of_self(std::string_view name);
  /// Returns a member as an expression that reads it.
  cpp::Expr as_member(cpp::Expr expr, const Type& type, const std::string& name);
  /// Notes that a module becomes part of another one. Throws NotPorted if it is part of one
  /// already: C++ would list its parameters twice, Python lists them once.
  void note_holder(const Value& module);
  /// Returns the class of a module or object, if the notebook defines it; otherwise nullptr.
  NewClass* class_of(const Type& type);
  /// Whether a new variable is declared with `auto`. Throws NotPorted if none can hold a value of
  /// the type.
  bool is_inferred(const Type& type, bool constant);
  /// Whether the class of a value is defined below, so that C++ does not know its name yet.
  bool is_of_class_below(const Type& type);
  /// Returns a member of an object, and the call of a method.
  cpp::Expr member_of(const Value& object, const std::string& name);
  cpp::Expr method_of(const Value& object, const std::string& name, std::vector<cpp::Expr> arguments = {});
  /// Notes that the port prints modules. Throws NotPorted if a class has another name in C++, which
  /// would be printed.
  void need_to_print_modules();
  /// Returns the variable of a list that changes. Throws NotPorted if it has none: in C++, a list
  /// that is an element, a loop's variable or an argument is a copy or constant.
  const Variable* refuse_unless_changeable(const Value& list);
  static Value place_written(const std::string& at);
  static Value size_of(const Value& size, const cpp::Expr& at);
  void check_sizes(const Value& size, std::size_t names);
  std::optional<Value> joined_sizes(std::string_view operation, const Value& left, const Value& right);
  void add_starred(const Value& starred, std::vector<Value>& positional);
  void add_to_starred(const Value& number, Value& list);
  std::optional<std::vector<Node>> known_branch(const Node& node);
  void replace_parameter(const Value& module, const std::string& code, const std::string& name,
                         const Value& value);
  bool reads_tensors(const cpp::Expr& expr) const;
  /// Whether a node reads a variable of the notebook.
  bool reads_variables(const Node& node) const;
  /// Gives an opened file a name. C++ opens the file only where Python reads it.
  void name_file(const std::string& name, const Value& file);
  /// Returns the list of `OrderedDict([("hidden", layer), …])` that nn.Sequential takes; nullopt for anything
  /// else.
  std::optional<Node> named_parts(const Node& call);
  /// If a parameter is an argument of a call, returns the kind that the callee requires. Returns
  /// nullopt if it is none, or if the callee also takes other kinds.
  std::optional<Type> annotated_type(const Node& annotation) const;
  /// Returns the type of a parameter that no call gives: from its annotation or its uses, or else a
  /// tensor.
  /// Returns the variable of a list, which may also be a member of the class that is being translated.
  const Variable* variable_of_list(const Value& list);

  // statements
  void statement(const Node& node);
  void statement_of_kind(const Node& node);
  void simple_statement(const Node& node);
  void assign(const Node& node);
  bool set_backend(const Node& target, const Node& source);
  std::string wish_of(const Node& target, const Node& source);
  void assign_to(const Node& target, const Node& source, Value value);
  void assign_name(const Node& target, const Value& given);
  [[noreturn]] void refuse_other_type(const std::string& name, const Variable& variable, const Value& value);
  void rename_function(const Node& target, const std::string& name, const Value& function);
  void note_numbers(const Variable& variable, const Type& type);
  bool takes(const std::string& name, Variable& variable, const Type& type);
  void unpack_rest(const std::vector<Node>& targets, const Value& value);
  void unpack(const std::vector<Node>& targets, const Value& value);
  Variable& declare_above(const std::string& name, const Type& type);
  void declare_static(Variable& variable, const cpp::Expr& value);
  void declare_name(const Node& target, const std::string& name, const Value& value);
  void assign_attribute(const Node& target, const Value& value);
  void assign_subscript(const Node& target, const Value& value);
  void change(const Node& node);
  void change_name(const Node& node, const std::string& name);
  void change_in_loop(const Variable& variable, std::string_view operation, const Value& value);
  void change_place(const Node& target, std::string_view operation, const Value& value);
  void change_number(const Node& target, Variable& variable, std::string_view operation, const Value& value);
  void import(const Node& node);
  bool if_of_calls(const Node& node);
  void expression_statement(const Node& node, bool displays);

  // comments
  static constexpr int after_all = 1 << 30;  ///< a line after all others
  void comments_between(int after, int before, bool first);
  void comments_behind(const Node& node, std::size_t first);
  int above_with_comments(const Node& node) const;
  int end_of(const Node& node) const;
  int with_comments(int line, int column) const;
  void block_statements(const std::vector<Node>& statements);

  // blocks
  void block(const std::vector<Node>& statements);
  void branch(const std::vector<Node>& statements, bool never = false);
  void block_or_never(const std::vector<Node>& statements, const std::function<void()>& write,
                      bool never = false);
  void hoisted(const Node& owner, const std::function<void()>& write);
  void if_block(const Node& node);
  void for_block(const Node& node);
  LoopHead loop_over(const Node& target, const Node& over, const LoopSite& site);
  LoopHead over_range(const Node& target, const Node& call, const LoopSite& site);
  std::vector<Value> bounds_of_range(const Node& call);
  LoopHead over_enumerate(const Node& target, const Node& call, const LoopSite& site);
  LoopHead over_zip(const Node& target, const Node& call, const LoopSite& site);
  void while_block(const Node& node);
  void with_block(const Node& node);
  void raise(const Node& node);
  void try_block(const Node& node);
  bool runs(const LoopHead& head);
  void loop(const Node& node, LoopHead head);
  void end_loop(LoopHead& head, cpp::Stmts body);
  std::string counting_name(const Node& target, const LoopSite& site, LoopHead& head);
  std::string loop_name(const Node& target, Type type, const LoopSite& site, LoopHead& head);
  std::string loop_item(const Node& target, const Type& type, const LoopSite& site, LoopHead& head);
  bool is_plain_loop(const Node& target, const Node& call, const LoopSite& site) const;

  // functions
  void never_ran(int line, std::string_view head, std::string_view tail, const NotPorted& why);
  bool never_used(const Node& definition) const;
  void if_learned(const std::function<void()>& definition);
  void or_never_ran(bool never, const std::function<void()>& write,
                    const std::function<void(const NotPorted& why)>& otherwise);
  void definition(const Node& node);
  void define(const Node& node, const std::string& name);
  void end_function(const Node& node, Function& function, cpp::Stmts& body);
  std::vector<Type> parameter_types(const Node& node, const Function& function);
  const Observed* observed() const;
  const CalledFunction* called(const Node& function) const;
  bool knows_parameters(const Function& function, bool never_called) const;
  bool never_called(const Node& function) const;
  void note_observed(const Node& node, const Function& function);
  Value own_member(std::string_view name);
  static std::vector<cpp::Expr> attention_arguments(const Arguments& arguments);
  static Value compare_sizes(std::string_view operation, const Value& size, const Value& tuple);
  std::optional<Value> asked_for_none(const Node& left, const Node& operation, const Node& right);
  cpp::Expr default_code(const Node& node, const Type& type);
  const Variable* named_constant(const Node& node);
  bool is_of_constants(const Node& node);
  Value default_value(const Node& node);
  cpp::Parameter declared_parameter(Function& function, std::size_t place, Type type);
  std::vector<cpp::Parameter> parameter_list(Function& function, const Node& node,
                                             const std::vector<Type>& types);
  void function_body(const Node& node);
  void write_function(const Node& node, const std::string& name, Function& function,
                      const std::vector<Type>& types);
  void learn_later(const std::string& key, std::function<void()> write);
  void learn_call(const Function& function, const std::vector<Type>& types);
  void learn_body(const std::string& key);
  Value lambda(const Node& node);
  Value call_with_tensors(const std::string& path, const std::vector<std::string>& names);
  Value function_of_torch(const std::string& path);
  void learn_of_changed_lists(const Function& function, const std::vector<Value>& ordered,
                              const std::vector<Type>& types);
  std::vector<cpp::Expr> codes_for(const Function& function, const std::vector<Value>& ordered);
  Value call_function(Function& function, const Call& call, const Arguments& arguments);
  std::vector<Value> in_order(const Function& function, const Arguments& arguments, std::vector<Type>& types);
  void return_value(const Node& node);
  void return_none();
  void return_expression(const Node& node);

  // classes
  std::string name_read_by(const Type& type, const Names& names, std::set<std::string>& seen);
  void lose_readers(Names names, const std::function<Lost(const std::string& name)>& why);
  void lose_readers_of(const std::string& name);
  std::string head_of_class(const NewClass& made);
  void define_class(const Node& node);
  void declare_notebook_pointer(const cpp::Stmts& body);
  std::string proved_members(const NewClass& made);
  void method_if_it_runs(NewClass& made, const Node& node);
  void class_body(NewClass& made, const Node& node);
  void method(NewClass& made, const Node& node);
  static std::string name_and_result(const NewClass& made, const Function& function, const std::string& name);
  Value construct(NewClass& made, const Arguments& arguments);
  /// Returns the type of the objects of a class without a base.
  static Type object_of(const NewClass& made);
  /// Returns the class that a class extends; nullptr if it extends none of the notebook.
  NewClass* base_of(const NewClass& made);
  void add_methods(NewClass& made, const Node& node);
  void inherit(NewClass& made, const Node& node, std::string_view name);
  cpp::Expr base_constructor(const NewClass& made, const Node& node);
  /// Notes it if values of the types are objects of two classes, and so are pointers to a common base in a
  /// list.
  std::vector<const NewClass*> classes_of(const CommonBase& shared) const;
  void extend_common_bases();
  void note_meetings(const std::map<std::string, Node>& definitions);
  void derive_from_common_base(NewClass& made);
  void declare_common_base(const CommonBase& shared);
  void add_shared_method(NewClass& base, const std::vector<const NewClass*>& classes,
                         const std::string& name);
  void add_shared_member(NewClass& base, const std::vector<const NewClass*>& classes,
                         const std::string& name);
  bool knows_classes_in(const Type& type);
  /// Returns the method of the common base that a method overrides; nullptr if there is none.
  const Function* overridden(const NewClass& made, std::string_view name) const;
  /// Returns the class of an object whose method or attribute is used; nullptr if the notebook does not
  /// define it. Notes what is used through a common base.
  NewClass* class_used(const Type& type, std::string_view name);
  void define_autograd_function(const Node& node);
  void body_of_autograd(NewClass& made, const Node& node, Function& apply);
  void method_of_autograd(NewClass& made, const Node& node, const std::string& context);
  void return_to_autograd(const Node& node);
  NewClass& class_of_context();
  void assign_to_context(const Value& context, const std::string& name, const Value& value);
  Value attribute_of_context(const Value& context, std::string_view name);
  Value method_of_context(const Value& context, std::string_view name, const Arguments& arguments);
  void refuse_template(const Type& type) const;
  static Value apply_of(const NewClass& made);
  void assign_attribute_of(const Value& object, const std::string& name, const Value& value);
  void assign_tensor_attribute(const Value& tensor, const std::string& name, const Value& value);
  void add_member(const std::string& name, const Type& type);
  Value register_member(std::string_view function, const Arguments& arguments);
  Value call_module(const Value& module, const Arguments& arguments);
  Value call_layer(const Value& module, const Call& call, const Arguments& arguments);
  cpp::Effects effects_of_module(const Type& module);

  // expressions
  Value expression(const Node& node);
  Value constant(const Node& node);
  Value name(const Node& node);
  Value sequence(const Node& node);
  Value binary(const Node& node);
  Value binary_of_elements(std::string_view operation, const Value& left, const Value& right);
  Value binary_of(std::string_view operation, Value left, const Value& right);
  Value tensor_binary(std::string_view operation, const Value& left, const Value& right);
  Value power_of_number(const Value& base, Value exponent);
  Value number_binary(std::string_view operation, const Value& left, const Value& right);
  Value unary(const Node& node);
  Value compare(const Node& node);
  std::optional<Value> compare_origin(const Node& left, const Node& operation, const Node& right);
  Value compare_two(std::string_view operation, const Value& left, const Value& right);
  Value true_or_false(const Node& node);
  Value both_or_either(const Node& node);
  Value joined(const Node& node, const std::function<Value(const Node&)>& translated);
  Value choice(const Node& node);
  void make_sides_alike(Value& one, Value& other);
  Value comprehension(const Node& node);
  Value sum_of_comprehension(const Node& node);
  std::string collector(std::string_view otherwise);
  bool is_emptied_anew(const Node& target, Variable& variable, const Value& value);
  Variable* declare_collector(const std::string& name, const Value& value, const Type& type);
  std::vector<std::pair<std::string, Variable>> hidden_by(const Names& names);
  void comprehension_loops(const Node& comprehension, std::size_t place, const std::function<void()>& add);
  cpp::Expr comprehension_test(const std::vector<Node>& conditions);
  std::pair<Value, Value> two(const Node& left, const Node& right, bool divides = false);

  // kinds of objects (objects/operations.cpp)
  /// What Python does with the objects of one kind. An operation that is nullptr is refused.
  struct Operations {
    Value (Translator::*attribute)(const Value& value, std::string_view name) = nullptr;
    Value (Translator::*method)(const Value& value, std::string_view name,
                                const Arguments& arguments) = nullptr;
    Value (Translator::*element)(const Value& value, const Node& slice) = nullptr;
    Value (Translator::*rows)(const Value& value) = nullptr;  ///< what a loop goes through: a list in C++
    Value (Translator::*length)(const Value& value) = nullptr;
    cpp::Expr (Translator::*truth)(const Value& value) = nullptr;
  };
  static const std::map<Kind, Operations> operations;
  static const Operations& operations_of(Kind kind);
  Value attribute_of(const Value& value, std::string_view name);
  Value call_method(const Value& receiver, std::string_view name, const Arguments& arguments);
  Value element(const Value& from, const Node& slice);
  Value rows_of(const Value& value);
  Value length_of(const Value& value);
  cpp::Expr truth(const Value& value);
  Value tensor_attribute(const Value& tensor, std::string_view name);
  Value tuple_attribute(const Value& tuple, std::string_view name);
  Value module_attribute(const Value& module, std::string_view name);
  Value optimizer_attribute(const Value& optimizer, std::string_view name);
  Value object_attribute(const Value& object, std::string_view name);
  Value string_method(const Value& text, std::string_view name, const Arguments& arguments);
  Value size_method(const Value& size, std::string_view name, const Arguments& arguments);
  Value tensor_method(const Value& tensor, std::string_view name, const Arguments& arguments);
  Value list_method(const Value& list, std::string_view name, const Arguments& arguments);
  Value dict_method(const Value& dict, std::string_view name, const Arguments& arguments);
  Value record_method(const Value& record, std::string_view name, const Arguments& arguments);
  Value module_method(const Value& module, std::string_view name, const Arguments& arguments);
  Value optimizer_method(const Value& optimizer, std::string_view name, const Arguments& arguments);
  Value generator_method(const Value& generator, std::string_view name, const Arguments& arguments);
  Value file_method(const Value& file, std::string_view name, const Arguments& arguments);
  Value object_method(const Value& object, std::string_view name, const Arguments& arguments);
  Value string_item(const Value& text, const Node& slice);
  Value size_item(const Value& size, const Node& slice);
  Value tensor_item(const Value& tensor, const Node& slice);
  Value list_item(const Value& list, const Node& slice);
  Value tuple_item(const Value& tuple, const Node& slice);
  Value dict_item(const Value& dict, const Node& slice);
  Value record_item(const Value& record, const Node& slice);
  Value module_item(const Value& module, const Node& slice);
  Value object_item(const Value& object, const Node& slice);
  Value written_element(const Value& list, const std::string& at);
  Value string_rows(const Value& text);
  Value size_rows(const Value& size);
  Value tensor_rows(const Value& tensor);
  Value list_rows(const Value& list);
  Value tuple_rows(const Value& tuple);
  Value dict_rows(const Value& dict);
  Value record_rows(const Value& record);
  Value module_rows(const Value& module);
  Value object_rows(const Value& object);
  Value file_rows(const Value& file);
  Value string_length(const Value& text);
  Value size_length(const Value& size);
  Value tensor_length(const Value& tensor);
  Value list_length(const Value& list);
  Value tuple_length(const Value& tuple);
  Value dict_length(const Value& dict);
  Value record_length(const Value& record);
  Value module_length(const Value& module);
  Value object_length(const Value& object);
  cpp::Expr boolean_truth(const Value& value);
  cpp::Expr number_truth(const Value& number);
  cpp::Expr tensor_truth(const Value& tensor);
  cpp::Expr container_truth(const Value& container);

  // dicts
  Value dictionary(const Node& node);
  Type dict_of(const Type& key, const Type& value);
  Value dict_of_names(const Arguments& arguments);
  Value dict_with(const std::vector<Value>& keys, const std::vector<Value>& values);
  void delete_entry(const Node& target);
  Value update_dict(const Value& dict, const Value& other);
  void assign_entry(const Value& dict, const Node& slice, const Value& value);
  Value record_of(const std::vector<Value>& keys, const std::vector<Value>& values);
  std::string record_name(const Record& record);
  Value record_text(const Value& record);
  std::vector<std::pair<std::string, Value>> fields_of(const Value& record);
  Type value_type(const Value& record);

  // sequences, iteration
  Value typed(const Value& list, const Type& otherwise);
  Value slice_of(const Value& from, const Node& slice);
  cpp::Expr key_function(const Node& key, const Type& item);
  Value ordered(std::string_view name, const Value& values, const Node& call);
  Value paired(std::string_view name, const Arguments& given);
  Value tuple_of(const Value& values);
  Value mapped(const Node& function, const Value& values);
  Value numbers_of_range(const std::vector<Value>& bounds);
  std::optional<Value> call_of_sequence(std::string_view name, const Node& node);
  Value contained(const Value& value, const Value& values);
  std::optional<Value> list_binary(std::string_view operation, const Value& left, const Value& right);
  void refuse_changes_of(const cpp::Expr& over, const cpp::Effects& body);

  // strings, formats
  Value character_of(const Value& text, const Value& at);
  Value filled(const std::string& format, const std::vector<Value>& values);
  Value formatted(const Value& text, const Arguments& arguments);
  static std::string percent_field(const std::string& format, std::size_t& at, Value& value);
  Value percent(const Value& text, const Value& right);

  // subscripts
  Value subscript(const Node& node);
  Value part_of_size(const Value& size, const Node& slice);
  Value place_of(const Node& slice);
  cpp::Expr checked_element(const Value& sequence, const Value& at);
  cpp::Expr index(const Node& node);
  cpp::Expr index_list(const Node& slice);
  Index array_index(const Node& slice);
  cpp::Expr slice_bound(const Node& node, const char* name);
  Index index_of(const Node& slice);
  cpp::Expr index_code(const Value& value);

  // attributes
  Value attribute(const Node& node);
  Value class_attribute(const Node& node);
  Value path_value(const std::string& path);
  void note_shown(const Node& node);
  Value shown_release(const Node& node);

  // calls
  Value call(const Node& node);
  Value call_of_self(const Node& node);
  Arguments arguments(const Node& node);
  Value call_path(const std::string& path, const Node& node);
  Value seeded(bool in_numpy, const Value& seed);
  Value draw_of_list(std::string_view name, const Arguments& arguments);
  std::optional<Value> call_random(std::string_view name, const Arguments& arguments);
  std::optional<Value> call_outside(const std::string& path, const Node& node);
  Value item_of_tensor(const Value& tensor);
  Kind kind_of_numbers(const Value& tensor);
  std::optional<Value> told_of_tensor(const Value& tensor, std::string_view name, const Arguments& arguments);
  void refuse_other_items(const Value& list, const Type& item);
  Value change_list(const Value& list, std::string_view name, const Node& call);
  Value dict_of_pairs(const Value& pairs);
  Value counter_of(const Arguments& arguments);
  static Value dict_of_counter(const Value& counter);
  Value counter_method(const Value& counter, std::string_view name, const Arguments& arguments);
  Value pprint(const Arguments& arguments);
  Value copy_of_dict(const Value& dict);
  Value call_super(const Node& node);
  Value call_own_method(Function& method, const std::string& name, const Arguments& arguments);
  bool has_member(const Value& module, std::string_view name);
  Value moved_module(const Value& module, const cpp::Expr& to);

  // calls_by_schema
  Value call_torch(std::string_view name, const Arguments& given, bool as_method);
  Value call_with_out(std::string_view name, const Arguments& arguments);
  void note_attached(const Arguments& arguments, std::string_view name);
  void note_attached(const Type& to, const Type& value);
  std::optional<Value> bound(const Signature& signature, std::string_view name, const Arguments& arguments,
                             bool as_method);
  Value print_options(const Arguments& arguments);
  std::optional<Value> call_special(std::string_view name, const Arguments& arguments);
  Value call_functional(const std::string& name, const Arguments& all);
  Value call_functional_operator(std::string_view operation, const Arguments& arguments);
  std::optional<Value> composed_functional(std::string_view name, const Arguments& arguments);
  Value mean_of_batch(const Arguments& arguments);
  Value interpolated(const Arguments& arguments);
  Value modules_of_list(const Value& list, Type type);
  Value append_module(const Value& list, const Value& module);
  Value row_of_parts(const std::vector<Node>& parts);
  Value row_of_names(const Node& pairs);
  Value add_to_row(const Value& row, const Arguments& arguments);
  Value call_list_of_modules(const std::string& name, const Arguments& arguments);
  Value call_nn(const std::string& name, const Arguments& arguments);
  Value call_optimizer(const std::string& name, const Arguments& arguments);
  Value call_scheduler(const std::string& name, const Arguments& arguments);
  void note_scheduler(const Value& optimizer, bool changes_rate);
  Value rate_by_function(const Node& node);
  Value clip_gradients(const Arguments& arguments);
  Value dropout(const Arguments& arguments);
  Value tensor_literal(const Arguments& arguments);
  Value variable_of(const Arguments& arguments);
  std::optional<Value> call_typed_tensor(std::string_view name, const Arguments& arguments);
  Value parameter(const Arguments& arguments);
  cpp::Expr options(const Arguments& arguments, std::vector<std::string>& taken);

  // carriers
  std::optional<Value> call_carrier(std::string_view name, const Arguments& arguments);
  std::optional<Value> call_carrying_method(std::string_view name, const Arguments& arguments);
  Value list_of_tensor(const Value& tensor);
  Value tensor_of_array(std::string_view function, const Arguments& arguments);
  Value array_attribute(const Value& array, std::string_view name);
  Value array_method(const Value& array, std::string_view name, const Arguments& arguments);
  Value array_binary(std::string_view operation, const Value& left, const Value& right);
  Value array_item(const Value& array, const Node& slice);
  static Value array_items(const Value& array, const Value& index);
  Value number_of_element(const Value& value);
  void change_array(std::string_view operation, const Value& array, const Value& value);
  Value array_literal(Arguments arguments, bool chosen);
  static std::optional<Value> reduced_array(std::string_view name, const Value& array);
  std::optional<Value> call_with_arrays(std::string_view name, const Arguments& arguments);
  Value call_numpy(std::string_view name, const Arguments& arguments);
  Value draw_of_numpy(std::string_view name, const Arguments& arguments);
  static Value choice_of_numpy(const Arguments& arguments);
  Value backward_of(const Value& tensor, const Arguments& arguments);
  Value gradients_of(const Arguments& arguments);
  Value unique_of(const Arguments& arguments);
  Value meshgrid_of(const Arguments& arguments);
  Value tuple_of_list(std::string_view wish, const cpp::Expr& list, std::size_t count);
  Value norm_of(const Arguments& arguments);

  // builtins
  Value number_of_letter(const Value& letter);
  Value quotient_and_rest(const Value& left, const Value& right);
  Value converted(std::string_view name, const Value& value);
  Value set_of(const Value& values);
  Value is_instance(const Node& call);
  Value type_of(const Value& value);
  Value call_builtin(std::string_view name, const Node& node);
  std::optional<Value> dtype_of_python(const Node& node);
  Value extreme_of(std::string_view name, const std::vector<Value>& values);
  Value absolute(const Value& value);
  /// Calls a built-in function that has a row in the table; nullopt if it has none.
  std::optional<Value> call_row(std::string_view name, const std::vector<Value>& given);
  Value call_init(const std::string& name, const Arguments& arguments);
  Value call_math(std::string_view name, const Arguments& arguments);
  Value sum_of(const Value& values);

  // narrowing
  std::optional<Value> class_name(const Node& node);
  std::string module_class(const Node& node);
  std::optional<Narrowed> narrowed(const Node& test, cpp::If& head);
  Type class_in_base(const NewClass& base, const Node& named);
  std::optional<Value> is_of_class(const Value& object, const Node& named);
  Value apply(const Value& module, const Node& function);

  // objects
  std::optional<Value> inspected(const Value& module, std::string_view name, const Arguments& arguments);
  Value copy_of_state(const Arguments& arguments);
  Value load_state(const Value& module, const Arguments& arguments);
  Value next_of(const Node& node);
  Value iterator_of(const Value& from);
  Value next_of_iterator(const Value& iterator);
  static bool rate_of(const Value& object, const Node& slice);

  // pictures
  bool is_picture(const Node& node) const;
  bool is_pure(const Node& node);
  bool is_pure_call(const Node& call);
  bool only_draws_pictures(const Node& node);
  bool loops_over_pictures(const Node& node);
  bool function_only_draws(const Node& node);
  bool draws_inside(const Node& node);
  void leave_out(const Node& node);

  // data, files
  Value opened(const Arguments& given);
  Value text_of_file(const Value& file);
  Value path_of_file(const Arguments& arguments);
  Value joined_path(std::string_view operation, const Value& left, const Value& right);
  Value path_method(const Value& path, std::string_view name, const Arguments& arguments);
  Value saved(const Value& value);
  Value save(const Arguments& arguments);
  Value load(const Arguments& arguments);
  bool with_file(const Node& node);
  Value call_data(const std::string& name, const Arguments& arguments);
  Type item_of(const Value& dataset);
  Value item_at(const Value& dataset, const Value& place);

  // printing
  bool holds_new_object(const Type& type);
  cpp::Expr printed(const Value& value);
  Value printing(std::vector<cpp::Expr> shown);
  Value print(const Node& node);
  Value f_string(const Node& node);
  std::string replacement_field(const Node& part);
  std::optional<Value> shown_number(const Node& part);
};

}  // namespace torchbook::translate
