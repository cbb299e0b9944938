// Each step on its way, in real frames of the interface: tiles have a place to come from and to go to, numbers wait
// until they land, and the picture at t = 1 is the picture at rest.
#include <cmath>
#include <set>

#include "core/schedules/registry.h"
#include "tests/ui/headless.h"
#include "ui/panels/motion/motion_pen.h"
#include "view/sentence/named_cell.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

// All that is drawn, as one text: equal exactly where two frames are.
std::string drawn(const ImDrawData& data) {
  std::string all;
  for (int n = 0; n < list_count(data); ++n) {
    const ImDrawList& list = *list_at(data, n);
    all.append(reinterpret_cast<const char*>(list.VtxBuffer.Data),
               std::size_t(list.VtxBuffer.Size) * sizeof(ImDrawVert));
  }
  return all;
}

bool changes_anything(Headless& head) {
  const WalkPage page = head.models<WalkPage>();
  if (!page.moving) return false;
  const Motion& motion = page.moving->motion;
  bool any = !motion.tiles.empty();
  // The mask goes through the rows of a tile, whether it closes cells of it or not.
  for (const MovingValues& v : motion.values) any |= v.masks();
  for (const MovingValues& v : motion.values)
    for (std::int64_t r = v.row_begin; r < v.row_begin + v.rows; ++r)
      for (std::int64_t c = v.col_begin; c < v.col_begin + v.cols; ++c) any |= v.does_change(r, c);
  return any;
}

}  // namespace

TEST_CASE("every step of every schedule can be drawn on its way, and t = 1 is the picture at rest") {
  for (const ScheduleKind kind : all_schedules()) {
    Document document = picture_document();
    document.problem.schedule = kind;
    Headless head(document);
    const std::int64_t last = head.session->schedule().step_count();
    for (std::int64_t k = 1; k <= last; k += 1) {
      head.session->dispatch(GoToStep{k});
      head.frames(2);
      const std::string at_rest = drawn(*ImGui::GetDrawData());
      INFO(name_of(kind) << ", step " << k);
      head.session->dispatch(HoldMotion{0.5});
      head.frames(2);
      REQUIRE(finite(*ImGui::GetDrawData()));
      REQUIRE((drawn(*ImGui::GetDrawData()) != at_rest) == changes_anything(head));
      head.session->dispatch(HoldMotion{1});
      head.frames(2);
      REQUIRE(drawn(*ImGui::GetDrawData()) == at_rest);
    }
  }
}

TEST_CASE("tiles that cross begin and end at places on the screen, beside whose numbers they unfold") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{40});  // K1 and V1 to meet Q2
  head.session->dispatch(HoldMotion{0.5});
  head.frames(2);
  const MovingPlaces& places = head.ui.of<MovingPlaces>();
  for (const auto& [tensor, name] : {std::pair{TensorId::K, "K1"}, std::pair{TensorId::V, "V1"}}) {
    INFO(name);
    const draw::Rect* hbm = places.find({PlaceKind::HbmTile, int(tensor), 0, 0, name});
    const draw::Rect* sram = places.find({PlaceKind::SramTile, int(tensor), 0, 0, name});
    REQUIRE((hbm && sram));
    CHECK(hbm->y1 <= sram->y0);
    CHECK(within(*sram, head.layout.memory));
    const auto numbers = places.all_of(PlaceKind::Operand, int(tensor));
    REQUIRE(numbers);
    CHECK(within(*numbers, tensor == TensorId::K ? head.layout.scores : head.layout.side));
  }
  head.session->dispatch(GoToStep{40});
  head.frames(2);
  CHECK(head.ui.of<MovingPlaces>().at.empty());
}

