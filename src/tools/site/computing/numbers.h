// Writes numbers as a program of a page has them: the shortest that read back as the element.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <nlohmann/json.hpp>

namespace torchbook::report {

/// Returns a number, or a text if it is not finite: `inf`, `-inf` or `nan`.
nlohmann::ordered_json number_json(double value);

/// Returns the elements in row-major order. Throws NoProgram for a whole number that a browser cannot hold.
nlohmann::ordered_json numbers_json(const notebook::RecordedTensor& tensor);

}  // namespace torchbook::report
