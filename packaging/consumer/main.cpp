// Prints a tensor as PyTorch prints it.
#include <torch/torch.h>
#include <torchbook/pyrepr/pyrepr.h>

int main() { torchbook::pyrepr::print(torch::arange(6).reshape({2, 3})); }
