// Presenting to a room: the meaning of its keys inside and outside, the size of its type, and the spotlight.
#include "core/schedules/registry.h"
#include "tests/support/bound_action.h"
#include "tests/ui/headless.h"
#include "ui/present_layout.h"

using namespace tilewalk;
using test::action_for;
using tilewalk::test::contrast;
using tilewalk::test::give_recorded_check;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::use_fonts;
using tilewalk::test::within;

namespace {

void load_large_type(Headless& head) {
  use_fonts(head.theme, present_scale(float(head.width()), float(head.height())));
  apply_style(head.theme);
}

}  // namespace

TEST_CASE("a clicker's keys move by phases while presenting, and keep their usual meaning otherwise") {
  Headless head(picture_document(), 1600, 900);
  head.frames(2);
  for (const PresentingKey& row : presenting_keys()) {
    INFO(text_of({row.key}));
    Commands outside;
    if (const auto action = action_for({row.key}); action && row.key != Key::Escape) outside.push_back(*action);
    CHECK(head.press(row.key) == outside);
  }
  head.session->dispatch(Action::Present);
  load_large_type(head);
  for (const PresentingKey& row : presenting_keys()) {
    INFO(text_of({row.key}));
    CHECK(head.press(row.key) == Commands{row.action});
  }
  CHECK(head.press(Key::Right) == Commands{Action::StepForward});
  CHECK(head.press(Key::Space) == Commands{Action::PlayPause});
  CHECK(head.press(Key::P) == Commands{Action::Present});
}

TEST_CASE("P starts presenting, Esc ends it, and the walk stays at the class's step") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  CHECK(head.press(Key::P) == Commands{Action::Present});
  REQUIRE(head.session->view().presenting());
  head.press(Key::PageDown);
  head.press(Key::PageDown);
  CHECK(head.session->cursor() == picture_document().cursor + 2);
  head.press(Key::B);
  CHECK(head.session->view().blank());
  head.press(Key::Period);
  CHECK_FALSE(head.session->view().blank());
  CHECK(head.press(Key::Escape) == Commands{Action::Present});
  CHECK_FALSE(head.session->view().presenting());
  CHECK(head.session->cursor() == picture_document().cursor + 2);
  CHECK(head.press(Key::PageUp) == Commands{Action::QTileBack});
}

TEST_CASE("the list of further commands has a row for presenting") {
  Headless head(picture_document(), 1600, 900, true);
  give_recorded_check(head);
  head.frames(2);
  head.click("header/more");
  CHECK(head.click("header/present") == Commands{Action::Present});
  head.frames(2);
  CHECK(head.click("present/ask") == Commands{Action::AskFirst});
  CHECK(head.click("present/leave") == Commands{Action::Present});
}

TEST_CASE("capitals are 2 % of the picture's height and lines 3 %, and everything is within the window") {
  for (const auto& [w, h] : {std::pair{1920, 1080}, std::pair{1024, 768}, std::pair{1280, 720}, std::pair{1600, 900},
                             std::pair{1280, 800}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true);
    head.session->dispatch(Action::Present);
    load_large_type(head);
    head.frames(3);
    const float high = float(h);
    const Fonts& fonts = head.theme.fonts;
    for (const Font* font : {&fonts.body, &fonts.strong, &fonts.mono, &fonts.mono_strong})
      CHECK(capital_height(*font) >= kLeastCapital * high - 0.5f);
    const PresentLayout layout = compute_present_layout(float(w), high);
    CHECK(layout.line >= 0.03f * high);
    CHECK(layout.row >= 0.03f * high);
    const draw::Rect all{0, 0, float(w), high};
    const draw::Rect* parts[] = {&layout.hbm,   &layout.between,  &layout.sram, &layout.tile,
                                 &layout.table, &layout.sentence, &layout.strip};
    for (const draw::Rect* a : parts) {
      CHECK(within(*a, all));
      for (const draw::Rect* b : parts)
        CHECK((a == b || a->x1 <= b->x0 || b->x1 <= a->x0 || a->y1 <= b->y0 || b->y1 <= a->y0));
    }
    // A tile of four by four and its table fill their halves.
    const draw::Rect tile = head.rect("present/tile"), table = head.rect("present/table");
    CHECK(tile.width() >= 0.36f * float(w));
    CHECK(table.width() >= 0.45f * float(w));
    CHECK(tile.height() >= 0.24f * high);  // below the two memories
    CHECK(present_room(layout).tile_cols >= 4);
    CHECK(present_room(layout).whole_rows >= 4);
  }
}

