// A call parsed from words and formatted again, and invalid calls.
#include "core/problem/device_model.h"
#include "dispatch/flash_launch.h"
#include "dispatch/kernel/name_rules.h"
#include "tests/unit/dispatch/tables.h"

using namespace tilewalk;
using namespace tilewalk::test;

TEST_CASE("a call is parsed back from its own words") {
  const std::vector<CallWords> all = {
      {},
      {{"dtype", "fp16"}, {"n-q", "1"}, {"n-kv", "4096"}},
      {{"heads", "32"}, {"kv-heads", "8"}, {"enable-gqa", "on"}, {"d-v", "128"}},
      {{"enabled", "flash,math"}, {"set-priority", "on"}, {"env", "TORCH_CUDNN_SDPA_DEPRIORITIZED=1"}},
      {{"dropout", "0.1"}, {"cudnn", "91900"}, {"cuda", "12.8"}, {"device", "sm_86"}, {"via", "xformers"}}};
  for (const CallWords& words : all) {
    const Call call = call_of(words);
    CAPTURE(command_line_of(call));
    CHECK(call_of(changed_fields(call)) == call);
  }
  CHECK(call_of({{"enabled", "flash+math"}}) == call_of({{"enabled", "flash,math"}}));
  CHECK(command_line_of(call_of({{"kv-heads", "12"}, {"n-kv", "1024"}, {"d-v", "64"}})) == "tilewalk which");
}

TEST_CASE("an invalid call is refused with field, value, rule and what to do") {
  const std::vector<CallWords> bad = {{{"dtype", "fp8"}},
                                      {{"n-q", "-1"}},
                                      {{"n-q", ""}},
                                      {{"heads", "0"}},
                                      {{"dropout", "1.5"}},
                                      {{"dropout", "nan"}},
                                      {{"enabled", "flash,flash"}},
                                      {{"enabled", "fast"}},
                                      {{"env", "HOME=1"}},
                                      {{"env", "TORCH_CUDNN_SDPA_DEPRIORITIZED"}},
                                      {{"device", "gtx"}},
                                      {{"torch", "two"}},
                                      {{"cudnn", "9..1"}},
                                      {{"mask-dims", "3"}},
                                      {{"via", "flash-attn:9"}},
                                      {{"tiles", "4"}}};
  for (const CallWords& words : bad) {
    const auto& [field, text] = *words.begin();
    CAPTURE(field, text);
    const Result<Call> call = call_from(words);
    REQUIRE_FALSE(call.ok());
    CHECK(call.issues().front().field == field);
    CHECK_FALSE(call.issues().front().rule.empty());
    CHECK_FALSE(call.issues().front().suggestion.empty());
  }
}

TEST_CASE("a call's GPUs are those of the device table, and each one's compute capability is dispatched") {
  for (const DeviceModel& device : device_models()) {
    CAPTURE(device.name);
    const Call call = call_of({{"device", device.name}, {"dtype", "fp16"}});
    CHECK(call.sm() == device.compute_capability);
    CHECK(sm_of(std::int64_t(device.compute_capability)));  // kernels' names may have it
    for (const DeviceAlias& alias : device.aliases) {
      CHECK(sm_of(std::string(alias.name)) == device.compute_capability);
      CHECK(call_of({{"device", alias.name}}).device == device.name);
    }
    const WhichAnswer answer = answer_of(call, table());
    CHECK(answer.order.size() == std::size(kAllBackends));
    CHECK(multiprocessors_of(call) == device.sms);
    if (device.compute_capability >= kAmpere) CHECK(answer.of(SdpaBackend::Flash)->allowed);
  }
  CHECK(sm_of("sm_86") == 86);
  CHECK(sm_of("sm120") == 120);
  CHECK_FALSE(sm_of("sm_9000"));
}

TEST_CASE("versions compare as versions do") {
  CHECK(version_from("9.19")->number == 91900);
  CHECK(version_from("9.15.1")->number == 91501);
  CHECK(version_from("91900")->number == 91900);
  CHECK(version_from("8902")->number == 80902);
  CHECK(text_of(*version_from("9.15.1")) == "9.15.1");
  for (const char* bad : {"", "9.", ".9", "9.19.0.1", "nine", "9,1"}) {
    CAPTURE(bad);
    CHECK_FALSE(version_from(bad));
  }
}

