// tilewalk render: the window drawn off-screen, to a picture or a film.

#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/text/then.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "app/window/render_animation.h"
#include "app/window/render_picture.h"
#include "base/parse.h"
#include "base/shown.h"
#include "files/output_file.h"

namespace tilewalk {
namespace {

constexpr int kLeastTourWidth = 1280, kLeastTourHeight = 720;

Result<RenderOptions> render_options(const CommandLine& line, const Document& document) {
  RenderOptions options;
  Issues issues;
  options.dark = document.view.dark;
  if (const auto size = line.option("size")) {
    const std::size_t x = size->find('x');
    if (x == std::string::npos || !put(parse_integer<int>(size->substr(0, x)), options.width) ||
        !put(parse_integer<int>(size->substr(x + 1)), options.height))
      issues.push_back({"size", *size, "must be WIDTHxHEIGHT in pixels", "Try 1600x900"});
  }
  if (const auto theme = line.option("theme")) {
    if (*theme == "dark" || *theme == "light")
      options.dark = *theme == "dark";
    else
      issues.push_back({"theme", *theme, "is not a theme", "dark or light"});
  }
  if (const auto scale = line.option("ui-scale"))
    if (!put(parse_real(*scale), options.ui_scale) || options.ui_scale <= 0)
      issues.push_back({"ui-scale", *scale, "must be a number above 0", "Try 1.5"});
  options.panel = line.option("panel").value_or("");
  options.panel_at_size = line.option("size").has_value();
  options.post = line.option("picture").value_or("window") == "post";
  options.race = line.option("race").value_or("");
  options.page = line.option("page").value_or("");
  options.dialog = line.option("dialog").value_or("");
  if (!issues.empty()) return issues;
  return options;
}

// From --animate FROM:TO, FROM:TO:end, zoom or watch, --every, --ms and --fps. A picture a frame has no time, so it is
// stills alone unless asked; the tour of the first minute has no stills.
Result<AnimationRequest> animation_request(const CommandLine& line, const std::string& path) {
  AnimationRequest request;
  Issues issues;
  std::string walk = *line.option("animate");
  const std::string whole = walk, end = ":end";
  request.ends = walk.ends_with(end);
  if (request.ends) walk.resize(walk.size() - end.size());
  const std::size_t colon = walk.find(':');
  if (!request.ends && walk == "zoom") request.of = FilmOf::Zoom;
  if (!request.ends && walk == "watch") request.of = FilmOf::Tour;
  const bool of_walk = request.of == FilmOf::Walk, of_tour = request.of == FilmOf::Tour;
  if (names_pictures(path) && !of_tour) request.rate = 0;
  if (of_walk && (colon == std::string::npos ||
                  !put(within<std::int64_t>(parse_integer(walk.substr(0, colon)), 0), request.from) ||
                  !put(within<std::int64_t>(parse_integer(walk.substr(colon + 1)), request.from), request.to)))
    issues.push_back(
        {"animate", whole, "must be FROM:TO, two steps of the walk, the lower first, zoom or watch", "Such as 1:28"});
  const std::string every = line.option("every").value_or("phase");
  if (every != "phase" && every != "tile") issues.push_back({"every", every, "is not a unit", "phase or tile"});
  if (!of_walk && line.option("every"))
    issues.push_back({"every", every, "belongs to a walk, not to " + walk, "Leave it out"});
  for (const char* const flag : {"ms", "panel", "picture"})
    if (of_tour && line.option(flag))
      issues.push_back(
          {flag, *line.option(flag), "does not fit watch, which films the whole window as it plays", "Leave it out"});
  request.every = every == "tile" ? StepUnit::Tile : StepUnit::Phase;
  read_whole(line, "ms", kLeastMilliseconds, kMostMilliseconds, request.milliseconds, issues);
  read_whole(line, "fps", of_tour ? 1 : 0, kMostFilmRate, request.rate, issues);
  if (line.option("step"))
    issues.push_back({"step", *line.option("step"), "cannot be combined with --animate, which has its own steps",
                      "Give one of the two"});
  if (!issues.empty()) return issues;
  return request;
}

int animate(const CommandLine& line, Opening opening, const RenderOptions& options, const std::string& path) {
  Result<AnimationRequest> request = animation_request(line, path);
  if (!request) return refuse(request.issues());
  if (request->of == FilmOf::Zoom) request->from = opening.document.cursor;
  if (request->of == FilmOf::Tour && (options.width < kLeastTourWidth || options.height < kLeastTourHeight))
    return refuse({{"size", fmt::format("{}x{}", options.width, options.height),
                    fmt::format("is too small for watch, whose labels need {}x{}", kLeastTourWidth, kLeastTourHeight),
                    "Film it larger and scale the film down"}});
  catch_interrupts();
  Progress progress("Drawing");
  const Result<std::int64_t> frames = render_animation(std::move(opening), options, *request, path,
                                                       [&](double fraction) { return progress.update(fraction); });
  if (!frames) return refuse(frames.issues());
  if (*frames == 0) return interrupted_exit();
  if (line.has("json"))
    print_json({{"file", path}, {"frames", *frames}});
  else
    say("{} ({} frame{})\n", shown(path), *frames, *frames == 1 ? "" : "s");
  return kExitOk;
}

Issues only_with_animate(const CommandLine& line) {
  Issues issues;
  for (const char* flag : {"every", "ms", "fps"})
    if (line.option(flag))
      issues.push_back({flag, *line.option(flag), "belongs to a walk", "Give --animate FROM:TO too"});
  return issues;
}

}  // namespace

int render_verb(const CommandLine& line) {
  const Result<std::vector<Command>> commands = commands_of_then(line);
  if (!commands) return refuse(commands.issues());
  Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  Document& document = opened->document;
  if (const Result<Done> put = put_at_step(*opened, line.option("step")); !put) return refuse(put.issues());
  Result<RenderOptions> options = render_options(line, document);
  if (!options) return refuse(options.issues());
  options->then = *commands;
  const std::string path = line.option("out").value_or("");
  if (path.empty()) return refuse({{"out", "", "is needed: where the picture goes", "Try --out window.png"}});
  if (line.option("animate")) return animate(line, std::move(*opened), *options, path);
  if (const Issues issues = only_with_animate(line); !issues.empty()) return refuse(issues);
  Result<OutputFile> out = OutputFile::open({.field = "out", .path = path, .endings = {".png"}});
  if (!out) return refuse(out.issues());
  const auto window = OffscreenWindow::open(std::move(*opened), *options);
  if (!window) return refuse(window.issues());
  const Result<Picture> picture = (*window)->picture();
  if (!picture) return refuse(picture.issues());
  const std::vector<std::byte> png = png_bytes(*picture);
  if (png.empty()) return refuse({{"out", path, "is a picture that libpng could not pack", "Make it smaller"}});
  if (const Result<Done> kept = keep(*out, png); !kept) return refuse(kept.issues());
  if (line.has("json"))
    print_json({{"file", path}, {"width", picture->width}, {"height", picture->height}});
  else
    say("{} ({} x {})\n", shown(path), picture->width, picture->height);
  return kExitOk;
}

}  // namespace tilewalk
