// The report for CI servers: JUnit's XML.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>

#include <span>
#include <string>

namespace torchbook::report {

/// A test suite a notebook, a test case a cell (`@11 In [49]` of the class `torchbook.<slug>`): a failure
/// if it does not pass, an error if it or its twin threw, skipped if it did not run. What threw and is no
/// selected cell is a case too, and so is a notebook that could not be judged. The fingerprint is in the
/// properties. XML 1.0 in UTF-8 whatever the cells printed: bytes and characters that it cannot hold are
/// shown as `\x1b`.
std::string junit_report(std::span<const golden::JudgedTranscript> judged, golden::Accept accept,
                         const notebook::Fingerprint& fingerprint);

}  // namespace torchbook::report
