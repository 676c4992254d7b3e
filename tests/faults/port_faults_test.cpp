// Tests that faults planted in ports are found, with the right verdict.
#include <faults/faulty_port.h>
#include <gtest/gtest.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/golden/golden.h>
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

/// Returns how many cells have this verdict.
std::ptrdiff_t cells_with(const golden::JudgedTranscript& judged, golden::Verdict verdict) {
  return std::count_if(judged.judgements.begin(), judged.judgements.end(),
                       [&](const auto& one) { return one.second.verdict == verdict; });
}

/// Runs a copy with the planted fault, and judges it by the original's table, golden and recording.
golden::JudgedTranscript judged_copy(const FaultyPort& port) {
  notebook::PortedNotebook copy = original(port.slug);
  copy.define = port.define;
  return cli::judged_by(cli::built_in_golden(copy, notebook::fingerprint()), copy, notebook::run(copy));
}

TEST(PlantedFaults, InPortsAreAllCaught) {
  std::size_t caught = 0;
  const auto ports = test::faulty_ports();
  for (test::planted_fault = 0; test::planted_fault < ports.size(); ++test::planted_fault) {
    const auto& port = ports[test::planted_fault];
    SCOPED_TRACE(port.slug + ": " + port.fault);
    const auto judged = judged_copy(port);
    const bool layout_only = port.fault.starts_with("an extra blank line");
    const bool no_text_differs = port.fault.starts_with("a millionth more");
    const auto as_printed = cells_with(judged, golden::Verdict::equal_as_printed);
    const auto wrong =
        cells_with(judged, golden::Verdict::different) + cells_with(judged, golden::Verdict::threw);
    if (layout_only || no_text_differs) {
      EXPECT_GT(as_printed, 0);
    }
    EXPECT_EQ(wrong > 0, !layout_only && !no_text_differs) << wrong;
    if (as_printed + wrong > 0) ++caught;
  }
  std::cout << "planted in ports: " << ports.size() << " faults, " << caught << " caught\n";
  EXPECT_GE(ports.size(), 30U);
  EXPECT_EQ(caught, ports.size());
}

TEST(PlantedFaults, WithoutOneTheSameCopiesAreEqual) {
  const auto ports = test::faulty_ports();
  test::planted_fault = ports.size();
  for (const auto& port : ports) {
    const auto judged = judged_copy(port);
    const auto equal = cells_with(judged, golden::Verdict::equal);
    const auto without_output = cells_with(judged, golden::Verdict::no_output);
    EXPECT_EQ(static_cast<std::size_t>(equal + without_output),
              golden::parse_golden(original(port.slug).golden).cells.size())
        << port.slug;
  }
}

}  // namespace
}  // namespace torchbook::test
