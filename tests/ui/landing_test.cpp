// What a person sees while a tile or a visit lands: the way of a tile to its numbers, and the mark of a checked visit.
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/ui/headless.h"
#include "ui/panels/motion/motion_pen.h"

using namespace tilewalk;
using tilewalk::test::give_recorded_check;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

TEST_CASE("a dotted way leads from a tile's place in SRAM to its numbers, while it unfolds") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{40});
  const auto dots = [&](double t) {
    head.session->dispatch(HoldMotion{t});
    head.frames(2);
    std::vector<draw::Rect> out;
    const DottedWays& all = head.ui.of<DottedWays>();
    for (std::size_t i = 0; i < all.used; ++i)
      if (all.ways[i].name == "way of K1") out = all.ways[i].dots;
    return out;
  };
  CHECK(dots(0.4).empty());
  const std::vector<draw::Rect> way = dots(0.85);
  REQUIRE(way.size() > 20);
  const draw::Rect sram = head.rect("memory/sram tile K1");
  float first = 1e9f, right = 0;
  for (const draw::Rect& dot : way) {
    first = std::min(first, std::abs(dot.middle().x - sram.x1) + std::abs(dot.middle().y - sram.middle().y));
    right = std::max(right, dot.x1);
  }
  CHECK(first < 12);
  CHECK(right > head.layout.scores.x0);
  CHECK(right < head.layout.scores.x1);  // not by way of the panel at the other side
}

TEST_CASE("a dotted way to a figure ends at the matrix's panel, and has no dots between the panels") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    Headless head(picture_document(), w, h);
    int dots = 0;
    for (const std::int64_t step : {42, 43, 44, 45, 46}) {
      head.session->dispatch(GoToStep{step});
      head.session->dispatch(HoldMotion{0.5});
      head.frames(2);
      const DottedWays& all = head.ui.of<DottedWays>();
      for (std::size_t i = 0; i < all.used; ++i)
        for (const draw::Rect& dot : all.ways[i].dots) {
          INFO(all.ways[i].name << ", step " << step << ", " << w << "x" << h);
          ++dots;
          if (head.layout.side.x0 > head.layout.scores.x1)
            CHECK((dot.x1 <= head.layout.scores.x1 || dot.x0 >= head.layout.side.x0));
        }
    }
    CHECK(dots > 10);
  }
}

TEST_CASE("a check mark stands under a visit once its last step has landed") {
  Document document = picture_document();
  document.problem.schedule = ScheduleKind::Standard;
  Headless head(document, 1600, 900, true);
  give_recorded_check(head);
  head.session->dispatch(GoToStep{30});
  const auto marks = [&](double t) {
    head.session->dispatch(HoldMotion{t});
    head.frames(3);
    int count = 0;
    for (const auto& [name, r] : head.ui.rects.all()) count += name.starts_with("transport/check of step ");
    return count;
  };
  const int on_the_way = marks(0.5);
  CHECK(on_the_way > 0);
  CHECK(marks(1) == on_the_way + 1);
}

TEST_CASE("a film counts the bytes as they land, below the numbers") {
  for (const int side : {720, 1080}) {
    Headless head(picture_document(), side, side, true);
    head.post = true;
    head.session->dispatch(GoToStep{40});
    const auto bytes = [&](double t) {
      head.session->dispatch(HoldMotion{t});
      head.frames(3);
      for (const auto& [name, r] : head.ui.rects.all())
        if (name.starts_with("side/bytes ")) {
          CHECK(r.y0 > head.rect("side/o numbers").y1);
          CHECK(within(r, head.layout.side));
          return name.substr(11);
        }
      return std::string();
    };
    CHECK(bytes(0) == "864 B");
    CHECK(bytes(1) == "992 B");
    CHECK(bytes(0.5) == "864 B");  // both tiles are on their way
  }
}

TEST_CASE("a film has no controls: neither the buttons of the zoom nor the switch of work by hand") {
  for (const bool post : {true, false}) {
    Headless head(picture_document(), 1080, 1080, true);
    head.post = post;
    head.session->dispatch(GoToStep{40});
    head.frames(3);
    for (const char* button : {"scores/whole", "scores/tile", "scores/+", "scores/−", "side/hand switch"})
      CHECK(head.ui.rects.find(button).has_value() != post);
  }
}