TEST_CASE("what moves in a ring is of the row that the sentence names, at each step of each schedule") {
  for (const ScheduleKind kind : all_schedules()) {
    Document document = picture_document();
    document.problem.schedule = kind;
    Headless head(document);
    int rings = 0;
    for (std::int64_t k = 1; k <= head.session->schedule().step_count(); ++k) {
      head.session->dispatch(GoToStep{k});
      head.session->dispatch(HoldMotion{0.5});
      head.frames(1);
      const NamedCell named = named_cell(head.session->problem(), head.session->state());
      const auto ring = head.ui.rects.find("motion/ringed");
      INFO(name_of(kind) << ", step " << k);
      if (!ring || (named.row < 0 && named.key < 0)) continue;
      for (const auto& [place, r] : head.ui.of<MovingPlaces>().at) {
        if (r.x0 != ring->x0 || r.y0 != ring->y0) continue;
        const auto kind_of = place.kind;
        if (kind_of != PlaceKind::Score && kind_of != PlaceKind::Figure && kind_of != PlaceKind::Output) continue;
        ++rings;
        CHECK(place.row == std::max(named.row, named.key));
      }
    }
    CHECK(rings > 8);
  }
}

TEST_CASE("the named row is ringed in Q, in S, in the table and in O at once") {
  Headless head(picture_document());
  for (std::int64_t k = 43; k <= 47; ++k) {
    head.session->dispatch(GoToStep{k});
    head.session->dispatch(HoldMotion{0.5});
    head.frames(2);
    INFO("step " << k);
    const MovingPlaces& places = head.ui.of<MovingPlaces>();
    const auto middle_is_in = [](const draw::Rect& r, const draw::Rect& in) {
      return in.holds({(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2});
    };
    const draw::Rect* q = places.find({PlaceKind::Operand, int(TensorId::Q), 9, 0});
    const draw::Rect* m = places.find({PlaceKind::Figure, int(Quantity::M), 9, 0});
    const draw::Rect* o = places.find({PlaceKind::Output, int(Quantity::O), 9, 0});
    REQUIRE((q && m && o));
    CHECK(middle_is_in(*q, head.rect("scores/named row left")));
    CHECK(middle_is_in(*m, head.rect("side/named row of table")));
    CHECK(middle_is_in(*o, head.rect("side/named row of O")));
    CHECK(std::abs(head.rect("scores/named row").y0 - head.rect("scores/named row left").y0) < 12);
  }
}

TEST_CASE("factors travel as numbers in pairs, over no text, and meet in what they make") {
  const auto overlap = [](const draw::Rect& a, const draw::Rect& b) {
    return std::min(a.x1, b.x1) - std::max(a.x0, b.x0) > 0.5f && std::min(a.y1, b.y1) - std::max(a.y0, b.y0) > 0.5f;
  };
  int flying = 0, sums = 0, skipped = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Document document = picture_document();
    document.problem.schedule = kind;
    Headless head(document);
    for (std::int64_t k = 1; k <= head.session->schedule().step_count(); ++k)
      for (const double t : {0.35, 0.45, 0.55}) {
        head.session->dispatch(GoToStep{k});
        head.session->dispatch(HoldMotion{t});
        head.frames(1);
        const NamedCell named = named_cell(head.session->problem(), head.session->state());
        const std::int64_t told = std::max(named.row, named.key);
        INFO(name_of(kind) << ", step " << k << ", t " << t);
        for (const auto& [name, part] : head.ui.rects.all()) {
          sums += name.starts_with("motion/sum");
          if (!name.starts_with("motion/flying")) continue;
          ++flying;
          const float wide = draw::text_width(head.theme.fonts.mono_small, name.substr(name.rfind(' ') + 1));
          CHECK(part.width() > wide - 0.5f);
          for (const auto& [place, r] : head.ui.of<MovingPlaces>().at) {
            const bool own = place.kind == PlaceKind::SramTile && name.substr(name.rfind(' ') + 1) == place.name;
            const bool stays = place.kind == PlaceKind::Words || (place.kind == PlaceKind::SramTile && !own) ||
                               (place.kind == PlaceKind::Figure && told >= 0 && place.row != told);
            const bool as_score = place.kind == PlaceKind::Skipped;  // a number would read as a score there
            skipped += place.kind == PlaceKind::Skipped;
            INFO(name << " over " << int(place.kind) << " " << place.name);
            if (stays || as_score) CHECK_FALSE(overlap(part, r));
          }
        }
      }
  }
  CHECK(flying > 100);
  CHECK(skipped > 100);
  CHECK(sums > 20);
}

