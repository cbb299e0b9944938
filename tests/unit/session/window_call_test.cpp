// The window's call: one for Which, Roofline and Race, whichever page changes it.
#include "session/document/window_call.h"

#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct Window {
  std::unique_ptr<Session> session;
  Window() {
    SessionSetup setup;
    setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
    auto opened = Session::open({}, std::move(setup));
    REQUIRE(opened.ok());
    session = std::move(*opened);
  }
  void send(const Command& c) { session->dispatch(c); }
  const Call& call() const { return session->call().call; }
  const RooflineController& roofline() const { return session->roofline(); }
  const RaceChoice& raced() const { return session->race().choice; }
};

}  // namespace

TEST_CASE("a fresh window has one call on all pages") {
  Window window;
  CHECK(window.call() == start_call());
  CHECK(window.session->which().call() == start_call());
  CHECK(window.roofline().call() == *modelled_call(start_call()));
  CHECK(window.roofline().device() == start_call().device);
  CHECK(window.raced().n == start_call().n_q);
  CHECK(window.raced().d == start_call().d);
}

TEST_CASE("a field typed on one page changes the call of all") {
  Window window;
  window.send(EditCall{"n-q", "3000"});
  window.send(EditCall{"heads", "12"});
  window.send(EditCall{"kv-heads", "4"});
  window.send(EditCall{"batch", "3"});
  window.send(EditCall{"d", "80"});
  window.send(EditCall{"is-causal", "on"});
  window.send(EditCall{"dtype", "fp16"});
  window.send(EditCall{"device", "a100"});
  CHECK(
      window.roofline().call() ==
      AttentionCall{.n = 3000, .d = 80, .heads = 12, .kv_heads = 4, .batch = 3, .causal = true, .dtype = DType::Fp16});
  CHECK(window.roofline().device() == "a100");
  CHECK_FALSE(window.roofline().as_raced());
  CHECK(window.raced().n == 3000);
  CHECK(window.raced().causal);
  CHECK(window.roofline().not_followed().empty());
}

TEST_CASE("a choice on the roofline or the race changes the call of all") {
  Window window;
  window.send(ChooseRoofline{.device = "a100", .n = 3000, .d = 80, .heads = 12, .kv_heads = 4, .batch = 3});
  CHECK(window.call().device == "a100");
  CHECK(window.call().n_q == 3000);
  CHECK(window.call().kv_heads == 4);
  CHECK(window.call().enable_gqa);  // PyTorch takes fewer KV heads only so
  window.send(ChooseRace{.n = 2048, .d = 128, .causal = true});
  CHECK(window.call().n_q == 2048);
  CHECK(window.call().is_causal);
  CHECK(window.roofline().call() == AttentionCall{.n = 2048, .d = 128, .heads = 16, .batch = 8, .causal = true});
  CHECK(window.roofline().as_raced());
  const Call before = window.call();
  window.send(ChooseRace{.n = -1});
  CHECK(window.session->message()->error);
  CHECK(window.call() == before);
}

TEST_CASE("heads as in the races follow a chosen N until a size is typed") {
  Window window;
  CHECK(window.roofline().as_raced());
  window.send(ChooseRoofline{.n = 1024});
  CHECK(window.call().batch == 16);
  window.send(EditCall{"n-q", "2048"});  // a typed length changes nothing else
  CHECK(window.call().batch == 16);
  CHECK_FALSE(window.roofline().as_raced());
  window.send(EditCall{"batch", "1"});
  CHECK(window.call().heads == 32);
  window.send(ChooseRoofline{.as_raced = true});
  CHECK(window.call().batch == 8);
}

TEST_CASE("the roofline keeps the last call that it covers and says why it does not follow") {
  Window window;
  const AttentionCall before = window.roofline().call();
  for (const auto& [field, text, why] :
       {std::tuple{"n-kv", "64", "N_kv differs from N_q"}, std::tuple{"dtype", "fp64", "its type is fp64"},
        std::tuple{"d-v", "32", "the head size of V differs from d"},
        std::tuple{"device", "sm_86", "the rates of sm_86 are not known"}}) {
    INFO(field);
    window.send(EditCall{field, text});
    CHECK(window.roofline().not_followed() == why);
    CHECK(window.roofline().call() == before);
    CHECK(modelled_call(window.call()).has_value() == why_not_modelled(window.call()).empty());
    for (const CallField& each : call_fields())
      if (std::string_view(each.name) == field) window.send(EditCall{field, each.text(start_call())});
    CHECK(window.roofline().not_followed().empty());
  }
}

TEST_CASE("a processor takes the call, and a card takes it back") {
  Window window;
  window.send(EditCall{"on", "cpu"});
  CHECK(window.roofline().not_followed() == "its tensors are on the CPU");
  window.send(EditCall{"on", "cuda"});
  CHECK(window.roofline().not_followed().empty());
  CHECK(window.roofline().device() == "h200");
}

TEST_CASE("a card's typed rates end with another card") {
  Window window;
  window.send(EditOwnCard{"bandwidth", "900"});
  CHECK(window.roofline().own_card());
  window.send(EditCall{"n-q", "1024"});
  CHECK(window.roofline().own_card());
  window.send(EditCall{"device", "a100"});
  CHECK_FALSE(window.roofline().own_card());
}

TEST_CASE("the call opens as a walk of the kernel that runs") {
  Window window;
  window.send(ChooseRoofline{.n = 3000, .heads = 2, .batch = 1});
  window.send(Action::WalkCall);
  CHECK(window.session->page() == Page::Walk);
  CHECK(window.session->problem().schedule == ScheduleKind::FlashV3);
  CHECK(window.session->problem().shape.n_q == 3000);
  CHECK(window.session->problem().shape.heads == 2);
  // It opens where there is something to see: the scores of the first tile.
  CHECK(window.session->cursor() > 0);
  CHECK(window.session->state().step.tile() == TileId{0, 0});
  CHECK_FALSE(window.session->state().s.empty());
}

TEST_CASE("E edits what the page is of") {
  Window window;
  window.send(Action::EditProblem);
  CHECK(window.session->view().dialog() == Dialog::Problem);
  window.send(Action::CloseDialog);
  for (const Page page : {Page::Roofline, Page::Race, Page::Which}) {
    window.send(ShowPage{page});
    window.send(Action::EditProblem);
    CHECK(window.session->view().dialog() == Dialog::Call);
    window.send(Action::CloseDialog);
  }
}