TEST_CASE("the mask's rule is below the matrix, between the scale and the formula; without a mask there is none") {
  for (const auto& [w, h, mask] :
       {std::tuple{1280, 720, true}, std::tuple{1600, 900, true}, std::tuple{1600, 900, false}}) {
    INFO(w << "x" << h << ", mask " << mask);
    Document document = picture_document();
    document.cursor = 44;
    if (!mask) document.problem.shape.mask.kind = MaskKind::None;
    Headless head(document, w, h, true);
    head.frames(2);
    if (!mask) {
      CHECK_FALSE(head.ui.rects.find("scores/mask rule"));
      continue;
    }
    const draw::Rect rule = head.rect("scores/mask rule");
    CHECK(within(rule, head.layout.scores));
    CHECK(rule.x0 > head.rect("scores/scale").x1);
    CHECK(rule.x1 < head.rect("scores/formula").x0);
  }
}

TEST_CASE("half way through a load both tiles are whole, larger than their places and beside their bytes") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    head.session->dispatch(GoToStep{40});
    head.session->dispatch(HoldMotion{0.5});
    head.frames(2);
    for (const char* tile : {"K1", "V1"}) {
      INFO(tile);
      const draw::Rect flight = head.rect(std::string("motion/flight ") + tile),
                       place = head.rect(std::string("memory/sram tile ") + tile);
      CHECK(within(flight, head.layout.memory));
      CHECK(flight.width() > 1.25f * place.width());
      CHECK_FALSE(flight.touches(head.rect("motion/label K1").joined(head.rect("motion/label V1"))));
      CHECK(flight.y0 < place.y0);
    }
    CHECK(std::abs(head.rect("motion/flight K1").middle().x - head.rect("motion/flight V1").middle().x) >
          0.4f * head.rect("motion/flight V1").width());
  }
}

TEST_CASE("tiles that cross together are far wider than in SRAM, and never cover each other") {
  for (const auto& [w, h] : {std::pair{1600, 900}, {3840, 2160}}) {
    Document document = picture_document();
    document.cursor = 47;
    Headless head(document, w, h);
    head.session->dispatch(Action::StepForward);
    float widest = 0;
    for (double t = 0; t < 1; t += 0.02) {
      INFO(w << "x" << h << ", t " << t);
      head.session->dispatch(HoldMotion{t});
      head.frames(1);
      const auto k = head.ui.rects.find("motion/flight K2"), v = head.ui.rects.find("motion/flight V2");
      if (k) widest = std::max(widest, k->width());
      if (k && v) CHECK(std::min(k->x1, v->x1) <= std::max(k->x0, v->x0) + 1);
    }
    CHECK(widest > 1.8f * head.rect("memory/sram tile K2").width());
  }
}

TEST_CASE("in the second hop of a load a ghost goes from SRAM to the numbers, and grows to their size") {
  Document document = picture_document();
  document.cursor = 47;
  Headless head(document, 1600, 900);
  head.session->dispatch(Action::StepForward);
  const auto& tiles = head.session->walk();
  CHECK(tiles.motion().moves());
  float before = 0;
  int seen = 0;
  for (double t = 0.5; t < 1; t += 0.02) {
    head.session->dispatch(HoldMotion{t});
    head.frames(2);
    const auto ghost = head.ui.rects.find("motion/ghost K2");
    if (!ghost) continue;
    ++seen;
    CHECK_FALSE(head.ui.rects.find("motion/flight K2"));  // it has landed in SRAM first
    CHECK(ghost->width() >= before);
    before = ghost->width();
  }
  CHECK(seen > 3);
  CHECK(before > 1.5f * head.rect("memory/sram tile K2").width());
  head.session->dispatch(Action::ToggleMotion);
  head.session->dispatch(GoToStep{47});
  head.session->dispatch(Action::StepForward);
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("motion/ghost K2"));  // reduced motion: at once
  CHECK_FALSE(head.ui.rects.find("motion/flight K2"));
}

