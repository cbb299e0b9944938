#include "app/window/mirror.h"

#include <cmath>
#include <cstdlib>
#include <span>

#include "app/window/state_json.h"
#include "files/output_file.h"

namespace tilewalk {
namespace {

std::string places_of(const Rects& rects) {
  std::string lines;
  for (const auto& [place, r] : rects.all()) {
    for (const float edge : {r.x0, r.y0, r.x1, r.y1}) lines += std::to_string(std::lround(edge)) + " ";
    lines += place + "\n";
  }
  return lines;
}

void write(const std::string& path, const std::string& text) {
  [[maybe_unused]] const auto written =
      write_file({.field = "", .path = path, .to_disk = false}, std::as_bytes(std::span(text)));
}

}  // namespace

Mirror::Mirror() {
  if (const char* path = std::getenv("TILEWALK_STATE_FILE")) path_ = path;
}

void Mirror::follow(const Screen& screen, std::uint64_t frames_drawn) {
  if (path_.empty()) return;
  if (std::string places = places_of(screen.rects()); places != places_) {
    places_ = std::move(places);
    write(path_ + ".places", places_);
  }
  const Session& session = screen.session();
  if (session.revision() == written_) return;
  written_ = session.revision();
  write(path_, state_json(session, frames_drawn).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace tilewalk
