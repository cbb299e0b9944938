// What the screens of the shipped lessons show beside their questions: pictures, dimmed pages, buttons.
#include "pages/compare/compare_page.h"
#include "tests/ui/classroom.h"
#include "ui/panels/learn/rich_text.h"

using namespace tilewalk;
using tilewalk::test::Classroom;

TEST_CASE("the picture of a lesson's screen is in the place of the page, and shows the answer once it is given") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{1, 2});
  room.frames(3);
  CHECK(room.has("picture/bar Arithmetic"));
  CHECK_FALSE(room.has("picture/bar Bytes"));
  CHECK_FALSE(room.has("scores/title"));
  room.session->dispatch(Action::LessonAnswer);
  room.frames(3);
  REQUIRE(room.has("picture/bar Bytes"));
  CHECK(room.ui.rects.find("picture/bar Bytes")->width() > room.ui.rects.find("picture/bar Arithmetic")->width());
  room.session->dispatch(OpenLesson{7, 1});
  room.frames(3);
  CHECK(room.has("scores/title"));
}

TEST_CASE("the first lesson begins before the first step, and dims the page but for the part that it outlines") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    INFO(w << "x" << h);
    Classroom room(w, h);
    room.session->dispatch(OpenLesson{0, 1});
    room.frames(3);
    CHECK(room.session->cursor() == 0);
    for (const char* panel : {"memory", "scores", "side", "transport"}) CHECK(room.has(panel + std::string("/dimmed")));
    CHECK_FALSE(room.has("rail/dimmed"));
    CHECK(test::scroll_of("side") == 0);
    CHECK_FALSE(room.has("header/dimmed"));
    CHECK(room.has("memory/halo hbm"));
    room.session->dispatch(OpenLesson{5, 3});
    room.frames(3);
    CHECK_FALSE(room.has("memory/dimmed"));
  }
}

TEST_CASE("the visits of lesson 5 are an empty grid of Q tiles and K tiles until they are counted") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Classroom room(w, h);
    room.session->dispatch(SetTextScale{text});
    room.session->dispatch(OpenLesson{5, 4});
    room.frames(3);
    const draw::Rect grid = room.rect("picture/asked Visits"), panel = room.rect("picture/panel");
    CHECK(test::within(grid, panel));
    CHECK(grid.width() == Approx(grid.height()).epsilon(0.01));
    CHECK(room.rect("picture/cell Q tiles 7").x1 < grid.x0);
    CHECK(room.rect("picture/cell Q tiles 7").y1 <= grid.y1);
    CHECK(room.rect("picture/cell K tiles 7").y1 < grid.y0);
    CHECK(room.rect("picture/cell K tiles 7").x1 <= grid.x1);
    CHECK(test::within(room.rect("picture/sign Visits"), grid));
    CHECK(room.rect("picture/sign Visits").height() >= 1.9f * room.theme.fonts.figure.em);
    CHECK_FALSE(room.has("picture/pairs Visits"));
    room.session->dispatch(CheckAnswer{"64"});
    room.frames(3);
    CHECK(room.has("picture/pairs Visits"));
  }
}

TEST_CASE("what a picture asks has no length: it reaches the edge of the picture, whatever the answer") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}})
    for (const auto& [lesson, screen, asked] :
         {std::tuple{1, 2, "Bytes"}, {1, 3, "Its FLOPs"}, {5, 2, "Together"}, {11, 2, "16 scores"}}) {
      INFO(w << "x" << h << ", text " << text << ", lesson " << lesson << ", screen " << screen);
      Classroom room(w, h);
      room.session->dispatch(SetTextScale{text});
      room.session->dispatch(OpenLesson{lesson, screen});
      room.frames(3);
      const draw::Rect panel = room.rect("picture/panel"), band = room.rect(std::string("picture/asked ") + asked);
      CHECK(panel.x1 - band.x1 < 0.045f * panel.width());
      room.session->dispatch(DraftAnswer{"3"});
      room.frames(3);
      CHECK(room.rect(std::string("picture/asked ") + asked).x1 == band.x1);
      room.session->dispatch(Action::LessonAnswer);
      room.frames(3);
      CHECK_FALSE(room.has(std::string("picture/asked ") + asked));
    }
}

