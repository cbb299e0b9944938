// Replaces window/why_not_kept.cpp in a browser.
#include <emscripten.h>

#include "app/web/page_text.h"
#include "app/window/kept_files.h"

namespace tilewalk {

std::string why_not_kept(const Issues& issues) {
  const std::string why = page_text(EM_ASM_INT({ return Module.host.hand_over(Module.host.why_not_kept()); }));
  return why.empty() ? in_one_line(issues) : why;
}

}  // namespace tilewalk
