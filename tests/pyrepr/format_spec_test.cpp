// Tests which format specs are rejected, and that the message is Python's.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using test::scalar;

/// Returns the message of the fmt::format_error that a spec causes.
template <class T>
std::string refusal(const T& value, std::string_view spec) {
  try {
    return "nothing thrown but given: " + format(value, spec);
  } catch (const fmt::format_error& error) {
    return error.what();
  }
}

TEST(FormatSpec, RefusesInPythonsWords) {
  const std::int64_t n = 5;
  EXPECT_PYTHON("message_of(lambda: format(5, 's'))", refusal(n, "s"),
                "Unknown format code 's' for object of type 'int'");
  EXPECT_PYTHON("message_of(lambda: format(True, '.2f '))", refusal(true, ".2f "),
                "Invalid format specifier '.2f ' for object of type 'bool'");
  EXPECT_PYTHON("message_of(lambda: format(2**63 - 1, 'c'))",
                refusal(std::numeric_limits<std::int64_t>::max(), "c"), "%c arg not in range(0x110000)");
  EXPECT_PYTHON("message_of(lambda: format(5, '.2'))", refusal(n, ".2"),
                "Precision not allowed in integer format specifier");
  EXPECT_PYTHON("message_of(lambda: format(2.5, '.f'))", refusal(2.5, ".f"),
                "Format specifier missing precision");
  EXPECT_PYTHON("message_of(lambda: format(5, ',_'))", refusal(n, ",_"), "Cannot specify both ',' and '_'.");
  EXPECT_PYTHON("message_of(lambda: format(5, '_,'))", refusal(n, "_,"), "Cannot specify both ',' and '_'.");
  EXPECT_PYTHON("message_of(lambda: format(5, ',,'))", refusal(n, ",,"), "Cannot specify ',' with ','.");
  EXPECT_PYTHON("message_of(lambda: format(5, '__'))", refusal(n, "__"), "Cannot specify '_' with '_'.");
  EXPECT_PYTHON("message_of(lambda: format(5, ',,_'))", refusal(n, ",,_"),
                "Invalid format specifier ',,_' for object of type 'int'");
  EXPECT_PYTHON("message_of(lambda: format(5, ',x'))", refusal(n, ",x"), "Cannot specify ',' with 'x'.");
  EXPECT_PYTHON("message_of(lambda: format(torch.ones(2), '5'))", refusal(at::ones({2}), "5"),
                "unsupported format string passed to Tensor.__format__");
  EXPECT_PYTHON("message_of(lambda: format([1], 'd'))", refusal(std::vector{1}, "d"),
                "unsupported format string passed to list.__format__");
  EXPECT_PYTHON("message_of(lambda: format(torch.tensor(1j), '08'))",
                refusal(scalar(c10::complex<float>(0, 1)), "08"),
                "Zero padding is not allowed in complex format specifier");
}

TEST(FormatSpec, NamesATypeByItsCodeWhereItIsASpaceOrNotAscii) {
  const std::int64_t n = 5;
  EXPECT_PYTHON("message_of(lambda: format(5, '5 '))", refusal(n, "5 "),
                "Unknown format code '\\x20' for object of type 'int'");
  EXPECT_PYTHON(R"(message_of(lambda: format(2.5, '\u00e9')))", refusal(2.5, "\u00e9"),
                "Unknown format code '\\xe9' for object of type 'float'");
  EXPECT_PYTHON(R"(message_of(lambda: format(True, '3\u4e2d')))", refusal(true, "3\u4e2d"),
                "Unknown format code '\\x4e2d' for object of type 'bool'");
  EXPECT_PYTHON(R"(message_of(lambda: format(torch.tensor(1j), '\U0001f600')))",
                refusal(scalar(c10::complex<float>(0, 1)), "\U0001f600"),
                "Unknown format code '\\x1f600' for object of type 'complex'");
  EXPECT_PYTHON(R"(message_of(lambda: format(5, '\x1f')))", refusal(n, "\x1f"),
                "Unknown format code '\\x1f' for object of type 'int'");
  EXPECT_PYTHON(R"(message_of(lambda: format(5, '\x7f')))", refusal(n, "\x7f"),
                "Unknown format code '\x7f' for object of type 'int'");
  EXPECT_PYTHON(R"(message_of(lambda: format(5, '\x80')))", refusal(n, "\u0080"),
                "Unknown format code '\\x80' for object of type 'int'");
  EXPECT_PYTHON(R"(message_of(lambda: format(5, '!')))", refusal(n, "!"),
                "Unknown format code '!' for object of type 'int'");
  EXPECT_PYTHON("message_of(lambda: format(5, ', '))", refusal(n, ", "), "Cannot specify ',' with '\\x20'.");
  EXPECT_PYTHON(R"(message_of(lambda: format(2.5, '_\u00e9')))", refusal(2.5, "_\u00e9"),
                "Cannot specify '_' with '\\xe9'.");
  EXPECT_PYTHON(R"(message_of(lambda: format(5, '\u00e9\u00e9')))", refusal(n, "\u00e9\u00e9"),
                "Invalid format specifier '\u00e9\u00e9' for object of type 'int'");
}

TEST(FormatSpec, TakesTheCharacterZeroAsNoTypeOfAFloat) {
  const std::string_view zero("\0", 1);
  EXPECT_PYTHON(R"(format(2.5, '\0'))", format(2.5, zero), "2.5");
  EXPECT_PYTHON(R"(message_of(lambda: format(5, '\0')))", refusal(std::int64_t{5}, zero),
                "Unknown format code '\\x0' for object of type 'int'");
}

TEST(FormatSpec, TakesAMillionColumnsAndNoMore) {
  EXPECT_PYTHON("str(len(format(5, '1000000')))", std::to_string(format(std::int64_t{5}, "1000000").size()),
                "1000000");
  EXPECT_EQ(refusal(std::int64_t{5}, "1000001"), "Too many decimal digits in format string");
  EXPECT_PYTHON("message_of(lambda: format(0.5, '99999999999999999999'))",
                refusal(0.5, "99999999999999999999"), "Too many decimal digits in format string");
}

}  // namespace
}  // namespace torchbook::pyrepr
