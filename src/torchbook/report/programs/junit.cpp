// Builds the XML with pugixml, which escapes texts. Characters that XML 1.0 forbids are replaced
// first.
#include <fmt/format.h>
#include <torchbook/report/programs/junit.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

#include <pugixml.hpp>
#include <sstream>
#include <string_view>

namespace torchbook::report {
namespace {

void set(pugi::xml_node node, const char* attribute, std::string_view value) {
  node.append_attribute(attribute) = pictured(value).c_str();
}

void set(pugi::xml_node node, const char* attribute, std::size_t value) {
  node.append_attribute(attribute) = static_cast<unsigned long long>(value);
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }

  void write(pugi::xml_node node) const {
    set(node, "tests", tests);
    set(node, "failures", failures);
    set(node, "errors", errors);
    set(node, "skipped", skipped);
  }
};

/// Builds the test suite of one notebook.
class Suite {
 public:
  Suite(const golden::JudgedTranscript& judged, golden::Accept accept) : judged_(judged), accept_(accept) {}

  Counts write(pugi::xml_node suite, const notebook::Fingerprint& fingerprint) {
    set(suite, "name", judged_.transcript.slug);
    write_properties(suite.append_child("properties"), fingerprint);
    if (judged_.failure) {
      write_error(add_case(suite, "notebook"), *judged_.failure, "not-judged", *judged_.failure + '\n');
    } else {
      write_items(suite);
    }
    counts_.write(suite);
    return counts_;
  }

 private:
  void write_properties(pugi::xml_node properties, const notebook::Fingerprint& fingerprint) {
    const auto add = [&](std::string_view name, std::string_view value) {
      pugi::xml_node property = properties.append_child("property");
      set(property, "name", name);
      set(property, "value", value);
    };
    add("document", judged_.transcript.document);
    for (const auto& [field, value] : fingerprint_fields(fingerprint)) add(field, value);
    if (!judged_.golden_from.empty()) add("golden", judged_.golden_from);
    if (judged_.compared_with) add("compared_with", fingerprint_line(*judged_.compared_with));
  }

  pugi::xml_node add_case(pugi::xml_node suite, std::string_view name) {
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "classname", "torchbook." + judged_.transcript.slug);
    set(test, "name", name);
    ++counts_.tests;
    return test;
  }

  void write_items(pugi::xml_node suite) {
    const auto write_state = [&](const std::string& error) {
      write_error(add_case(suite, "restored state"), error, "threw", "  " + error + '\n');
    };
    for (const auto& error : judged_.restored_errors) {
      write_state(fmt::format("{}: {}", judged_.against, error));
    }
    for (const auto& item : judged_.transcript.items) {
      if (const auto* cell = std::get_if<notebook::Cell>(&item)) write_cell(suite, *cell);
      const auto* state = std::get_if<notebook::Restored>(&item);
      if (state != nullptr && state->error) write_state(*state->error);
    }
  }

  void write_cell(pugi::xml_node suite, const notebook::Cell& cell) {
    if (!cell.selected && !cell.error) return;
    pugi::xml_node test = add_case(suite, fmt::format("@{} In [{}]", cell.position, cell.label));
    const auto* judgement = golden::judgement_of(judged_.judgements, cell);
    const golden::Judgement known = judgement == nullptr ? golden::Judgement{} : *judgement;
    if (const auto error = error_text(cell, known, judged_.against); !error.empty()) {
      write_error(test, error, "threw", details(cell, known, judged_.against));
    } else if (judgement == nullptr) {
      ++counts_.skipped;
      set(test.append_child("skipped"), "message", "not run: something before it threw");
    } else if (golden::is_expected(*judgement)) {
      ++counts_.skipped;
      set(test.append_child("skipped"), "message", relation(*judgement, judged_.against));
    } else if (!golden::passes(*judgement, accept_)) {
      ++counts_.failures;
      write_problem(test.append_child("failure"), headline(*judgement, judged_.against),
                    golden::row_of(judgement->verdict).name, details(cell, *judgement, judged_.against));
    }
  }

  void write_error(pugi::xml_node test, std::string_view what, std::string_view type, std::string_view text) {
    ++counts_.errors;
    write_problem(test.append_child("error"), what, type, text);
  }

  /// Writes nothing for an empty text, which releases of pugixml write differently.
  static void write_text(pugi::xml_node node, std::string_view text) {
    if (!text.empty()) node.append_child(pugi::node_pcdata).set_value(pictured(text).c_str());
  }

  static void write_problem(pugi::xml_node problem, std::string_view message, std::string_view type,
                            std::string_view text) {
    set(problem, "message", message);
    set(problem, "type", type);
    write_text(problem, text);
  }

  const golden::JudgedTranscript& judged_;
  golden::Accept accept_;
  Counts counts_{};
};

}  // namespace

std::string junit_report(std::span<const golden::JudgedTranscript> judged, golden::Accept accept,
                         const notebook::Fingerprint& fingerprint) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "torchbook");
  Counts counts;
  for (const auto& one : judged) {
    counts.add(Suite(one, accept).write(suites.append_child("testsuite"), fingerprint));
  }
  counts.write(suites);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace torchbook::report
