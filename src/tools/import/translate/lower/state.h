// Defines the translator's state for a notebook, and for each function.
#pragma once

#include <tools/import/translate/lower/definitions.h>
#include <tools/import/translate/scope.h>
#include <tools/import/translate/translate.h>
#include <tools/import/translate/types.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace torchbook::translate {

/// A name that is declared above a block.
struct Hoisted {
  int depth;     ///< of the blocks around the declaration
  int branches;  ///< around the declaration
  std::optional<Type> type{};
  std::string code{};
  bool is_static = false;
};

/// A function that is being translated; the notebook itself is the outermost.
struct Frame {
  Scope scope{};
  Frame* outer = nullptr;  ///< the function around it, or the notebook; nullptr for the notebook itself
  Uses uses{};
  std::optional<Type> result{};  ///< of the first `return` of a value
  bool gives_none = false;       ///< a `return` gives None
  std::string result_key{};      ///< the key in Facts of its result, if that is a tensor or None
  Type wanted{};     ///< the type of a list that other classes with a common base return; None if not known
  Names returned{};  ///< names that a `return` gives
  NewClass* of_class = nullptr;  ///< for a method
  bool is_notebook = false;
  bool is_constructor = false;
  bool serves_classes = false;   ///< classes call it, so it is static in C++ if it can be
  bool is_returned = false;      ///< the function around it returns it, and with it copies of what it reads
  bool random_has_seed = false;  ///< a function calls random.seed() above
  bool raises = false;           ///< it has a raise, or calls what has one
  Names outer_names{};           ///< those of the functions around it, or of the notebook, that it reads
  bool reads_outside = false;    ///< it reads variables of the functions around it, or of the notebook
  int loops = 0;                 ///< how many loops are open
  std::string broken{};          ///< of the innermost loop, as in LoopHead
  int branches = 0;              ///< how many blocks are open that may not run; loops are taken to run
  /// Names that a block assigns and later lines read. They are declared above the block, once their type is
  /// known.
  std::map<std::string, Hoisted, std::less<>> hoisted{};
};

/// How the first walk translates the body of a function once a call shows the types of its parameters.
struct Body {
  std::size_t cell = 0;
  int first_line = 0;
  Frame* frame = nullptr;  ///< in which the function is defined
  std::function<void()> write{};
};

/// What later cells cannot know because of a cell that is not translated.
struct Lost {
  std::string why{};     ///< empty if it is known
  std::size_t cell = 0;  ///< the position of that cell

  /// Throws NotPorted if it is not known.
  void refuse() const {
    if (!why.empty()) throw because_of(cell, why);
  }
};

/// The definitions of a notebook, and where in it the translator is.
struct State {
  const std::vector<PythonCell>& cells_;
  Facts* facts_ = nullptr;
  Port port_{};
  Frame notebook_{};
  Frame* frame_ = &notebook_;
  std::map<std::string, Function> functions_{};
  std::map<std::string, Body> bodies_{};  // of the functions of the first walk, by their keys
  std::map<std::string, NewClass> classes_{};
  std::map<std::string, Record, std::less<>> records_{};  // by their names in C++
  bool has_notebook_pointer_ = false;                     // a class prints through it
  Names declared_bases_{};                                // common bases that are in the port
  bool random_has_seed_ = false;                          // random.seed() is above, and nothing between draws
  bool numpy_has_seed_ = false;             // np.random.seed() is above, and nothing between may draw
  bool has_unsaved_ = false;                // a class has a buffer that is not part of its state_dict
  bool runs_ = true;                        // false in code that Python's run did not come to
  std::map<std::string, int> scheduled_{};  // optimizers with a scheduler, and the changes before it
  std::set<std::string> held_{};            // modules that are part of another one
  cpp::Stmts* statements_ = nullptr;        // what is translated is added here
  std::vector<Comment> comments_{};         // of the cell
  std::size_t cell_ = 0;                    // the position of the cell
  std::size_t pictures_ = 0;                // statements of the cell that are left out
  std::set<std::pair<int, int>> shown_{};   // lines and columns of torch.__version__ where it is only shown
  bool shows_release_ = false;              // it shows torch.__version__
  int first_line_ = 0;                      // the number of lines of the cells before it
  int changes_ = 0;  // how many statements and calls that change something were translated
  std::optional<bool> knows_numbers_{};  // unknown if not asked
  std::string wish_{};                   // the name that what is translated next is assigned to
  std::string collector_{};  // the variable that a comprehension or module was made in, if it has that name
  std::string open_{};       // why a list or dict that the cell reads is not known yet
  std::optional<bool> wants_gradients_{};  // whether the notebook computes any; unknown if not asked
  bool sets_print_options_ = false;        // the notebook has print options of its own
  Lost lost_options_{};                    // why the print options are not known; empty if they are
  Lost lost_draws_{};                      // why the state of the generator is not known; empty if it is
  Lost lost_defaults_{};                   // why it is not known what new tensors are; empty if it is
  Lost lost_files_{};                      // why saved files are not known; empty if they are
  bool saves_states_ = false;              // a translated cell has saved the state of a module
  std::map<std::string, Type> saved_{};    // what certainly was saved last, by the names of files
  bool tries_ = false;                     // what a statement computes may raise, and is caught
};

}  // namespace torchbook::translate