TEST_CASE("a figure that travels is that of its place in the table, with the sign of its formula") {
  Headless head(picture_document());
  std::set<std::string> flying;
  for (const std::int64_t step : {44, 45})  // O and its α, then each score less the max
    for (double t = 0.05; t < 1; t += 0.05) {
      head.session->dispatch(GoToStep{step});
      head.session->dispatch(HoldMotion{t});
      head.frames(1);
      for (const auto& [name, part] : head.ui.rects.all())
        if (name.starts_with("motion/flying"))
          flying.insert(name.substr(std::min(name.find("− "), name.rfind(' ') + 1)));
    }
  CHECK(flying == std::set<std::string>{"− 0.92", "×0.66"});
}

TEST_CASE("what flies between the memories crosses no label, and its bytes count in SRAM as they land") {
  for (const ScheduleKind kind : all_schedules())
    for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
      if (w != 1600 && kind != ScheduleKind::FlashV2) continue;
      Document document = picture_document();
      document.problem.schedule = kind;
      Headless head(document, w, h);
      int flights = 0, wires = 0;
      std::set<Phase> seen;
      for (std::int64_t k = 1; k <= head.session->schedule().step_count(); ++k) {
        head.session->dispatch(GoToStep{k});
        if (!seen.insert(head.session->state().step.phase).second) continue;
        for (const double t : {0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85}) {
          head.session->dispatch(HoldMotion{t});
          head.frames(1);
          INFO(name_of(kind) << ", step " << k << ", t " << t << ", " << w << "x" << h);
          std::map<std::string, draw::Rect> drawn = head.ui.rects.all();
          const DottedWays& dotted = head.ui.of<DottedWays>();
          for (std::size_t i = 0; i < dotted.used; ++i)
            for (const draw::Rect& dot : dotted.ways[i].dots)
              if (dotted.ways[i].name.starts_with("wire "))
                drawn["motion/" + dotted.ways[i].name + " " + std::to_string(drawn.size())] = dot;
          for (const auto& [name, r] : drawn) {
            const bool wire = name.starts_with("motion/wire ");
            const bool speck = name.starts_with("motion/speck ") || wire;
            if (!speck && !name.starts_with("motion/flight ")) continue;
            // What crosses together has one size and its name, and covers no other tile in SRAM.
            for (const auto& [other, beside] : drawn) {
              if (speck || other == name) continue;
              INFO(name << " and " << other);
              if (other.starts_with("motion/flight "))
                CHECK(std::abs(beside.height() - r.height()) < 0.15f * r.height());
              const auto own = drawn.find("memory/sram tile " + name.substr(std::string("motion/flight ").size()));
              if (!other.starts_with("memory/sram tile ") || own == drawn.end() || own->first == other) continue;
              if (beside.y0 == own->second.y0) CHECK_FALSE(r.touches(beside));  // else it falls past a line of tiles
            }
            if (!speck) CHECK(r.width() >= 28);
            ++(wire ? wires : flights);
            for (const auto& [other, label] : head.ui.rects.all()) {
              const bool is_label = other.starts_with("memory/hbm label ") || other == "memory/sram title" ||
                                    other.starts_with("motion/label ") ||
                                    ((!speck || wire) && other.starts_with("memory/hbm tile "));
              if (!is_label) continue;
              INFO(name << " over " << other);
              CHECK_FALSE((r.x0 < label.x1 && label.x0 < r.x1 && r.y0 < label.y1 && label.y0 < r.y1));
            }
          }
        }
      }
      CHECK(flights > 10);
      CHECK(wires > 100);
    }
}

