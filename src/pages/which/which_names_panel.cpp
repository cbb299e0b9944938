// A kernel's name, decoded while it is typed; and the attention kernels in a profile, by family and pass.
#include <algorithm>

#include "pages/which/walk_it.h"
#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {

void draw_profile_cards(const UiFrame&, Panel&, const std::vector<ProfileCard>&);  // in profile_cards_panel.cpp

namespace {

void draw_name(const UiFrame& f, Panel& p, const NamesModel& m) {
  const float s = p.s, names = std::min(92 * s, p.width * 0.3f);
  p.caption("A kernel's name, read");
  const auto typed = text_field(f, {.id = "kernel name",
                                    .rect = {p.x, p.y, p.x + p.width, p.y + 24 * s},
                                    .text = m.name,
                                    .otherwise = "fmha_cutlassF_bf16_aligned_64x128_rf_sm80",
                                    .tip = "A name as a profiler prints it; its meaning is below"});
  if (typed) f.push(ReadName{*typed});
  p.y += 32 * s;
  for (const NamePart& part : m.parts) {
    word(f, p.fonts.body, p.x, p.y, p.colours.muted, part.part);
    p.y += draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, p.x + names, p.y, p.width - names, p.colours.text,
                           part.text) +
           2 * s;
  }
  if (!m.missing.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.missing) + 4 * s;
  if (m.walk_words.empty()) return;
  p.y += 4 * s;
  draw_walk_it(f, p, "walk kernel", "Opens the schedule that shows this kernel", m.walk_words, Action::WalkKernel);
  p.y += 8 * s;
}

void draw_rows(const UiFrame& f, Panel& p, const NamesModel& m) {
  const float s = p.s, share = p.x + std::min(p.width, 760 * s), time = share - 66 * s, calls = time - 76 * s,
              pass = calls - 120 * s;
  word_right(f, p.fonts.tiny, calls, p.y, p.colours.muted, "calls");
  word_right(f, p.fonts.tiny, time, p.y, p.colours.muted, "time");
  word_right(f, p.fonts.tiny, share, p.y, p.colours.muted, "of GPU");
  draw::text(p.list, p.fonts.tiny, pass, p.y, p.colours.muted, "pass");
  p.y += 18 * s;
  for (std::size_t i = 0; i < m.rows.size(); ++i) {
    const ProfileRow& row = m.rows[i];
    const float high = 22 * s, at = p.y + high / 2 - p.fonts.body.size / 2,
                digits = p.y + high / 2 - p.fonts.mono_small.size / 2;
    p.list->AddLine({p.x, p.y}, {share, p.y}, p.colours.row_line, draw::hairline());
    if (row.read) {
      const Hit over = hit(f, "profile row " + std::to_string(i), {p.x, p.y, share, p.y + high});
      if (over.hovered) {
        draw::box(p.list, {p.x, p.y, share, p.y + high}, p.colours.button_hover, 0);
        tooltip(f, row.tip);
      }
      if (over.clicked) f.push(*row.read);
    }
    draw::text(p.list, p.fonts.body, p.x, at, row.read ? p.colours.text : p.colours.muted,
               draw::elided(p.fonts.body, row.family, pass - p.x - 8 * s));
    draw::text(p.list, p.fonts.body, pass, at, p.colours.text, draw::elided(p.fonts.body, row.pass, 66 * s));
    draw::text_right(p.list, p.fonts.mono_small, calls, digits, p.colours.text, row.calls);
    draw::text_right(p.list, p.fonts.mono_small, time, digits, p.colours.text, row.time);
    draw::text_right(p.list, p.fonts.mono_small, share, digits, p.colours.text, row.share);
    p.y += high;
  }
  p.y += 6 * s;
}

void draw_progress(const UiFrame& f, Panel& p, const NamesModel& m) {
  const float s = p.s, w = draw::text_width(p.fonts.body, "Stop") + 24 * s;
  const draw::Rect track{p.x, p.y + 10 * s, p.x + p.width - w - 10 * s, p.y + 15 * s};
  draw::box(p.list, track, p.colours.track, 3 * s);
  const float done = track.width() * float(std::clamp(m.fraction, 0.0, 1.0));
  draw::box(p.list, {track.x0, track.y0, track.x0 + done, track.y1}, p.colours.accent, 3 * s);
  if (button(f, {.id = "stop profile",
                 .rect = {p.x + p.width - w, p.y, p.x + p.width, p.y + 26 * s},
                 .label = "Stop",
                 .tip = "Reads no further",
                 .enabled = !m.stopping}))
    f.push(Action::StopProfile);
  p.y += 34 * s;
}

void draw_open(const UiFrame& f, Panel& p, bool closes) {
  const float s = p.s;
  float x = p.x;
  const auto place = [&](const char* id, const char* label, const char* tip, const Command& command) {
    const float w = draw::text_width(p.fonts.body, label) + 24 * s;
    if (button(f, {.id = id, .rect = {x, p.y, x + w, p.y + 26 * s}, .label = label, .tip = tip})) f.push(command);
    x += w + 8 * s;
  };
  place("open profile", "Open a profile …", "A file of torch.profiler or Nsight", Action::OpenFileDialog);
  place("example profile", "An example", "A recorded profile of four layers, which comes with the program",
        OpenExampleProfile{kExampleProfiles[0]});
  if (closes) place("close profile", "Close it", "Back to the call and its backends", Action::CloseProfile);
  p.y += 30 * s;
}

}  // namespace

void draw_which_profile_panel(const UiFrame& f, Panel& p) {
  const NamesModel& m = f.views.page<WhichPage>()->names;
  const float s = p.s;
  p.caption("Your profile");
  const auto write = [&](const Font& font, const std::string& words, ImU32 ink) {
    if (!words.empty()) p.y += draw::paragraph(p.list, font, p.fonts.tiny, p.x, p.y, p.width, ink, words) + 6 * s;
  };
  write(p.fonts.body, m.file, p.colours.muted);
  write(p.fonts.strong, m.headline.empty() ? m.headline : m.headline + ".", p.colours.text);
  if (m.running) draw_progress(f, p, m);
  write(p.fonts.body, m.failure, p.colours.bad);
  draw_profile_cards(f, p, f.views.page<WhichPage>()->cards);
  if (!m.rows.empty()) draw_rows(f, p, m);
  write(p.fonts.body, m.so, p.colours.text);
  for (const std::string& note : m.notes) write(p.fonts.body, note, p.colours.muted);
  draw_open(f, p, true);
}

void draw_which_name_panel(const UiFrame& f, Panel& p) { draw_name(f, p, f.views.page<WhichPage>()->names); }

void draw_which_names_panel(const UiFrame& f, Panel& p) {
  draw_name(f, p, f.views.page<WhichPage>()->names);
  p.y += 6 * p.s;
  p.caption("Your profile");
  p.y += draw::paragraph(
             p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
             "Drop a trace of torch.profiler (.json, .json.gz) or a kernel list of Nsight (.csv) on the window.") +
         6 * p.s;
  draw_open(f, p, false);
}

}  // namespace tilewalk
