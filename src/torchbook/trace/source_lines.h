// Finds the lines of a program's source that run its operations.
#pragma once

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
  /// Reads what is loaded now. Of libraries that are loaded later, no line is known.
  SourceLines();
  ~SourceLines();
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;

  /// Returns whether something of the program has debug information.
  bool known() const { return known_; }

  /// Returns the line that the innermost function of the program's own source runs, as "folder/file.cpp:12",
  /// or an empty string. The path begins in the folder where this object was made, if the file is below it.
  std::string here();

  /// Returns the same of the code at an address, or an empty string if that is no code of the program's own.
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

}  // namespace torchbook::trace
