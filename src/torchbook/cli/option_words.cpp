// Maps the values of options to words and back.
#include <torchbook/cli/option_words.h>

namespace torchbook::cli {
namespace {

constexpr std::string_view built_in = "built-in";

}  // namespace

std::string_view option_word(Format format) {
  switch (format) {
    case Format::text:
      return "text";
    case Format::json:
      return "json";
    case Format::ipynb:
      return "ipynb";
    case Format::html:
      return "html";
    case Format::markdown:
      break;
  }
  return "markdown";
}

std::string_view option_word(report::Sources sources) {
  switch (sources) {
    case report::Sources::none:
      return "none";
    case report::Sources::cpp:
      return "cpp";
    case report::Sources::python:
      return "python";
    case report::Sources::both:
      break;
  }
  return "both";
}

std::string_view option_word(Colour colour) {
  switch (colour) {
    case Colour::automatic:
      return "auto";
    case Colour::always:
      return "always";
    case Colour::never:
      break;
  }
  return "never";
}

std::string_view option_word(golden::Accept accept) {
  return accept == golden::Accept::equal ? "equal" : "printed";
}

void set_reference(CompareOptions& options, const std::string& word) {
  options.reference = word == built_in ? Reference::built_in : Reference::folder;
  if (options.reference == Reference::folder) options.reference_folder = word;
}

std::string reference_word(const CompareOptions& options) {
  return options.reference == Reference::built_in ? std::string(built_in) : options.reference_folder;
}

}  // namespace torchbook::cli
