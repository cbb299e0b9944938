// Replaces jobs/file_on_disk.cpp in a browser.
#include <emscripten.h>

#include "app/jobs/available_file.h"
#include "app/web/page_text.h"

namespace tilewalk {

bool is_available(const std::string& path) {
  return EM_ASM_INT({ return Module.host.brings(UTF8ToString($0)); }, path.c_str()) != 0;
}

std::string why_missing(const std::string& path) {
  return page_text(
      EM_ASM_INT({ return Module.host.hand_over(Module.host.why_missing(UTF8ToString($0))); }, path.c_str()));
}

}  // namespace tilewalk
