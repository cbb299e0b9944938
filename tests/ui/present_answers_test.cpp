// What a presented page says of the memories, and when it shows the answer to its question.
#include "core/predict/attention_method.h"
#include "tests/ui/presented_room.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::kRooms;
using tilewalk::test::page_document;
using tilewalk::test::show_to_room;
using tilewalk::test::touches;
using tilewalk::test::with_rules_and_times;

TEST_CASE("a presented thread block has S and O in registers where the walk has, told apart from SRAM") {
  Document document = page_document(Page::Compare);
  document.problem.schedule = ScheduleKind::FlashV3;
  document.cursor = 4;
  Headless head(document, 1600, 900);
  show_to_room(head);
  for (const char* const tile : {"S", "O0", "m ℓ"}) {
    INFO(tile);
    CHECK(head.ui.rects.find("pipes/in registers 1 " + std::string(tile)));
    CHECK_FALSE(head.ui.rects.find("pipes/on chip 1 " + std::string(tile)));
  }
  for (const char* const tile : {"Q0", "K0"}) CHECK(head.ui.rects.find("pipes/on chip 1 " + std::string(tile)));
}

TEST_CASE("a presented page shows the answer to its question at a step, in the place that was left for it") {
  struct Asked {
    Page page;
    const char *answer, *beside;  // beside: a place that does not move
  };
  for (const auto& [page, answer, beside] : {Asked{Page::Compare, "lanes/sentence", "lanes/row 0"},
                                             Asked{Page::Which, "which-answer/because", "which-answer/headline"}})
    for (const auto& [w, h] : kRooms) {
      INFO(answer << " " << w << "x" << h);
      Document document = page_document(page);
      document.view.filling = Filling::Sms;
      Headless head(document, w, h, false, with_rules_and_times);
      head.session->dispatch(ShowPage{page});
      show_to_room(head);
      CHECK_FALSE(head.ui.rects.find(answer));
      const draw::Rect place = head.rect(beside);
      const std::string keys = page_row(page).for_room(*head.session).keys;
      CHECK(keys.starts_with("→ shows the "));
      const std::int64_t n = head.session->call().call.n_q, cursor = head.session->cursor();
      head.session->dispatch(Action::StepForward);
      head.frames(2);
      CHECK(head.ui.rects.find(answer));
      const draw::Rect after = head.rect(beside);
      CHECK((after.y0 == place.y0 && after.y1 == place.y1));
      CHECK(page_row(page).for_room(*head.session).keys != keys);
      CHECK((head.session->call().call.n_q == n && head.session->cursor() == cursor));
      head.session->dispatch(Action::StepForward);  // the page's own steps follow
      CHECK((head.session->call().call.n_q > n || head.session->cursor() > cursor));
      head.session->dispatch(Action::Present);
      head.session->dispatch(Action::Present);
      head.frames(2);
      CHECK_FALSE(head.ui.rects.find(answer));
    }
}

TEST_CASE("the factor that stands in the head of a side leaves its bytes readable") {
  Document document = page_document(Page::Compare);
  document.problem =
      walked_by(method_of(Contender::FlashV3), {.n = 8192, .heads = 32, .batch = 2}, device_of(kDefaultDevice));
  document.problem.tiling.br = document.problem.tiling.bc = 128;
  document.cursor = 4;
  for (const auto& [w, h] : kRooms) {
    Headless head(document, w, h);
    show_to_room(head);
    INFO(w << "x" << h);
    CHECK_FALSE(touches(head.rect("pipes/ratio"), head.rect("pipes/moved 1")));
  }
}