TEST_CASE("a bar or an area that is known is as long before the answer as after it") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}})
    for (const auto& [lesson, screen, known] : {std::tuple{1, 2, "bar Arithmetic"},
                                                {2, 2, "bar HBM"},
                                                {4, 6, "bar Tiles of K"},
                                                {4, 7, "bar FA-2"},
                                                {5, 2, "bar Scores"},
                                                {8, 1, "area P, if it were stored"}}) {
      INFO(w << "x" << h << ", text " << text << ", lesson " << lesson << ", screen " << screen);
      Classroom room(w, h);
      room.session->dispatch(SetTextScale{text});
      room.session->dispatch(OpenLesson{lesson, screen});
      room.frames(3);
      const std::string name = std::string("picture/") + known;
      const float before = room.rect(name).width();
      room.session->dispatch(Action::LessonAnswer);
      room.frames(3);
      CHECK(room.rect(name).width() == Approx(before).margin(1));
      CHECK(test::within(room.rect(name), room.rect("picture/panel")));
    }
}

TEST_CASE("while a lesson's picture covers the walk, no badge claims anything about it") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{5, 2});
  room.frames(3);
  CHECK(room.has("picture/panel"));
  CHECK_FALSE(room.has("header/badge"));
  room.session->dispatch(OpenLesson{5, 3});  // in the walk
  room.frames(3);
  CHECK(room.has("header/badge"));
}

TEST_CASE("columns of words have their names above them, in whole") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}})
    for (const auto& [lesson, screen, first, last] : {std::tuple{11, 4, "stage 0", "stage 1"},
                                                      {12, 1, "type", "mask"},
                                                      {12, 2, "type", "mask"},
                                                      {12, 6, "type", "cuDNN version"}}) {
      INFO(w << "x" << h << ", text " << text << ", lesson " << lesson << ", screen " << screen);
      Classroom room(w, h);
      room.session->dispatch(SetTextScale{text});
      room.session->dispatch(OpenLesson{lesson, screen});
      room.frames(3);
      const draw::Rect left = room.rect(std::string("picture/column ") + first),
                       right = room.rect(std::string("picture/column ") + last);
      CHECK(test::within(left, room.rect("picture/panel")));
      CHECK(test::within(right, room.rect("picture/panel")));
      CHECK(left.x1 < right.x0);
    }
}

TEST_CASE("lesson 11 begins with the first visits alone, wide enough for their names") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{11, 1});
  room.frames(3);
  const ComparePage& page = room.models<ComparePage>();
  const LaneRow& work = page.lanes.pictures.back().rows.back();
  const float wide = room.rect("lanes/halo lanes").width() * 0.88f;  // without the names of the lanes
  int named = 0;
  for (const LaneBox& box : work.boxes)
    named += !box.short_label.empty() &&
             float(box.x1 - box.x0) * wide > draw::text_width(room.theme.fonts.tiny, box.short_label);
  CHECK(named >= 12);
  CHECK(work.boxes.size() < 30);
  CHECK(room.rect("lanes/rows 0").height() > 0.55f * room.rect("lanes/halo lanes").height());
  room.session->dispatch(Action::LeaveLesson);
  CHECK(room.session->compare().lanes_view().zoom == 1);
}

TEST_CASE("a question about the call or the editor rings it, and its button opens it") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    INFO(w << "x" << h);
    Classroom room(w, h);
    room.session->dispatch(OpenLesson{12, 3});
    room.frames(3);
    CHECK(room.has("header/halo call"));
    CHECK(room.rect("which-cards/time chart").y1 <= room.rect("which-cards/panel").y1);
  }
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{12, 3});
  room.frames(3);
  room.click_at("rail/open");
  CHECK(room.session->view().dialog() == Dialog::Call);
  room.session->dispatch(Action::CloseDialog);
  room.session->dispatch(OpenLesson{1, 6});
  room.frames(3);
  room.click_at("rail/open");
  CHECK(room.session->view().dialog() == Dialog::Problem);
}