TEST_CASE("the row of O that shrinks is lifted off its tile, larger than anything else that moves") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    head.session->dispatch(GoToStep{44});
    const auto lifted = [&](double t) {
      head.session->dispatch(HoldMotion{t});
      head.frames(2);
      return head.ui.rects.find("motion/lifted row");
    };
    CHECK_FALSE(lifted(0.02));
    const draw::Rect row = head.rect("side/named row of O");
    for (const double t : {0.3, 0.5, 0.8}) {
      const auto card = lifted(t);
      REQUIRE(card);
      CHECK(card->x0 >= head.layout.side.x0 + head.theme.pad() - 1);
      CHECK(card->x1 <= head.layout.side.x1 - head.theme.pad() + 1);
      CHECK(card->height() > 3 * row.height());
      for (const char* other : {"side/named row of O", "side/named row of table"})
        CHECK_FALSE(card->touches(head.rect(other)));
    }
    CHECK_FALSE(lifted(1));
  }
}

TEST_CASE("the row of O that is lifted stands in no place that is named V, and crosses no edge of its panel") {
  for (const auto& [w, h, text] :
       {std::tuple{1600, 900, 1.0}, {1280, 720, 1.0}, {1280, 720, 1.5}, {1600, 900, 1.5}, {1600, 900, 2.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.session->dispatch(GoToStep{44});
    int boxes = 0;
    for (const double t : {0.02, 0.3, 0.6, 1.0}) {
      INFO("t " << t);
      head.session->dispatch(HoldMotion{t});
      head.frames(2);
      const auto box = head.ui.rects.find("motion/lifted row");
      CHECK(bool(head.ui.rects.find("side/name of V1")) == !box);
      if (!box) continue;
      ++boxes;
      CHECK(within(*box, head.layout.side));
      if (is_compact(head.layout)) CHECK(box->y1 <= head.layout.flow.y1);
    }
    if (text == 1) CHECK(boxes == 2);
  }
}

TEST_CASE("a row of O that a mistake leaves as it is does not shrink") {
  Document document = picture_document();
  document.problem.fault = Fault::ForgetRescaleO;
  Headless head(document);
  head.session->dispatch(GoToStep{44});
  head.session->dispatch(HoldMotion{0.5});
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("motion/lifted row"));
}

TEST_CASE("a row of O that is right is not marked wrong while its sum is under way") {
  Document document = picture_document();
  document.problem.fault = Fault::ForgetRescaleO;
  Headless head(document);
  head.session->dispatch(GoToStep{47});
  for (const double t : {0.0, 0.5, 1.0}) {
    INFO("t " << t);
    head.session->dispatch(HoldMotion{t});
    head.frames(2);
    for (const int row : {8, 9, 10, 11})
      CHECK(bool(head.ui.rects.find("side/wrong output " + std::to_string(row))) == (row == 9 || row == 10));
  }
}

TEST_CASE("the mask goes through the rows of its tile, and says how many scores of each close, if any do") {
  Headless head(picture_document());
  head.frames(1);
  for (const std::int64_t step : {42, 50}) {  // nothing closes; on the diagonal
    INFO("step " << step);
    head.session->dispatch(GoToStep{step});
    REQUIRE(head.models<WalkPage>().arithmetic.lines.size() == (step == 42 ? 1 : 4));
    float y = 0;
    for (const double t : {0.1, 0.4, 0.6, 0.9}) {
      head.session->dispatch(HoldMotion{t});
      head.frames(2);
      const draw::Rect row = head.rect("scores/row at the mask");
      CHECK(row.y0 > y);
      y = row.y0;
    }
    CHECK(head.ui.rects.find("scores/arithmetic"));
  }
  CHECK(head.models<WalkPage>().arithmetic.lines[0].text == "row 8 sees keys 0 to 8: 3 close");
}

TEST_CASE("the line of the kernel that shrinks O is ringed, and in view") {
  std::ifstream file(TILEWALK_SOURCE_DIR "/kernels/03_flash_v2.cu");
  std::stringstream text;
  text << file.rdbuf();
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    Headless head(picture_document(), w, h, true);
    head.builder = ViewBuilder({{ScheduleKind::FlashV2, parse_kernel("03_flash_v2.cu", text.str())}});
    head.session->dispatch(GoToStep{44});
    head.frames(4);
    const draw::Rect ring = head.rect("side/storing line");
    INFO(w << "x" << h);
    CHECK(ring.y1 <= head.layout.side.y1);
    CHECK(within(ring, head.layout.side));
    const CodeModel code = head.models<WalkPage>().code;
    CHECK(code.text->code.lines[std::size_t(code.last_lit)].find("sO[e] * sAlpha") != std::string::npos);
    head.session->dispatch(GoToStep{57});  // of the line that stores L the whole frame is in view
    head.frames(4);
    CHECK(within(head.rect("side/storing line"), head.rect("side/source")));
  }
}