TEST_CASE("a dotted wire leads from a tile's place in HBM to its place in SRAM, while it crosses") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{40});
  const auto dots = [&] {
    std::vector<draw::Rect> out;
    const DottedWays& all = head.ui.of<DottedWays>();
    for (std::size_t i = 0; i < all.used; ++i)
      if (all.ways[i].name == "wire K1") out = all.ways[i].dots;
    return out;
  };
  head.session->dispatch(HoldMotion{0.4});
  head.frames(2);
  const draw::Rect hbm = head.rect("memory/hbm tile K1"), sram = head.rect("memory/sram tile K1");
  float top = 1e9f, foot = 0, foot_x = 0;
  for (const draw::Rect& dot : dots()) {
    top = std::min(top, dot.y0);
    if (dot.y1 > foot) foot = dot.y1, foot_x = dot.middle().x;
  }
  CHECK(top >= hbm.y1);
  CHECK(top - hbm.y1 < 10);
  CHECK(foot <= sram.y0);
  CHECK(sram.y0 - foot < 10);
  CHECK(std::abs(foot_x - sram.middle().x) < 2);
  // It falls straight down, beside the tiles below its own.
  const float corridor = head.rect("memory/corridor").y0;
  for (const draw::Rect& dot : dots())
    if (dot.y1 < corridor) CHECK(std::abs(dot.middle().x - hbm.middle().x) <= hbm.width() / 2 + 5);
  head.session->dispatch(HoldMotion{0.97});
  head.frames(2);
  CHECK(dots().empty());
}

TEST_CASE("the arithmetic's longest left factor is whole: \"dV before\" keeps its d") {
  int seen = 0;
  for (const ScheduleKind kind : all_schedules()) {
    if (!is_backward(kind)) continue;
    for (const int width : {1280, 1600}) {
      Document document = picture_document();
      document.problem.schedule = kind;
      Headless head(document, width, width == 1280 ? 720 : 900);
      for (std::int64_t k = 1; k <= head.session->schedule().step_count(); ++k) {
        head.session->dispatch(GoToStep{k});
        head.frames(1);
        const auto place = head.ui.rects.find("scores/arithmetic");
        for (const auto& [name, r] : head.ui.rects.all()) {
          if (!name.starts_with("scores/factor ")) continue;
          INFO(name_of(kind) << ", step " << k << ", " << name);
          REQUIRE(place);
          CHECK(r.x0 >= place->x0);
          seen += name.ends_with("before");
        }
      }
    }
  }
  CHECK(seen > 10);
}

TEST_CASE("SRAM counts a tile's bytes as they land, and the corridor says what crosses") {
  {
    Headless head(picture_document());
    const auto bytes_at = [&](std::int64_t step, double t) {
      head.session->dispatch(GoToStep{step});
      head.session->dispatch(HoldMotion{t});
      head.frames(2);
      for (const auto& [name, r] : head.ui.rects.all())
        if (name.starts_with("memory/sram bytes ")) return std::stoll(name.substr(18));
      return -1LL;
    };
    const auto after = bytes_at(40, 1);
    CHECK(after == head.models<WalkPage>().memory.filled_bytes);
    CHECK(bytes_at(40, 0) == after - 128);    // K and V are not here yet
    CHECK(bytes_at(40, 0.5) == after - 128);  // both are in the gap
    CHECK(bytes_at(40, 0.8) > after - 128);
    CHECK(bytes_at(40, 0.8) < after);
    CHECK(bytes_at(41, 0) == after);
    CHECK(bytes_at(41, 0.5) > after);  // S, a cell at a time
    CHECK(bytes_at(41, 1) == after + 64);
    CHECK(head.models<WalkPage>().memory.so_far == "nothing crosses: 992 B so far");
  }
  for (const auto& [w, h, least] : {std::tuple{1600, 900, 110.0f}, {1280, 720, 50.0f}}) {
    Headless window(picture_document(), w, h);
    window.session->dispatch(GoToStep{41});
    window.frames(2);
    CHECK(window.rect("memory/corridor").height() >= least);
    CHECK(within(window.rect("memory/sram title"), window.layout.memory));
  }
}

TEST_CASE("the arithmetic has a place of its own beside the matrix, or the sentence's last lines") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    Headless head(picture_document(), w, h);
    for (const std::int64_t step : {41, 43, 44, 45, 46, 47, 4, 60}) {
      head.session->dispatch(GoToStep{step});
      head.frames(2);
      INFO(w << "x" << h << ", step " << step);
      const auto beside = head.ui.rects.find("scores/arithmetic"), below = head.ui.rects.find("side/arithmetic");
      CHECK((beside || below));
      CHECK_FALSE((beside && below));
      if (below) CHECK(within(*below, head.layout.side));
      if (!beside) continue;
      CHECK(within(*beside, head.layout.scores));
      for (const char* other : {"scores/matrix", "scores/values left", "scores/values above", "scores/title"}) {
        const auto r = head.ui.rects.find(other);
        if (!r) continue;
        INFO(other);
        CHECK_FALSE((beside->x0 < r->x1 && r->x0 < beside->x1 && beside->y0 < r->y1 && r->y0 < beside->y1));
      }
    }
  }
}

