// Writes the report for CI servers: JUnit's XML.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/trace/fingerprint.h>

#include <span>
#include <string>

namespace torchbook::report {

/// Returns a test suite for each notebook, with a test case for each cell: `@11 In [49]` of the class
/// `torchbook.<slug>`. A case has a failure if the cell does not pass, an error if it or its twin threw,
/// and is skipped if it did not run. If something else threw, or if the notebook could not be judged, that is
/// a case too. The properties hold the fingerprint.
///
/// The report is XML 1.0 in UTF-8, whatever the cells printed. Bytes and characters that XML cannot hold are
/// shown as `\x1b`.
std::string junit_report(std::span<const golden::JudgedTranscript> judged, golden::Accept accept,
                         const trace::Fingerprint& fingerprint);

}  // namespace torchbook::report
