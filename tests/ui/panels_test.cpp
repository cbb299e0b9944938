// Every panel in every kind of situation, for three frames, without window and GPU: no assertion of Dear ImGui fails,
// no stack is left unbalanced, and no frame sends a command by itself.

#include "core/schedules/registry.h"
#include "pages/walk/walk_page.h"
#include "tests/ui/headless.h"
#include "ui/panel.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::scroll_of;
using tilewalk::test::within;

namespace {

struct Situation {
  const char* name;
  Document document;
};

std::vector<Situation> situations() {
  Document empty = picture_document(), tiny = picture_document(), ragged = picture_document(),
           finished = picture_document(), large = picture_document();
  empty.cursor = 0;
  tiny.problem.shape.n_q = tiny.problem.shape.n_kv = tiny.problem.shape.d = 1;
  tiny.problem.tiling.br = tiny.problem.tiling.bc = 1;
  tiny.cursor = 5;
  ragged.problem.shape.n_q = 13;
  ragged.problem.shape.n_kv = 7;
  ragged.problem.tiling.br = 5;
  ragged.problem.tiling.bc = 3;
  ragged.problem.shape.heads = 4;
  ragged.problem.shape.kv_heads = 2;
  ragged.problem.shape.mask.kind = MaskKind::CausalBottomRight;
  ragged.cursor = 100;
  finished.cursor = 1 << 30;
  large.problem.shape.n_q = large.problem.shape.n_kv = 4096;
  large.problem.shape.d = 64;
  large.problem.tiling.br = large.problem.tiling.bc = 64;
  large.problem.machine.sram_bytes = 1 << 20;
  large.cursor = 999;
  Document naive = picture_document();
  naive.problem.schedule = ScheduleKind::Standard;
  naive.cursor = 90;
  Document fault = picture_document();
  fault.problem.fault = Fault::NoMax;
  return {{"empty", empty},       {"tiny", tiny},   {"ragged", ragged}, {"causal", picture_document()},
          {"finished", finished}, {"large", large}, {"naive", naive},   {"fault", fault}};
}

}  // namespace

TEST_CASE("all panels draw three frames in every situation, in both themes, at three sizes") {
  for (const Situation& s : situations())
    for (const bool dark : {true, false})
      for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{640, 360}}) {
        INFO(s.name << ", " << (dark ? "dark" : "light") << ", " << w << "x" << h);
        Document document = s.document;
        document.view.dark = dark;
        Headless head(document, w, h);
        CHECK(head.frames(3).empty());
        CHECK(ImGui::GetDrawData()->TotalVtxCount > 500);
        CHECK(finite(*ImGui::GetDrawData()));
      }
}

TEST_CASE("a panel whose contents are a few pixels too high does not scroll") {
  Headless head(picture_document(), 1600, 900);
  head.frames(2);
  const auto scroll_with = [&](float overflow) {
    const draw::Rect place{100, 100, 500, 300};
    for (int frame = 0; frame < 3; ++frame) {
      ImGui::NewFrame();
      const Views& views = head.builder.build(*head.session, room_of(head.layout, head.theme));
      Commands commands;
      const UiFrame f{*head.session, views, head.theme, head.layout, head.host, head.ui, commands};
      {
        Panel p("a panel", place, f, Scroll::ByWheel);
        p.y = place.y1 - ImGui::GetStyle().WindowPadding.y - 1 + overflow;
      }
      ImGui::EndFrame();
    }
    return scroll_of("a panel");
  };
  CHECK(scroll_with(7 * head.theme.s) == 0);
  CHECK(scroll_with(20 * head.theme.s) > 0);
}

TEST_CASE("all dialogs draw three frames, also over an error") {
  for (const Situation& s : situations())
    for (int dialog = int(Dialog::Problem); dialog <= int(Dialog::Traffic); ++dialog) {
      INFO(s.name << ", dialog " << dialog);
      Headless head(s.document);
      head.session->dispatch(OpenDialog{Dialog(dialog)});
      head.session->dispatch(EditField{"d", "999"});
      head.session->dispatch(OpenFile{"/no/such/file.toml"});
      head.session->dispatch(ApplyEdit{});
      CHECK(head.frames(3).empty());
      CHECK(finite(*ImGui::GetDrawData()));
    }
}

TEST_CASE("text from 80 to 300 percent draws without a frame that sends a command") {
  for (const double scale : {0.8, 1.0, 2.0, 3.0}) {
    Document document = picture_document();
    document.view.text_scale = scale;
    Headless head(document, 1280, 720);
    CHECK(head.frames(3).empty());
  }
}

TEST_CASE("each verdict of the check can be drawn") {
  for (const Verdict verdict : {Verdict::NotChecked, Verdict::Running, Verdict::Equal, Verdict::WithinRule,
                                Verdict::Diverged, Verdict::NotFinite}) {
    Headless head(picture_document());
    CheckReport report;
    report.verdict = verdict;
    report.against = CheckAgainst::Recording;
    report.provenance.gpu = "NVIDIA H200";
    if (verdict == Verdict::Diverged) report.first = Divergence{};
    head.session->dispatch(ReportCheck{report, head.session->problem_revision()});
    CHECK(head.frames(3).empty());
  }
}

