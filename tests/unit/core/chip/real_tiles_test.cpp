#include "core/chip/real_tiles.h"

#include "core/fields/validate.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "tests/support/catch.h"
#include "tests/support/well_written.h"

using namespace tilewalk;

namespace {

std::string tile(ScheduleKind kind, const char* device, std::int64_t d, MaskKind mask = MaskKind::None,
                 std::int64_t splits = 1) {
  Problem p;
  p.schedule = kind;
  p.machine.device = device;
  p.shape.d = d;
  p.numerics.dtype = DType::Bf16;
  p.shape.mask.kind = mask;
  p.tiling.splits = splits;
  const auto found = real_tile(p);
  return found ? std::to_string(found->br) + "x" + std::to_string(found->bc) + " " + std::to_string(found->warps)
               : why_no_real_tile(p);
}

}  // namespace

TEST_CASE("the tiles of released kernels follow head size, GPU and mask", "[unit]") {
  const auto v2 = ScheduleKind::FlashV2, v3 = ScheduleKind::FlashV3;
  REQUIRE(tile(v2, "a100", 64) == "128x128 4");
  REQUIRE(tile(v2, "a100", 80) == "128x64 4");
  REQUIRE(tile(v2, "rtx4090", 96, MaskKind::Causal) == "64x64 4");
  REQUIRE(tile(v2, "rtx4090", 128) == "128x32 4");
  REQUIRE(tile(v2, "rtx4090", 128, MaskKind::Causal) == "64x64 4");
  REQUIRE(tile(v2, "h100", 128, MaskKind::Causal) == "128x64 4");
  REQUIRE(tile(v2, "a100", 192) == "128x64 8");
  REQUIRE(tile(v2, "a100", 256) == "128x64 8");
  REQUIRE(tile(v2, "h100", 256) == "64x64 4");
  REQUIRE(tile(v3, "h100", 64) == "192x192 12");
  REQUIRE(tile(v3, "h200", 64, MaskKind::Causal) == "192x128 12");
  REQUIRE(tile(v3, "h100", 128) == "128x176 8");
  REQUIRE(tile(v3, "h100", 128, MaskKind::Causal) == "128x128 8");
  REQUIRE(tile(v3, "h100", 256) == "128x80 8");
  REQUIRE(tile(ScheduleKind::SplitKv, "h100", 64, MaskKind::None, 4) == "64x256 4");
  REQUIRE(tile(ScheduleKind::SplitKv, "h100", 128, MaskKind::None, 1) == "64x64 4");
}

TEST_CASE("FA-1's released tiles are not those of its paper's rule", "[unit]") {
  REQUIRE(tile(ScheduleKind::FlashV1, "a100", 64) == "16x256 4");
  REQUIRE(tile(ScheduleKind::FlashV1, "a100", 128) == "16x128 4");
  Problem p;
  p.schedule = ScheduleKind::FlashV1;
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 64;
  p.machine.sram_bytes = 64 * 1024;  // M = 16,384 elements: Bc = 16,384 / 256
  REQUIRE(paper_tile(p)->br == 64);
  REQUIRE(paper_tile(p)->bc == 42);  // Q, K, V and O alone would fill M
  REQUIRE(paper_tile(p)->note.find("cut") != std::string::npos);
  p.machine.sram_bytes = 232448;  // 58,112 elements: 227 columns
  REQUIRE(paper_tile(p)->bc == 227);
  REQUIRE(paper_tile(p)->br == 64);
  p.schedule = ScheduleKind::FlashV2;
  REQUIRE_FALSE(paper_tile(p));
}

TEST_CASE("tiles of the paper's rule fit, whatever the SRAM and head size", "[unit]") {
  for (const std::int64_t sram : {4096, 20000, 65536, 101376, 232448})
    for (const std::int64_t d : {1, 3, 16, 64, 128, 256})
      for (const DType dtype : {DType::Fp32, DType::Fp16}) {
        Problem p;
        p.schedule = ScheduleKind::FlashV1;
        p.shape.n_q = p.shape.n_kv = 100000;
        p.shape.d = d;
        p.numerics.dtype = dtype;
        p.machine.sram_bytes = sram;
        const auto rule = paper_tile(p);
        if (sram == 4096 && d == 256 && dtype == DType::Fp32) {
          REQUIRE_FALSE(rule);  // not even one row and one column
          continue;
        }
        REQUIRE(rule);
        p.tiling.br = rule->br;
        p.tiling.bc = rule->bc;
        INFO(sram << " bytes, d " << d << ": " << p.tiling.br << " x " << p.tiling.bc);
        REQUIRE(validate(p).empty());
      }
}

TEST_CASE("where no kernel was released there is a reason", "[unit]") {
  REQUIRE(tile(ScheduleKind::FlashV2, "t4", 64) == "FlashAttention-2 needs an Ampere GPU or later.");
  REQUIRE(tile(ScheduleKind::FlashV3, "b200", 64) == "FlashAttention-3 runs on Hopper GPUs alone.");
  Problem p;
  REQUIRE(why_no_real_tile(p).find("fp32") != std::string::npos);
}

TEST_CASE("every released flash_v3 tile fits its GPU with four stages", "[unit]") {
  for (const std::int64_t d : {64, 96, 128, 192, 256})
    for (const MaskKind mask : {MaskKind::None, MaskKind::Causal}) {
      Problem p;
      p.schedule = ScheduleKind::FlashV3;
      p.machine.device = "h100";
      p.numerics.dtype = DType::Fp16;
      p.shape.n_q = p.shape.n_kv = 4096;
      p.shape.d = d;
      p.shape.mask.kind = mask;
      p.tiling.br = real_tile(p)->br;
      p.tiling.bc = real_tile(p)->bc;
      p.machine.sram_bytes = 232448;
      INFO("d " << d);
      REQUIRE(text_of(validate(p)) == "");
    }
}

TEST_CASE("where a schedule has no released tiles, the advice is well formed and leads to some", "[unit]") {
  int followed = 0;
  for (const ScheduleKind kind : all_schedules())
    for (const DeviceModel& device : device_models())
      for (const DType dtype : {DType::Fp32, DType::Fp16})
        for (const std::int64_t d : {64, 256}) {
          Problem p;
          p.schedule = kind;
          p.machine.device = device.name;
          p.numerics.dtype = dtype;
          p.shape.d = d;
          const Result<RealTile> tile = tile_named(p, "released");
          if (tile) continue;
          REQUIRE(tile.issues().size() == 1);
          const std::string advice = tile.issues().front().suggestion, text = text_of(tile.issues());
          INFO(text);
          REQUIRE(test::slip_in(text) == "");
          REQUIRE_FALSE(advice.empty());
          if (const std::size_t at = advice.find("--device "); at != std::string::npos)
            p.machine.device = advice.substr(at + 9, advice.find(' ', at + 9) - at - 9);
          if (advice.find("--dtype fp16") != std::string::npos) p.numerics.dtype = DType::Fp16;
          if (!advice.starts_with("Try --")) continue;
          ++followed;
          REQUIRE(tile_named(p, "released").ok());
        }
  REQUIRE(followed > 5);
}
