// A trace stored as a safetensors file, so that anyone can open it in Python. Metadata, all text: format, version,
// about, problem (trace/problem_json), detail, visits, inputs_digest, ran_on, gpu, driver, cuda, date, kernel_file,
// kernel_digest. Tensors: m, l, alpha [visits, br], s, p [visits, br, bc], o [visits, br, d], out, lse; or hashes
// [visits] and out_hashes. A file that is damaged, foreign, of another version, or whose shapes disagree with its
// problem gives Issues. check_trace reports whether the kernel has changed since.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "files/output_file.h"
#include "files/safetensors.h"
#include "trace/trace.h"

namespace tilewalk {

SafetensorsFile recording_file(const Trace&);
Result<Trace> recording_from(const SafetensorsReader&, const std::string& name);

Result<Trace> load_recording(const std::string& path);
Result<Done> save_recording(const Trace&, const std::string& path);
Result<Done> save_recording(const Trace&, OutputFile&);

// The name of this problem's recording in assets/recordings: readable, and different for problems with different values
// (see same_values).
std::string recording_name(const Problem&, TraceDetail);

// The recording of this problem in a folder, by its name: with state if there is one, else with hashes; empty if
// neither.
std::string find_recording(const std::string& folder, const Problem&);

// Paths of all recordings in a folder, sorted; empty if there are none or no folder.
std::vector<std::string> recording_paths(const std::string& folder);

}  // namespace tilewalk