TEST_CASE("lessons 3 and 6 begin with a picture of their question, whose line crosses no number") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {1280, 720, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Classroom room(w, h);
    room.session->dispatch(SetTextScale{text});
    room.session->dispatch(OpenLesson{3, 1});
    room.frames(3);
    CHECK(test::within(room.rect("picture/asked S"), room.rect("picture/panel")));
    CHECK_FALSE(room.has("scores/title"));
    room.session->dispatch(OpenLesson{6, 1});
    room.frames(3);
    CHECK(room.has("picture/bar e^9"));
    for (int power = 10; power <= 16; ++power) CHECK(room.has("picture/asked e^" + std::to_string(power)));
    room.session->dispatch(Action::LessonAnswer);
    room.frames(3);
    const draw::Rect mark = room.rect("picture/mark");
    for (int power = 9; power <= 16; ++power) {
      INFO("e^" << power);
      const draw::Rect words = room.rect("picture/words e^" + std::to_string(power));
      CHECK((words.x1 < mark.x0 || words.x0 > mark.x1));
      CHECK(test::within(words, room.rect("picture/panel")));
      CHECK((room.rect("picture/bar e^" + std::to_string(power)).x1 > mark.x1) == (power >= 12));
    }
  }
}

TEST_CASE("the ring around the scores crosses none of their words") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{4, 7});
  for (int screen = 1; !room.has("scores/halo scores"); ++screen) {
    REQUIRE(screen < 8);
    room.session->dispatch(OpenLesson{4, screen});
    room.frames(3);
  }
  CHECK(room.rect("scores/title").x0 - room.rect("scores/halo scores").x0 >= 4);
}

TEST_CASE("the fading of what is asked is opaque, so that its channels change at different columns") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{1, 2});
  room.frames(3);
  const draw::Rect band = room.rect("picture/asked Bytes");
  int corners = 0;
  const ImDrawData& drawn = *ImGui::GetDrawData();
  for (int list = 0; list < drawn.CmdListsCount; ++list)
    for (const ImDrawVert& vertex : drawn.CmdLists[list]->VtxBuffer) {
      if (vertex.pos.x != band.x1 || (vertex.pos.y != band.y0 && vertex.pos.y != band.y1)) continue;
      ++corners;
      CHECK(vertex.col >> IM_COL32_A_SHIFT == 255);
    }
  CHECK(corners >= 2);
}

TEST_CASE("a lesson is read in letters of 16 pixels, in a column of 380, at 1600x900") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{1});
  room.frames(3);
  CHECK(room.layout.lesson_panel.width() == Approx(380).margin(2));
  const Sentence line = {Run{Run::Style::Plain, "A line of words."}};
  const float high = rich_paragraph(nullptr, room.theme, 0, 0, 1000, 0, line);
  CHECK(high > 1.35f * 16);
  CHECK(high < 1.6f * 16);
}

TEST_CASE("a lesson's paragraph leaves no last word alone on a line") {
  Headless head(picture_document());
  head.frame();
  ImGui::NewFrame();
  const Sentence words = {Run{Run::Style::Plain, "one two"}, Run{Run::Style::Strong, " three"},
                          Run{Run::Style::Plain, " four"}};
  const auto high = [&](float width) {
    return rich_paragraph(nullptr, head.theme, 0, 0, width, 0, words, Letters::Body);
  };
  float width = 400;
  while (high(width - 1) == high(400)) --width;  // the least for one line
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const int before = list->VtxBuffer.Size;
  CHECK(rich_paragraph(list, head.theme, 10, 10, width - 2, 0xffffffff, words, Letters::Body) == 2 * high(400));
  int letters = 0;
  for (int i = before; i < list->VtxBuffer.Size; i += 4) letters += list->VtxBuffer[i].pos.y > 10 + high(400);
  CHECK(letters == 9);  // of "three four"
  ImGui::EndFrame();
}

TEST_CASE("words of a table have no tensor's hue") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{12, 2});
  room.frames(3);
  for (const char* words : {"a matrix", "d up to 256", "any mask"})
    CHECK(room.has(std::string("picture/table cell ") + words));
}

TEST_CASE("a shown answer has the digits that it needs") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{1, 1});
  room.session->dispatch(Action::LessonAnswer);
  CHECK(room.session->lesson().draft() == "0.678");
}

