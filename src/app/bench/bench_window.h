// The part of `bench` that needs the window's libraries: "frame" and "start" as JSON, and as lines for a person.
// Where the window was not built, an Issue says so.
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
