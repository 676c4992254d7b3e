// Forwards the calls of a notebook's function to its run.
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/notebook_run.h>

#include <utility>

namespace torchbook::notebook {

void Notebook::cell(std::string_view label) { run_.cell(label); }
void Notebook::restored(std::string_view why) { run_.restored(why); }
void Notebook::note(std::string_view text) { run_.note(text); }
void Notebook::not_ported(std::string_view why) { run_.not_ported(why); }
void Notebook::carried_generator() { run_.carried_generator(); }
c10::IValue Notebook::carried_value(std::string_view name) { return run_.carried(name); }
void Notebook::reorder(const std::vector<RecordedRange>& of_f_strings) {
  run_.recorder().reorder(of_f_strings);
}
void Notebook::write(const std::string& text) { run_.write(text); }
void Notebook::set_result(std::string repr) { run_.set_result(std::move(repr)); }

}  // namespace torchbook::notebook
