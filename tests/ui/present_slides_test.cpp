// What the slides of single phases show while presenting, at the sizes of projectors.
#include <algorithm>
#include <map>

#include "tests/ui/headless.h"
#include "ui/panels/motion/moving.h"
#include "ui/present_layout.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::touches;
using tilewalk::test::use_fonts;
using tilewalk::test::within;

namespace {

constexpr std::pair<int, int> kSizes[] = {{1280, 720}, {1600, 900}, {1024, 768}, {3840, 2160}};

void present_at(Headless& head, std::int64_t step, double t) {
  if (!head.session->view().presenting()) head.session->dispatch(Action::Present);
  use_fonts(head.theme, present_scale(float(head.width()), float(head.height())));
  apply_style(head.theme);
  head.session->dispatch(GoToStep{step});
  head.session->dispatch(HoldMotion{t});
  head.frames(2);
}

}  // namespace

TEST_CASE("the products of the score that the sentence names are printed one after the other, beside the tile") {
  for (const auto& [w, h] : kSizes) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    int before = 0;
    for (const double t : {0.0, 0.3, 0.5, 0.6, 1.0}) {
      present_at(head, 41, t);
      int printed = 0;
      while (head.ui.rects.find("present/product " + std::to_string(printed))) ++printed;
      CHECK(printed >= before);
      before = printed;
      CHECK(within(head.rect("present/meeting"), compute_present_layout(float(w), float(h)).table));
      CHECK_FALSE(head.ui.rects.find("present/table"));
      if (t == 0) CHECK(printed == 0);
    }
    CHECK(before >= 3);
  }
}

TEST_CASE("each row with wrong numbers has one cross, beside the row's name, on every screen") {
  for (const auto& [w, h] : kSizes) {
    INFO(w << "x" << h);
    Document document = picture_document();
    document.problem.fault = Fault::ForgetRescaleO;
    Headless head(document, w, h);
    int wrong = 0, crosses = 0;
    for (std::int64_t step = 44; step <= 57; ++step) {
      present_at(head, step, 1);
      INFO("step " << step);
      std::vector<draw::Rect> of_rows;
      for (const auto& [name, r] : head.ui.rects.all()) {
        if (!name.starts_with("present/cross of row ")) continue;
        const std::string row = name.substr(std::string("present/cross of row ").size());
        CHECK_FALSE(touches(r, head.rect("present/figure " + row + " row")));
        of_rows.push_back(r);
        ++crosses;
      }
      for (const auto& [name, r] : head.ui.rects.all()) {
        if (!name.starts_with("present/wrong at ") || !touches(r, head.rect("present/table"))) continue;
        ++wrong;
        const draw::Rect number = head.rect("present/number" + name.substr(std::string("present/wrong").size()));
        CHECK(number.y1 < r.y1);  // the frame is round the digits, through none of them
        CHECK(number.y0 > r.y0);
        CHECK(std::any_of(of_rows.begin(), of_rows.end(),
                          [&](const draw::Rect& cross) { return cross.y0 > r.y0 - 1 && cross.y1 < r.y1 + 1; }));
      }
    }
    CHECK(wrong > 20);
    CHECK(crosses > 5);
  }
}

TEST_CASE("a sentence keeps its place while its number has not landed") {
  for (const auto& [w, h] : kSizes)
    for (const std::int64_t step : {41, 43, 45, 46, 47}) {
      INFO(w << "x" << h << ", step " << step);
      Headless head(picture_document(), w, h);
      present_at(head, step, 0);
      const draw::Rect sentence = head.rect("present/sentence");
      present_at(head, step, 1);
      const draw::Rect landed = head.rect("present/sentence");
      CHECK(landed.y0 == sentence.y0);
      CHECK(landed.y1 == sentence.y1);
    }
}

TEST_CASE("at a load and at a store the two memories have the whole slide above the sentence") {
  for (const auto& [w, h] : kSizes) {
    INFO(w << "x" << h);
    const PresentLayout layout = compute_present_layout(float(w), float(h));
    Headless head(picture_document(), w, h);
    for (const std::int64_t step : {40, 57}) {
      present_at(head, step, 0.5);
      const draw::Rect memories = head.rect("present/memories");
      CHECK(memories.y1 == layout.tile.y1);
      CHECK_FALSE(head.ui.rects.find("present/tile"));
      CHECK_FALSE(touches(memories, head.rect("present/sentence")));
    }
    present_at(head, 41, 0.5);
    CHECK(head.rect("present/memories").y1 <= layout.tile.y0);
  }
}

