// The speed-up that the page of which attention runs shows, and what it says where there is none.
#include "core/predict/predict.h"
#include "pages/which/which_page.h"
#include "tests/unit/pages/which/which_model_of.h"
#include "view/words/predict_words.h"

using namespace tilewalk;

namespace {

WhichPage page_of(const CallWords& words) {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  const Result<Call> call = call_from(words);
  REQUIRE(call.ok());
  const RaceTimes* const races = times->device == call->device ? &*times : nullptr;
  WhichPage page;
  page.model = model_of(words, races);
  put_times_of_call(*call, prediction_rows(*modelled_call(*call), *device_named(call->device), races), page);
  return page;
}

}  // namespace

TEST_CASE("with a mask the figure is of the kernel that runs; a change that leads to a faster one is named") {
  const WhichPage page = page_of({{"batch", "2"}, {"heads", "32"}, {"n-q", "8192"}, {"attn-mask", "float-grad"}});
  REQUIRE(page.win);
  CHECK(page.win->fast == contender_row(Contender::TorchEfficient).short_title);
  CHECK(page.win->where == " without the mask");
  CHECK(page.untimed == "No time with an attn_mask is recorded here.");
  for (const TimeBar& bar : page.chart.bars)
    if (bar.card && page.model->cards[*bar.card].verdict == WhichVerdict::Runs) CHECK(bar.speed == page.win->figure());
  for (const TimeBar& bar : page.chart.bars) {
    CHECK(bar.hollow);
    CHECK(bar.tag.find("mask") == std::string::npos);
  }
  CHECK(page.faster.starts_with("One line brings cuDNN, 3."));
  CHECK(page.faster.ends_with("×: attn_mask.requires_grad_(False)"));
}

TEST_CASE("the figure is never of a kernel that does not run: without a time of its own there is none") {
  const CallWords masked = {{"batch", "2"}, {"heads", "32"}, {"n-q", "3000"}, {"attn-mask", "float-grad"}};
  const CallWords on_b200 = {{"device", "b200"}, {"is-causal", "on"}, {"d", "128"}, {"n-q", "8192"}};
  for (const CallWords& words : {masked, on_b200}) {
    const WhichPage page = page_of(words);
    REQUIRE_FALSE(page.chart.bars.empty());
    CHECK_FALSE(page.win);
    CHECK(page.untimed.find("is neither recorded nor modelled for this call.") != std::string::npos);
  }
  const WhichPage large = page_of({{"batch", "2"}, {"heads", "32"}, {"n-q", "100000"}});
  CHECK_FALSE(large.win);
  CHECK(large.untimed.starts_with("Predicted: cuDNN takes "));
  CHECK(large.untimed.find(" Naive cannot run. Its scores do not fit: ") != std::string::npos);
  const WhichCard& math = large.model->cards.back();
  CHECK(math.title == "MATH · eager");
  CHECK(math.hint == "Enabled alone, it would run out of memory.");
  CHECK(math.not_recorded.starts_with("Its scores do not fit: "));
}