TEST_CASE("a single change is found by trial, and the smallest comes first") {
  const auto first = [](const CallWords& words) {
    const Call call = call_of(words);
    const std::vector<Advice> advice = advice_for(call, table(call.torch));
    return advice.empty() ? std::string() : advice.front().change;
  };
  CHECK(first({}).empty());
  CHECK(first({{"attn-mask", "float-grad"}}) == "attn_mask.requires_grad_(False)");
  CHECK(first({{"layout", "strided"}}) == "q, k, v = q.contiguous(), k.contiguous(), v.contiguous()");
  CHECK(first({{"heads", "8"}, {"kv-heads", "2"}}) == "enable_gqa=True");
  CHECK(first({{"d", "60"}}) == "pad d from 60 to 64 with zeros and give scale=0.1291");
  CHECK(first({{"dtype", "fp32"}}) == "cast Q, K and V to torch.bfloat16");
  CHECK(first({{"dtype", "fp64"}, {"device", "t4"}}) == "cast Q, K and V to torch.float16");
  CHECK(first({{"enabled", "math"}}) == "leave sdpa_kernel out, so that every backend is enabled");
  CHECK(first({{"env", "TORCH_CUDNN_SDPA_DEPRIORITIZED=1"}}) == "unset TORCH_CUDNN_SDPA_DEPRIORITIZED");
  CHECK(first({{"on", "cpu"}, {"dropout", "0.1"}}) == "dropout_p=0");
  const auto costs = [](const CallWords& words) {
    const Call call = call_of(words);
    return advice_for(call, table(call.torch)).front().costs;
  };
  CHECK(costs({{"deterministic", "on"}, {"training", "on"}}) == "gradients may differ from run to run");
  CHECK(costs({{"deterministic", "on"}}).find("gradients") == std::string::npos);  // there are none
  CHECK(first({{"dtype", "fp32"}, {"layout", "strided"}}).find("contiguous") != std::string::npos);
  // No single change helps here; two together do.
  CHECK(first({{"dtype", "fp64"}, {"layout", "strided"}}).find("; and ") != std::string::npos);
}

TEST_CASE("a variable that the version reads is an advice, unless the kernel would drop the mask") {
  const auto changes = [](const CallWords& words) {
    const Call call = call_of(words);
    std::string out;
    for (const Advice& one : advice_for(call, table(call.torch))) out += one.change + "\n";
    return out;
  };
  const std::string variable = "set TORCH_CUDNN_SDPA_ENABLED=1 in the environment";
  CHECK(changes({{"torch", "2.4"}, {"layout", "bnhd"}}).starts_with(variable + "\n"));
  CHECK(changes({{"torch", "2.4"}}).starts_with(variable + "; and store Q, K and V as [batch, N, heads, d]"));
  for (const CallWords& words :
       {CallWords{{"torch", "2.4"}, {"attn-mask", "bool"}, {"layout", "bnhd"}}, CallWords{{"torch", "2.7"}}})
    CHECK(changes(words).find(variable) == std::string::npos);
  CHECK(reads_variable(table("2.4"), "TORCH_CUDNN_SDPA_ENABLED"));
  CHECK_FALSE(reads_variable(table("2.11"), "TORCH_CUDNN_SDPA_ENABLED"));
  CHECK(reads_variable(table("2.11"), "TORCH_CUDNN_SDPA_DEPRIORITIZED"));
}

TEST_CASE("every advice makes the promised backend run, and that one is faster") {
  for (const char* mask : {"none", "bool", "float-grad"})
    for (const char* type : {"bf16", "fp32", "fp64"})
      for (const char* layout : {"bhnd", "strided"})
        for (const char* where : {"cuda", "cpu"})
          for (const char* d : {"64", "60", "320"}) {
            const Call call =
                call_of({{"attn-mask", mask}, {"dtype", type}, {"layout", layout}, {"on", where}, {"d", d}});
            CAPTURE(command_line_of(call));
            const int now = speed_rank(call, answer_of(call, table()).runs);
            for (const Advice& one : advice_for(call, table())) {
              CAPTURE(one.change);
              CHECK(answer_of(one.call, table()).runs == one.then);
              CHECK(speed_rank(one.call, one.then) > now);
              CHECK_FALSE(one.call == call);
            }
          }
}

TEST_CASE("a damaged table of calls is refused with its line") {
  const std::string head = "# torch: 2.11.0+cu130\ncall,device,dtype,choice,can_flash,can_efficient,can_cudnn,ran\n";
  REQUIRE(parse_recorded_calls(head + "0,cuda,bf16,MATH,no,no,no,\n", "t.csv").ok());
  for (const char* bad : {"0,cuda,bf16\n", "0,tpu,bf16,MATH,no,no,no,\n", "0,cuda,bf17,MATH,no,no,no,\n"}) {
    const Result<RecordedCalls> read = parse_recorded_calls(head + bad, "t.csv");
    REQUIRE_FALSE(read.ok());
    CHECK(read.issues().front().field.find("line 3") != std::string::npos);
  }
  CHECK_FALSE(parse_recorded_calls("a,b\n1,2\n", "t.csv").ok());
}
