// Each rule of PyTorch 2.11 separately: one change of a plain call, and the check that refuses it.
#include "dispatch/rule_checks.h"
#include "tests/unit/dispatch/tables.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

struct Refusal {
  const char* backend;
  CallWords words;
  const char* check;
  const char* value;
};

void refuses(const std::vector<Refusal>& rows) {
  for (const Refusal& row : rows) {
    const Call call = call_of(row.words);
    CAPTURE(row.backend, row.check, command_line_of(call));
    const WhichAnswer answer = answer_of(call, table());
    const BackendAnswer* own = answer.of(*backend_named(row.backend));
    REQUIRE(own);
    const RuleAnswer* failed = own->failed();
    REQUIRE(failed);
    CHECK_FALSE(own->allowed);
    CHECK(failed->rule->check == row.check);
    CHECK(failed->value == row.value);
    bool after = false;
    for (const RuleAnswer& check : own->checks) {  // passed before the failed one, not reached after it
      if (&check == failed) {
        after = true;
        continue;
      }
      CHECK(check.ok == (after ? std::optional<bool>() : std::optional<bool>(true)));
      CHECK(check.value.empty() == after);
    }
  }
}

}  // namespace

TEST_CASE("each check has a topic, which is short") {
  for (const RuleCheck& check : rule_checks()) {
    INFO(check.name);
    CHECK(std::string(check.topic).size() >= 3);
    CHECK(std::string(check.topic).size() <= 13);
  }
}

TEST_CASE("each check of cuDNN refuses its own case") {
  refuses(
      {{"cudnn", {{"cudnn", "8.9.7"}}, "cudnn_at_least", "cuDNN 8.9.7"},
       {"cudnn", {{"dropout", "0.5"}, {"cudnn", "9.12"}}, "no_dropout_between_cudnn", "0.5, cuDNN 9.12"},
       {"cudnn", {{"enabled", "flash,math"}}, "enabled", "not in sdpa_kernel's list"},
       {"cudnn", {{"deterministic", "on"}}, "not_deterministic", "on"},
       {"cudnn", {{"dtype", "fp32"}}, "type_in", "fp32"},
       {"cudnn", {{"dtype", "bf16"}, {"device", "v100"}}, "type_in", "bf16 on SM 7.0"},
       {"cudnn", {{"attn-mask", "float-grad"}}, "mask_without_grad", "float that needs a gradient, 1×12×1,024×1,024"},
       {"cudnn", {{"device", "t4"}, {"dtype", "fp16"}}, "sm_between", "SM 7.5"},
       {"cudnn", {{"n-kv", "0"}}, "nonzero_lengths", "1,024 and 0"},
       {"cudnn", {{"layout", "strided"}}, "last_stride_one", "2"},
       {"cudnn", {{"kv-heads", "4"}}, "heads_fit", "12 and 4, enable_gqa off"},
       {"cudnn", {{"kv-heads", "5"}, {"enable-gqa", "on"}}, "heads_divide", "12 and 5, enable_gqa on"},
       {"cudnn", {{"d", "264"}}, "d_at_most", "264, and 256 is the most"},
       {"cudnn", {{"d", "160"}, {"device", "a100"}}, "d_at_most", "160, and 128 is the most"},
       {"cudnn", {{"d", "160"}, {"device", "b200"}}, "d_at_most", "160, and 128 is the most"},
       {"cudnn", {{"d", "60"}}, "d_multiple_of", "60"},
       {"cudnn", {{"n-kv", "1"}}, "keys_not_one", "1"},
       {"cudnn", {{"n-q", "1"}, {"n-kv", "64"}, {"dropout", "0.5"}}, "no_dropout_of_one_row", "1, dropout 0.5"}});
  CHECK(runs({{"device", "b200"}, {"d", "192"}, {"d-v", "128"}}) == "cudnn");
  CHECK(runs({{"deterministic", "warn"}}) == "cudnn");
}

