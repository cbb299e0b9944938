#include "core/predict/attention_method.h"
#include "core/schedules/registry.h"
#include "session/document/compared_problems.h"
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> picture() {
  Document document;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.cursor = 46;  // Q tile 2 and KV tile 1: rows 8 to 11, columns 4 to 7
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

}  // namespace

TEST_CASE("tiles dragged to a larger size keep the current scores, and one drag is undone at once") {
  auto session = picture();
  session->dispatch(SetTiling{4, 5});
  session->dispatch(SetTiling{4, 6, true});
  session->dispatch(SetTiling{4, 8, true});
  CHECK(session->problem().tiling.bc == 8);
  CHECK(session->state().step.q_tile == 2);
  CHECK(session->state().step.kv_tile == 0);
  CHECK(session->undo().steps_back() == 1);
  session->dispatch(Action::Undo);
  CHECK(session->problem().tiling.bc == 4);
  CHECK(session->cursor() == 46);
}

TEST_CASE("tiles that do not fit are refused with the missing bytes, and the last good ones stay") {
  auto session = picture();
  session->dispatch(SetTiling{16, 16});
  CHECK(session->problem().tiling.br == 4);
  Problem asked = session->problem();
  asked.tiling.br = asked.tiling.bc = 16;
  std::int64_t bytes = 0;
  for (const Resident& resident : peak_residents(asked)) bytes += resident.bytes;
  CHECK(session->editing().too_large_by() == bytes - asked.machine.sram_bytes);
  REQUIRE(session->message());
  CHECK(session->message()->error);
  CHECK(session->message()->text == "16 × 16 tiles need 2.12 KiB. A thread block here has 1.00 KiB");
  session->dispatch(SetTiling{4, 4});  // the current sizes: the drag is over, and so is the refusal
  CHECK(session->editing().too_large_by() == 0);
  CHECK_FALSE(session->message());
  session->dispatch(SetTiling{16, 16});
  session->dispatch(SetTiling{4, 2});
  CHECK(session->editing().too_large_by() == 0);
}

TEST_CASE("tiles have at least one row and at most the whole matrix") {
  auto session = picture();
  session->dispatch(SetTiling{-3, 1});
  CHECK(session->problem().tiling.br == 1);
  CHECK(session->problem().tiling.bc == 1);
}

TEST_CASE("a call that is walked takes the tiles of each schedule's own kernel; another problem keeps its tiles") {
  auto session = picture();
  session->dispatch(SetSchedule{ScheduleKind::Standard});
  CHECK(session->problem().tiling.br == 4);
  Document document;
  const DeviceModel device = device_of(document.problem.machine);
  document.problem = walked_by(*fast_method_of(ScheduleKind::FlashV2), AttentionCall{}, device);
  auto opened = Session::open(document, {});
  REQUIRE(opened.ok());
  Session& call = **opened;
  const Tiling fast = call.problem().tiling;
  REQUIRE(walked_call(call.problem()));
  call.dispatch(SetSchedule{ScheduleKind::Standard});
  CHECK(call.problem().schedule == ScheduleKind::Standard);
  CHECK(call.problem().tiling.br != fast.br);
  CHECK(walked_call(call.problem()));  // so its bytes are those of the call's naive attention everywhere
  call.dispatch(SetSchedule{ScheduleKind::FlashV2});
  CHECK(call.problem().tiling.br == fast.br);
  CHECK(call.problem().tiling.bc == fast.bc);
}
