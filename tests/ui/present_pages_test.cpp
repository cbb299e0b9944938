// Presenting a page: its own panels cover the window, in large type, with the keys of a room.
#include <cmath>
#include <set>

#include "pages/compare/compare_page.h"
#include "pages/roofline/roofline_page.h"
#include "pages/tree/tree_model.h"
#include "session/lesson/lesson_file.h"
#include "tests/ui/presented_room.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::kRooms;
using tilewalk::test::page_document;
using tilewalk::test::picture_document;
using tilewalk::test::show_to_room;
using tilewalk::test::touches;
using tilewalk::test::use_fonts;
using tilewalk::test::with_recorded_race;
using tilewalk::test::with_rules_and_times;
using tilewalk::test::within;

namespace {

const char* own_place(Page page) { return page == Page::Compare ? "pipes/ratio" : "race-bars/Naive, cuBLAS"; }

}  // namespace

TEST_CASE("the pipes and the race cover the window for a room, and all of them is inside") {
  for (const Page page : {Page::Compare, Page::Race})
    for (const auto& [w, h] : kRooms) {
      INFO(w << "x" << h);
      Headless head(page_document(page), w, h, false, with_recorded_race);
      show_to_room(head);
      const std::string own = page == Page::Compare ? "pipes/" : "race-bars/";
      int places = 0;
      for (const auto& [name, r] : head.ui.rects.all()) {
        INFO(name);
        CHECK((name.starts_with(own) || name.starts_with("room/")));
        CHECK(within(r, {0, 0, float(w), float(h)}));
        ++places;
      }
      CHECK(places > 3);
      CHECK(head.ui.rects.find(own_place(page)));
    }
}

TEST_CASE("P presents the page on screen, a clicker's keys move it, and Esc returns to it") {
  for (const Page page : {Page::Compare, Page::Race}) {
    Headless head(page_document(page), 1600, 900, true, with_recorded_race);
    head.frames(2);
    CHECK(head.press(Key::P) == Commands{Action::Present});
    CHECK(head.session->presents_page());
    head.frames(2);
    CHECK(head.press(Key::PageDown) == Commands{Action::StepForward});
    CHECK(head.press(Key::PageUp) == Commands{Action::StepBack});
    CHECK(head.press(Key::Space) == Commands{Action::PlayPause});
    CHECK(head.press(Key::B) == Commands{Action::BlankScreen});
    CHECK(head.session->view().blank());
    CHECK(head.press(Key::Period) == Commands{Action::BlankScreen});
    CHECK(head.press(Key::P, true, true) == Commands{Action::ShowPalette});
    CHECK(head.press(Key::Escape) == Commands{Action::CloseDialog});
    CHECK(head.session->presents_page());
    CHECK(head.press(Key::Escape) == Commands{Action::Present});
    CHECK_FALSE(head.session->view().presenting());
    CHECK(head.session->page() == page);
    head.frames(2);
    CHECK(head.ui.rects.find("header/more"));
  }
}

TEST_CASE("a class sees no buttons on a presented page: a question, the keys, and a way out by mouse") {
  for (const Page page : {Page::Compare, Page::Race})
    for (const auto& [w, h] : kRooms) {
      INFO(w << "x" << h);
      Headless head(page_document(page), w, h, true, with_recorded_race);
      show_to_room(head);
      for (const char* button : {"pipes/pace", "pipes/baseline", "pipes/still 0", "pipes/play", "race-bars/run again",
                                 "race-bars/kernels", "race-bars/ShowTime", "race-bars/floor Naive, cuBLAS"})
        CHECK_FALSE(head.ui.rects.find(button));
      const draw::Rect question = head.rect("room/question"), leave = head.rect("room/leave");
      CHECK(question.width() > 0.25f * float(w));
      CHECK(question.x1 < leave.x0);
      CHECK(leave.x1 > 0.97f * float(w));
      CHECK(leave.y1 > 0.93f * float(h));
      CHECK(head.click("room/leave") == Commands{Action::Present});
      CHECK_FALSE(head.session->view().presenting());
    }
}

TEST_CASE("no line begins or ends at a box of the presented tree's map") {
  Headless head(page_document(Page::Tree), 1600, 900, true);
  head.frames(2);
  head.press(Key::P);
  head.frames(3);
  const draw::Rect box = head.rect("tree/map FA-1");
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int n = 0; n < list_count(data); ++n)
    for (const ImDrawVert& v : list_at(data, n)->VtxBuffer) {
      const bool on_edge = std::abs(v.pos.x - box.x0) < 3 || std::abs(v.pos.x - box.x1) < 3;
      INFO(v.pos.x << ", " << v.pos.y);
      CHECK_FALSE((on_edge && std::abs(v.pos.y - box.middle().y) < box.height() / 6));
    }
}

