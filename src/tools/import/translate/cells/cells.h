#pragma once

#include <tools/import/translate/core/builder.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// Translates the cells of a notebook.
class Cells {
 public:
  explicit Cells(const std::vector<PythonCell>& cells);

  /// Translates all cells, and calls `begins` with the position of each before.
  Port lowered(const std::function<void(std::size_t)>& begins);

 private:
  CellPort translated_cell(const PythonCell& cell);
  std::map<std::string, Node> classes_defined() const;
  CellPort try_cell(const PythonCell& cell, std::size_t& done);
  void add_refusals(const std::vector<Node>& statements, CellPort& port);
  void print_cell(const cpp::Stmts& statements, CellPort& port);
  void add_probes(std::vector<std::string>& lines);
  void begin_statements(cpp::Stmts& statements);
  void add_readings_by_functions();
  void add_definitions(const Node& tree);
  void read_comments(const Node& tree);
  void cell_statements(const PythonCell& cell, std::size_t& done);
  void raising_statement(const std::vector<Node>& rest, const PythonCell& cell);
  void statement_of_notebook(const Node& node, const Shapes& shapes);
  void import_what_is_known(const std::vector<Node>& statements);

  // shared
  /// Another name of the same list or dict, or of a part of it.
  struct Shared {
    std::string name;
    bool whole;  ///< both names hold the same list or dict
    bool parts;  ///< they share lists or dicts inside it
  };
  Type type_held(const std::string& name);
  bool call_changes(const Node& call, const std::string& name);
  bool changes_list(const Node& node, const Shared& of);
  bool changes_shared(const std::vector<Node>& statements, const Shared& one, const Shared& other);
  void refuse_changes_of_two(const PythonCell& cell);
  static void refuse_large_ints(const PythonCell& cell);

  // kept
  bool is_needed(const std::string& name, const std::vector<Node>& statements) const;
  std::size_t needed(const std::vector<Node>& statements, std::size_t translated) const;
  std::vector<Node> statements_of(const PythonCell& cell) const;
  std::size_t statements_above(const PythonCell& cell) const;
  cpp::Stmts kept_statements(const PythonCell& cell, std::size_t count);
  void keep_below(const std::vector<Node>& statements);
  bool changes_as_another(const std::string& name) const;
  Names wanted_of(const std::vector<Node>& statements) const;
  bool keep_statement(const Node& statement, const std::string& name);
  void refuse_lost_draws(std::size_t first);

  // carrying
  Names mentioned_in(const std::vector<Node>& statements) const;
  void carry_over(const std::vector<Node>& statements, const PythonCell& cell, bool kept);
  Names changed_in(const PythonCell& cell, bool kept, const Names& mentioned) const;
  void note_settings(const std::vector<Node>& statements, const PythonCell& cell, bool kept,
                     const Names& mentioned);
  Lost lost_here(std::string_view does) const;
  Names unassigned(const std::vector<Node>& statements);
  void lose_assigned(const Names& names);
  void carry_value(const std::string& name, bool is_bound, bool kept);
  const Variable& find_again(const std::string& name);
  void restore_if_carried(const std::string& name);
  void restore_state(const std::string& name);
  void carry_generator();
  void carry_default_dtype(const PythonCell& cell);
  void assign_carried(const std::string& name, const CarriedValue& value);

  Builder b;
  Port port_{};
  std::map<std::string, Names, std::less<>> definitions_{};  // of functions and classes: the names in them
  std::map<std::string, std::pair<std::size_t, CarriedValue>>
      held_in_python_{};                           // by name: the cell, and the value
  std::string default_dtype_ = "torch.float32";    // in C++
  std::size_t generator_of_ = 0;                   // the last cell whose Python drew
  std::map<std::string, std::string> reported_{};  // in the proving program: variables in C++, by their names
  CellPort* carrying_ = nullptr;                   // the cell that is not translated
};

}  // namespace torchbook::translate
