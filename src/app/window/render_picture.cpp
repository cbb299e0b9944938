#include "app/window/render_picture.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/cli/lessons.h"
#include "app/cli/named_pages.h"
#include "app/jobs/session_jobs.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "measured/recorded_race.h"
#include "render/gl.h"
#include "session/document/words.h"
#include "session/script.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {
namespace {

constexpr int kLeastSide = 320, kMostSide = 8192;
constexpr int kFittingPasses = 6, kFittedWithin = 4;  // pixels: sizes of panels are rounded

std::optional<Dialog> dialog_named(const std::string& name) {
  for (std::size_t i = 1; i < std::size(kDialogWords); ++i)
    if (name == kDialogWords[i]) return Dialog(i);
  return std::nullopt;
}

std::string page_names() {
  return "Try one of " + listed(named_pages(), ", ", [](const NamedPage& page) { return page.name; });
}

const NamedPage* page_named(const std::string& name) {
  const std::vector<NamedPage>& pages = named_pages();
  const auto at = std::find_if(pages.begin(), pages.end(), [&](const NamedPage& page) { return name == page.name; });
  return at == pages.end() ? nullptr : &*at;
}

// The comparison is opened as a person opens it, with the named filling. A session that is saved there stays as it is.
void open_comparison(Session& session, const NamedPage& to) {
  const Filling filling = to.filling.value_or(session.compare().filling_at_first());
  for (const Command& command : session.opening_comparison(filling)) session.dispatch(command);
}

Issue not_a_panel(const std::string& name, Page page) {
  const char* rule = find_panel(name) ? "is not a panel of this page" : "is not a panel";
  return {"panel", name, rule, "Try one of " + panel_names(page)};
}

std::vector<std::uint8_t> cut(const std::vector<std::uint8_t>& rgb, int width, int x0, int y0, int w, int h) {
  std::vector<std::uint8_t> out;
  out.reserve(std::size_t(w) * std::size_t(h) * 3);
  for (int y = y0; y < y0 + h; ++y) {
    const auto row = rgb.begin() + (std::ptrdiff_t(y) * width + x0) * 3;
    out.insert(out.end(), row, row + std::ptrdiff_t(w) * 3);
  }
  return out;
}

}  // namespace

OffscreenWindow::~OffscreenWindow() = default;
Session& OffscreenWindow::session() { return screen_->session(); }

Result<std::unique_ptr<OffscreenWindow>> OffscreenWindow::open(Opening opening, const RenderOptions& options) {
  Issues issues;
  for (const auto& [field, value] : {std::pair{"width", options.width}, std::pair{"height", options.height}})
    if (value < kLeastSide || value > kMostSide)
      issues.push_back(
          {std::string("size, ") + field, std::to_string(value), "must be from 320 to 8192 pixels", "Try 1600x900"});
  if (!(options.ui_scale == 0 || (options.ui_scale >= 0.5 && options.ui_scale <= 8)))
    issues.push_back(
        {"ui-scale", format_number(options.ui_scale), "must be from 0.5 to 8", "Leave it out to follow the size"});
  const PanelRow* panel = find_panel(options.panel);
  if (!options.panel.empty() && !panel) issues.push_back(not_a_panel(options.panel, opening.document.view.page));
  const std::optional<Dialog> dialog = dialog_named(options.dialog);
  if (!options.dialog.empty() && !dialog) {
    const std::vector<std::string> known(std::begin(kDialogWords) + 1, std::end(kDialogWords));
    const std::string other = nearest(options.dialog, known);
    issues.push_back({"dialog", options.dialog, "is not a dialog",
                      other.empty() ? "Try problem, presets or keys" : "The nearest is " + other});
  }
  const NamedPage* page = page_named(options.page);
  if (!options.page.empty() && !page) issues.push_back({"page", options.page, "is not a page", page_names()});
  std::optional<Race> race;
  if (!options.race.empty()) put(load_recorded_race(options.race), race, issues);
  if (!issues.empty()) return issues;

  std::unique_ptr<OffscreenWindow> self(new OffscreenWindow(options));
  auto context = OffscreenContext::create();
  if (!context) return context.issues();
  self->context_ = std::move(*context);
  opening.document.view.dark = options.dark;
  ViewSettings& view = opening.document.view;
  const bool opens_compare = page && page->page == Page::Compare && !page->chip && view.page != Page::Compare;
  if (page && !opens_compare) view.page = page->page;  // else the session's page
  if (page && !opens_compare) view.filling = page->filling.value_or(view.filling);
  KnownLessons known;
  known.load = [] { return open_lessons({}); };
  auto created = Screen::create(std::move(opening), float(options.ui_scale), {}, std::move(known));
  if (!created) return created.issues();
  self->screen_ = std::move(*created);
  if (options.post) self->screen_->arrange_as_post();
  if (panel) self->screen_->keep_panels_beside();
  Screen& screen = *self->screen_;
  Session& session = screen.session();
  const auto finish_work = [&] {
    while (session.busy()) session.dispatch(Work{64});
  };
  finish_work();
  if (opens_compare) open_comparison(session, *page);
  finish_work();  // the recorded times of the calls that are compared are read after the page has opened
  if (page && page->chip)
    if (const Result<Done> done = carry_out(session, {Action::PinChip}); !done) return done.issues();
  // A mistake that a command takes back heals only if its marks have been seen.
  if (session.problem().fault != Fault::None) self->draw(options.width, options.height);
  if (const Result<Done> done = carry_out(session, options.then); !done) return done.issues();
  finish_work();
  if (session.walk().motion().moves())
    session.dispatch(GoToStep{session.cursor()});  // off-screen no time passes: ends a motion that is not held
  if (const ProfileReading& profile = session.which().profile(); profile.news.running)
    session.dispatch(ReportProfile{profile_task().answer({profile.news.path})});
  const CheckRequest check = check_request(session, CheckAgainst::Recording, screen.resource_root());
  session.dispatch(ReportCheck{check_task().answer(check), session.problem_revision()});
  if (race) session.dispatch(ShowPage{Page::Race});
  if (race) {
    const ContenderRow* const first = contender_named(race->rows.front().rung);
    const RaceSource source = first && first->by == RunBy::Processor ? RaceSource::Cpu : RaceSource::Gpu;
    RaceNews news;
    news.source = source;
    news.race = std::make_shared<const Race>(std::move(*race));
    session.dispatch(ReportRace{std::move(news)});
    session.dispatch(ChooseRace{.source = source});
  }
  while (const auto wanted = wanted_accuracy(session))
    session.dispatch(wanted->command(accuracy_task().answer(wanted->request)));
  if (dialog) session.dispatch(OpenDialog{*dialog});
  return self;
}

