// Records where the text of a container may be broken.
#include <torchbook/pyrepr/composition.h>

namespace torchbook::pyrepr::inline v1::detail {

void Composition::open(std::string_view bracket) {
  begin_group();
  text(bracket);
  begin_group(bracket.size());
  parts_.push_back(0);
}

bool Composition::next() {
  constexpr std::size_t most_shown = 1000;
  const std::size_t part = parts_.back()++;
  if (part == 0) return true;
  text(",");
  mark(Mark::breakable);
  text(" ");
  if (!for_jupyter_ || part < most_shown) return true;
  text("...");
  return false;
}

void Composition::close(std::string_view bracket) {
  parts_.pop_back();
  end_group();
  text(bracket);
  end_group();
}

void Composition::leaf(std::string_view repr) {
  if (for_jupyter_ && repr.ends_with('\n')) repr.remove_suffix(1);
  begin_group();
  text(repr);
  end_group();
}

}  // namespace torchbook::pyrepr::inline v1::detail
