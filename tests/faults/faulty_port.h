// Copies of ports in which a fault is planted.
#pragma once

#include <string>
#include <vector>

namespace torchbook {
class Notebook;
}

namespace torchbook::test {

/// A port with one fault.
struct FaultyPort {
  std::string fault;          ///< what is wrong, and in which line
  std::string slug;           ///< the notebook it is a copy of
  void (*define)(Notebook&);  ///< the faulty notebook
};

/// Every faulty port; made by make_faulty_ports.py.
std::vector<FaultyPort> faulty_ports();

}  // namespace torchbook::test
