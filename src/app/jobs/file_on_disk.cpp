#include "app/jobs/brought_file.h"

namespace tilewalk {

bool is_brought(const std::string&) { return true; }
std::string why_missing(const std::string&) { return {}; }

}  // namespace tilewalk