TEST_CASE("a room sees the weights of a row travel to their sum, and the sum grow as they land") {
  for (const auto& [w, h] : kSizes) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    std::vector<std::string> sums, flown;
    for (int i = 1; i < 40; ++i) {
      present_at(head, 46, i / 40.0);
      for (const auto& [name, r] : head.ui.rects.all()) {
        if (name.starts_with("motion/sum ") && (sums.empty() || sums.back() != name)) sums.push_back(name);
        if (!name.starts_with("motion/flying ") || name.find("×") != std::string::npos) continue;
        const PresentLayout layout = compute_present_layout(float(w), float(h));
        if (r.y1 <= layout.tile.y0 + layout.title + 1) flown.push_back(name);
      }
    }
    CHECK(sums == std::vector<std::string>{"motion/sum Σ 0.25", "motion/sum Σ 0.50", "motion/sum Σ 1.50"});
    for (const char* weight : {"0.25", "0.26", "1.00", "0.47"})
      CHECK(std::count(flown.begin(), flown.end(), std::string("motion/flying ") + weight) >= 3);
  }
}

TEST_CASE("a room sees the max travel to each score of the named row in turn, and turn it into a weight") {
  for (const auto& [w, h] : kSizes) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    std::vector<float> goals;
    for (int i = 1; i < 40; ++i) {
      present_at(head, 45, i / 40.0);
      const auto flying = head.ui.rects.find("motion/flying − 0.92");
      if (!flying) continue;
      const float x = head.rect("motion/goal of − 0.92").middle().x;
      if (goals.empty() || goals.back() != x) goals.push_back(x);
    }
    CHECK(goals.size() == 4);
    CHECK(std::is_sorted(goals.begin(), goals.end()));
  }
}

TEST_CASE("for a room a number that travels keeps clear of the titles in its line") {
  for (const auto& [w, h] : kSizes) {
    Headless head(picture_document(), w, h);
    int beside = 0;
    for (int i = 1; i < 40; ++i) {
      present_at(head, 45, i / 40.0);
      const auto flying = head.ui.rects.find("motion/flying − 0.92");
      if (!flying) continue;
      for (const auto& [place, title] : head.ui.of<MovingPlaces>().at) {
        if (place.name != "title" || title.y1 <= flying->y0 || title.y0 >= flying->y1) continue;
        INFO(w << "x" << h << ", t " << i / 40.0);
        CHECK(std::max(flying->x0 - title.x1, title.x0 - flying->x1) >= 8 * head.theme.s);
        ++beside;
      }
    }
    CHECK(beside > 0);
  }
}

TEST_CASE("figures of the table overprint no other figure at any step, and keep their columns from phase to phase") {
  for (const auto& [w, h] : kSizes) {
    Headless head(picture_document(), w, h);
    std::map<std::string, float> right;  // edges of the softmax table's columns
    for (std::int64_t step = 41; step <= 56; ++step)
      for (const double t : {0.0, 0.6, 1.0}) {
        present_at(head, step, t);
        INFO(w << "x" << h << ", step " << step << ", t " << t);
        std::vector<draw::Rect> figures;
        for (const auto& [name, r] : head.ui.rects.all())
          if (name.starts_with("present/figure ")) figures.push_back(r);
        for (std::size_t i = 0; i < figures.size(); ++i)
          for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(touches(figures[i], figures[j]));
        if (!head.ui.rects.find("present/figure 0 m new")) continue;
        for (const char* column : {"m", "tile max", "m new", "α", "ℓ", "ℓ new"}) {
          INFO(column);
          const float edge = head.rect(std::string("present/figure 0 ") + column).x1;
          const auto [at, is_first] = right.try_emplace(column, edge);
          CHECK(at->second == edge);
        }
      }
    CHECK(right.size() == 6);
  }
}

