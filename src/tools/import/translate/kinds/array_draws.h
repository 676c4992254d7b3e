// Translates draws of numpy.random, which need a seed above them.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `np.random.randn(3, 2)`, `np.random.randint(0, 10, size=4)`, `np.random.permutation(5)`
Value draw_of_numpy(Builder& b, std::string_view name, const Arguments& arguments);

}  // namespace torchbook::translate
