// Keeps which names of a notebook may be in one graph of autograd, so that a cell that is not translated and
// computes gradients makes those of no other names unknown.
#pragma once

#include <tools/import/translate/names.h>

#include <vector>

namespace torchbook::translate {

class Graphs {
 public:
  /// Notes that a statement may have computed `names` from each other. It gives those of `rebound` new
  /// values, which are none of their old graphs.
  void join(const Names& names, const Names& rebound);
  /// Notes that the gradients of names, and of all in their graphs, are unknown.
  void lose(const Names& names);
  /// Notes that names have the gradients that they have in Python.
  void know(const Names& names);
  /// Whether the gradients of one of the names are unknown.
  bool is_lost(const Names& names) const;

 private:
  struct Graph {
    Names names{};
    bool lost = false;
  };

  std::vector<Graph> graphs_{};
};

}  // namespace torchbook::translate
