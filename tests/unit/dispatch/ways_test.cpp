// Ways to call attention other than PyTorch's function: the requirements of each, the generation that runs behind it,
// and the resulting walk.
#include "core/fields/validate.h"
#include "dispatch/entry_points.h"
#include "tests/unit/dispatch/tables.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

EntryPointAnswer way(const CallWords& words) { return entry_point_answer(call_of(words)); }

std::string generation(const CallWords& words) {
  const EntryPointAnswer answer = way(words);
  return answer.runs ? answer.shown.generation : std::string("refused");
}

std::string refusal(const CallWords& words) {
  for (const EntryPointCheck& check : way(words).checks)
    if (check.ok == false) return check.says;
  return "";
}

}  // namespace

TEST_CASE("each entry point names the generation that runs") {
  CHECK(generation({{"via", "flash-attn:1.0.9"}, {"dtype", "fp16"}, {"device", "a100"}}) == "FA-1");
  CHECK(generation({{"via", "flash-attn:2.8.3"}}) == "FA-2");
  CHECK(generation({{"via", "flash-attn:2.8.3"}, {"device", "t4"}}) == "refused");
  CHECK(generation({{"via", "flash-attn:3"}}) == "FA-3");
  CHECK(generation({{"via", "flash-attn:3"}, {"device", "b200"}}) == "refused");
  CHECK(generation({{"via", "flash-attn:3"}, {"device", "a100"}}) == "FA-2");  // its kernel for Ampere
  CHECK(generation({{"via", "flash-attn:4"}, {"device", "b200"}}) == "FA-4");
  CHECK(generation({{"via", "flash-attn:4"}}) == "FA-3");  // its kernel for Hopper
  CHECK(generation({{"via", "flash-attn:4"}, {"device", "a100"}}) == "FA-2");
  CHECK(generation({{"via", "flash-attn:4.0.0b4"}, {"device", "a100"}}) == "refused");
  CHECK(generation({{"via", "hf:flash_attention_2"}}) == "FA-2");
  CHECK(generation({{"via", "hf:kernels-community/flash-attn3"}}) == "FA-3");
  CHECK(generation({{"via", "hf:paged|flash_attention_2"}}) == "FA-2");
  CHECK(generation({{"via", "hf:eager"}}).empty());
  CHECK(generation({{"via", "xformers"}}) == "FA-3");
  CHECK(generation({{"via", "xformers"}, {"device", "a100"}}) == "FA-2");
  CHECK(generation({{"via", "xformers"}, {"attn-mask", "float"}}) == "FA-1");
  CHECK(way({{"via", "hf:sdpa"}}).by_sdpa);
  CHECK(way({{"via", "hf:paged|sdpa"}}).by_sdpa);
  CHECK(way({{"via", "hf:paged|sdpa"}}).note.find("--attn-mask float") != std::string::npos);
}

TEST_CASE("a package version is parsed as pip prints it") {
  for (const char* good : {"flash-attn:2", "flash-attn:2.7.4.post1", "flash-attn:2.8.0.post2", "flash-attn:3.0.0b1",
                           "flash-attn:4.0.0.beta12", "flash-attn:2.8.3+cu12torch2.8", "flash-attn:1.0.3.post0",
                           "flash-attn:2.6.0rc1", "hf:paged|eager", "hf:kernels-community/flash-attn2"}) {
    CAPTURE(good);
    CHECK_FALSE(refuse_entry_point(good));
  }
  for (const char* bad : {"flash-attn:", "flash-attn:9", "flash-attn:2.", "flash-attn:2.8.post", "flash-attn:2.8.hot1",
                          "flash-attn:2..8", "flash-attn:two", "hf:paged|flash", "hf:kernels-community/other"}) {
    CAPTURE(bad);
    CHECK(refuse_entry_point(bad));
  }
}

TEST_CASE("each package has the requirements of its own sources") {
  CHECK(refusal({{"via", "flash-attn:2.8.3"}, {"d-v", "32"}}) == "the same d for V");
  CHECK(refusal({{"via", "flash-attn:3"}, {"d", "192"}, {"d-v", "128"}}).empty());
  CHECK(refusal({{"via", "flash-attn:3"}, {"d", "192"}, {"d-v", "128"}, {"device", "a100"}}).starts_with("the same d"));
  CHECK(refusal({{"via", "flash-attn:4"}, {"d", "160"}, {"device", "b200"}}).starts_with("d at most 128"));
  CHECK(refusal({{"via", "flex"}, {"dropout", "0.1"}}).starts_with("no dropout"));
  CHECK(refusal({{"via", "flex"}, {"attn-mask", "bool"}}).starts_with("no attn_mask"));
  CHECK(refusal({{"via", "flex"}, {"d", "8"}}) == "d at least 16");
  CHECK(refusal({{"via", "flex"}, {"on", "cpu"}, {"training", "on"}}) == "no training on a CPU");
  CHECK(refusal({{"via", "xformers"}, {"device", "v100"}}) == "bf16 from SM 8.0 on");
  CHECK(refusal({{"via", "xformers"}, {"device", "v100"}, {"dtype", "fp16"}}).empty());
}

