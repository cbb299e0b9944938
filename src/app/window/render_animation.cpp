#include "app/window/render_animation.h"

#include <fmt/format.h>

#include "app/streams.h"

namespace tilewalk {
namespace {

constexpr std::size_t kOtherFiles = 64;  // files that are open besides the film's

// Of the tour that a person's Watch begins: its pictures, counted without drawing one.
std::int64_t frames_of_tour(Session& session, int rate) {
  session.dispatch(Action::Watch);
  std::int64_t count = 0;
  for (; session.tour().runs() && count <= kMostFrames; ++count) {
    session.dispatch(Tick{double(count) / rate});
    while (session.busy()) session.dispatch(Work{64});
  }
  return count - 1;  // at the last the tour has ended
}

Result<std::int64_t> render_tour(OffscreenWindow& window, const AnimationRequest& request, const std::string& path,
                                 const std::function<bool(double)>& go_on) {
  const std::int64_t frames = frames_of_tour(window.session(), request.rate), most = most_frames(path);
  if (frames > most)
    return Issue{"animate", "watch", fmt::format("would be more than {} frames", most), "Give a lower --fps"};
  if (names_pictures(path)) allow_open_files(2 * std::size_t(frames) + kOtherFiles);
  auto film = Film::open({.field = "out", .path = path, .frames = frames});
  if (!film) return film.issues();
  const double begin = double(frames + request.rate) / request.rate;  // time never runs backwards
  window.session().dispatch(Action::Watch);
  for (std::int64_t i = 0; i < frames; ++i) {
    if (!go_on(double(i) / double(frames))) return std::int64_t(0);
    const Result<Picture> picture = window.picture_at(begin + double(i) / request.rate);
    if (!picture) return picture.issues();
    if (const Result<Done> added = (*film)->add(*picture, 1000 / request.rate); !added) return added.issues();
  }
  if (const Result<Done> done = (*film)->finish(); !done) return done.issues();
  return frames;
}

}  // namespace

Result<std::int64_t> render_animation(Opening opening, const RenderOptions& options, const AnimationRequest& request,
                                      const std::string& path, const std::function<bool(double)>& go_on) {
  auto window = OffscreenWindow::open(std::move(opening), options);
  if (!window) return window.issues();
  if (request.of == FilmOf::Tour) return render_tour(**window, request, path, go_on);
  const Schedule& schedule = (*window)->session().schedule();
  const bool zoom = request.of == FilmOf::Zoom;
  if (!zoom && request.to > schedule.step_count())
    return Issue{"animate", fmt::format("{}:{}", request.from, request.to),
                 fmt::format("must lie within the walk's {} steps", schedule.step_count()), ""};
  const std::vector<FilmFrame> frames =
      zoom ? frames_of_zoom((*window)->session().endless_zoom().squares(), request) : frames_of(schedule, request);
  const std::int64_t most = most_frames(path);
  if (std::int64_t(frames.size()) > most)
    return Issue{"animate", fmt::format("{}:{}", request.from, request.to),
                 fmt::format("would be more than {} frames", most),
                 "Take a shorter walk, --every tile, or --fps 0 for stills alone"};
  if (names_pictures(path)) allow_open_files(2 * frames.size() + kOtherFiles);
  auto film = Film::open({.field = "out", .path = path, .frames = std::int64_t(frames.size())});
  if (!film) return film.issues();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!go_on(double(i) / double(frames.size()))) return std::int64_t(0);
    (*window)->go_to(frames[i]);
    const Result<Picture> picture = (*window)->picture();
    if (!picture) return picture.issues();
    if (const Result<Done> added = (*film)->add(*picture, frames[i].milliseconds); !added) return added.issues();
  }
  if (const Result<Done> done = (*film)->finish(); !done) return done.issues();
  return std::int64_t(frames.size());
}

}  // namespace tilewalk
