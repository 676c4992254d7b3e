// Copies of ports that can be made faulty.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace torchbook::notebook {
class Notebook;
}

namespace torchbook::test {

/// A fault of a port: it is the planted one where planted_fault is its place in faulty_ports().
struct FaultyPort {
  std::string fault;                    ///< what is wrong, and in which line
  std::string slug;                     ///< the notebook it is a copy of
  void (*define)(notebook::Notebook&);  ///< the copy
};

/// The fault that a copy has when it is run.
extern std::size_t planted_fault;

/// Every fault of every port; made by make_faulty_ports.py.
std::vector<FaultyPort> faulty_ports();

}  // namespace torchbook::test
