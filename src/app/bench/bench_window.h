// The part of `bench` that needs the window's libraries: "frame" and "start" as JSON, and as text. Without the window
// in the build, returns an Issue.
#pragma once

#include <string>

#include "app/cli/output.h"

namespace tilewalk {

struct WindowBench {
  Json json = Json::object();
  std::string text;
};

Result<WindowBench> bench_window(bool frame, bool start);

}  // namespace tilewalk
