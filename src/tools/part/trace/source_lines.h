// Finds the lines of a program's source that run its operations.
#pragma once

#include <tools/part/trace/recorder.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

struct Dwfl;
struct Dwfl_Module;

namespace torchbook::trace {

/// Finds lines in the debug information of the program and of its shared libraries.
class SourceLines {
 public:
  /// Reads the program and the libraries that are loaded now. Libraries that are loaded later have
  /// no lines.
  SourceLines();
  ~SourceLines();
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;

  /// Returns whether the program or one of its own libraries has debug information.
  bool known() const { return known_; }

  /// Returns the current line of the innermost running function of the program's own source, as
  /// "folder/file.cpp:12", or an empty string. The path is relative to the working directory at
  /// construction if the file is below it.
  std::string here();

  /// Returns the line of the code at an address, or an empty string if it is not the program's own
  /// code.
  const std::string& at(std::uintptr_t address);

 private:
  struct End {
    void operator()(Dwfl* modules) const;
  };

  std::string find(std::uintptr_t address);
  std::string shown(const char* folder, const char* file, std::uint64_t line) const;

  std::string folder_;  // of the process, with a slash
  std::unique_ptr<Dwfl, End> modules_;
  bool known_ = false;
  std::unordered_map<std::uintptr_t, std::string> lines_{};  // by address
};

/// Returns the function that finds the lines of operations in a program in C++, or an empty one if the
/// program has no debug information.
FindPlace place_in_cpp();

}  // namespace torchbook::trace
