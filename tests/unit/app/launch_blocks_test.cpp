// The page of comparison has the same thread blocks of a backward pass as the kernels' launches.
#include "core/schedules/registry.h"
#include "kernels/host/passes.h"
#include "pages/compare/blocks/launches_model.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("every launch has as many thread blocks as its teaching kernel") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    Problem p;
    p.schedule = kind;
    p.shape.n_q = 20, p.shape.n_kv = 28, p.shape.batch = 2, p.shape.heads = 6, p.shape.kv_heads = 3;
    p.machine.sram_bytes = 1 << 16;
    if (schedule_row(kind).settings.splits) p.tiling.splits = 3;
    const auto schedule = make_schedule(p);
    std::vector<std::int64_t> launched;
    for (const PassPlan& pass : passes_of(p))
      if (!pass.forward) launched.push_back(pass.blocks);
    REQUIRE(std::int64_t(launched.size()) == schedule->section_count());
    for (int section = 0; section < schedule->section_count(); ++section) {
      INFO("launch " << section + 1);
      CHECK(launch_blocks(*schedule, section) == launched[std::size_t(section)]);
    }
  }
}