TEST_CASE("a presented tree has a map and, in a class's letters, each member between its kin; all of it is inside") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(page_document(Page::Tree), w, h, true);
    head.frames(2);
    CHECK(head.press(Key::P) == Commands{Action::Present});
    REQUIRE(head.session->presents_page());
    use_fonts(head.theme, automatic_scale(w, h) * page_row(Page::Tree).for_room(*head.session).text);
    apply_style(head.theme);
    head.frames(3);
    CHECK(head.session->page() == Page::Tree);
    CHECK(page_row(Page::Tree).for_room(*head.session).text == RoomWords{}.text);  // letters as on other pages
    CHECK(head.rect("tree/map FA-2").x1 < head.rect("tree/map FA-3").x0);  // years go to the right, as on the page
    const draw::Rect chosen = head.rect("tree/chosen");                    // FA-2
    for (const TreeBox& box : head.models<TreeModel>().boxes) {
      INFO(box.name);
      const draw::Rect on_map = head.rect("tree/map " + box.name);
      CHECK(on_map.height() >= head.theme.fonts.tiny.size);
      CHECK(on_map.width() >= draw::text_width(head.theme.fonts.tiny, box.name) + 3 * head.theme.s);
    }
    CHECK(head.rect("tree/kin FA-1 loop").x1 < chosen.x0);  // before, and after
    CHECK(head.rect("tree/FA-2 loop").x0 > chosen.x0);
    CHECK(head.rect("tree/FA-1").x1 < chosen.x0);
    CHECK(head.rect("tree/FA-3").x0 > chosen.x1);
    for (const auto& [name, r] : head.ui.rects.all()) {
      INFO(name);
      CHECK((name.starts_with("tree/") || name.starts_with("room/")));
      CHECK(within(r, {0, 0, float(w), float(h)}));
    }
    const float foot = head.rect("room/panel").y0;
    CHECK(chosen.height() > 0.26f * float(h));  // with the words below it the lower half
    CHECK(chosen.width() > 0.4f * float(w));
    CHECK(head.rect("tree/FA-2 loop").height() > 0.22f * float(h));
    head.session->dispatch(ChooseMember{TreeMember::Flash3});
    head.frames(2);
    CHECK(within(head.rect("tree/overlap"), head.rect("tree/chosen")));
    head.session->dispatch(ChooseMember{TreeMember(0)});
    std::set<TreeMember> seen;
    for (int i = 0; i < 40 && seen.insert(head.session->tree().member()).second; ++i) {
      head.frames(2);
      INFO(int(head.session->tree().member()));
      CHECK(head.rect("tree/changes").y1 <= foot);
      for (const auto& [name, r] : head.ui.rects.all())
        if (!name.starts_with("room/") && name != "tree/panel") CHECK(within(r, {0, 0, float(w), foot}));
      head.session->dispatch(Action::StepForward);
    }
    CHECK(seen.size() > 10);
    CHECK(head.press(Key::Escape) == Commands{Action::Present});
    CHECK(head.session->page() == Page::Tree);
  }
}

TEST_CASE("a presented member of the tree says why it is slower than naive here, and that it is approximate") {
  Headless head(page_document(Page::Tree), 1600, 900, true, with_rules_and_times);
  show_to_room(head);
  for (const auto& [member, slower, approximate] : {std::tuple{TreeMember::Flash1, true, false},
                                                    {TreeMember::Flash2, false, false},
                                                    {TreeMember::Sage, false, true}}) {
    INFO(int(member));
    head.session->dispatch(ChooseMember{member});
    head.frames(2);
    const draw::Rect chosen = head.rect("tree/chosen");
    for (const auto& [name, there] : {std::pair{"tree/slower", slower}, {"tree/approximate", approximate}}) {
      const auto words = head.ui.rects.find(name);
      CHECK(bool(words) == there);
      if (words) CHECK(within(*words, chosen));
    }
  }
}

TEST_CASE("each pipe of S and P has its name while presenting") {
  for (const auto& [w, h] : kRooms) {
    INFO(w << "x" << h);
    Headless head(page_document(Page::Compare), w, h, true, with_rules_and_times);
    head.session->dispatch(ChooseCompared{Compared::Call});
    show_to_room(head);
    int pipes = 0;
    for (const auto& [name, pipe] : head.ui.rects.all()) {
      if (!name.starts_with("pipes/pipe 0 S") && !name.starts_with("pipes/pipe 0 P")) continue;
      INFO(name);
      ++pipes;
      CHECK(head.ui.rects.find("pipes/name of " + name.substr(std::string("pipes/").size())));
    }
    CHECK(pipes == 4);
  }
}

