// Stands in for jobs/file_on_disk.cpp in a browser.
#include <emscripten.h>

#include "app/jobs/brought_file.h"

namespace tilewalk {

bool is_brought(const std::string& path) {
  return EM_ASM_INT({ return Module.host.brings(UTF8ToString($0)); }, path.c_str()) != 0;
}

}  // namespace tilewalk
