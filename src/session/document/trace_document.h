// The document of a trace of a person's kernel (lab/judge/visit_trace): its problem and its inputs, at the first visit
// that is wrong, and the judge's verdict in words. A long trace is not judged here, so that no frame waits for it.
#pragma once

#include "files/safetensors.h"
#include "session/document/session_file.h"

namespace tilewalk {

bool is_visit_trace(const SafetensorsReader&);
Result<WalkedDocument> document_of_trace(const SafetensorsReader&, const std::string& path);

}  // namespace tilewalk
