// PyTorch's answers for random calls on a real machine: the table that kernels/fast/scripts/draw_dispatch.py writes,
// with its provenance. A damaged or foreign file gives Issues with file and line.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dispatch/call.h"

namespace tilewalk {

struct RecordedCall {
  std::int64_t number = 0;
  Call call;
  std::string choice;                          // "FLASH_ATTENTION", or "none" where _fused_sdp_choice raised
  std::map<SdpaBackend, std::string> can_use;  // "yes", "no" or "raised"
  std::map<SdpaBackend, std::string> why;      // PyTorch's messages, beginning with their source line
  std::string ran;                             // "CUDNN_ATTENTION", "none" where it raised, empty where it did not run
  std::string error;                           // the error raised
};

struct RecordedCalls {
  std::map<std::string, std::string> provenance;
  std::vector<RecordedCall> calls;
};

// The GPU and the versions of the calls are those of the file's head.
Result<RecordedCalls> parse_recorded_calls(std::string_view text, const std::string& name);

}  // namespace tilewalk