void OffscreenWindow::go_to(std::int64_t cursor, double t) {
  if (session().cursor() != cursor) session().dispatch(GoToStep{cursor});
  while (session().busy()) session().dispatch(Work{64});
  if (t < 1 || session().walk().motion().is_held()) session().dispatch(HoldMotion{t});
}

void OffscreenWindow::go_to(const FilmFrame& frame) {
  go_to(frame.cursor, frame.t);
  screen_->set_film_title(frame.title);
  if (frame.zoom) session().dispatch(HoldZoom{*frame.zoom});
}

void OffscreenWindow::draw(int width, int height) {
  ImGui::GetIO().MousePos = ImVec2(-1e6f, -1e6f);
  // Scroll positions and sizes are stable after a few frames.
  for (int i = 0; i < 4; ++i) screen_->frame(width, height, 0);
  glFinish();
}

// The window in which the panel has the wanted size. A side that does not grow with the window, such as the height of
// the header, stays as it is.
std::pair<int, int> OffscreenWindow::window_around(const PanelRow& panel) {
  struct Side {
    double window, wanted;
    std::optional<double> before = {};
    bool grows = true;
    void fit(double has) {
      if (before && std::fabs(has - *before) < 1 && std::fabs(has - wanted) > kFittedWithin) grows = false;
      before = has;
      window = grows ? std::clamp(std::round(window * wanted / has), double(kLeastSide), double(kMostSide)) : wanted;
    }
  };
  Side width{double(options_.width), double(options_.width)}, height{double(options_.height), double(options_.height)};
  for (int i = 0; i < kFittingPasses; ++i) {
    screen_->frame(int(width.window), int(height.window), 0);
    const draw::Rect r = panel.place(screen_->layout());
    if (r.width() < 1 || r.height() < 1) break;
    width.fit(r.width());
    height.fit(r.height());
  }
  return {int(width.window), int(height.window)};
}

Result<Picture> OffscreenWindow::picture_at(double now) {
  ImGui::GetIO().MousePos = ImVec2(-1e6f, -1e6f);
  screen_->let_things_move();
  screen_->frame(options_.width, options_.height, now);
  while (session().busy()) session().dispatch(Work{64});
  glFinish();
  return Picture{options_.width, options_.height, screen_->painter().picture().read_rgb()};
}

Result<Picture> OffscreenWindow::picture() {
  const PanelRow* const panel = find_panel(options_.panel);
  const auto missing = [&] { return panel && !is_on(*panel, session().page(), screen_->views()); };
  auto [width, height] = around_.value_or(std::pair(options_.width, options_.height));
  draw(width, height);
  if (missing() && session().shows_last_card()) {
    session().dispatch(Action::CloseLastCard);  // it covers the panel that was asked for
    draw(width, height);
  }
  if (missing()) return not_a_panel(options_.panel, session().page());
  if (panel && options_.panel_at_size && !around_) {
    around_ = window_around(*panel);
    std::tie(width, height) = *around_;
    draw(width, height);
  }
  Picture drawn{width, height, screen_->painter().picture().read_rgb()};
  if (!panel) return drawn;
  const draw::Rect r = panel->place(screen_->layout());
  const int x0 = std::clamp(int(r.x0), 0, width - 1), y0 = std::clamp(int(r.y0), 0, height - 1);
  const auto side = [&](float has, int wanted) {
    const int found = int(std::ceil(has));
    return options_.panel_at_size && std::abs(found - wanted) <= kFittedWithin ? wanted : found;
  };
  drawn.width = std::clamp(side(r.width(), options_.width), 1, width - x0);
  drawn.height = std::clamp(side(r.height(), options_.height), 1, height - y0);
  drawn.rgb = cut(drawn.rgb, width, x0, y0, drawn.width, drawn.height);
  return drawn;
}

}  // namespace tilewalk
