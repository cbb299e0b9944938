// The controller of which attention runs: typed text, applied advice, and the resulting walk.
#include "dispatch/advice.h"
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct Asked {
  int loaded = 0;
  std::unique_ptr<Session> session;
  explicit Asked(bool readable = true) {
    SessionSetup setup;
    setup.of<WhichController>().load_rules = [this, readable]() -> Result<std::vector<RuleTable>> {
      ++loaded;
      if (!readable) return Issue{"torch-2.11.toml", "", "is damaged", ""};
      return load_rule_tables(TILEWALK_SOURCE_DIR);
    };
    auto opened = Session::open({}, std::move(setup));
    REQUIRE(opened.ok());
    session = std::move(*opened);
  }
  const WhichController& controller() const { return session->which(); }
  void send(const Command& c) { session->dispatch(c); }
};

}  // namespace

TEST_CASE("rules are read once, when the page first opens") {
  Asked asked;
  CHECK(asked.loaded == 0);
  asked.send(Action::ShowWhich);
  CHECK(asked.session->page() == Page::Which);
  asked.send(Action::ShowWhich);
  CHECK(asked.session->page() == Page::Walk);
  asked.send(ShowPage{Page::Which});
  CHECK(asked.loaded == 1);
  REQUIRE(asked.controller().table());
  CHECK(asked.controller().table()->version == "2.11");

  Asked damaged(false);
  damaged.send(Action::ShowWhich);
  CHECK_FALSE(damaged.controller().table());
  CHECK(damaged.controller().missing().find("is damaged") != std::string::npos);
  damaged.send(Action::WalkWhich);
  CHECK(damaged.session->message());
}

TEST_CASE("typed text changes the call; refused text stays in its field and changes nothing") {
  Asked asked;
  asked.send(Action::ShowWhich);
  asked.send(EditCall{"n-q", "4096"});
  CHECK(asked.controller().call().n_q == 4096);
  asked.send(EditCall{"d", "-1"});
  CHECK(asked.controller().call().d == 64);
  CHECK(asked.controller().draft() == CallWords{{"d", "-1"}});
  REQUIRE(asked.controller().issues().size() == 1);
  CHECK(asked.controller().issues().front().field == "d");
  asked.send(EditCall{"heads", "8"});  // is accepted: the other field's error does not belong to this one
  CHECK(asked.controller().call().heads == 8);
  CHECK(asked.controller().draft() == CallWords{{"d", "-1"}});
  CHECK(asked.controller().issues().front().field == "d");
  asked.send(EditCall{"d", "128"});
  CHECK(asked.controller().issues().empty());
  CHECK(asked.controller().call().d == 128);
  asked.send(EditCall{"torch", "1.4"});
  CHECK(asked.controller().call().torch == "2.11");
  CHECK(asked.controller().issues().front().field == "torch");
  asked.send(EditCall{"colour", "red"});
  CHECK(asked.session->message());
  asked.send(Action::ForgetWhich);
  CHECK(asked.controller().call() == start_call());
  CHECK(asked.controller().issues().empty());
}

TEST_CASE("two fields that are invalid only together wait for each other") {
  Asked asked;
  asked.send(EditCall{"heads", "8"});
  asked.send(EditCall{"kv-heads", "0"});
  CHECK(asked.controller().issues().front().field == "kv-heads");
  asked.send(EditCall{"kv-heads", "4"});
  asked.send(EditCall{"enable-gqa", "on"});
  CHECK(asked.controller().issues().empty());
  CHECK(asked.controller().call().kv_heads == 4);
}

TEST_CASE("words are accepted in the screen's and in Python's spelling") {
  Asked asked;
  asked.send(EditCall{"device", "RTX 3090"});
  CHECK(asked.controller().call().device == "rtx3090");
  CHECK_FALSE(asked.session->message());
  asked.send(EditCall{"device", "3070"});
  CHECK(asked.controller().call().device == "rtx3080");
  REQUIRE(asked.session->message());
  CHECK(asked.session->message()->text.starts_with("GeForce RTX 3070 has no figures of its own"));
  asked.send(EditCall{"is-causal", "True"});
  CHECK(asked.controller().call().is_causal);
  asked.send(EditCall{"is-causal", "false"});
  CHECK_FALSE(asked.controller().call().is_causal);
  asked.send(EditCall{"dtype", "FP32"});
  CHECK(asked.controller().call().type == CallType::Fp32);
  CHECK(asked.controller().issues().empty());
  asked.send(EditCall{"is-causal", "maybe"});
  CHECK(asked.controller().issues().front().rule == "must be one of off, on");
}

