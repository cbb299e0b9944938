#include "ui/damage.h"

#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

TEST_CASE("the first frame is drawn whole, and an equal frame is not drawn") {
  Headless head(picture_document());
  head.frames(3);
  Damage damage;
  REQUIRE(damage.update(*ImGui::GetDrawData()).size() == 1);
  CHECK(damage.share() == 1);
  for (int i = 0; i < 5; ++i) {
    head.frame();
    CHECK(damage.update(*ImGui::GetDrawData()).empty());
  }
}

TEST_CASE("at every height and width a window at rest draws nothing: no scroll bar comes and goes") {
  for (const std::int64_t n : {16, 4096}) {
    Document d = picture_document();
    d.problem.shape.n_q = d.problem.shape.n_kv = n;
    d.problem.shape.d = n == 16 ? 4 : 64;
    d.problem.tiling.br = d.problem.tiling.bc = n == 16 ? 4 : 64;
    d.problem.machine.sram_bytes = 233472;
    d.cursor = n == 16 ? 46 : 0;
    Headless head(d);
    for (const int width : {1280, 1600})
      for (int height = 720; height <= 1080; height += 4) {
        head.resize(width, height);
        head.frames(4);
        Damage damage;
        damage.update(*ImGui::GetDrawData());
        head.frame();
        INFO("N " << n << ", " << width << " x " << height);
        CHECK(damage.update(*ImGui::GetDrawData()).empty());
      }
  }
}

TEST_CASE("a step redraws a part of the screen that includes every changed pixel") {
  Headless head(picture_document());
  head.frames(3);
  Damage damage;
  damage.update(*ImGui::GetDrawData());
  head.session->dispatch(Action::StepForward);
  head.frame();
  const auto rects = damage.update(*ImGui::GetDrawData());
  CHECK_FALSE(rects.empty());
  CHECK(damage.share() < 0.8);
  for (std::size_t i = 0; i < rects.size(); ++i)
    for (std::size_t j = i + 1; j < rects.size(); ++j) {
      const bool apart = rects[i].x1 <= rects[j].x0 || rects[j].x1 <= rects[i].x0 || rects[i].y1 <= rects[j].y0 ||
                         rects[j].y1 <= rects[i].y0;
      CHECK(apart);
    }
}

TEST_CASE("a change of only a colour or a position is detected, and only there") {
  Headless head(picture_document());
  head.frames(3);
  ImDrawData& data = *ImGui::GetDrawData();
  Damage damage;
  damage.update(data);
  ImDrawList& list = *list_at(data, 1);
  ImDrawVert& vertex = list.VtxBuffer[list.IdxBuffer[list.IdxBuffer.Size - 1]];
  vertex.col ^= 0x00010000u;
  const auto coloured = damage.update(data);
  CHECK_FALSE(coloured.empty());
  CHECK(damage.share() < 0.1);
  vertex.uv.x += 0.001f;
  CHECK_FALSE(damage.update(data).empty());
  vertex.pos.x += 0.25f;
  CHECK_FALSE(damage.update(data).empty());
  CHECK(damage.update(data).empty());
}

TEST_CASE("filtering keeps the commands that touch the rectangles, and restores everything afterwards") {
  Headless head(picture_document());
  head.frames(3);
  ImDrawData& data = *ImGui::GetDrawData();
  int commands = 0, indices = 0;
  for (int n = 0; n < list_count(data); ++n)
    commands += list_at(data, n)->CmdBuffer.Size, indices += list_at(data, n)->IdxBuffer.Size;
  {
    const draw::Rect rect{64, 128, 128, 192};
    const Filtered filtered(data, {rect});
    int kept = 0;
    for (int n = 0; n < list_count(data); ++n) {
      kept += list_at(data, n)->IdxBuffer.Size;
      for (const ImDrawCmd& c : list_at(data, n)->CmdBuffer) {
        CHECK(c.ClipRect.x >= rect.x0);
        CHECK(c.ClipRect.z <= rect.x1);
        CHECK(c.IdxOffset + c.ElemCount <= unsigned(list_at(data, n)->IdxBuffer.Size));
      }
    }
    CHECK(kept > 0);
    CHECK(kept < indices / 4);
  }
  int commands_after = 0, indices_after = 0;
  for (int n = 0; n < list_count(data); ++n)
    commands_after += list_at(data, n)->CmdBuffer.Size, indices_after += list_at(data, n)->IdxBuffer.Size;
  CHECK(commands == commands_after);
  CHECK(indices == indices_after);
}
