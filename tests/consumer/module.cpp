// Prints a module.
#include <torch/nn/modules/linear.h>
#include <torchbook/pyrepr/module.h>

#include <iostream>

int main() { std::cout << torchbook::pyrepr::repr(torch::nn::Linear(3, 4)) << "\n"; }