TEST_CASE("xformers answers by SM: the first of its three kernels that takes the call") {
  const auto ask = [](const char* device, const char* type, CallWords words = {}) {
    words["via"] = "xformers", words["device"] = device, words["dtype"] = type;
    return way(words);
  };
  const auto says = [](const EntryPointAnswer& answer, const char* words) {
    return answer.shown.sentence.find(words) != std::string::npos;
  };
  CHECK(says(ask("h100", "bf16"), "flash_attn_3"));
  CHECK(ask("h100", "bf16", {{"d", "16"}}).shown.generation == "FA-2");  // FA-3's begins at d 32
  CHECK(ask("h100", "bf16", {{"dropout", "0.1"}}).shown.generation == "FA-2");
  CHECK(ask("h100", "bf16", {{"d", "192"}, {"d-v", "128"}}).shown.generation == "FA-3");
  CHECK(ask("a100", "bf16", {{"d", "192"}, {"d-v", "128"}}).shown.generation == "FA-1");  // only on Hopper
  CHECK(says(ask("rtx4090", "fp16"), "flash_attn_3"));
  CHECK(says(ask("t4", "fp16"), "CUTLASS"));
  CHECK(ask("b200", "bf16").shown.generation == "FA-2");
  CHECK_FALSE(says(ask("b200", "bf16"), "flash_attn_3"));
  for (const char* blackwell : {"b200", "rtx5090"}) {  // too new for the kernel that takes what FA-2's refuses
    CAPTURE(blackwell);
    for (const CallWords& refused :
         {CallWords{{"attn-mask", "float"}}, CallWords{{"d-v", "32"}}, CallWords{{"d", "264"}}}) {
      const EntryPointAnswer answer = ask(blackwell, "bf16", refused);
      CHECK_FALSE(answer.runs);
      CHECK(answer.checks.back().value.find("CUTLASS: SM 9.0 at most") != std::string::npos);
    }
    CHECK_FALSE(ask(blackwell, "fp32").runs);
    CHECK(ask("a100", "fp32").runs);
  }
  CHECK_FALSE(ask("h100", "bf16", {{"attn-mask", "bool"}}).runs);  // a bias of numbers is added
  CHECK(ask("h100", "bf16", {{"n-q", "4"}, {"n-kv", "64"}, {"is-causal", "on"}}).shown.generation == "FA-1");
  CHECK(ask("v100", "fp16").note.find("0.0.31") != std::string::npos);
  CHECK(ask("t4", "fp16").note.empty());
}

TEST_CASE("flash-attn divides keys as in that version") {
  const auto shown = [](const char* via, CallWords words = {}) {
    words["via"] = via;
    return way(words).shown;
  };
  CHECK(shown("flash-attn:2.8.3").splits == 4);                         // 192 thread blocks, twice 132 wanted
  CHECK(shown("flash-attn:2.5.6").schedule == ScheduleKind::FlashV2);   // 132 wanted
  CHECK(shown("flash-attn:2.1.0", {{"n-q", "64"}}).split_kv == false);  // not yet
  CHECK(shown("flash-attn:2.5.6", {{"n-q", "64"}, {"n-kv", "4096"}}).split_kv == true);
  CHECK_FALSE(shown("flash-attn:2.2.0").schedule);                             // divided in another way, not modelled
  CHECK(shown("flash-attn:2.7.0", {{"d", "160"}, {"batch", "64"}}).bc == 32);  // a kernel of its own then
  CHECK(shown("flash-attn:2.8.0", {{"d", "160"}, {"batch", "64"}}).bc == 64);
  CHECK(shown("flash-attn:2.5.0", {{"d", "224"}, {"batch", "64"}}).br == 128);
}

