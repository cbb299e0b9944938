#include "app/window/kept_files.h"

namespace tilewalk {

std::string why_not_kept(const Issues& issues) { return in_one_line(issues); }

}  // namespace tilewalk