TEST_CASE("each check of FLASH refuses its own case") {
  refuses({{"flash", {{"enabled", "cudnn"}}, "enabled", "not in sdpa_kernel's list"},
           {"flash", {{"attn-mask", "bool"}, {"mask-dims", "2"}}, "no_mask", "bool, 1,024×1,024"},
           {"flash", {{"d-v", "128"}}, "same_d_at_most", "64, of V 128"},
           {"flash", {{"d", "257"}}, "same_d_at_most", "257"},
           {"flash", {{"device", "t4"}, {"dtype", "fp16"}}, "sm_between", "SM 7.5"},
           {"flash",
            {{"device", "rtx4090"}, {"d", "200"}, {"training", "on"}},
            "trains_at_this_d",
            "d 200, training, SM 8.9"},
           {"flash",
            {{"device", "rtx5090"}, {"d", "256"}, {"training", "on"}, {"dropout", "0.5"}},
            "trains_at_this_d",
            "d 256, training, SM 12.0"},
           {"flash", {{"is-causal", "on"}, {"n-q", "16"}, {"n-kv", "32"}}, "square_if_causal", "16 and 32"},
           {"flash", {{"dtype", "fp64"}}, "type_in", "fp64"},
           {"flash", {{"kv-heads", "1"}}, "heads_fit", "12 and 1, enable_gqa off"},
           {"flash", {{"kv-heads", "24"}, {"enable-gqa", "on"}}, "heads_divide", "12 and 24, enable_gqa on"},
           {"flash", {{"n-q", "0"}}, "nonzero_lengths", "0 and 0"},
           {"flash", {{"layout", "strided"}}, "last_stride_one", "2"}});
  CHECK(asked({{"device", "rtx4090"}, {"d", "256"}, {"training", "on"}}).of(SdpaBackend::Flash)->allowed);
  CHECK(asked({{"d", "1"}, {"layout", "strided"}}).of(SdpaBackend::Flash)->allowed);
}

TEST_CASE("each check of EFFICIENT refuses its own case") {
  refuses({{"efficient", {{"enabled", "math"}}, "enabled", "not in sdpa_kernel's list"},
           {"efficient", {{"d", "60"}}, "d_aligned", "60, and 8 is the step"},
           {"efficient", {{"d", "62"}, {"dtype", "fp32"}}, "d_aligned", "62, and 4 is the step"},
           {"efficient", {{"n-kv", "0"}}, "nonzero_lengths", "1,024 and 0"},
           {"efficient", {{"d", "64"}, {"layout", "strided"}}, "last_stride_one", "2"},
           {"efficient", {{"kv-heads", "4"}, {"enable-gqa", "on"}}, "heads_fit", "12 and 4, enable_gqa on"},
           {"efficient", {{"dtype", "fp64"}}, "type_in", "fp64"},
           {"efficient", {{"device", "t4"}}, "type_in", "bf16 on SM 7.5"}});
  CHECK(runs({{"device", "t4"}, {"dtype", "fp32"}, {"d", "61"}}) == "efficient");  // no tensor cores, no steps
  CHECK(runs({{"device", "t4"}, {"dtype", "fp16"}, {"d", "60"}}) == "math");
}

TEST_CASE("a call that passes the checks may still raise an error, with PyTorch's message") {
  CHECK(asked({{"dtype", "fp64"}, {"attn-mask", "bool"}, {"is-causal", "on"}}).raised ==
        "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  CHECK(asked({{"dtype", "fp64"}, {"heads", "12"}, {"kv-heads", "4"}}).raised ==
        "The size of tensor a (12) must match the size of tensor b (4) at non-singleton dimension 1");
  CHECK(asked({{"enabled", "flash"}, {"dtype", "fp32"}}).raised == "No available kernel. Aborting execution.");
  CHECK(asked({{"on", "cpu"}, {"enabled", "flash"}, {"dropout", "0.5"}}).raised ==
        "No available kernel.  Aborting execution.");
  const CallWords crowd{{"enabled", "efficient"}, {"batch", "65536"}, {"heads", "1"}, {"n-q", "2"}, {"d", "8"}};
  CHECK(runs(crowd) == "efficient");  // is cut into pieces
  CallWords with_dropout = crowd, many_heads = crowd;
  with_dropout["dropout"] = "0.1";
  CHECK(asked(with_dropout).raised.starts_with("Efficient attention cannot produce valid seed and offset outputs"));
  many_heads["batch"] = "1", many_heads["heads"] = "65536";
  CHECK(asked(many_heads).raised == "CUDA error: invalid argument");
  CHECK(runs({{"attn-mask", "bool"}, {"is-causal", "on"}}) == "cudnn");  // both at once are fine there
  CHECK(runs({{"dtype", "fp64"}, {"kv-heads", "1"}}) == "math");         // one KV head is broadcast to all
}

