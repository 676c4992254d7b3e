// Translates the Python of a notebook into the C++ of its port.
#pragma once

#include <fmt/format.h>
#include <tools/import/translate/core/type.h>
#include <tools/import/translate/syntax/names.h>

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// Returns the key of a definition: its place in Python, and its name.
inline std::string key_of_definition(std::size_t cell, int line, int column, std::string_view name) {
  return fmt::format("{}:{}:{}:{}", cell, line, column, name);
}

/// The shapes of the tensors that a cell assigned when it ran, such as `(4, 8)`: by line and column
/// of the statement, then by name.
using Shapes = std::map<std::pair<int, int>, std::map<std::string, std::string>>;

/// The value of a name after a cell of Python's run.
struct CarriedValue {
  Type type{};                        ///< as far as it can be carried
  std::string why{};                  ///< why it cannot, such as `a Linear`; empty if it can
  std::vector<std::string> shares{};  ///< names that share its memory, list or dict, as `counter.items`
  std::vector<std::string> same{};    ///< those that hold the same list or dict
  std::vector<std::string> parts{};   ///< those whose list or dict shares a nested list or dict with it
  std::string shape{};                ///< becomes a comment: `(4, 8)`
  bool gradient = false;              ///< a tensor that requires a gradient
  bool is_new = false;                ///< a module or optimizer that the cell made
};

/// A type in Python's run; nullopt if C++ has none. A list, a set, a deque or a Counter has the types of all
/// its items, a dict has two lists of those of its keys and values, and a function or an object of the
/// notebook has the key of its definition as its name.
using SeenType = std::optional<Type>;

/// The types that names had in Python's run, in the order in which they were seen.
using SeenTypes = std::map<std::string, std::vector<SeenType>>;

/// A function that Python called.
struct CalledFunction {
  static constexpr const char* result = "return";  ///< which can be no name of a parameter

  SeenTypes types{};       ///< of its parameters and its result, in all calls
  SeenTypes locals{};      ///< likewise, when it had its result
  SeenTypes attributes{};  ///< of a method's object, when it had its result
  std::string large{};     ///< the local that held an int of more than 64 bits, or `its result`
};

/// Observations of Python's run about the definitions and blocks of a cell. Places are lines and columns in
/// the cell.
struct Observed {
  std::map<std::pair<int, int>, CalledFunction> functions{};  ///< those that were called
  /// Returns the calls of a function by its definition; nullptr if there was none.
  const CalledFunction* calls_of(const Node& definition) const {
    const auto found = functions.find({definition.line(), definition.column()});
    return found == functions.end() ? nullptr : &found->second;
  }
  std::set<std::pair<int, int>> blocks{};  ///< the first statements of those that ran
  /// The types that a name was assigned, by its place, and those of the lists and dicts that an expression
  /// made, in the order in which they were seen.
  std::map<std::pair<int, int>, std::vector<SeenType>> values{};
  /// Keys of classes of the notebook whose objects were in one list.
  std::vector<std::set<std::string>> met{};
};

/// A cell to be translated.
struct PythonCell {
  const nlohmann::json* tree =
      nullptr;               ///< from translate/tree.py; nullptr if the cell is not to be translated
  std::string why{};         ///< why it is not to be translated, if it is not
  int raised_line = 0;       ///< of a cell that raised: the lines above are translated although `why` is set
  bool raises = false;       ///< whether LibTorch throws there, too
  std::string error{};       ///< what Python says there, in one line
  Shapes shapes{};           ///< become comments; empty if it was not run
  bool is_recorded = false;  ///< its Python ended, so the members below are known
  std::map<std::string, CarriedValue> carried{};  ///< the values that changed in it, if values can be carried
  Names changed{};     ///< the names whose values it changed, and settings as proof.py names them
  Names unrecorded{};  ///< the names whose values the record lacks
  std::string default_dtype = "torch.float32";  ///< that at its end
  int numpy = 1;                                ///< the release of NumPy that the notebook has: 1 or 2
  bool draws = false;                           ///< it changed the state of torch's generator
  bool writes_files = false;                    ///< it wrote, moved or removed files
  bool keeps_nothing = false;                   ///< statements kept or values carried of it were wrong
  Observed observed{};  ///< of its definitions and blocks, up to the end of the notebook
};

/// A reason why a cell is not translated.
struct Refusal {
  int line = 0;             ///< in the cell; 0 if it is the cell as a whole
  std::string why{};        ///< the end of a sentence
  std::size_t of_cell = 0;  ///< the position of the cell that causes it; 0 if none does
};

/// A cell in C++.
struct CellPort {
  std::vector<std::string> lines{};  ///< with their indent and without newlines
  std::vector<std::string>
      proved{};       ///< those of the proving program, with reports of the names' values at the end
  std::string why{};  ///< why there are none; empty if the cell is ported
  std::vector<Refusal> refusals{};  ///< all reasons, one a statement; the first is `why`
  std::map<std::string, std::size_t>
      carried{};                   ///< names whose values are carried, and the cell that they are of
  std::size_t generator = 0;       ///< the cell whose state of the generator is carried; 0 if none is
  std::size_t pictures = 0;        ///< the number of statements left out because they only draw pictures
  std::set<std::string> limits{};  ///< what C++ does otherwise than Python: `C++ counts the bytes of a str`
  bool shows_release = false;  ///< it shows `torch.__version__`, which differs between builds of one release
};

/// A port in C++.
struct Port {
  std::vector<CellPort> cells{};
  /// The lines above the function: `#include <tuple>`, `using torch::Tensor;`.
  std::set<std::string> needs{};
};

/// Returns the type of an object of a class of a library by the path of the class, such as
/// `torch.optim.adam.Adam`; nullopt for classes other than optimizers, layers and a state_dict. `items` has
/// the types of the modules in an nn.Sequential or nn.ModuleList.
std::optional<Type> library_type(std::string_view path, const std::vector<Type>& items);

/// Translates all cells of a notebook, which share their names. Throws NotPorted if a tree is not
/// one of Python's. Calls `begins` with the position of each cell before it translates that.
Port translate(
    const std::vector<PythonCell>& cells,
    const std::function<void(std::size_t)>& begins = [](std::size_t) {});

}  // namespace torchbook::translate