TEST_CASE("a class sees which tiles each thread block has in SRAM, large and inside it") {
  for (const auto& [w, h] : kRooms) {
    INFO(w << "x" << h);
    Headless head(page_document(Page::Compare), w, h, true, with_rules_and_times);
    head.session->dispatch(ChooseCompared{Compared::Call});
    show_to_room(head);
    for (const int side : {0, 1}) {
      const std::string on_chip = "pipes/on chip " + std::to_string(side);
      int tiles = 0;
      for (const auto& [name, tile] : head.ui.rects.all()) {
        if (!name.starts_with(on_chip)) continue;
        INFO(name);
        ++tiles;
        CHECK(within(tile, head.rect("pipes/sram " + std::to_string(side))));
        CHECK(tile.height() >= head.theme.fonts.strong.size);
      }
      const PipesModel m = *head.models<ComparePage>().pipes;
      CHECK(tiles == int(m.sides[side].on_chip.size()));
      CHECK(tiles >= 1);
    }
  }
}

TEST_CASE("a class reads the name of each roof in large letters, and none is over another") {
  for (const auto& [w, h] : kRooms) {
    INFO(w << "x" << h);
    Headless head(page_document(Page::Roofline), w, h, true, with_rules_and_times);
    show_to_room(head);
    const RooflinePage& page = head.models<RooflinePage>();
    std::vector<draw::Rect> names;
    for (const RoofLine& roof : page.roofs) {
      INFO(roof.label);
      std::optional<draw::Rect> name = head.ui.rects.find("roofline-plot/roof " + roof.label);
      if (!name) name = head.ui.rects.find("roofline-plot-alone/roof " + roof.label);
      REQUIRE(name);
      CHECK(name->height() >= head.theme.fonts.strong.size);
      CHECK(within(*name, {0, 0, float(w), float(h)}));
      for (const draw::Rect& other : names) CHECK_FALSE(touches(*name, other));
      names.push_back(*name);
    }
    CHECK(names.size() == 4);
  }
}

TEST_CASE("the smallest letters of a presented page are lines of 28 pixels at 1600x900") {
  Headless head(page_document(Page::Compare), 1600, 900, true, with_recorded_race);
  show_to_room(head);
  CHECK(head.theme.fonts.tiny.size >= 28);
  CHECK(head.rect("room/question").height() >= 28);
}

TEST_CASE("every page but the lab is presented without buttons, inside the window, and Esc returns to it") {
  struct Shown {
    Page page;
    Filling filling;
    const char* place;
  };
  const Shown all[] = {{Page::Compare, Filling::Sms, "lanes/rows 1"},
                       {Page::Compare, Filling::Warps, "split-q/figure"},
                       {Page::Compare, Filling::Waves, "waves-now/figure"},
                       {Page::Roofline, Filling::Sms, "roofline-plot/arrow"},
                       {Page::Which, Filling::Sms, "which-answer/headline"}};
  for (const auto& [page, filling, place] : all)
    for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
      INFO(place << " " << w << "x" << h);
      Document document = page_document(page);
      document.view.filling = filling;
      Headless head(document, w, h, true, with_rules_and_times);
      head.frames(2);
      CHECK(head.press(Key::P) == Commands{Action::Present});
      REQUIRE(head.session->presents_page());
      const float text = page_row(page).for_room(*head.session).text;
      use_fonts(head.theme, automatic_scale(w, h) * text);
      apply_style(head.theme);
      head.frames(3);
      CHECK(head.session->page() == page);
      const draw::Rect foot = head.rect("room/panel");
      if (filling == Filling::Warps) {  // what passes between warps, and why, at a click each
        CHECK_FALSE(head.ui.rects.find(place));
        CHECK_FALSE(head.ui.rects.find("split-k/barrier"));  // the answer to the question for a class
        for (const char* shown : {place, "split-q/sentence"}) {
          CHECK_FALSE(head.ui.rects.find("split-q/sentence"));
          head.session->dispatch(Action::StepForward);
          head.frames(2);
          CHECK(head.ui.rects.find(shown));
        }
        CHECK(head.ui.rects.find("split-k/barrier"));
      }
      CHECK(head.ui.rects.find(place));
      for (const auto& [name, r] : head.ui.rects.all()) {
        INFO(name);
        CHECK(r.x1 <= float(w) + 1);
        if (name.starts_with("room/")) continue;
        CHECK(r.y0 < foot.y0);
      }
      for (const char* button :
           {"lanes/pace", "lanes/baseline", "lanes/pipes", "split-q/warps", "which-answer/walk which",
            "which-cards/conditions", "roofline/wins", "header/more", "compared/panel"})
        CHECK_FALSE(head.ui.rects.find(button));
      CHECK(head.press(Key::Escape) == Commands{Action::Present});
      CHECK_FALSE(head.session->view().presenting());
      CHECK(head.session->page() == page);
      CHECK(head.session->document().view.filling == filling);
    }
}