TEST_CASE("a finished walk ends on what moved in all, as soon as its last tile has landed") {
  Headless head(picture_document(), 1600, 900);
  head.session->dispatch(Action::Present);
  load_large_type(head);
  const std::int64_t last = head.session->schedule().step_count();
  const auto ends = [&] {
    head.frames(1);
    const bool end = head.ui.rects.find("present/end").has_value();
    CHECK(end != head.ui.rects.find("present/sentence").has_value());
    return end;
  };
  head.session->dispatch(GoToStep{last - 1});
  CHECK_FALSE(ends());
  head.session->dispatch(GoToStep{last});
  head.session->dispatch(HoldMotion{0.5});
  CHECK_FALSE(ends());
  head.session->dispatch(HoldMotion{1});
  CHECK(ends());
  const std::optional<PresentEnd>& end =
      head.builder.build(*head.session, room_of(head.layout, head.theme)).present->end;
  REQUIRE(end);
  CHECK(end->moved.moved == "1.81 KiB moved");
  CHECK(end->moved.against == "not 6.50 KiB");
  CHECK(end->moved.ratio == "3.6×");
  CHECK(end->scores == "S, the 16×16 matrix, never existed");
  CHECK_FALSE(end->scores_existed);
  const PresentLayout layout = compute_present_layout(1600, 900);
  CHECK(head.rect("present/ghost").y1 <= layout.sentence.y1);
  const draw::Rect result = head.rect("present/end result");  // O, left of the matrix that never existed
  CHECK(result.x1 < head.rect("present/ghost").x0);
  CHECK(result.y1 <= layout.sentence.y1);
  REQUIRE(end->result);
  CHECK(end->result->rows == 16);
  CHECK(std::ssize(end->result->shades) == 16 * 4);
  CHECK(head.rect("present/end").y1 <= layout.sentence.y1);
  CHECK(head.rect("present/end bytes").height() >= 1.15f * head.theme.fonts.strong.size);
}

TEST_CASE("the end of a walk with a mistake fills the screen: wrong row, right row, and what is right") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Document document = picture_document();
    document.problem.fault = Fault::ForgetRescaleO;
    Headless head(document, w, h);
    head.session->dispatch(Action::Present);
    load_large_type(head);
    CheckReport report;
    report.verdict = Verdict::Diverged;
    report.first.emplace().step = 46;
    head.session->dispatch(ReportCheck{report, head.session->problem_revision()});
    head.session->dispatch(GoToStep{head.session->schedule().step_count()});
    head.session->dispatch(HoldMotion{1});
    head.frames(3);
    const std::optional<PresentEnd> shown =
        head.builder.build(*head.session, room_of(head.layout, head.theme)).present->end;
    REQUIRE(shown);
    const PresentEnd& end = *shown;
    REQUIRE(end.wrong);
    REQUIRE(end.result);
    CHECK(end.result->wrong_row->row == 13);
    REQUIRE(end.result->wrong_row->pairs.size() == 4);
    CHECK(end.result->wrong_row->pairs[2].is == "1.88");
    CHECK(end.result->wrong_row->pairs[2].should == "−0.15");
    CHECK(end.remedy == "Right: Multiply O by α at each visit, before P·V is added.");
    const draw::Rect wrong = head.rect("present/end wrong row"), right = head.rect("present/end right row"),
                     remedy = head.rect("present/end remedy"), all = head.rect("present/end");
    for (const draw::Rect& each : {wrong, right, remedy}) CHECK(within(each, all));
    CHECK(wrong.y1 <= right.y0 + 1);
    CHECK(right.y1 <= remedy.y0);
  }
}

TEST_CASE("where a product makes the output, a room sees the column of V in it") {
  Document document = picture_document();
  document.cursor = 47;
  Headless head(document, 1600, 900, true);
  head.session->dispatch(Action::Present);
  load_large_type(head);
  head.frames(2);
  const auto model = head.builder.build(*head.session, room_of(head.layout, head.theme)).present;
  REQUIRE(model->column);
  CHECK(model->column->title == "V1");
  CHECK(model->column->values == std::vector<std::string>{"−0.21", "0.83", "0.01", "0.95"});
  CHECK(model->arithmetic.on_one_line(1).find("0.26·0.83") != std::string::npos);
  const draw::Rect column = head.rect("present/column");
  CHECK_FALSE(touches(column, head.rect("present/table")));
  CHECK_FALSE(touches(column, head.rect("present/tile")));
  head.session->dispatch(Action::WorkByHand);
  head.frames(2);
  CHECK_FALSE(head.builder.build(*head.session, room_of(head.layout, head.theme)).present->column);
}

