#include "app/window/picture_export.h"

#include <utility>

#include "render/gl.h"
#include "session/document/playback.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostSteps = 120;  // frames by step; a longer Q tile is filmed by tile visits
constexpr std::int64_t kMostFramesOfPost = 400;
constexpr int kSettling = 4;  // frames until scroll positions and sizes are stable
constexpr std::int64_t kVisitsAtOnce = 64;

// Dear ImGui has one current context; sets this one until the end of the block.
class WithContext {
 public:
  explicit WithContext(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  ~WithContext() { ImGui::SetCurrentContext(before_); }
  WithContext(const WithContext&) = delete;
  WithContext& operator=(const WithContext&) = delete;

 private:
  ImGuiContext* before_;
};

std::vector<FilmFrame> frames_of_q_tile(const Schedule& schedule, std::int64_t cursor, bool stills) {
  AnimationRequest request;
  if (stills) request.rate = 0;
  request.from = previous_stop(schedule, StepUnit::QTile, cursor);
  request.to = next_stop(schedule, StepUnit::QTile, std::max<std::int64_t>(0, cursor - 1));
  if (request.to - request.from >= std::int64_t(kMostSteps)) request.every = StepUnit::Tile;
  std::vector<FilmFrame> frames = frames_of(schedule, request);
  if (std::int64_t(frames.size()) <= kMostFrames) return frames;
  request.rate = 0;
  return frames_of(schedule, request);
}

// The whole walk by tile visits where that is short, else the Q tile.
std::vector<FilmFrame> frames_of_post(const Schedule& schedule, std::int64_t cursor, bool stills) {
  AnimationRequest request;
  request.to = schedule.step_count();
  request.every = StepUnit::Tile;
  for (const int rate : {stills ? 0 : kFilmRate, 0}) {
    if (schedule.visit_counts().visited() > kMostFramesOfPost) break;
    request.rate = rate;
    if (std::vector<FilmFrame> frames = frames_of(schedule, request); std::int64_t(frames.size()) <= kMostFramesOfPost)
      return frames;
  }
  return frames_of_q_tile(schedule, cursor, stills);
}

std::vector<FilmFrame> frames_for(const Session& session, const Exports& wanted) {
  const bool zoom = session.shows_endless_zoom(), stills = names_pictures(wanted.path);
  FilmFrame now{session.cursor(), 1};
  if (zoom) now.zoom = session.endless_zoom().t();
  if (wanted.kind == ExportKind::Picture) return {now};
  AnimationRequest of_zoom;
  of_zoom.from = session.cursor();
  if (stills) of_zoom.rate = 0;
  if (zoom) return frames_of_zoom(session.endless_zoom().squares(), of_zoom);
  return wanted.square ? frames_of_post(session.schedule(), session.cursor(), stills)
                       : frames_of_q_tile(session.schedule(), session.cursor(), stills);
}

Result<Done> write_picture(const Picture& picture, const std::string& path) {
  const std::vector<std::byte> png = png_bytes(picture);
  if (png.empty()) return Issue{"", path, "is a picture that libpng could not pack", "Make the window smaller"};
  return write_file({.field = "", .path = path, .endings = {".png"}}, png);
}

}  // namespace

Result<Done> write_view(const FramePainter& painter, const std::string& path) {
  glFinish();
  const Framebuffer& shown = painter.picture();
  return write_picture({shown.width(), shown.height(), shown.read_rgb()}, path);
}

Result<std::unique_ptr<FilmExport>> FilmExport::begin(const Screen& of, int width, int height, const Exports& wanted) {
  if (wanted.square) width = height = kSquareSide;
  const bool film = wanted.kind == ExportKind::Film;
  std::unique_ptr<FilmExport> self(new FilmExport(width, height, film ? std::string() : wanted.path));
  const Session& session = of.session();
  self->frames_ = frames_for(session, wanted);
  if (film) {
    auto opened = Film::open({.field = "", .path = wanted.path, .frames = std::int64_t(self->frames_.size())});
    if (!opened) return opened.issues();
    self->film_ = std::move(*opened);
  }
  const WithContext none(nullptr);
  auto screen = Screen::create(session.opening(), 0, session.settings());
  self->context_ = ImGui::GetCurrentContext();
  if (!screen) return screen.issues();
  self->screen_ = std::move(*screen);
  if (wanted.square)
    self->screen_->arrange_as_post();
  else
    self->screen_->scale_pixels(of.pixel_ratio());
  Session& own = self->screen_->session();
  own.dispatch(ReportCheck{session.check(), own.problem_revision()});
  if (const auto& accuracy = session.checks().accuracy())
    own.dispatch(ReportAccuracy{*accuracy, own.problem_revision(), false});
  self->turn_to(self->frames_.front());
  return self;
}

