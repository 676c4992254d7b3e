// Declares copies of ports that can be made faulty.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace torchbook::notebook {
class Notebook;
}

namespace torchbook::test {

/// A fault of a port. It is planted if planted_fault is its index in faulty_ports().
struct FaultyPort {
  std::string fault;                    ///< what is wrong, and in which line
  std::string slug;                     ///< the notebook of which it is a copy
  void (*define)(notebook::Notebook&);  ///< the copy
};

/// The index of the fault that is active in the copies.
extern std::size_t planted_fault;

/// Returns every fault of every port. make_faulty_ports.py writes it.
std::vector<FaultyPort> faulty_ports();

}  // namespace torchbook::test
