// Loads checkpoints, prints their values as Python does, and saves them again, for checkpoint_test.py.
//
// Usage: checkpoints FILE…: prints FILE, and writes FILE.out, or FILE.out.safetensors if the name ends so. A
// file that cannot be loaded or saved gives one line that begins with "refused: ".
// Two empty lines follow each.
#include <ATen/core/Dict.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/training/checkpoint.h>

#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

namespace {

void show(const std::filesystem::path& path) {
  const auto value = torchbook::load(path);
  std::cout << torchbook::pyrepr::Printer<c10::IValue>::repr(value) << "\n";
  if (path.extension() != ".safetensors") return torchbook::save(value, path.string() + ".out");
  c10::Dict<std::string, at::Tensor> tensors;
  for (const auto& item : value.toGenericDict())
    tensors.insert(item.key().toStringRef(), item.value().toTensor());
  torchbook::save_safetensors(tensors, path.string() + ".out.safetensors");
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    try {
      show(argv[i]);
    } catch (const std::exception& error) {
      std::cout << "refused: " << error.what() << "\n";
    }
    std::cout << "\n\n" << std::flush;
  }
}