TEST_CASE("the order follows card, cuDNN, environment and sdpa_kernel") {
  const auto first = [](const CallWords& words) { return std::string(name_of(asked(words).order.front())); };
  CHECK(first({}) == "cudnn");
  CHECK(first({{"cudnn", "9.15.0"}}) == "flash");
  CHECK(first({{"cudnn", "9.15.1"}}) == "cudnn");
  CHECK(first({{"device", "a100"}}) == "flash");
  CHECK(first({{"device", "b300"}}) == "cudnn");
  CHECK(first({{"device", "rtx5090"}}) == "flash");
  CHECK(first({{"env", "TORCH_CUDNN_SDPA_DEPRIORITIZED=1"}}) == "flash");
  CHECK(first({{"env", "TORCH_CUDNN_SDPA_DEPRIORITIZED=true"}}) == "cudnn");  // only 0 and 1 are read
  CHECK(first({{"enabled", "math,flash"}}) == "cudnn");
  CHECK(first({{"enabled", "math,flash"}, {"set-priority", "on"}}) == "math");
  CHECK(first({{"on", "cpu"}}) == "flash");
  CHECK(asked({{"device", "sm_101"}}).why_order ==
        "cuDNN goes last: it goes first on SM 9.0, 10.0 and 10.3 alone, and the GPU is SM 10.1.");
  CHECK(runs({{"enabled", "math,flash"}, {"set-priority", "on"}}) == "math");
}

TEST_CASE("every rule of every version can be evaluated, and its checks exist") {
  for (const RuleTable& one : tables()) {
    CAPTURE(one.version);
    CHECK_FALSE(one.title.empty());
    CHECK_FALSE(one.checked.empty());
    CHECK(one.cudnn.number > 0);
    for (const auto* all : {&one.gpu, &one.cpu, &one.gpu_raises, &one.cpu_raises})
      for (const auto& [backend, rules] : *all)
        for (const Rule& rule : rules) {
          CAPTURE(name_of(backend), rule.check);
          CHECK(check_named(rule.check));
          CHECK(rule.source.find('.') != std::string::npos);
          CHECK_FALSE(rule.says.ends_with('.'));
        }
    for (const SdpaBackend backend : one.order) CHECK_FALSE(one.gpu.at(backend).empty());
    for (const SdpaBackend backend : one.order_cpu) CHECK_FALSE(one.cpu.at(backend).empty());
  }
}

