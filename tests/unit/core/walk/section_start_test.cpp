// Where sections and heads begin: compared with all steps of a walk.
#include <map>
#include <tuple>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a section and each of its heads begin with their first step, in either order of the KV tiles", "[unit]") {
  for (const ScheduleKind kind : all_schedules())
    for (const KvOrder order : {KvOrder::Forward, KvOrder::Reverse})
      for (const MaskKind mask : {MaskKind::None, MaskKind::Causal}) {
        Problem p;
        p.schedule = kind;
        p.shape.batch = 2;
        p.shape.heads = p.shape.kv_heads = 2;
        p.shape.mask.kind = mask;
        p.tiling.order = order;
        p.machine.sram_bytes = 1 << 16;
        choose_default_splits(p);
        if (!validate(p).empty()) continue;
        INFO(name_of(kind) << ", reverse " << (order == KvOrder::Reverse) << ", causal " << (mask == MaskKind::Causal));
        const auto schedule = make_schedule(p);
        std::map<std::tuple<int, std::int64_t, std::int64_t>, std::int64_t> first;
        for (std::int64_t k = schedule->step_count(); k-- > 0;) {
          const Step step = schedule->step(k);
          first[{step.section, step.batch, step.head}] = k;
        }
        REQUIRE(first.size() == std::size_t(schedule->section_count()) * 4);
        for (const auto& [place, k] : first) {
          const auto& [section, batch, head] = place;
          CHECK(first_step_in_section(*schedule, section, {batch, head}) == k);
        }
        CHECK(first_step_in_section(*schedule, schedule->section_count()) == schedule->step_count());
      }
}