TEST_CASE("the words of an area that is partly filled leave its fill in sight for a class") {
  for (const auto& [w, h] : kRooms) {
    INFO(w << "x" << h);
    Headless head(page_document(Page::Compare), w, h, true, with_rules_and_times);
    head.session->dispatch(ChooseCompared{Compared::Call});
    head.session->dispatch(SetPace{Pace::Byte});  // naive has written a part of S when FA-2 ends
    show_to_room(head);
    for (const char* area : {"pipes/area 0 P", "pipes/area 1 P"})
      CHECK_FALSE(head.ui.rects.find(area));  // in that of S
    const auto words = head.ui.rects.find("pipes/words 0 S");
    if (w >= 1600) REQUIRE(words);
    if (!words) continue;
    const draw::Rect fill = head.rect("pipes/fill 0 S");
    CHECK((!touches(*words, fill.inset(1)) || within(*words, fill)));
  }
}

TEST_CASE(
    "a presented lesson asks in the foot of its picture and answers there, on the walk in place of the sentence") {
  const auto with_lessons = [](SessionSetup& setup) {
    with_rules_and_times(setup);
    setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  };
  for (const auto& [w, h] : kRooms) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_lessons);
    head.session->dispatch(OpenLesson{1, 1});
    show_to_room(head);
    CHECK(head.ui.rects.find("picture/panel"));
    CHECK_FALSE(head.ui.rects.find("rail/panel"));
    CHECK(head.rect("room/question").y1 <= head.rect("room/keys").y0 + 1);
    CHECK_FALSE(head.ui.rects.find("room/answer"));
    CHECK(head.press(Key::PageDown) == Commands{Action::StepForward});
    CHECK(within(head.rect("room/answer"), {0, 0, float(w), float(h)}));
    CHECK(head.press(Key::Escape) == Commands{Action::Present});
    CHECK(head.session->lesson().lesson());
    head.session->dispatch(OpenLesson{7, 3});
    head.session->dispatch(Action::Present);
    head.frames(2);
    const Views& views = head.builder.build(*head.session, room_of(head.layout, head.theme));
    REQUIRE(views.present);
    CHECK(views.present->lesson_ask.starts_with("Row 9: fill in"));
    head.session->dispatch(OpenLesson{7, 2});
    head.frames(2);
    const Views& choosing = head.builder.build(*head.session, room_of(head.layout, head.theme));
    REQUIRE(choosing.present);
    CHECK(choosing.present->lesson_ask.find("\na: ") != std::string::npos);
    CHECK(within(head.rect("present/sentence"), {0, 0, float(w), head.rect("present/walk").y0}));
    head.session->dispatch(OpenLesson{3, 3});  // about a finished walk
    head.frames(2);
    const Views& finished = head.builder.build(*head.session, room_of(head.layout, head.theme));
    REQUIRE(finished.present);
    CHECK(finished.present->lesson_ask.starts_with("One head, N = 8,192, now in bf16"));
    CHECK_FALSE(finished.present->end);
  }
}

TEST_CASE("presented, the pictures of both sides are equally large: warps and SMs") {
  const auto rects = [](Filling filling, const char* left, const char* right) {
    Document document = page_document(Page::Compare);
    document.view.filling = filling;
    Headless head(document, 1600, 900, true, with_rules_and_times);
    head.frames(2);
    head.session->dispatch(Action::Present);
    use_fonts(head.theme, automatic_scale(1600, 900) * page_row(Page::Compare).for_room(*head.session).text);
    apply_style(head.theme);
    head.frames(3);
    return std::pair{head.rect(left), head.rect(right)};
  };
  const auto [keys, rows] = rects(Filling::Warps, "split-k/picture", "split-q/picture");
  CHECK(keys.height() == rows.height());
  CHECK(keys.y0 == rows.y0);
  CHECK(keys.height() > 350);
  const auto [few, many] = rects(Filling::Waves, "waves-pinned/square", "waves-now/square");
  CHECK(few.width() == Approx(many.width()));
  CHECK(few.width() > 30);
}
