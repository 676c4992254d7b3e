// Names the sources of a cell that a report shows.
#pragma once

namespace torchbook::report {

/// The sources of a cell that a report shows.
enum class Sources {
  none,
  cpp,     ///< the port's source
  python,  ///< the source of its PyTorch twin
  both,
};

inline bool shows_cpp(Sources sources) { return sources == Sources::cpp || sources == Sources::both; }
inline bool shows_python(Sources sources) { return sources == Sources::python || sources == Sources::both; }

}  // namespace torchbook::report
