#include "app/window/render_png.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "app/jobs/session_jobs.h"
#include "app/window/screen.h"
#include "measured/recorded_race.h"
#include "render/offscreen_context.h"
#include "render/png_file.h"
#include "session/script.h"

namespace tilewalk {
namespace {

constexpr int kLeastSide = 320, kMostSide = 8192;

struct NamedPanel {
  const char* name;
  draw::Rect Layout::*rect;
};
constexpr NamedPanel kPanels[] = {{"header", &Layout::header},       {"memory", &Layout::memory},
                                  {"scores", &Layout::grid},         {"side", &Layout::side},
                                  {"transport", &Layout::transport}, {"traffic", &Layout::traffic}};

struct NamedDialog {
  const char* name;
  Action command;
};
constexpr NamedDialog kDialogs[] = {{"problem", Action::EditProblem}, {"presets", Action::ShowPresets},
                                    {"open", Action::OpenFileDialog}, {"save", Action::SaveFileDialog},
                                    {"go-to", Action::GoToDialog},    {"keys", Action::ShowKeys},
                                    {"palette", Action::ShowPalette}, {"traffic", Action::ShowTraffic}};

void turn_to(Document& document, const std::string& page) {
  if (page.empty()) return;  // as the session has it
  document.view.page = page == "walk" ? Page::Walk : page == "race" ? Page::Race : Page::Compare;
  document.view.filling = page == "warps" ? Filling::Warps : Filling::Sms;
  if (page == "chip") document.pinned.chip = true;
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

std::string render_panels() {
  std::string text;
  for (const NamedPanel& panel : kPanels) text += (text.empty() ? "" : ", ") + std::string(panel.name);
  return text;
}

Result<RenderedFile> render_png(Opening opening, const RenderOptions& options) {
  Issues issues;
  for (const auto& [field, value] : {std::pair{"width", options.width}, std::pair{"height", options.height}})
    if (value < kLeastSide || value > kMostSide)
      issues.push_back(
          {std::string("size, ") + field, std::to_string(value), "must be from 320 to 8192 pixels", "Try 1600x900"});
  if (!(options.ui_scale == 0 || (options.ui_scale >= 0.5 && options.ui_scale <= 8)))
    issues.push_back(
        {"ui-scale", std::to_string(options.ui_scale), "must be from 0.5 to 8", "Leave it out to follow the size"});
  const auto panel = std::find_if(std::begin(kPanels), std::end(kPanels),
                                  [&](const NamedPanel& p) { return options.panel == p.name; });
  if (!options.panel.empty() && panel == std::end(kPanels))
    issues.push_back({"panel", options.panel, "is not a panel", "Try one of " + render_panels()});
  const auto dialog = std::find_if(std::begin(kDialogs), std::end(kDialogs),
                                   [&](const NamedDialog& d) { return options.dialog == d.name; });
  if (!options.dialog.empty() && dialog == std::end(kDialogs))
    issues.push_back({"dialog", options.dialog, "is not a dialog", "Try problem, presets or keys"});
  if (!options.page.empty() && options.page != "walk" && options.page != "compare" && options.page != "warps" &&
      options.page != "race" && options.page != "chip")
    issues.push_back({"page", options.page, "is not a page", "walk, compare, warps, chip or race"});
  std::optional<Race> race;
  if (!options.race.empty()) {
    Result<Race> loaded = load_recorded_race(options.race);
    if (loaded)
      race = std::move(*loaded);
    else
      issues.insert(issues.end(), loaded.issues().begin(), loaded.issues().end());
  }
  if (!issues.empty()) return issues;

  auto context = OffscreenContext::create();
  if (!context) return context.issues();
  opening.document.view.dark = options.dark;
  turn_to(opening.document, options.page);
  auto created = Screen::create(std::move(opening), float(options.ui_scale));
  if (!created) return created.issues();
  Screen& screen = **created;
  Session& session = screen.session();
  while (session.busy()) session.dispatch(Work{64});
  if (const Result<Done> done = carry_out(session, options.then); !done) return done.issues();
  const CheckRequest check = check_request(session, CheckAgainst::Recording, screen.resource_root());
  session.dispatch(ReportCheck{check_task().answer(check), session.problem_revision()});
  if (race) session.dispatch(ShowPage{Page::Race});
  if (race) {
    const RaceSource source = race->rows.front().rung.starts_with("cpu_") ? RaceSource::Cpu : RaceSource::Gpu;
    RaceNews news;
    news.source = source;
    news.race = std::make_shared<const Race>(std::move(*race));
    session.dispatch(ReportRace{std::move(news)});
    session.dispatch(ChooseRace{.source = source});
  }
  while (const auto wanted = wanted_accuracy(session))
    session.dispatch(wanted->command(accuracy_task().answer(wanted->request)));
  if (dialog != std::end(kDialogs)) session.dispatch(dialog->command);
  ImGui::GetIO().MousePos = ImVec2(-1e6f, -1e6f);
  // Scroll positions and sizes settle within a few frames.
  for (int i = 0; i < 4; ++i) screen.frame(options.width, options.height, 0);
  glFinish();

  RenderedFile file{options.out, options.width, options.height};
  std::vector<std::uint8_t> rgb = screen.painter().picture().read_rgb();
  if (panel != std::end(kPanels)) {
    const draw::Rect r = screen.layout().*(panel->rect);
    const int x0 = std::clamp(int(r.x0), 0, options.width - 1), y0 = std::clamp(int(r.y0), 0, options.height - 1);
    file.width = std::clamp(int(std::ceil(r.width())), 1, options.width - x0);
    file.height = std::clamp(int(std::ceil(r.height())), 1, options.height - y0);
    rgb = cut(rgb, options.width, x0, y0, file.width, file.height);
  }
  const Result<Done> written = write_png(options.out, file.width, file.height, rgb);
  if (!written) return written.issues();
  return file;
}

}  // namespace tilewalk
