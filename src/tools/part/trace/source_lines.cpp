// Finds the lines of a program's source that run its operations.
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <tools/part/trace/source_lines.h>
#include <torchbook/pyrepr/utf8.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace torchbook::trace {
namespace {

constexpr int most_frames = 256;

/// Finds debug information in a separate file. The standard search would query the server in
/// DEBUGINFOD_URLS, and a trace must not wait for it.
int find_debug_file(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                    const char* link, GElf_Word checksum, char** found) {
  const auto search =
      std::getenv("DEBUGINFOD_URLS") == nullptr ? dwfl_standard_find_debuginfo : dwfl_build_id_find_debuginfo;
  return search(module, data, name, base, file, link, checksum, found);
}

char* debug_folders = nullptr;  // the standard ones
const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                  .find_debuginfo = find_debug_file,
                                  .section_address = nullptr,
                                  .debuginfo_path = &debug_folders};

/// Returns whether a program or library may contain the user's code. The libraries of the system,
/// LibTorch and torchbook do not.
bool may_be_users(std::string_view file) {
  if (!file.starts_with('/') || file.starts_with("/usr/lib") || file.starts_with("/lib")) return false;
  const auto name = file.substr(file.rfind('/') + 1);
  return !name.starts_with("libtorch") && !name.starts_with("libc10") && !name.starts_with("libcaffe2");
}

/// Returns whether a source file is the user's own. Headers of the system, LibTorch, the C++
/// library and torchbook are not, nor are the sources of torchbook's libraries.
bool is_users_source(std::string_view file) {
  static constexpr std::array<std::string_view, 6> others = {"/include/ATen/",      "/include/c10/",
                                                             "/include/c++/",       "/include/torch/",
                                                             "/include/torchbook/", "/src/torchbook/"};
  return !file.empty() && !file.starts_with("/usr/include/") && !file.starts_with("/usr/lib/") &&
         std::none_of(others.begin(), others.end(), [&](std::string_view other) {
           return file.find(other) != file.npos || file.starts_with(other.substr(1));
         });
}

/// Returns whether a path is UTF-8, as the texts of a trace are.
bool is_utf8(std::string_view path) {
  while (!path.empty()) {
    const auto [code, length] = pyrepr::detail::first_character(path);
    if (code >= 0xDC00 && code <= 0xDFFF) return false;
    path.remove_prefix(length);
  }
  return true;
}

int note_if_known(Dwfl_Module* module, void** /*data*/, const char* name, Dwarf_Addr /*base*/, void* known) {
  Dwarf_Addr bias = 0;
  if (!may_be_users(name) || dwfl_module_getdwarf(module, &bias) == nullptr) return DWARF_CB_OK;
  *static_cast<bool*>(known) = true;
  return DWARF_CB_ABORT;
}

/// Returns the compilation unit that an address is in, or nullptr.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  if (auto* indexed = dwfl_module_addrdie(module, address, &bias); indexed != nullptr) return indexed;
  Dwarf_Die* unit = nullptr;  // not every compiler writes the index
  do {
    unit = dwfl_module_nextcu(module, unit, &bias);
  } while (unit != nullptr && dwarf_haspc(unit, address - bias) <= 0);
  return unit;
}

/// Appends the inlined functions that contain an address to `calls`, the outermost first. Skips the
/// entries of types, which are the majority.
void add_inlined(Dwarf_Die parent, Dwarf_Addr address, std::vector<Dwarf_Die>& calls) {
  Dwarf_Die child{};
  for (int more = dwarf_child(&parent, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace) {
      add_inlined(child, address, calls);
    } else if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
                tag == DW_TAG_inlined_subroutine) &&
               dwarf_haspc(&child, address) > 0) {
      if (tag == DW_TAG_inlined_subroutine) calls.push_back(child);
      add_inlined(child, address, calls);
      return;
    }
  }
}