TEST_CASE("digits of a lesson's picture are at least a third as high as their box, with room for them") {
  Classroom room(1600, 900);
  const auto shown = [&](int lesson, int screen) {
    room.session->dispatch(OpenLesson{lesson, screen});
    room.frames(3);
  };
  shown(1, 2);
  const float bar = room.rect("picture/bar HBM, 10 ms").height();
  CHECK(room.rect("picture/words HBM, 10 ms").height() >= bar / 3);
  shown(3, 1);
  const auto number = [&](const std::string& name) {
    INFO(name);
    CHECK(room.rect("picture/number " + name).height() >= 0.45f * room.rect("picture/cell " + name).height());
  };
  number("K 0"), number("Q 15");
  shown(5, 4);
  number("K tiles 0"), number("Q tiles 7");
  shown(8, 2);
  CHECK(room.rect("picture/digits S of the key").height() >= room.rect("picture/number S of the key").height() / 3);
  shown(11, 2);
  CHECK(room.rect("picture/words One score").height() >= room.rect("picture/bar One score").height() / 3);
}

TEST_CASE("the FLOPs and bytes of lesson 1 have bars that can be compared with those of the GPU") {
  Classroom room(1600, 900);
  room.session->dispatch(OpenLesson{1, 1});
  room.frames(3);
  CHECK(room.rect("picture/bar 128 heads").width() >= room.rect("picture/bar H200, 10 ms").width() / 16);
  room.session->dispatch(OpenLesson{1, 2});
  room.frames(3);
  CHECK(room.rect("picture/bar Four trips").width() >= room.rect("picture/bar HBM, 10 ms").width() / 4);
}

TEST_CASE("every kind of a lesson's picture fills when it comes on screen, and rests once it is full") {
  // Lesson, screen, and what comes last of it.
  for (const auto& [lesson, screen, last] : {std::tuple{1, 2, "picture/bar HBM, 10 ms"},
                                             {2, 1, "picture/area HBM"},
                                             {3, 2, "picture/cell S of each head 15"},
                                             {8, 2, "picture/number S of the key"}}) {
    Classroom room(1600, 900);
    const auto width_after = [&](int frames) {
      room.frames(frames);
      return room.rect(last).width();
    };
    INFO(last);
    room.session->dispatch(OpenLesson{lesson, screen});
    const float full = width_after(3);
    room.ui.motion = true;
    room.session->dispatch(OpenLesson{1, 1});
    room.frames(3);
    room.session->dispatch(OpenLesson{lesson, screen});
    CHECK(width_after(3) < 0.1f * full);
    CHECK(width_after(84) < full);
    CHECK(width_after(30) == full);
    room.session->dispatch(Action::ToggleMotion);
    room.session->dispatch(OpenLesson{1, 1});
    room.frames(3);
    room.session->dispatch(OpenLesson{lesson, screen});
    CHECK(width_after(1) == full);
  }
}

TEST_CASE("a picture that asks several things has one question mark, in its key, and its bars stay where they are") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}})
    for (const auto& [lesson, screen, several, bar] :
         {std::tuple{10, 3, true, ""}, {2, 3, true, "picture/bar Articles"}, {1, 2, false, "picture/bar Arithmetic"}}) {
      INFO(w << "x" << h << ", text " << text << ", lesson " << lesson << ", screen " << screen);
      const std::string known = bar;
      Classroom room(w, h);
      room.session->dispatch(SetTextScale{text});
      room.session->dispatch(OpenLesson{lesson, screen});
      room.frames(3);
      int signs = 0;
      for (const auto& [name, rect] : room.ui.rects.all()) signs += name.starts_with("picture/sign ");
      CHECK(signs == (several ? 0 : 1));
      CHECK(room.has("picture/asked key") == several);
      const float before = known.empty() ? 0 : room.rect(known).y0;
      room.session->dispatch(Action::LessonAnswer);
      room.frames(3);
      CHECK_FALSE(room.has("picture/asked key"));
      if (!known.empty()) CHECK(room.rect(known).y0 == before);
    }
}