FilmExport::~FilmExport() {
  const WithContext own(context_);
  screen_.reset();
}

// Precondition: this screen's context is the current one.
void FilmExport::turn_to(const FilmFrame& frame) {
  Session& session = screen_->session();
  if (session.cursor() != frame.cursor) session.dispatch(GoToStep{frame.cursor});
  if (frame.zoom)
    session.dispatch(HoldZoom{*frame.zoom});
  else if (frame.t < 1 || session.walk().motion().is_held())
    held_ = frame.t;
}

Result<bool> FilmExport::work() {
  const WithContext own(context_);
  Session& session = screen_->session();
  if (session.busy()) {
    session.dispatch(Work{kVisitsAtOnce});
    return false;
  }
  if (held_) session.dispatch(HoldMotion{*std::exchange(held_, std::nullopt)});
  if (session.busy()) return false;
  ImGui::GetIO().MousePos = ImVec2(-1e6f, -1e6f);
  for (int i = 0; i < kSettling; ++i) screen_->frame(width_, height_, 0);
  glFinish();
  const Picture picture{width_, height_, screen_->painter().picture().read_rgb()};
  if (!film_) {
    if (const Result<Done> written = write_picture(picture, picture_); !written) return written.issues();
    return true;
  }
  if (const Result<Done> added = film_->add(picture, frames_[drawn_].milliseconds); !added) return added.issues();
  if (++drawn_ < frames_.size()) {
    turn_to(frames_[drawn_]);
    return false;
  }
  if (const Result<Done> done = film_->finish(); !done) return done.issues();
  return true;
}

void PictureExports::report(Screen& screen, const ExportNews& news) {
  if (!news.running) film_.reset(), frames_until_view_ = 0;
  screen.session().dispatch(ReportExport{news});
}

void PictureExports::begin(Screen& screen, int width, int height) {
  const Exports& wanted = screen.session().exporting();
  if (export_row(wanted.kind).needs == ExportNeeds::View && !wanted.square) return void(frames_until_view_ = kSettling);
  auto film = FilmExport::begin(screen, width, height, wanted);
  if (film)
    film_ = std::move(*film);
  else
    report(screen, export_failed(film.issues()));
}

bool PictureExports::work(Screen& screen, int width, int height) {
  const Exports& wanted = screen.session().exporting();
  const bool starts = serials_.starts(wanted), stops = serials_.stops(wanted);
  if (starts && needs_a_picture(wanted.kind)) begin(screen, width, height);
  if (stops && busy()) report(screen, {.running = false, .fraction = 0, .stopped = true, .failure = ""});
  if (!film_) return starts || stops;
  const Result<bool> whole = film_->work();
  if (!whole)
    report(screen, export_failed(whole.issues()));
  else
    report(screen, {.running = !*whole, .fraction = film_->fraction(), .stopped = false, .failure = ""});
  return true;
}

void PictureExports::drop_film(Screen& screen) {
  if (film_)
    report(screen, export_failed({Issue{"", screen.session().exporting().path,
                                        "lost the graphics that it was drawn with", "Export it again"}}));
}

bool PictureExports::after_frame(Screen& screen) {
  if (frames_until_view_ == 0 || --frames_until_view_ > 0) return false;
  const Result<Done> written = write_view(screen.painter(), screen.session().exporting().path);
  report(screen, written ? ExportNews{.running = false, .fraction = 1, .stopped = false, .failure = ""}
                         : export_failed(written.issues()));
  return true;
}

}  // namespace tilewalk