TEST_CASE("the vertices of a large matrix stay bounded by the pixels") {
  Document document = picture_document();
  document.problem.shape.n_q = document.problem.shape.n_kv = 1 << 20;
  document.problem.shape.d = 64;
  document.problem.tiling.br = document.problem.tiling.bc = 64;
  document.problem.machine.sram_bytes = 1 << 20;
  Headless head(document);
  head.frames(2);
  CHECK(ImGui::GetDrawData()->TotalVtxCount < 60000);
}

TEST_CASE("hardware counters appear in the traffic panel and in the full view only for a measured problem") {
  HardwareTraffic traffic;
  traffic.gpu = "NVIDIA H200", traffic.driver = "1", traffic.tool = "T", traffic.date = "2026-01-01";
  Document document = picture_document();
  for (const bool measured : {true, false}) {
    INFO("measured " << measured);
    Problem problem = document.problem;
    if (!measured) problem.shape.n_q = problem.shape.n_kv = 64;
    traffic.measurements = {{problem, {{0, 1000, 200, 1500, 300, 100, 4000}}}};
    Headless head(document);
    head.builder.set_hardware(traffic);
    CHECK(head.frames(3).empty());
    CHECK(head.builder.build(*head.session, room_of(head.layout, head.theme)).hardware.has_value() == measured);
    const char* bar = "traffic/bar H200's counters, 2026-01-01";
    REQUIRE(head.ui.rects.find(bar).has_value() == measured);
    if (measured) CHECK(within(head.rect(bar), head.layout.traffic));
    CHECK(head.click(measured ? bar : "traffic/bar FA-2, so far") == Commands{Action::ShowTraffic});
    head.session->dispatch(Action::ShowTraffic);
    CHECK(head.frames(3).empty());
    CHECK(finite(*ImGui::GetDrawData()));
  }
}

TEST_CASE("the legend names every tensor in the bars, within the panel, for every schedule") {
  for (const ScheduleKind kind : all_schedules())
    for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}}) {
      Document document = picture_document();
      document.problem.schedule = kind;
      document.problem.machine.sram_bytes = 1 << 16;
      Headless head(document, w, h);
      head.frames(2);
      const Views& views = head.builder.build(*head.session, room_of(head.layout, head.theme));
      std::string joined;  // in the legend's form for tensors that share a colour
      ImU32 before = 0;
      REQUIRE_FALSE(views.traffic.legend.empty());
      for (std::size_t i = 0; i <= views.traffic.legend.size(); ++i) {
        const bool end = i == views.traffic.legend.size();
        const ImU32 colour = end ? 0 : hue(head.theme.colours, views.traffic.legend[i]);
        if (!joined.empty() && colour != before) {
          INFO(name_of(kind) << ", " << joined);
          const draw::Rect r = head.rect("traffic/legend " + joined);
          CHECK(r.x0 >= head.layout.traffic.x0);
          CHECK(r.x1 <= head.layout.traffic.x1);
          joined.clear();
        }
        if (end) break;
        joined += (joined.empty() ? "" : ", ") + tensor_title(views.traffic.legend[i]);
        before = colour;
      }
    }
}

TEST_CASE("in a long walk the table says which rows it shows, the strip how far it is, and O that it is still 0") {
  Document document = picture_document();
  Problem& p = document.problem;
  p.shape.n_q = p.shape.n_kv = 8192;
  p.shape.d = 64;
  p.shape.heads = p.shape.kv_heads = 8;
  p.tiling.br = p.tiling.bc = 128;
  p.machine.sram_bytes = 227 * 1024;
  {
    Headless head(document, 1600, 900, true);
    head.session->dispatch(GoToStep{3});
    head.frames(3);
    const WalkPage& page = head.models<WalkPage>();
    REQUIRE(page.transport.timeline.folded);
    REQUIRE(page.softmax.rows.size() > 16);
    CHECK(head.rect("side/rows in view").x1 < head.rect("side/tiles").x0);
    CHECK(within(head.rect("transport/share of the walk"), head.layout.transport));
    CHECK(within(head.rect("side/o is zero"), head.layout.side));
    head.session->dispatch(GoToStep{9});  // the first visit has ended
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("side/o is zero"));
  }
  Headless small(picture_document(), 1600, 900, true);
  small.session->dispatch(GoToStep{3});
  small.frames(3);
  CHECK_FALSE(small.ui.rects.find("side/rows in view"));
  CHECK_FALSE(small.ui.rects.find("transport/share of the walk"));
}

TEST_CASE("each number of O and of V has a margin in its cell, in a small window too") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1366, 768}, {1600, 900}}) {
    Headless head(picture_document(), w, h);
    head.session->dispatch(GoToStep{46});
    head.frames(3);
    INFO(w << "x" << h);
    for (const char* block : {"side/o", "side/operand"}) {
      const float cell = head.rect(std::string(block) + " numbers").width() / 4 - 2;
      CHECK(cell - head.rect(std::string(block) + " digits").width() >= 4);
    }
  }
}