TEST_CASE("beside the wrong rows of O a room still sees the column of V") {
  for (const auto& [w, h] : {std::pair{1600, 900}, {1920, 1080}}) {
    INFO(w << "x" << h);
    Document document = picture_document();
    document.problem.fault = Fault::ForgetRescaleO;
    document.cursor = 47;
    Headless head(document, w, h, true);
    head.session->dispatch(Action::Present);
    load_large_type(head);
    head.frames(2);
    const draw::Rect column = head.rect("present/column");
    CHECK_FALSE(touches(column, head.rect("present/table")));
    CHECK_FALSE(touches(column, head.rect("present/tile")));
    CHECK(head.rect("present/arithmetic").height() > 0);
  }
}

TEST_CASE("the words of tiles that cross say what is counted, beside their lanes and not across one") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1024, 768}, {3840, 2160}})
    for (const double t : {0.3, 0.6, 1.0}) {
      INFO(w << "x" << h << ", t " << t);
      Document document = picture_document();
      document.cursor = 47;
      Headless head(document, w, h, true);
      head.session->dispatch(Action::Present);
      load_large_type(head);
      head.session->dispatch(GoToStep{48});
      head.session->dispatch(HoldMotion{t});
      head.frames(2);
      const draw::Rect k = head.rect("present/lane K2"), v = head.rect("present/lane V2");
      const draw::Rect first = head.rect("present/crossing words"), second = head.rect("present/crossing words 2");
      CHECK(first.x1 <= k.x0);
      CHECK(second.x0 >= v.x1);
      CHECK(within(second, {0, 0, float(w), float(h)}));
    }
}

TEST_CASE("every step of every schedule fits, also on an old projector") {
  int meetings = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Document document = picture_document();
    document.problem.schedule = kind;
    document.problem.machine.sram_bytes = 1 << 16;
    document.cursor = 0;
    Headless head(document, 1024, 768, true);
    head.session->dispatch(Action::Present);
    load_large_type(head);
    const PresentLayout layout = compute_present_layout(1024, 768);
    for (std::int64_t k = 0; k <= head.session->schedule().step_count(); ++k) {
      INFO(name_of(kind) << ", step " << k);
      head.session->dispatch(GoToStep{k});
      head.frames(1);
      if (k == head.session->schedule().step_count()) {  // it is of the whole walk, and not of its last store
        CHECK(within(head.rect("present/end"), {layout.tile.x0, layout.hbm.y0, layout.table.x1, layout.sentence.y1}));
        CHECK_FALSE(head.ui.rects.find("present/memories"));
        continue;
      }
      const draw::Rect memories = head.rect("present/memories");
      if (memories.y1 > layout.tile.y0) {  // a step that only moves tiles
        CHECK(memories.y1 <= layout.sentence.y0);
        CHECK(within(head.rect("present/sentence"), layout.sentence));
        CHECK_FALSE(head.ui.rects.find("present/table"));
        continue;
      }
      if (k == 0) {
        CHECK(within(head.rect("present/map"), layout.tile.joined(layout.sentence)));
        CHECK(within(head.rect("present/facts"), layout.table.joined(layout.sentence)));
        continue;
      }
      const bool map = head.ui.rects.find("present/map").has_value();
      CHECK(within(head.rect(map ? "present/map" : "present/tile"), layout.tile));
      const bool meets = head.ui.rects.find("present/meeting").has_value();
      meetings += meets;
      if (const auto table = head.ui.rects.find(meets ? "present/meeting" : "present/table"))
        CHECK(within(*table, layout.table));
      else  // a backward pass has steps without numbers of rows
        CHECK((makes(row_of(head.session->problem()), Quantity::DQ) && !head.session->state().step.in_visit()));
      CHECK(within(head.rect("present/sentence"), layout.sentence));
    }
  }
  CHECK(meetings > 0);
}

TEST_CASE("a spotlight follows the pointer while the mouse button or Shift is pressed") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::Present);
  load_large_type(head);
  head.frames(2);
  inject_mouse(300, 200, false);
  head.frames(2);
  CHECK_FALSE(head.ui.spotlight);
  inject_mouse(300, 200, true);
  head.frames(2);
  CHECK(head.ui.spotlight);
  inject_mouse(300, 200, false);
  head.frames(2);
  CHECK_FALSE(head.ui.spotlight);
  inject_modifiers(false, true);
  head.frames(2);
  CHECK(head.ui.spotlight);
  inject_modifiers(false, false);
  head.frames(2);
  CHECK_FALSE(head.ui.spotlight);
}