TEST_CASE("with a mistake the rows of the table stay opposite those of the tile, and the strip names the mistake") {
  for (const auto& [w, h] : kSizes) {
    INFO(w << "x" << h);
    const PresentLayout layout = compute_present_layout(float(w), float(h));
    Document document = picture_document();
    document.problem.fault = Fault::ForgetRescaleO;
    Headless head(document, w, h);
    present_at(head, 47, 1);
    const draw::Rect tile = head.rect("present/tile"), table = head.rect("present/table");
    CHECK(table.y0 == tile.y0);
    CHECK(table.height() == Approx(1.25f * tile.height()).margin(2));  // with the right numbers below
    CHECK(within(table, layout.table));
    CHECK(within(head.rect("present/mistake"), layout.strip));
    for (int row = 0; row < 4; ++row) {
      const draw::Rect number = head.rect("present/row number " + std::to_string(row)),
                       figure = head.rect("present/figure " + std::to_string(row) + " row");
      CHECK(figure.y0 >= number.y0);
      CHECK(figure.y1 <= number.y1);
    }
    CHECK(head.ui.rects.find("present/figure 4 row"));
  }
}

TEST_CASE("a result that is wrong comes first at the end of a walk") {
  for (const auto& [w, h] : kSizes)
    for (const Fault fault : {Fault::None, Fault::ForgetRescaleO}) {
      INFO(w << "x" << h);
      Document document = picture_document();
      document.problem.fault = fault;
      Headless head(document, w, h);
      CheckReport report;
      report.verdict = fault == Fault::None ? Verdict::Equal : Verdict::Diverged;
      report.provenance.gpu = "NVIDIA H200";
      if (fault != Fault::None) report.first.emplace().step = 46;
      head.session->dispatch(ReportCheck{report, head.session->problem_revision()});
      present_at(head, head.session->schedule().step_count(), 1);
      const PresentLayout layout = compute_present_layout(float(w), float(h));
      CHECK(head.rect("present/end").y1 <= layout.sentence.y1 + 1);
      const auto box = head.ui.rects.find("present/end wrong");
      CHECK(box.has_value() == (fault != Fault::None));
      // The bytes that moved are said of a right result alone, as its headline.
      const auto figure = head.ui.rects.find("present/end figure");
      CHECK(figure.has_value() == (fault == Fault::None));
      if (figure) CHECK(figure->height() >= head.theme.fonts.large.size);
    }
}

TEST_CASE("each title of a slide is as long as it has room, without half a word") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    Document document = picture_document();
    document.problem.schedule = ScheduleKind::Backward;
    document.problem.machine.sram_bytes = 1 << 16;
    Headless head(document, w, h);
    int gradients = 0;
    for (std::int64_t step = 30; step <= 60; ++step) {
      present_at(head, step, 1);
      for (const auto& [name, r] : head.ui.rects.all()) {
        const std::string before = "present/title ";
        if (!name.starts_with(before)) continue;
        INFO(name);
        const Fonts& fonts = head.theme.fonts;
        CHECK(draw::line_width(fonts.strong, fonts.tiny, name.substr(before.size())) <= r.width());
        gradients += name.starts_with("present/title dQ = dQ before + dS K");
      }
    }
    CHECK(gradients > 0);
  }
}

TEST_CASE("a room sees the sum travel to the row of O that it divides") {
  for (const auto& [w, h] : kSizes) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    const PresentLayout layout = compute_present_layout(float(w), float(h));
    int in_lane = 0;
    for (int i = 1; i < 40; ++i) {
      present_at(head, 56, i / 40.0);
      const auto flying = head.ui.rects.find("motion/flying ÷1.62");
      in_lane += flying && flying->y1 <= layout.tile.y0 + layout.title + 1;
    }
    CHECK(in_lane >= 2);
  }
}

TEST_CASE("no ring is drawn over the row of O on its way out of the table") {
  Headless head(picture_document(), 1600, 900);
  int rings = 0;
  for (const double t : {0.05, 0.1, 0.13, 0.16, 0.19, 0.95}) {
    present_at(head, 44, t);
    for (const auto& [name, r] : head.ui.rects.all()) {
      if (name != "motion/ring") continue;
      ++rings;
      const auto card = head.ui.rects.find("present/lifted row");
      if (card) CHECK_FALSE(touches(*card, r));
    }
  }
  CHECK(rings > 0);
}
