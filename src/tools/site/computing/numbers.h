// Writes numbers as the JSON of a program, site/engine/program.js.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <nlohmann/json.hpp>

namespace torchbook::site {

using Json = nlohmann::ordered_json;

/// Returns a number, or a text if it is not finite: `inf`, `-inf` or `nan`.
Json number_json(double value);

/// Returns the elements in row-major order, or null if a browser cannot hold a whole number.
Json numbers_json(const notebook::RecordedTensor& tensor);

}  // namespace torchbook::site