TEST_CASE("FlexAttention divides keys below 128 query rows, and on a CPU is not a Triton kernel") {
  CHECK(way({{"via", "flex"}, {"n-q", "1"}, {"heads", "8"}}).shown.splits == 32);
  CHECK(way({{"via", "flex"}, {"n-q", "1"}, {"heads", "8"}}).shown.schedule == ScheduleKind::SplitKv);
  CHECK(way({{"via", "flex"}, {"n-q", "1"}, {"batch", "32"}}).shown.schedule == ScheduleKind::FlashV2);
  CHECK(way({{"via", "flex"}, {"n-q", "128"}}).shown.split_kv == false);
  const CallWords threes{{"via", "flex"}, {"n-q", "1"}, {"heads", "12"}, {"kv-heads", "4"}, {"enable-gqa", "on"}};
  CHECK(way(threes).shown.split_kv == false);  // 3 heads share a KV head
  CHECK_FALSE(way({{"via", "flex"}, {"n-q", "1"}, {"device", "sm_90"}}).shown.schedule);
  CHECK(way({{"via", "flex"}, {"on", "cpu"}}).shown.sentence.find("Triton") == std::string::npos);
}

TEST_CASE("a walk has the kernel's own tile, or says that it uses another") {
  std::size_t with_tile = 0, without = 0;
  for (const char* device : {"h200", "a100", "rtx4090", "rtx3090", "l4", "b200", "t4", "sm_86"})
    for (const char* d : {"32", "64", "96", "128", "192", "256"})
      for (const char* causal : {"on", "off"})
        for (const char* enabled : {"flash", "efficient", "cudnn"})
          for (const char* n : {"1", "100", "4096"}) {
            const Call call = call_of({{"device", device},
                                       {"d", d},
                                       {"is-causal", causal},
                                       {"enabled", enabled},
                                       {"n-q", n},
                                       {"dtype", "fp16"}});
            const WhichAnswer answer = answer_of(call, table());
            if (!answer.runs) continue;
            CAPTURE(command_line_of(call));
            const KernelSchedule shown = kernel_schedule(call, table(), *answer.runs);
            const auto walk = kernel_walk(call, shown);
            REQUIRE(walk.has_value() == shown.schedule.has_value());
            if (!walk) continue;
            CHECK(validate(walk->problem).empty());
            CHECK(walk->problem.schedule == *shown.schedule);
            if (shown.br) {
              ++with_tile;
              CHECK((walk->problem.tiling.br == *shown.br && walk->problem.tiling.bc == *shown.bc));
              CHECK(walk->words.find("with that kernel's tiles") != std::string::npos);
            } else {
              ++without;
              CHECK(walk->words.find("of the walk's own") != std::string::npos);
            }
          }
  CHECK(with_tile > 300);
  CHECK(without > 50);
  const Call on_cpu = call_of({{"on", "cpu"}, {"n-q", "768"}});
  const auto walk = kernel_walk(on_cpu, kernel_schedule(on_cpu, table(), SdpaBackend::Flash));
  REQUIRE(walk);
  CHECK((walk->problem.tiling.br == 256 && walk->problem.tiling.bc == 512));
  CHECK(walk->words.find("SRAM is ") != std::string::npos);
  CHECK_FALSE(kernel_walk(call_of({{"n-q", "0"}}), kernel_schedule(on_cpu, table(), SdpaBackend::Flash)));
}

TEST_CASE("flash-attn aligns causal to the bottom right from 2.1 on") {
  const auto mask = [](const char* via, const char* n_q, const char* n_kv) {
    const Call call = call_of({{"via", via},
                               {"n-q", n_q},
                               {"n-kv", n_kv},
                               {"d", "128"},
                               {"is-causal", "on"},
                               {"dtype", "fp16"},
                               {"device", std::string(via) == "flash-attn:1.0.9" ? "a100" : "h100"}});
    const EntryPointAnswer answer = entry_point_answer(call);
    const auto walk = kernel_walk(call, answer.shown);
    REQUIRE(walk);
    return walk->problem.shape.mask.kind;
  };
  for (const char* via : {"flash-attn:2", "flash-attn:2.1.0", "flash-attn:2.8.3", "flash-attn:3", "flash-attn:4",
                          "hf:flash_attention_2", "hf:flash_attention_3"}) {
    CAPTURE(via);
    CHECK(mask(via, "4", "1024") == MaskKind::CausalBottomRight);
    CHECK(mask(via, "1024", "512") == MaskKind::CausalBottomRight);
    CHECK(mask(via, "1", "1024") == MaskKind::None);
    CHECK(mask(via, "64", "64") == MaskKind::Causal);
  }
  for (const char* via : {"flash-attn:1.0.9", "flash-attn:2.0.9"}) {
    CAPTURE(via);
    CHECK(mask(via, "4", "1024") == MaskKind::Causal);
    CHECK(mask(via, "1", "1024") == MaskKind::Causal);
  }
  const CallWords decoding{{"n-q", "4"}, {"n-kv", "1024"}, {"is-causal", "on"}};
  const auto note = [&](const char* via, CallWords words) {
    words["via"] = via;
    return way(words).note;
  };
  CHECK(note("flash-attn:2.8.3", decoding).find("bottom right") != std::string::npos);
  CHECK(note("flash-attn:2.0.9", decoding).find("to the top left") != std::string::npos);
  CHECK(note("flash-attn:2.8.3", {{"n-q", "1024"}, {"is-causal", "on"}}).empty());
}

