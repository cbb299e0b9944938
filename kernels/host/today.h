// The date for provenance: "2026-11-21", UTC.
#pragma once

#include <ctime>
#include <string>

namespace tilewalk {

inline std::string today_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16] = {};
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

}  // namespace tilewalk