TEST_CASE("while the rows of a tile turn from S into P the foot says where each is, and then what P is") {
  for (const auto& [w, h, text] : {std::tuple{1600, 900, 1.0}, {1280, 720, 1.0}, {1280, 720, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.session->dispatch(GoToStep{45});
    for (const double t : {0.1, 0.6, 1.0}) {
      INFO("t " << t);
      head.session->dispatch(HoldMotion{t});
      head.frames(2);
      CHECK(bool(head.ui.rects.find("scores/formula P, S in cells to come")) == (t < 1));
      CHECK(bool(head.ui.rects.find("scores/formula " + head.models<WalkPage>().scores.formula)) == (t == 1));
      CHECK(within(head.rect("scores/scale"), head.layout.scores));
      CHECK(head.rect("scores/scale").x1 < head.rect("scores/formula").x0);
    }
  }
}

TEST_CASE("a row that a mistake left wrong is marked in its tile once that is gone, and not over its right weights") {
  Document document = picture_document();
  document.problem.fault = Fault::ForgetRescaleO;
  Headless head(document);
  head.session->dispatch(GoToStep{47});
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("scores/wrong row 9"));
  CHECK_FALSE(head.ui.rects.find("scores/legend wrong row"));
  const draw::Rect tile = head.rect("scores/numbers");
  head.session->dispatch(GoToStep{48});
  head.frames(2);
  CHECK(head.ui.rects.find("scores/legend wrong row"));
  CHECK(within(head.rect("scores/wrong row 9"), tile));
}

TEST_CASE("in a film the box of the sentence has one height, and no panel has a scroll bar") {
  for (const int side : {720, 1080}) {
    Headless head(picture_document(), side, side, true);
    head.post = true;
    float y = -1;
    for (std::int64_t step = 39; step <= 48; ++step) {
      head.session->dispatch(GoToStep{step});
      head.session->dispatch(HoldMotion{0.5});
      head.frames(3);
      INFO(side << ", step " << step);
      const float top = head.rect("side/o numbers").y0;
      CHECK((y < 0 || std::abs(top - y) < 0.5f));
      y = top;
      CHECK(head.rect("side/o numbers").y1 < head.layout.side.y1);
      // A scroll bar would take its width from these.
      CHECK(head.rect("memory/corridor").x1 > head.layout.memory.x1 - head.theme.pad() - 2);
    }
  }
}

TEST_CASE("the marks of a mistake in the matrix are in its legend, and its texts are whole") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Document document = picture_document();
    document.problem.fault = Fault::ForgetRescaleO;
    Headless head(document, w, h, true);
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("scores/legend wrong row"));
    head.session->dispatch(GoToStep{60});
    head.frames(3);
    CHECK(within(head.rect("scores/legend wrong row"), head.layout.scores));
    CHECK_FALSE(head.ui.rects.find("scores/legend wrong P"));
    if (h >= 900) CHECK(within(head.rect("memory/mistake"), head.layout.memory));
    head.session->dispatch(SetFault{Fault::NoMax});
    head.frames(3);
    CHECK(head.ui.rects.find("scores/legend wrong P"));
  }
}

TEST_CASE("the arithmetic's title is whole words where it has less room than its longest form") {
  for (const auto& [kind, step] : {std::pair{ScheduleKind::FlashV2, 56}, {ScheduleKind::Backward, 41}}) {
    Document document = picture_document();
    document.problem.schedule = kind;
    document.problem.machine.sram_bytes = 1 << 16;
    Headless head(document);
    head.session->dispatch(GoToStep{step});
    head.session->dispatch(HoldMotion{0.5});
    head.frames(2);
    int titles = 0;
    for (const auto& [name, r] : head.ui.rects.all()) {
      if (name.find("/arithmetic title ") == std::string::npos) continue;
      ++titles;
      INFO(name);
      CHECK(name.find("...") == std::string::npos);
      CHECK(name.find("…") == std::string::npos);
      CHECK(name.find(": row ") != std::string::npos);
    }
    CHECK(titles == 1);
  }
}
