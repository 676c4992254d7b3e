// A stub.
#include <torchbook/notebook/fingerprint.h>

namespace torchbook {

Fingerprint fingerprint() { return {}; }

}  // namespace torchbook
