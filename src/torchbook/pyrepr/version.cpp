// Returns the versions that the library was compiled with. A program may be compiled against
// others, so the headers cannot define them.
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/torch_containers.h>
#include <torchbook/pyrepr/version.h>

#include <string>

namespace torchbook::pyrepr::inline v1 {

std::string_view version() { return TORCHBOOK_PYREPR_VERSION; }

std::string_view pytorch_release() {
  static const std::string release =
      std::to_string(TORCH_VERSION_MAJOR) + "." + std::to_string(TORCH_VERSION_MINOR);
  return release;
}

bool detail::ordered_dicts_show_a_dict() { return release::ordered_dicts_show_a_dict; }

}  // namespace torchbook::pyrepr::inline v1