TEST_CASE("a damaged table of rules is refused with its line") {
  const std::string good = text_of_file(std::string(TILEWALK_SOURCE_DIR) + "/assets/dispatch/torch-2.11.toml");
  REQUIRE(parse_rule_table(good, "good.toml").ok());
  const auto says = [&](std::string text, const std::string& what) {
    const Result<RuleTable> read = parse_rule_table(text, "bad.toml");
    REQUIRE_FALSE(read.ok());
    CAPTURE(text_of(read.issues()));
    CHECK(text_of(read.issues()).find(what) != std::string::npos);
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  says(with("check = \"no_mask\"", "check = \"no_masks\""), "no_mask");
  says(with("most = 256\nsays", "says"), "needs 'most'");
  says(with("order = [", "order = [\"fast\", "), "is not a backend");
  says(with("version = \"2.11\"", ""), "lacks its version");
  says(good + "\n[more]\nx = 1\n", "is not a key");
  says("version = 1", "must be text");
  const Result<RuleTable> like =
      parse_rule_table("version = \"2.12\"\nlike = \"2.11\"\nwheel_cudnn = \"9.20\"", "like.toml", &table("2.11"));
  REQUIRE(like.ok());
  CHECK(like->cudnn == Version{92000});
  CHECK(like->gpu.at(SdpaBackend::Flash).size() == table("2.11").gpu.at(SdpaBackend::Flash).size());
}

TEST_CASE("versions other than 2.11 have the rules that are known to differ, and say how they were checked") {
  for (const RuleTable& one : tables()) {
    CAPTURE(one.version);
    CHECK(one.all_versions == "2.2 to 2.14");
    CHECK(one.like.empty() == (one.version == "2.11"));
    CHECK(one.checked.starts_with("Compared with") == (one.version == "2.11"));
    CHECK_FALSE(one.wheels.empty());
    CHECK_FALSE(one.wheels_source.empty());
  }
  const auto first = [](const char* torch, const char* device) {
    return runs({{"torch", torch}, {"device", device}, {"d", "128"}});
  };
  for (const char* torch : {"2.11", "2.12", "2.13", "2.14", "2.14.1"}) CHECK(first(torch, "h100") == "cudnn");
  for (const char* torch : {"2.4", "2.5.1", "2.6", "2.7", "2.8", "2.10"}) CHECK(first(torch, "h100") == "flash");
  CHECK(first("2.5.0", "h100") == "cudnn");  // taken back in 2.5.1
  CHECK(first("2.5.0", "a100") == "flash");
  CHECK((*table_for(tables(), "2.5.0"))->title == "PyTorch 2.5.0");
  CHECK((*table_for(tables(), "2.5.1"))->title == "PyTorch 2.5");
  CHECK(runs({{"torch", "2.9"}, {"device", "h100"}, {"env", "TORCH_CUDNN_SDPA_PREFERRED=0"}}) == "flash");
  for (const char* device : {"h100", "b200"}) CHECK(first("2.9", device) == "cudnn");
  CHECK(first("2.9", "b300") == "flash");  // SM 10.3
  CHECK(runs({{"torch", "2.9"}, {"device", "h100"}, {"cudnn", "9.8"}}) == "flash");
  const auto by_cudnn = [](CallWords words) {
    words["enabled"] = "cudnn";
    return runs(words);
  };
  const CallWords one_query{{"n-q", "1"}, {"n-kv", "512"}, {"device", "h100"}};
  for (const auto& [torch, backend] : std::map<std::string, std::string>{{"2.8", "none"}, {"2.9", "cudnn"}}) {
    CallWords words = one_query;
    words["torch"] = torch;
    CHECK(by_cudnn(words) == backend);
  }
  const CallWords wide{{"d", "256"}, {"device", "h100"}, {"cudnn", "9.6"}};
  CallWords wide_28 = wide, wide_29 = wide;
  wide_28["torch"] = "2.8", wide_29["torch"] = "2.9";
  CHECK(by_cudnn(wide_28) == "cudnn");
  CHECK(by_cudnn(wide_29) == "none");
  CHECK(runs({{"torch", "2.6"}, {"device", "b200"}, {"build", "source"}}) == "math");  // SM 9.0 is the newest there
  const CallWords grouped{
      {"kv-heads", "4"}, {"enable-gqa", "on"}, {"attn-mask", "float"}, {"enabled", "efficient,math"}};
  CallWords later = grouped;
  later["torch"] = "2.14";
  CHECK(runs(grouped) == "math");
  CHECK(runs(later) == "efficient");
  CHECK(runs({{"torch", "2.14"}, {"d", "256"}}) == "cudnn");
  CHECK(runs({{"torch", "2.14"}, {"d", "256"}, {"cudnn", "9.20"}}) == "flash");
  CHECK(runs({{"torch", "2.14"}, {"d", "160"}, {"training", "on"}}) == "flash");
  CHECK(runs({{"torch", "2.14"}, {"dropout", "0.1"}}) == "flash");
  CHECK(runs({{"torch", "2.14"}, {"dropout", "0.125"}}) == "cudnn");
  CHECK(runs({{"torch", "2.4"}, {"kv-heads", "4"}, {"enable-gqa", "on"}}) == "none");  // no such argument yet
  for (const char* old : {"2.2", "2.3"}) {
    CHECK(first(old, "h100") == "flash");
    CHECK(table_for(tables(), old).value()->checked.starts_with("Not checked"));
  }
  CHECK_FALSE(table_for(tables(), "2.1"));
  CHECK(torch_history().size() > 8);
}

TEST_CASE("2.4 asks cuDNN only if a variable of the environment is 1, and for one layout") {
  const auto cudnn_24 = [](CallWords words) {
    words["torch"] = "2.4";
    words.try_emplace("env", "TORCH_CUDNN_SDPA_ENABLED=1");
    words.try_emplace("layout", "bnhd");
    const WhichAnswer answer = answer_of(call_of(words), table("2.4"));
    const BackendAnswer* const own = answer.of(SdpaBackend::Cudnn);
    REQUIRE(own);
    CHECK(own->checks.size() == 11);
    return own->failed() ? own->failed()->rule->check + ": " + own->failed()->value
                         : std::string(answer.runs ? name_of(*answer.runs) : "none");
  };
  CHECK(cudnn_24({}) == "cudnn");
  CHECK(cudnn_24({{"env", ""}}) == "variable_is_one: not set");
  CHECK(cudnn_24({{"env", "TORCH_CUDNN_SDPA_ENABLED=0"}}) == "variable_is_one: 0");
  CHECK(cudnn_24({{"enabled", "flash"}}) == "enabled: not in sdpa_kernel's list");
  CHECK(cudnn_24({{"device", "v100"}}) == "sm_between: SM 7.0");
  CHECK(cudnn_24({{"d", "256"}}) == "cudnn");
  CHECK(cudnn_24({{"d", "256"}, {"cudnn", "8.9.7"}}) == "d_at_most: 256, and 128 is the most");
  CHECK(cudnn_24({{"d", "60"}}) == "d_multiple_of: 60");
  CHECK(cudnn_24({{"cudnn", "8.9.2"}}) == "cudnn_at_least: cuDNN 8.9.2");
  CHECK(cudnn_24({{"layout", "bhnd"}}) == "stored_bnhd: bhnd");
  CHECK(cudnn_24({{"layout", "bhnd"}, {"heads", "1"}, {"n-q", "1"}}) == "cudnn");
  CHECK(cudnn_24({{"kv-heads", "4"}}).starts_with("stored_bnhd: bnhd, 12 and 4 heads"));
  CHECK(cudnn_24({{"d-v", "128"}}).starts_with("stored_bnhd: bnhd, 12 and 12 heads, d 64, of V 128"));
  CHECK(cudnn_24({{"training", "on"}}) == "not_training: training");
  CHECK(cudnn_24({{"dtype", "fp32"}}) == "type_in: fp32");
}

TEST_CASE("a wheel runs on GPUs of a generation that it has kernels for, from there on") {
  const RuleTable& one = table("2.11");
  const Version cuda12{120600}, cuda13{130000};
  for (const int sm : {50, 52, 61, 70, 75, 80, 86, 89, 90}) CHECK(wheel_has(one, cuda12, sm));
  CHECK_FALSE(wheel_has(one, cuda12, 100));
  for (const int sm : {50, 61, 70, 72}) CHECK_FALSE(wheel_has(one, cuda13, sm));
  for (const int sm : {75, 80, 86, 87, 89, 90, 100, 103, 120, 121}) CHECK(wheel_has(one, cuda13, sm));
  CHECK(wheel_for(one, 61) == cuda12);
  CHECK(wheel_for(one, 120) == cuda13);
  CHECK_FALSE(wheel_for(one, 35));
}
