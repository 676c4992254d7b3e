// Builds the modules that module_trees.py describes, and prints them.
#include <support/nets.h>
#include <torch/nn.h>

#include <map>
#include <string>
#include <string_view>

#include "case.h"

namespace torchbook::differential {
namespace {

namespace nn = torch::nn;
using Reals = std::vector<double>;
using Made = std::shared_ptr<nn::Module>;

/// Makes a module of each class of modules.py.
const std::map<std::string_view, Made (*)(const Integers&, const Reals&)> kClasses = {
#include "modules.inc"
};

Made made(const Node& node);

test::Children children(const Node& node) {
  test::Children result;
  for (const Node& child : node.children) {
    result.emplace_back(child.name.empty() ? std::to_string(result.size()) : child.name, made(child));
  }
  return result;
}

Made made(const Node& node) {
  if (node.tag == "Net") return test::Net(children(node)).ptr();
  if (node.tag == "Scaled") return test::Scaled(children(node), node.text).ptr();
  if (node.tag == "ModuleDict") return nn::ModuleDict(children(node)).ptr();
  if (node.tag == "Sequential" || node.tag == "NamedSequential")
    return test::sequential(children(node)).ptr();
  if (node.tag == "ModuleList") {
    nn::ModuleList list;
    for (const Node& child : node.children) list->push_back(made(child));
    return list.ptr();
  }
  return kClasses.at(node.tag)(node.integers, node.reals);
}

}  // namespace

std::string module_text(const Case& c) { return pyrepr::repr(made(c.trees.at(0))); }

}  // namespace torchbook::differential