Dwarf_Word number(Dwarf_Die& entry, unsigned int attribute) {
  Dwarf_Attribute found{};
  Dwarf_Word value = 0;
  return dwarf_formudata(dwarf_attr(&entry, attribute, &found), &value) == 0 ? value : 0;
}

struct Walk {
  SourceLines* lines = nullptr;
  std::string found{};
  int frames = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  int before = 0;
  const auto address = _Unwind_GetIPInfo(context, &before);
  if (address == 0 || ++walk.frames > most_frames) return _URC_END_OF_STACK;
  try {
    walk.found = walk.lines->at(before != 0 ? address : address - 1);
  } catch (const std::exception&) {  // the unwinder is C
    return _URC_END_OF_STACK;
  }
  return walk.found.empty() ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}  // namespace

void SourceLines::End::operator()(Dwfl* modules) const { dwfl_end(modules); }

SourceLines::SourceLines() : modules_(dwfl_begin(&callbacks)) {
  std::error_code error;
  folder_ = (std::filesystem::current_path(error) / "").string();
  if (!modules_ || dwfl_linux_proc_report(modules_.get(), getpid()) != 0) return;
  if (dwfl_report_end(modules_.get(), nullptr, nullptr) != 0) return;
  dwfl_getmodules(modules_.get(), note_if_known, &known_, 0);
}

SourceLines::~SourceLines() = default;

std::string SourceLines::here() {
  Walk walk{.lines = this};
  _Unwind_Backtrace(visit, &walk);
  return std::move(walk.found);
}

const std::string& SourceLines::at(std::uintptr_t address) {
  const auto known = lines_.find(address);
  return known != lines_.end() ? known->second : lines_.emplace(address, find(address)).first->second;
}

std::string SourceLines::find(std::uintptr_t address) {
  auto* module = dwfl_addrmodule(modules_.get(), address);
  const char* name = module == nullptr ? nullptr
                                       : dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                          nullptr, nullptr);
  Dwarf_Addr bias = 0;
  auto* unit = name == nullptr || !may_be_users(name) ? nullptr : unit_of(module, address, bias);
  auto* source = unit == nullptr ? nullptr : dwarf_getsrc_die(unit, address - bias);
  if (source == nullptr) return "";
  Dwarf_Attribute attribute{};
  const char* known_folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  const char* folder = known_folder == nullptr ? "" : known_folder;
  int line = 0;
  dwarf_lineno(source, &line);
  auto text = shown(folder, dwarf_linesrc(source, nullptr, nullptr), static_cast<std::uint64_t>(line));
  Dwarf_Files* files = nullptr;
  if (!text.empty() || dwarf_getsrcfiles(unit, &files, nullptr) != 0) return text;
  std::vector<Dwarf_Die> calls;
  add_inlined(*unit, address - bias, calls);
  for (auto call = calls.rbegin(); text.empty() && call != calls.rend(); ++call) {
    const char* file = dwarf_filesrc(files, number(*call, DW_AT_call_file), nullptr, nullptr);
    text = shown(folder, file, number(*call, DW_AT_call_line));
  }
  return text;
}

/// Returns a line as the trace has it, or an empty string if its file is not the user's.
std::string SourceLines::shown(const char* folder, const char* file, std::uint64_t line) const {
  if (file == nullptr || line == 0) return "";
  // -ffile-prefix-map=FOLDER=. makes both relative to FOLDER.
  const bool mapped = *folder != '/' && std::string_view(file).starts_with("./");
  auto path = (mapped ? std::filesystem::path(file) : std::filesystem::path(folder) / file)
                  .lexically_normal()
                  .string();
  if (!is_users_source(path) || !is_utf8(path)) return "";
  if (path.starts_with(folder_)) path.erase(0, folder_.size());
  return path + ":" + std::to_string(line);
}

FindPlace place_in_cpp() {
  const auto lines = std::make_shared<SourceLines>();
  if (!lines->known()) return {};
  return [lines] { return Place{.line = lines->here()}; };
}

}  // namespace torchbook::trace