TEST_CASE("in both themes all text while presenting has a contrast of at least 7") {
  for (const bool dark : {true, false}) {
    const Palette p = present_palette(dark);
    for (const ImU32 ink : {p.text, p.muted, p.changed, p.bad}) CHECK(contrast(ink, p.background) >= 7);
    CHECK(contrast(p.text, p.row_mark) >= 7);
    CHECK(contrast(p.text, p.raised) >= 7);
    CHECK(contrast(p.accent_text, p.accent) >= 7);
    CHECK(contrast(p.cell_line, p.background) >= 3);
  }
}

TEST_CASE("the numbers of rows are whole, however many digits they have") {
  for (const std::int64_t n : {64, 4096, 131072})
    for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
      INFO(n << " rows, " << w);
      Document document = picture_document();
      document.problem.shape.n_q = document.problem.shape.n_kv = n;
      document.problem.shape.d = 8;
      document.problem.tiling.br = document.problem.tiling.bc = 16;
      document.problem.machine.sram_bytes = 1 << 16;
      document.cursor = 0;
      Headless head(document, w, h, true);
      head.session->dispatch(GoToTile{n / 16 - 1, 0});
      while (head.session->busy()) head.session->dispatch(Work{64});
      head.session->dispatch(Action::Present);
      load_large_type(head);
      head.frames(3);
      const draw::Rect number = head.rect("present/row number 0"), tile = head.rect("present/tile");
      CHECK(number.x0 >= 0);
      CHECK(number.x1 <= tile.x0);
    }
}

TEST_CASE("a room sees the named row of O shrink by alpha in the place of the tile, and the other rows stay") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1024, 768}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    head.session->dispatch(Action::Present);
    load_large_type(head);
    head.session->dispatch(GoToStep{44});
    const auto at = [&](double t, const std::string& place) {
      head.session->dispatch(HoldMotion{t});
      head.frames(2);
      return head.ui.rects.find("present/" + place);
    };
    CHECK(at(0.05, "tile"));
    const PresentLayout layout = compute_present_layout(float(w), float(h));
    const auto full = at(0.3, "lifted bar 0"), low = at(0.76, "lifted bar 0");
    REQUIRE(full);
    REQUIRE(low);
    CHECK(low->height() == Approx(0.66f * full->height()).epsilon(0.02));
    CHECK(full->height() - low->height() > 0.05f * float(h));
    for (const double t : {0.3, 0.5, 0.7, 0.9}) {
      for (const char* row : {"1", "2"})  // the copy leaves the row itself in its colours, as its neighbours
        for (const char* col : {"0", "3"}) CHECK(at(t, std::string("shade ") + row + " " + col));
      CHECK_FALSE(at(t, "tile"));
      CHECK(within(head.rect("present/lifted row"), layout.tile));
    }
    CHECK(at(1, "tile"));
  }
}

TEST_CASE("a tile that is stored leaves its place in SRAM, and nothing is drawn there until it has landed") {
  Headless head(picture_document());
  head.session->dispatch(Action::Present);
  load_large_type(head);
  head.session->dispatch(GoToStep{57});
  for (const auto& [t, gone] : {std::pair{0.05, false}, {0.5, true}, {1.0, false}}) {
    head.session->dispatch(HoldMotion{t});
    head.frames(2);
    INFO("t " << t);
    CHECK(head.ui.rects.find("present/left O2").has_value() == gone);
    CHECK(head.ui.rects.find("present/left L").has_value() == gone);
  }
}

TEST_CASE("the first slide has the map and all its facts inside, at each size") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1024, 768}, {3840, 2160}})
    for (const std::int64_t n : {16, 4096}) {
      INFO(w << "x" << h << ", " << n << " rows");
      Document document = picture_document();
      document.problem.shape.n_q = document.problem.shape.n_kv = n;
      document.cursor = 0;
      Headless head(document, w, h, true);
      head.session->dispatch(Action::Present);
      load_large_type(head);
      head.frames(3);
      const draw::Rect map = head.rect("present/map"), facts = head.rect("present/facts"),
                       strip = head.rect("present/walk");
      for (const draw::Rect& r : {map, facts}) {
        CHECK(r.x0 >= 0);
        CHECK(r.x1 <= float(w));
        CHECK(r.y1 <= strip.y0);
      }
      CHECK(map.x1 < facts.x0);
      CHECK(map.height() > 0.25f * float(h));
    }
}
