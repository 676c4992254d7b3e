// Defines what the translator keeps of the notebook that it translates.
#pragma once

#include <torchbook/translate/facts.h>
#include <torchbook/translate/frame.h>
#include <torchbook/translate/translate.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace torchbook::translate {

/// How a cell that is not ported trains.
enum class Training { none, by_hand, by_optimizer };

/// The definitions of a notebook, and where in it the translator is.
struct State {
  const std::vector<PythonCell>& cells_;
  Facts* facts_ = nullptr;
  Port port_{};
  Frame notebook_{};
  Frame* frame_ = &notebook_;
  std::map<std::string, Function> functions_{};
  std::map<std::string, NewClass> classes_{};
  std::map<std::string, Record, std::less<>> records_{};     // by their names in C++
  std::map<std::string, Training, std::less<>> trainers_{};  // functions that are not ported
  bool has_unsaved_ = false;                // a class has a buffer that is not part of its state_dict
  std::map<std::string, int> scheduled_{};  // optimizers with a scheduler, and the changes before it
  std::set<std::string> held_{};            // modules that are part of another one
  std::vector<std::string>* lines_ = nullptr;
  std::map<std::size_t, std::string> shapes_{};  // what stands behind lines of the cell
  int indent_ = 1;
  std::size_t cell_ = 0;                        // the position of the cell
  int first_line_ = 0;                          // the number of lines of the cells before it
  std::vector<std::string>* acting_ = nullptr;  // the parts of an expression that act
  int acts_ = 0;                                // how many values that act were translated
  int reads_ = 0;                               // how many values were read that something may change
  int changes_ = 0;                             // how many changes of values were translated
  int resizes_ = 0;                             // how many of them were of lists and dicts
  int calls_that_resize_ = 0;                   // how many of those were made by functions of the notebook
  std::optional<bool> beyond_ascii_{};          // whether strs have other letters; unknown if not asked
  std::optional<bool> knows_numbers_{};         // unknown if not asked
  std::string wish_{};       // the name that the comprehension which is translated next is assigned to
  std::string collector_{};  // the variable that a comprehension was collected in, if it has that name
  std::string open_{};       // why a list or dict that the cell reads is not known yet
  bool sets_print_options_ = false;  // the notebook has print options of its own
  std::string lost_options_{};       // why the print options are not known; empty if they are
  std::string lost_gradients_{};     // why gradients are not known; empty if they are
  std::string lost_defaults_{};      // why it is not known what new tensors are; empty if it is
  bool tries_ = false;               // what a statement computes may raise, and is caught
  bool may_emit_ = true;             // whether statements can stand before the one that is being translated
};

}  // namespace torchbook::translate
