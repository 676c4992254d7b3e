// Which source of a cell a report shows.
#pragma once

namespace torchbook::report {

/// Which source of a cell a report shows.
enum class Sources {
  none,
  cpp,     ///< the port's
  python,  ///< its PyTorch twin's
  both,
};

inline bool shows_cpp(Sources sources) { return sources == Sources::cpp || sources == Sources::both; }
inline bool shows_python(Sources sources) { return sources == Sources::python || sources == Sources::both; }

}  // namespace torchbook::report