TEST_CASE("a backward pass is refused as in that tag of flash-attn") {
  const auto refused = [](const char* via, const char* device, const char* d, const char* dropout = "0") {
    return refusal(
        {{"via", via}, {"device", device}, {"d", d}, {"training", "on"}, {"dtype", "fp16"}, {"dropout", dropout}});
  };
  CHECK(refused("flash-attn:2.5.2", "rtx3090", "256").find("above d 192 wants SM 8.0 or 9.0") != std::string::npos);
  CHECK(refused("flash-attn:2.5.4", "rtx4090", "200").find("2.0.0 to 2.5.4") != std::string::npos);
  CHECK(refused("flash-attn:2.5.2", "rtx3090", "192").empty());
  CHECK(refused("flash-attn:2.5.2", "a100", "256").empty());
  CHECK(refused("flash-attn:2.5.5", "rtx3090", "256").empty());
  CHECK(refused("flash-attn:2.5.5", "rtx3090", "224").find("2.5.5 to 2.6.1") != std::string::npos);
  CHECK(refused("flash-attn:2.6.1", "rtx3090", "256", "0.1").find("dropout") != std::string::npos);
  CHECK(refused("flash-attn:2.6.2", "rtx3090", "224").empty());
  CHECK(refused("flash-attn:2.7.2", "l4", "256", "0.1").find("2.6.2 to 2.7.2") != std::string::npos);
  CHECK(refused("flash-attn:2.7.3", "l4", "256", "0.1").empty());
  CHECK(refused("flash-attn:1.0.9", "rtx3090", "128").find("above d 64 wants SM 8.0 or 9.0") != std::string::npos);
  CHECK(refused("flash-attn:1.0.9", "rtx3090", "64").empty());
  CHECK(refused("flash-attn:0.2.8", "a100", "128").empty());
  CHECK(refusal({{"via", "flash-attn:2.5.2"}, {"device", "rtx3090"}, {"d", "256"}}).empty());  // forward alone
  CHECK(refusal({{"via", "flash-attn:2.7.2"}, {"device", "b200"}}).find("from 2.7.3 on") != std::string::npos);
  CHECK(generation({{"via", "flash-attn:2.7.3"}, {"device", "b200"}}) == "FA-2");
  CHECK(generation({{"via", "flash-attn:0.2.2"}, {"dtype", "fp16"}, {"device", "a100"}}) == "FA-1");
  CHECK(refusal({{"via", "flash-attn:0.2.2"}, {"dtype", "fp16"}}).find("9.0 from 1.0 on") != std::string::npos);
  CHECK(way({{"via", "flash-attn:2.8.3"}, {"device", "l4"}, {"d", "256"}, {"training", "on"}, {"dropout", "0.1"}})
            .note.find("nothing is launched") != std::string::npos);
}

TEST_CASE("FlexAttention's default tiles are compared with a card's shared memory") {
  const auto note = [](const char* device, const char* d, const char* d_v, const char* type) {
    return way({{"via", "flex"}, {"device", device}, {"d", d}, {"d-v", d_v}, {"dtype", type}, {"n-q", "2048"}}).note;
  };
  CHECK(note("rtx3090", "192", "128", "bf16").find("144 KiB of shared memory, and a thread block of SM 8.6 gets 99") !=
        std::string::npos);
  CHECK(note("rtx4090", "128", "128", "fp32").find("128 KiB") != std::string::npos);
  CHECK(note("rtx3090", "128", "128", "bf16").find("may not fit") == std::string::npos);
  CHECK(note("a100", "192", "128", "bf16").find("may not fit") == std::string::npos);
  CHECK(note("h100", "192", "128", "bf16").find("may not fit") == std::string::npos);
}
