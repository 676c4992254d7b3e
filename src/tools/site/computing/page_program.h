// Makes the program of a page from the trace of a run.
#pragma once

#include <tools/site/origin/pictures.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace torchbook::site {

/// The program that a page computes in the browser.
struct PageProgram {
  std::string json{};  ///< as site/engine/program.js describes it; empty if the run was not traced
  std::vector<std::optional<std::size_t>> tensors{};  ///< by picture: the tensor of the program
  std::vector<std::size_t> seeds{};                   ///< the position of the cell of each seed
};

/// Returns the program that computes the outputs of the cells and the pictures.
PageProgram program_of(const notebook::Transcript& transcript, std::span<const Picture> pictures);

}  // namespace torchbook::site
