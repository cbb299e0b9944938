// Dear ImGui without window and GPU: real frames of the whole interface, synthetic mouse and keys, and the resulting
// Commands.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/ui/kept_fonts.h"
#include "ui/panels/panel_table.h"
#include "ui/ui.h"
#include "view/present/question.h"

namespace tilewalk::test {

inline bool within(const draw::Rect& inner, const draw::Rect& outer) {  // to a pixel
  return inner.x0 >= outer.x0 - 1 && inner.x1 <= outer.x1 + 1 && inner.y0 >= outer.y0 - 1 && inner.y1 <= outer.y1 + 1;
}

// The contrast of two colours, by their relative luminance: 1 to 21 (WCAG 2).
inline double contrast(ImU32 a, ImU32 b) {
  const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  const auto luminance = [&](ImU32 c) {
    return 0.2126 * linear((c & 255) / 255.0) + 0.7152 * linear(((c >> 8) & 255) / 255.0) +
           0.0722 * linear(((c >> 16) & 255) / 255.0);
  };
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// How far a panel of the last frame scrolls; 0: all of it is in sight.
inline float scroll_of(const char* panel) {
  ImGui::NewFrame();
  ImGui::Begin(panel, nullptr, ImGuiWindowFlags_NoTitleBar);
  const float most = ImGui::GetScrollMaxY();
  ImGui::End();
  ImGui::EndFrame();
  return most;
}

inline bool holds(const Commands& all, const Command& c) { return std::find(all.begin(), all.end(), c) != all.end(); }

class Headless {
 public:
  explicit Headless(const Document& document, int width = 1600, int height = 900, bool apply = false,
                    const std::function<void(SessionSetup&)>& more = {})
      : width_(width), height_(height), apply_(apply) {
    SessionSetup all = setup();
    if (more) more(all);
    auto opened = Session::open(document, std::move(all));
    INFO((opened ? "" : text_of(opened.issues())));
    REQUIRE(opened.ok());
    session = std::move(*opened);
    while (session->busy()) session->dispatch(Work{64});
    create_context();
    map_keys();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the window's own back end
    theme.colours = palette_of(document.view.dark);
    use_fonts(theme, automatic_scale(width, height) * float(document.view.text_scale));
    apply_style(theme);
    inject_mouse(-1e5f, -1e5f, false);
  }
  ~Headless() { ImGui::DestroyContext(); }

  void resize(int width, int height) { width_ = width, height_ = height; }
  int width() const { return width_; }
  int height() const { return height_; }

  // Draws one frame and returns its Commands. With `apply` they run too.
  Commands frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(float(width_), float(height_));
    io.DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    Commands commands = read_keys(*session, ui);
    carry_out(commands);
    const std::size_t by_key = commands.size();
    const float scale = automatic_scale(width_, height_), text = float(session->document().view.text_scale);
    layout = post ? post_layout(float(width_), float(height_), scale, text)
                  : compute_layout(float(width_), float(height_), scale, text, ui.splits, lesson_panel_room(*session));
    const Views& views = builder.build(*session, room_of(layout, theme, ui.dragging_border));
    draw_ui({*session, views, theme, layout, host, ui, commands, now_ += 1.0 / 60});
    ImGui::Render();
    carry_out({commands.begin() + std::ptrdiff_t(by_key), commands.end()});
    return commands;
  }
  // Those of the page on screen, as they are now: a copy that stays, so that a test may refer into it while it draws.
  template <class P>
  const P& models() {
    auto copy = std::make_shared<const P>(*builder.build(*session, room_of(layout, theme)).template page<P>());
    const P& out = *copy;
    copies_.push_back(std::move(copy));
    return out;
  }
  Commands frames(int count) {
    Commands all;
    for (int i = 0; i < count; ++i)
      for (Command& c : frame()) all.push_back(std::move(c));
    return all;
  }
  Commands rest() { return frames(int(kTooltipSeconds * 60) + 4); }  // until a tooltip is on screen
  Commands click(float x, float y) {
    inject_mouse(x, y, false);
    Commands all = frames(2);
    inject_mouse(x, y, true);
    for (Command& c : frames(2)) all.push_back(std::move(c));
    inject_mouse(x, y, false);
    for (Command& c : frames(2)) all.push_back(std::move(c));
    inject_mouse(-1e5f, -1e5f, false);
    frames(2);
    return all;
  }
  // The rectangle of a clickable place by its name in ui/rects.h: "transport/play".
  draw::Rect rect(const std::string& place) const {
    const auto found = ui.rects.find(place);
    INFO(place);
    REQUIRE(found);
    return *found;
  }
  Commands click(const std::string& place) {
    const draw::Rect r = rect(place);
    return click((r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2);
  }
  Commands press(Key key, bool ctrl = false, bool shift = false) {
    inject_modifiers(ctrl, shift);
    inject_key(key, true);
    Commands all = frames(2);
    inject_key(key, false);
    inject_modifiers(false, false);
    for (Command& c : frames(2)) all.push_back(std::move(c));
    return all;
  }

  std::unique_ptr<Session> session;
  Theme theme;
  Layout layout;
  bool post = false;  // the layout of pictures and films
  UiState ui;
  UiHost host;
  ViewBuilder builder{{{ScheduleKind::FlashV2, parse_kernel("03_flash_v2.cu", "// [Scores]\n  s = q * k;\n")}}};

 private:
  void carry_out(const Commands& commands) {
    for (const Command& c : commands)
      if (apply_) session->dispatch(c);
  }
  static SessionSetup setup() {
    SessionSetup s;
    s.has_question = [](const Schedule& schedule, const State& state) {
      return question_at(schedule, state).has_value();
    };
    s.presets.push_back({"one", {}});
    s.presets.back().document.title = "One";
    s.presets.push_back({"two", {}});
    s.presets.back().document.title = "Two";
    s.presets.back().document.problem.shape.n_q = 8;
    return s;
  }
  int width_, height_;
  bool apply_;
  double now_ = 0;
  std::vector<std::shared_ptr<const void>> copies_;
};

// The area of the tooltip on screen; empty if there is none.
inline std::optional<draw::Rect> tooltip_area() {
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < list_count(data); ++i) {
    const char* owner = list_at(data, i)->_OwnerName;
    if (!owner || std::strncmp(owner, "##Tooltip", 9) != 0) continue;
    draw::Rect all{1e9f, 1e9f, -1e9f, -1e9f};
    for (const ImDrawVert& v : list_at(data, i)->VtxBuffer) all = all.joined({v.pos.x, v.pos.y, v.pos.x, v.pos.y});
    return all;
  }
  return std::nullopt;
}

inline bool touches(const draw::Rect& a, const draw::Rect& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

// Makes the badge say that a recording from an H200 is equal.
inline void give_recorded_check(Headless& head) {
  CheckReport report;
  report.verdict = Verdict::Equal;
  report.against = CheckAgainst::Recording;
  report.provenance.gpu = "NVIDIA H200";
  report.provenance.date = "2026-11-21";
  head.session->dispatch(ReportCheck{report, head.session->problem_revision()});
}

// True if every vertex is finite.
inline bool finite(const ImDrawData& data) {
  for (int n = 0; n < list_count(data); ++n)
    for (const ImDrawVert& v : list_at(data, n)->VtxBuffer)
      if (!std::isfinite(v.pos.x) || !std::isfinite(v.pos.y)) return false;
  return true;
}

inline Document picture_document() {
  Document d;
  d.title = "picture";
  d.problem.shape.mask.kind = MaskKind::Causal;
  d.cursor = 46;
  return d;
}

using MoreSetup = std::function<void(SessionSetup&)>;

// Draws a page in both themes, at four sizes: after each of these commands the page sends none of its own, and every
// vertex is finite. Frames right after the command and after the page has settled.
inline void draws_everywhere(Page page, const Commands& commands, const MoreSetup& more = {}) {
  for (const bool dark : {true, false})
    for (const auto& [w, h] :
         {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{640, 360}}) {
      Document document = picture_document();
      document.view.dark = dark;
      Headless head(document, w, h, false, more);
      head.session->dispatch(ShowPage{page});
      Commands all = {ShowPage{page}};
      all.insert(all.end(), commands.begin(), commands.end());
      for (std::size_t i = 0; i < all.size(); ++i) {
        INFO(w << "x" << h << (dark ? ", dark, command " : ", light, command ") << i);
        head.session->dispatch(all[i]);
        CHECK(head.frames(3).empty());
        CHECK(finite(*ImGui::GetDrawData()));
      }
    }
}

// A key opens the page; that key and Esc return to the walk.
inline void opens_and_closes(Key key, Action opens, Page page, const MoreSetup& more = {}) {
  Headless head(picture_document(), 1600, 900, true, more);
  head.frames(2);
  CHECK(head.press(key) == Commands{opens});
  CHECK(head.session->page() == page);
  CHECK(head.press(Key::Escape) == Commands{ShowPage{Page::Walk}});
  head.press(key);
  head.press(key);
  CHECK(head.session->page() == Page::Walk);
}

}  // namespace tilewalk::test