TEST_CASE("in all phases of a visit the arithmetic begins at one height") {
  for (const auto& [w, h] : {std::pair{1600, 900}, {3840, 2160}}) {
    Headless head(picture_document(), w, h);
    for (const int first : {41, 68}) {
      std::optional<float> top;
      for (int step = first; step < first + 7; ++step) {
        head.session->dispatch(GoToStep{step});
        head.frames(2);
        INFO(w << "x" << h << ", step " << step);
        const draw::Rect lines = head.rect("scores/arithmetic lines"), rows = head.rect("scores/values left");
        if (!top) top = lines.y0;
        CHECK(lines.y0 == Approx(*top).margin(1));
        CHECK(lines.y1 <= rows.y0);
        CHECK(rows.y0 - lines.y0 < 260 * head.theme.s);
        if (step == 47 && w == 1600) CHECK(head.ui.rects.find("scores/arithmetic title O: row 9, column 0"));
      }
    }
  }
}

TEST_CASE("a number between a cell and the table travels above the matrix, over no cell of another tile") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{43});
  int above = 0;
  for (double t = 0.02; t < 1; t += 0.02) {
    head.session->dispatch(HoldMotion{t});
    head.frames(1);
    INFO("t " << t);
    const draw::Rect matrix = head.rect("scores/matrix"), tile = head.rect("scores/current tile");
    for (const auto& [name, r] : head.ui.rects.all()) {
      if (!name.starts_with("motion/flying")) continue;
      above += r.y1 <= matrix.y0 + 1;
      const bool over = r.x0 < matrix.x1 && matrix.x0 < r.x1 && r.y0 < matrix.y1 && matrix.y0 + 1 < r.y1;
      if (over) CHECK(within(r, tile.inset(-2)));
    }
  }
  CHECK(above > 5);
}

TEST_CASE("nothing moves where motion is switched off or nobody watches, but what is held is shown") {
  Document document = picture_document();
  Headless head(document, 1600, 900, true);
  head.press(Key::Right);
  head.session->dispatch(Tick{1});
  head.frame();
  CHECK(head.ui.of<MovingPlaces>().at.empty());  // off-screen pictures show steps at rest
  head.session->dispatch(Tick{1.5});
  head.ui.motion = true;
  head.press(Key::Right);
  head.session->dispatch(Tick{2});
  head.frame();
  CHECK(!head.ui.of<MovingPlaces>().at.empty());
  head.session->dispatch(Tick{3});
  head.frame();
  CHECK(head.ui.of<MovingPlaces>().at.empty());
}

TEST_CASE("with reduced motion nothing travels: new values fade in, and at once there is the picture at rest") {
  Headless head(picture_document(), 1600, 900, true);
  head.ui.motion = true;
  head.session->dispatch(Action::ToggleMotion);
  head.session->dispatch(GoToStep{41});
  head.press(Key::Right);
  head.session->dispatch(Tick{4});
  head.frame();
  CHECK(head.session->walk().motion().t() == 0);
  CHECK(!head.ui.of<MovingPlaces>().at.empty());
  const int veiled = ImGui::GetForegroundDrawList()->VtxBuffer.Size;
  CHECK(veiled > 0);
  head.session->dispatch(Tick{4 + 1.01 * kSecondsOfFade});
  head.frame();
  CHECK(head.ui.of<MovingPlaces>().at.empty());
  CHECK(ImGui::GetForegroundDrawList()->VtxBuffer.Size == 0);
}

TEST_CASE("numbers that are asked for by hand do not arrive by themselves") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{40});
  head.session->dispatch(AskByHand{.rows = {.kind = HandRows::All}});
  head.session->dispatch(GoToStep{43});
  head.session->dispatch(HoldMotion{0.5});
  head.frames(2);
  CHECK(head.ui.of<MovingPlaces>().at.empty());
}
