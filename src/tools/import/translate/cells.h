// Goes through a notebook cell by cell.
#pragma once

#include <tools/import/translate/aliases.h>
#include <tools/import/translate/graphs.h>
#include <tools/import/translate/lower/translator.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// Translates the cells of a notebook.
class Cells : Translator {
 public:
  explicit Cells(const std::vector<PythonCell>& cells);

  /// Walks over all cells and adds what they say about types of earlier definitions to the facts.
  void infer(Facts& facts);
  /// Translates all cells.
  Port lowered(Facts facts);

 private:
  bool is_lowering() const { return facts_->phase == Phase::done; }
  void all_cells();
  CellPort cell(const PythonCell& cell);
  CellPort attempted(const PythonCell& cell, std::size_t& done);
  void refuse_change_of_two(const PythonCell& cell);
  void learn_of_calls(const Node& statement);
  void add_refusals(const std::vector<Node>& statements, std::size_t failed, CellPort& port);
  void print_cell(const cpp::Stmts& statements, CellPort& port);
  void add_probes(std::vector<std::string>& lines);
  void begin_statements(cpp::Stmts& statements);
  void add_readings_by_functions();
  void read_comments(const Node& tree);
  void cell_statements(const PythonCell& cell, std::size_t& done);
  void raising_statement(const std::vector<Node>& rest, int raised_line);
  void statement_of_notebook(const Node& node, const Shapes& shapes);
  void import_what_is_known(const std::vector<Node>& statements);

  // cells that are not ported
  void take_back();
  Callee callee_of(const Node& call);
  Callee callee_of_method(const Node& call);
  std::optional<cpp::Effects> effects_of_named(const Node& name);
  std::optional<bool> draws(const Node& call);
  bool may_be_loader(const Node& node) const;
  bool may_draw_in_numpy(const Node& statement);
  void refuse_lost_draws(std::size_t first);
  bool holds_plain_items(const std::string& name) const;
  void lose_functions();
  void lose_settings(const std::vector<Node>& statements);
  Names in_graphs(const Node& statement, const Names& unknown);
  void note_touched(const Node& statement) {
    touches_lost_gradients_ = graphs_.is_lost(aliases_.names_behind(statement));
  }
  void note_graphs(const Node& statement, const Names& unknown);
  Lost lost_here(std::string_view does) const;
  void lose_by_name(const Node& node, const std::set<std::pair<int, int>>& asking);
  bool is_needed(const std::string& name, int last_line) const;
  std::size_t needed(const std::vector<Node>& statements, std::size_t translated) const;
  std::vector<Node> statements_of(const PythonCell& cell) const;
  std::size_t statements_above(const PythonCell& cell) const;
  Names touched_by(const std::vector<Node>& statements, const cpp::Effects& effects) const;
  cpp::Stmts kept_statements(const PythonCell& cell, std::size_t count);
  bool is_constant(const Node& value);
  void keep_below(const std::vector<Node>& statements);
  Names wanted_of(const std::vector<Node>& statements) const;
  bool keep_statement(const Node& statement, const std::string& name);
  void make_again(const Node& statement, const std::string& name, const Names& changed,
                  const std::map<std::string, int, std::less<>>& bindings);
  Names unassigned(const std::vector<Node>& statements);
  void lose_assigned(const Names& names);
  void lose_names(const std::vector<Node>& statements, bool raised = false);
  void carry_values(const std::vector<Node>& lost);
  bool carry_value(const std::string& name, int last_line, const Names& rebound);
  const Variable& find_again(const std::string& name);
  bool is_unchanged(const std::string& name, const Names& rebound);
  void restore_state(const std::string& name);
  void carry_generator();
  void assign_carried(const std::string& name, const CarriedValue& value);
  void lose_trained(const std::vector<Node>& statements);

  Aliases aliases_;
  Graphs graphs_{};
  std::size_t in_graphs_ = 0;  // how many statements of the cell were noted there
  std::map<std::string, std::pair<std::size_t, CarriedValue>>
      held_in_python_{};          // by name: the cell, and the value
  std::size_t generator_of_ = 0;  // the last cell whose Python drew
  bool is_carried_ = false;
  Names touched_{};  // what the kept statements of a cell that is not translated may change
  std::map<std::string, std::string> told_{};  // in the proving program: variables in C++, by their names
  CellPort* carrying_ = nullptr;               // the cell that is not translated
};

/// Returns what later lines say about the types of earlier definitions.
Facts inferred(const std::vector<PythonCell>& cells);

}  // namespace torchbook::translate
