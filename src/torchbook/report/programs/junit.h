// Writes the report as JUnit XML, for CI servers.
#pragma once

#include <torchbook/golden/judge.h>
#include <torchbook/notebook/fingerprint.h>

#include <span>
#include <string>

namespace torchbook::report {

/// Returns a test suite for each notebook, with a test case for each cell: `@11 In [49]` of the
/// class `torchbook.<slug>`. A case has a failure if the cell does not pass, an error if it or its
/// twin threw, and is skipped if it did not run, or if it is as its exception says; its message is
/// the relation() then. Another case reports that something else threw or that the notebook could not be
/// judged. The properties hold the fingerprint.
///
/// The report is always valid XML 1.0 in UTF-8. Bytes and characters that XML forbids are
/// pictured().
std::string junit_report(std::span<const golden::JudgedTranscript> judged, golden::Accept accept,
                         const notebook::Fingerprint& fingerprint);

}  // namespace torchbook::report
