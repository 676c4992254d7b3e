// Ports with a fault planted are seen for what they are.
#include <faults/faulty_port.h>
#include <gtest/gtest.h>
#include <support/process.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/ported_notebook.h>

#include <algorithm>
#include <iostream>
#include <string>

namespace torchbook::test {
namespace {

const notebook::PortedNotebook& original(const std::string& slug) {
  const auto notebooks = notebook::linked_notebooks();
  return *std::find_if(notebooks.begin(), notebooks.end(), [&](const auto& one) { return one.slug == slug; });
}

/// How many cells have this verdict.
std::ptrdiff_t cells_with(const golden::JudgedTranscript& judged, golden::Verdict verdict) {
  return std::count_if(judged.judgements.begin(), judged.judgements.end(),
                       [&](const auto& one) { return one.second.verdict == verdict; });
}

TEST(PlantedFaults, InPortsAreAllCaught) {
  const std::string source = test::read_file(TORCHBOOK_FAULTY_PORTS);
  std::size_t caught = 0;
  const auto ports = test::faulty_ports();
  for (test::planted_fault = 0; test::planted_fault < ports.size(); ++test::planted_fault) {
    const auto& port = ports[test::planted_fault];
    SCOPED_TRACE(port.slug + ": " + port.fault);
    notebook::PortedNotebook notebook = original(port.slug);
    notebook.define = port.define;
    notebook.source = source;
    const auto judged = golden::judge(notebook::run(notebook), golden::parse_golden(notebook.golden));
    const bool layout_only = port.fault.starts_with("an extra blank line");
    EXPECT_EQ(cells_with(judged, golden::Verdict::equal_as_printed), layout_only ? 1 : 0);
    if (layout_only) {
      EXPECT_EQ(cells_with(judged, golden::Verdict::different), 0);
    } else {
      EXPECT_GT(cells_with(judged, golden::Verdict::different), 0);
    }
    caught += cells_with(judged, golden::Verdict::different) +
                          cells_with(judged, golden::Verdict::equal_as_printed) >
                      0
                  ? 1
                  : 0;
  }
  std::cout << "planted in ports: " << ports.size() << " faults, " << caught << " caught\n";
  EXPECT_GE(ports.size(), 30U);
  EXPECT_EQ(caught, ports.size());
}

TEST(PlantedFaults, WithoutOneTheSameJudgeFindsNothing) {
  for (const auto& notebook : notebook::linked_notebooks()) {
    const auto judged = golden::judge(notebook::run(notebook), golden::parse_golden(notebook.golden));
    EXPECT_EQ(cells_with(judged, golden::Verdict::different) +
                  cells_with(judged, golden::Verdict::equal_as_printed),
              0)
        << notebook.slug;
  }
}

}  // namespace
}  // namespace torchbook::test