TEST_CASE("advice is applied by its number, and then the promised backend runs") {
  Asked asked;
  asked.send(Action::ShowWhich);
  asked.send(EditCall{"attn-mask", "float-grad"});
  const std::vector<Advice> advice = advice_for(asked.controller().call(), *asked.controller().table());
  REQUIRE_FALSE(advice.empty());
  asked.send(TakeAdvice{1});
  CHECK(asked.controller().call() == advice.front().call);
  CHECK(answer_of(asked.controller().call(), *asked.controller().table()).runs == advice.front().then);
  const Call before = asked.controller().call();
  asked.send(TakeAdvice{99});
  CHECK(asked.controller().call() == before);
}

TEST_CASE("walking a backend opens the schedule that shows it, with its tiles, and can be undone") {
  Asked asked;
  asked.send(Action::ShowWhich);
  for (const auto& [field, text] : CallWords{{"batch", "1"}, {"heads", "12"}, {"n-q", "1024"}})
    asked.send(EditCall{field, text});
  asked.send(EditCall{"device", "a100"});
  asked.send(EditCall{"is-causal", "on"});
  const Problem before = asked.session->problem();
  asked.send(Action::WalkWhich);
  CHECK(asked.session->page() == Page::Walk);
  const Problem& p = asked.session->problem();
  CHECK(p.schedule == ScheduleKind::FlashV2);
  CHECK(p.shape.n_q == 1024);
  CHECK(p.shape.heads == 12);
  CHECK(p.shape.batch == 1);
  CHECK(p.shape.mask.kind == MaskKind::Causal);
  CHECK(p.tiling.br == 128);
  CHECK(p.machine.device == "a100");
  asked.send(Action::Undo);
  CHECK(asked.session->problem() == before);

  asked.send(ShowPage{Page::Which});
  asked.send(EditCall{"device", "sm_80"});  // the number of its multiprocessors is not known
  asked.send(Action::WalkWhich);
  CHECK(asked.session->page() == Page::Which);
  CHECK(asked.session->message()->text.find("is not known") != std::string::npos);
  asked.send(EditCall{"device", "a100"});
  asked.send(EditCall{"enabled", "flash"});
  asked.send(EditCall{"dtype", "fp32"});
  asked.send(Action::WalkWhich);  // nothing runs
  CHECK(asked.session->page() == Page::Which);
  CHECK(asked.session->problem() == before);
}

TEST_CASE("an opened or dropped profile opens its page and is read; only its own news count") {
  Asked asked;
  asked.send(OpenDialog{Dialog::OpenFile});
  asked.send(OpenFile{"/a/trace.json.gz"});
  CHECK(asked.session->page() == Page::Which);
  CHECK(asked.session->view().dialog() == Dialog::None);
  CHECK(asked.controller().profile().news.running);
  CHECK(asked.controller().profile().start_serial == 1);
  asked.send(OpenFile{"list.csv"});
  CHECK(asked.controller().profile().start_serial == 2);
  asked.send(ReportProfile{{.path = "/a/trace.json.gz", .failure = "is foreign"}});  // too late
  CHECK(asked.controller().profile().news.running);
  asked.send(Action::StopProfile);
  asked.send(Action::StopProfile);
  CHECK(asked.controller().profile().stop_serial == 1);
  asked.send(ReportProfile{{.path = "list.csv", .failure = "was not read to its end: you stopped it"}});
  CHECK_FALSE(asked.controller().profile().news.running);
  CHECK_FALSE(asked.controller().profile().stopping);
  CHECK_FALSE(names_a_profile("a.toml"));
  CHECK_FALSE(names_a_profile("a.safetensors"));
  CHECK_FALSE(names_a_profile("a.tar.gz"));
}

TEST_CASE("a kernel's name can be walked where it implies a schedule") {
  Asked asked;
  asked.send(ReadName{"ampere_sgemm_128x64_tn"});
  asked.send(Action::WalkKernel);
  CHECK(asked.session->message()->error);
  asked.send(ReadName{"fmha_cutlassF_bf16_aligned_64x128_rf_sm80"});
  asked.send(Action::WalkKernel);
  CHECK(asked.session->problem().tiling.br == 64);
  CHECK(asked.session->problem().tiling.bc == 128);
}

TEST_CASE("the cost of a call opens the roofline at that call") {
  Asked asked;
  asked.send(ChooseRoofline{.device = "a100", .n = 3000, .d = 80, .heads = 12, .kv_heads = 4, .batch = 3});
  asked.send(ShowPage{Page::Roofline});
  CHECK(asked.session->roofline().device() == "a100");
  CHECK(asked.session->roofline().call() == AttentionCall{.n = 3000, .d = 80, .heads = 12, .kv_heads = 4, .batch = 3});
  asked.send(WalkMethod{"flash_v2"});
  CHECK(asked.session->page() == Page::Walk);
  CHECK(asked.session->problem().shape.n_q == 3000);
  CHECK(asked.session->problem().tiling.br == 128);
}
