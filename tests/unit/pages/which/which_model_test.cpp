// The page of which attention runs as plain values: cards, fields at fault, and texts.
#include "pages/which/which_model.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/predict/predict.h"
#include "files/file_io.h"
#include "pages/which/recorded_call.h"
#include "pages/which/which_page.h"
#include "tests/support/catch.h"
#include "tests/unit/pages/which/which_model_of.h"
#include "view/words/predict_words.h"

using namespace tilewalk;

namespace {

const CallFieldModel& field_of(const WhichModel& m, const std::string& name) {
  for (const CallFieldModel& field : m.fields)
    if (field.name == name) return field;
  FAIL("no field " << name);
  return m.fields.front();
}

}  // namespace

TEST_CASE("cards are in PyTorch's order and show how each backend ended") {
  const WhichModel m = model_of({{"attn-mask", "float-grad"}, {"training", "on"}});
  REQUIRE(m.cards.size() == 4);
  CHECK(m.cards[0].title == "cuDNN");
  CHECK(m.cards[0].verdict == WhichVerdict::Refused);
  CHECK(m.cards[1].verdict == WhichVerdict::Refused);
  CHECK(m.cards[2].verdict == WhichVerdict::Runs);
  CHECK(m.cards[3].verdict == WhichVerdict::NotReached);
  CHECK(m.headline == "EFFICIENT_ATTENTION");
  CHECK(m.cards[0].hint == "Let through by: attn_mask.requires_grad_(False)");
  CHECK(field_of(m, "attn-mask").at_fault);
  CHECK_FALSE(field_of(m, "dtype").at_fault);
  CHECK(field_of(m, "mask-dims").matters);
  CHECK(field_of(m, "kv-heads").by_itself);
  CHECK(field_of(m, "kv-heads").text == "12");
}

TEST_CASE("a backend that is not reached says whether it would run, by the same rules as when it is enabled alone") {
  for (const CallWords& words :
       {CallWords{{"attn-mask", "bool"}, {"is-causal", "on"}}, CallWords{{"attn-mask", "bool"}}, CallWords{},
        CallWords{{"d", "80"}, {"dropout", "0.1"}}})
    for (const WhichCard& one : model_of(words).cards) {
      if (one.verdict != WhichVerdict::NotReached || one.hint.starts_with("It would want")) continue;
      CallWords alone = words;
      alone["enabled"] = name_of(one.backend);
      const WhichModel m = model_of(alone);
      const auto same = std::find_if(m.cards.begin(), m.cards.end(),
                                     [&](const WhichCard& card) { return card.backend == one.backend; });
      REQUIRE(same != m.cards.end());
      CAPTURE(one.title, one.hint);
      CHECK((same->verdict == WhichVerdict::Runs) == (one.hint == "Enabled alone, it would run too."));
    }
  CHECK(model_of({{"attn-mask", "bool"}, {"is-causal", "on"}}).cards.back().hint ==
        "Enabled alone, it would raise an error: it needs an attn_mask or is_causal, not both.");
}

TEST_CASE("the refusal of a call is its subject; then what runs and why") {
  const auto refusal = [](const CallWords& words) { return model_of(words).plain.refusal; };
  const auto sentence = [](const CallWords& words) {
    const PlainAnswer plain = model_of(words).plain;
    return plain.runs + " " + plain.because;
  };
  CHECK(refusal({}) == "");
  CHECK(refusal({{"attn-mask", "float-grad"}}) == "cuDNN refuses this call: attn_mask needs a gradient");
  CHECK(refusal({{"d", "80"}, {"dropout", "0.1"}}) == "");
  CHECK(refusal({{"d", "84"}}) == "cuDNN refuses this call: it needs d a multiple of 8");
  CHECK(refusal({{"torch", "2.4"}}) == "");  // the environment refuses it, not the call
  CHECK(refusal({{"torch", "2.4"}, {"attn-mask", "bool"}}) == "FLASH refuses this call: it takes no attn_mask");
  CHECK(refusal({{"enabled", "efficient"}}) == "");
  CHECK(refusal({{"enabled", "flash"}, {"attn-mask", "bool"}}) == "FLASH refuses this call: it takes no attn_mask");
  CHECK(sentence({{"device", "a100"}})
            .starts_with("PyTorch 2.11 runs FlashAttention-2. It tries FLASH first, and this call meets all "));
  CHECK(sentence({}).starts_with("PyTorch 2.11 runs cuDNN's FlashAttention. It tries cuDNN first"));
  CHECK(sentence({{"device", "a100"}, {"attn-mask", "bool"}}) == "PyTorch 2.11 runs the memory-efficient kernel. ");
  CHECK(sentence({{"attn-mask", "float-grad"}, {"training", "on"}}) ==
        "PyTorch 2.11 runs the memory-efficient kernel. FLASH refuses the call: it takes no attn_mask.");
  CHECK(sentence({{"enabled", "flash"}}).ends_with(". sdpa_kernel allows no other backend."));
  CHECK(sentence({{"torch", "2.4"}})
            .ends_with("cuDNN refuses the call: it needs TORCH_CUDNN_SDPA_ENABLED=1 in the environment."));
  CHECK(sentence({{"via", "hf:eager"}}).find("runs plain attention.") != std::string::npos);
  const PlainAnswer nothing = model_of({{"enabled", "flash"}, {"attn-mask", "bool"}}).plain;
  CHECK((nothing.runs.empty() && nothing.because.empty()));
}

TEST_CASE("each stop of a path has its label, on as few rows as they need, and no two touch") {
  const std::vector<float> widths = {80, 48, 27, 48, 56, 46, 37, 48, 35};
  for (const auto& [room, rows] : {std::pair{700.0f, 1}, {500.0f, 1}, {360.0f, 2}, {260.0f, 3}}) {
    INFO(room);
    const std::vector<StopPlace> places = place_stops(widths, room, 8, 72);
    REQUIRE(places.size() == widths.size());
    int most = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      INFO(i);
      most = std::max(most, places[i].row + 1);
      CHECK(places[i].x - widths[i] / 2 >= 0);
      CHECK(places[i].x + widths[i] / 2 <= room + 0.01f);
      for (std::size_t j = 0; j < i; ++j) {
        CHECK(places[j].x < places[i].x);
        if (places[j].row == places[i].row) CHECK(places[i].x - widths[i] / 2 >= places[j].x + widths[j] / 2 + 7.99f);
      }
    }
    CHECK(most == rows);
  }
  CHECK(place_stops({}, 100, 8, 72).empty());
}

TEST_CASE("each change of the row to try is active once the call has it; most select another backend") {
  const CallWords plain = {{"batch", "2"}, {"heads", "32"}, {"n-q", "8192"}};
  const WhichModel before = model_of(plain);
  REQUIRE(before.tries.tags.size() == 4);
  int others = 0;
  for (const WhichTag& tag : before.tries.tags) {
    INFO(tag.label);
    CHECK_FALSE(tag.active);
    CallWords words = plain;
    words[tag.choice.field] = tag.choice.text;
    const WhichModel after = model_of(words);
    others += after.headline != before.headline;
    int active = 0;
    for (const WhichTag& each : after.tries.tags) active += each.active;
    CHECK(active == 1);
  }
  CHECK(others >= 3);
  CHECK(model_of({{"attn-mask", "float-grad"}}).advice_title == "Faster?");
}

TEST_CASE("a branch has one stop for each topic, and ends at the refusal") {
  for (const char* mask : {"none", "bool", "float-grad"})
    for (const char* torch : {"2.4", "2.11", "2.14"}) {
      const WhichModel m = model_of({{"attn-mask", mask}, {"torch", torch}});
      for (const WhichCard& card : m.cards) {
        INFO(mask << ", " << torch << ", " << card.title);
        std::map<std::string, std::size_t> lines;
        int refused = 0;
        for (const WhichCheck& check : card.checks) ++lines[check.topic];
        CHECK(card.stops.size() == lines.size());
        for (std::size_t i = 0; i < card.stops.size(); ++i) {
          const PathStop& stop = card.stops[i];
          CHECK(std::size_t(std::count(stop.tip.begin(), stop.tip.end(), '\n')) + 1 == lines[stop.topic]);
          if (refused > 0) CHECK(stop.mark == WhichMark::NotReached);  // nothing is asked after the refusal
          if (i > 0 && card.stops[i - 1].mark == WhichMark::NotReached) CHECK(stop.mark == WhichMark::NotReached);
          refused += stop.mark == WhichMark::Refused;
        }
        if (card.verdict == WhichVerdict::Refused) CHECK(refused == 1);
        for (const WhichCheck& check : card.checks)
          CHECK(std::any_of(card.stops.begin(), card.stops.end(), [&](const PathStop& stop) {
            return stop.topic == check.topic && stop.tip.find(check.says) != std::string::npos &&
                   (check.mark != WhichMark::Refused || stop.mark == check.mark);
          }));
      }
    }
  const WhichModel m = model_of({{"attn-mask", "float-grad"}});
  CHECK(m.cards[1].reason == "it takes no attn_mask");
  CHECK(m.cards[1].yours.starts_with("yours is float that needs a gradient"));
  CHECK(m.cards[2].reason == "all 9 conditions hold, on 8 topics");
  CHECK(model_of({{"enabled", "math"}}).cards[3].reason == "its one condition holds");
  CHECK(model_of({{"enabled", "math"}}).cards[0].reason == "it is switched off");
  // FLASH asks about the mask twice, and about other topics in between: its path ends at the second.
  const WhichModel uneven = model_of({{"device", "a100"}, {"is-causal", "on"}, {"n-kv", "2048"}});
  const auto mask = std::find_if(uneven.cards[0].stops.begin(), uneven.cards[0].stops.end(),
                                 [](const PathStop& stop) { return stop.topic == "mask"; });
  REQUIRE(mask != uneven.cards[0].stops.end());
  CHECK(mask->mark == WhichMark::Refused);
  CHECK((mask - 1)->topic == "training");
  CHECK((mask - 1)->mark == WhichMark::Passed);
}

TEST_CASE("times recorded with one version of PyTorch are not called those of another") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  CallWords words = {{"batch", "2"}, {"heads", "32"}, {"n-q", "8192"}};
  for (const char* torch : {"2.11", "2.4", "2.14"}) {
    words["torch"] = torch;
    const bool own = std::string(torch) == kRecordedTorch;
    const WhichModel m = model_of(words, &*times);
    INFO(m.times_title << "; " << m.recorded);
    CHECK(m.recorded_with == (own ? "" : "PyTorch 2.11"));
    CHECK((m.times_title.find("this very call") != std::string::npos) == own);
    CHECK((m.times_title.find("Recorded with PyTorch 2.11") == 0) != own);
    CHECK((m.recorded.find("this very call") != std::string::npos) == own);
    CHECK((m.recorded.find("with PyTorch 2.11") != std::string::npos) != own);
    const Result<Call> call = call_from(words);
    REQUIRE(call.ok());
    WhichPage page;
    page.model = m;
    put_times_of_call(*call, prediction_rows(*modelled_call(*call), *device_named(call->device), &*times), page);
    REQUIRE(page.win);
    const std::string said = page.win->times();
    INFO(said);
    CHECK((said.find(kTorchDefault) != std::string::npos) == own);
    CHECK((said.find("with PyTorch 2.11") != std::string::npos) != own);
  }
  std::set<std::string> files;
  for (const RaceTime& time : times->times)
    if (time.rung.starts_with("torch_")) files.insert(time.file);
  CHECK(files.size() > 3);
  for (const std::string& file : files) {
    const Result<std::string> text =
        read_text_file(std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/" + file, std::int64_t(1) << 24);
    REQUIRE(text.ok());
    INFO(file);
    CHECK(text.value().find(std::string("torch: ") + kRecordedTorch) != std::string::npos);
  }
}

TEST_CASE("where nothing runs, the page shows PyTorch's own message") {
  const WhichModel m = model_of({{"dtype", "fp64"}, {"attn-mask", "bool"}, {"is-causal", "on"}});
  CHECK_FALSE(m.runs);
  CHECK(m.headline == "Nothing runs");
  CHECK(m.so.find("Explicit attn_mask should not be set when is_causal=True") != std::string::npos);
  CHECK_FALSE(m.walk);
  CHECK(m.cards[3].verdict == WhichVerdict::Raises);
  CHECK(field_of(m, "is-causal").at_fault == false);  // no check refused it: the chosen backend raised an error
}

TEST_CASE("the fastest has no advice, and the walk has the call's sizes") {
  const WhichModel m = model_of({});
  CHECK(m.advice.empty());
  CHECK_FALSE(m.no_advice.empty());
  REQUIRE(m.walk);
  CHECK(m.walk->schedule == ScheduleKind::FlashV3);
  CHECK(m.walk->shape.n_q == 1024);
  CHECK(m.generation == "FA-3");
  CHECK(model_of({{"via", "hf:flash_attention_2"}}).cards.size() == 1);
  CHECK(model_of({{"on", "cpu"}}).cards.size() == 2);
}

TEST_CASE("an ineffective order, or one that is not final, is reported") {
  CHECK(model_of({{"enabled", "math,flash"}}).notes.size() == 1);
  CHECK(model_of({{"enabled", "math,flash"}, {"set-priority", "on"}}).notes.front().find("first call") !=
        std::string::npos);
  CHECK(model_of({{"enabled", "math"}}).notes.empty());
  CHECK(model_of({{"enabled", "math"}, {"set-priority", "on"}, {"device", "a100"}}).notes.empty());
  CHECK(model_of({{"enabled", "math"}, {"set-priority", "on"}, {"on", "cpu"}}).notes.front() ==
        "On a CPU set_priority changes nothing.");
}

TEST_CASE("the recording of the same call is quoted, and says which backend was faster") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  const auto told = [&](const CallWords& words) { return model_of(words, &*times); };
  const WhichModel lone = told({{"heads", "1"}, {"n-q", "6392"}, {"d", "128"}, {"is-causal", "on"}});
  CHECK(lone.headline == "CUDNN_ATTENTION");
  CHECK(lone.recorded.starts_with("Recorded for this very call on an H200, fastest first: FLASH "));
  CHECK(lone.recorded.find("FLASH was faster there than cuDNN: sdpa_kernel([SDPBackend.FLASH_ATTENTION])") !=
        std::string::npos);
  REQUIRE(lone.recorded_ms.size() == 4);
  CHECK(lone.recorded_ms.front().who == Contender::TorchFlash);
  for (const WhichCard& card : lone.cards) {
    CHECK((card.verdict == WhichVerdict::Runs) == !card.all_hold.empty());
    const auto each = std::find_if(lone.recorded_ms.begin(), lone.recorded_ms.end(),
                                   [&](const RecordedBackend& one) { return backend_of(one.who) == card.backend; });
    CHECK(card.recorded.empty() == (each == lone.recorded_ms.end()));
    if (!card.recorded.empty()) CHECK((card.time_ms == each->ms && card.bar_tag.empty()));
  }
  // Every recorded call is quoted with its own numbers, and only the fastest is called the fastest.
  std::size_t quoted = 0, contrary = 0;
  for (const RaceTime& time : times->times) {
    if (time.rung != "torch_cudnn" || time.pass != "forward" || time.dtype != "bf16") continue;
    const WhichModel m = told({{"n-q", std::to_string(time.n)},
                               {"d", std::to_string(time.d)},
                               {"heads", std::to_string(time.heads)},
                               {"batch", std::to_string(time.batch)},
                               {"is-causal", time.causal ? "on" : "off"}});
    CAPTURE(m.call_line, m.recorded);
    REQUIRE_FALSE(m.recorded_ms.empty());
    ++quoted;
    for (const RecordedBackend& one : m.recorded_ms) {
      CHECK(times->ms_of(one.who, time) == one.ms);
      CHECK(one.ms >= m.recorded_ms.front().ms);
    }
    const bool other_first = m.recorded_ms.front().who != Contender::TorchCudnn;
    contrary += other_first;
    if (!other_first) CHECK(m.recorded.find("was faster") == std::string::npos);
  }
  CHECK(quoted > 80);
  CHECK(contrary > 5);
}

TEST_CASE("with an attn_mask the recorded times are those of the call without it, and say so") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  CallWords words = {{"batch", "2"}, {"heads", "32"}, {"n-q", "8192"}};
  const WhichModel plain = model_of(words, &*times);
  words["attn-mask"] = "bool";
  const WhichModel masked = model_of(words, &*times);
  CHECK_FALSE(plain.without_mask);
  CHECK(masked.without_mask);
  CHECK(plain.runs_as == Contender::TorchCudnn);
  CHECK(masked.runs_as == Contender::TorchCudnn);  // a mask of booleans refuses FLASH alone
  words["attn-mask"] = "float-grad";
  CHECK(model_of(words, &*times).runs_as == Contender::TorchEfficient);
  REQUIRE(masked.cards.size() == plain.cards.size());
  for (std::size_t i = 0; i < plain.cards.size(); ++i) {
    INFO(plain.cards[i].title);
    CHECK(masked.cards[i].recorded == plain.cards[i].recorded);
    CHECK(masked.cards[i].recorded.empty() != masked.cards[i].not_recorded.empty());
  }
  CHECK(masked.recorded.starts_with("Recorded for this call without the attn_mask on an H200, fastest first: cuDNN "));
  CHECK(plain.cost_title == "What it costs");
  CHECK(masked.cost_title == "What it costs without the attn_mask");
  CHECK(masked.command_line.ends_with("--attn-mask bool"));
  // Eager is not MATH: the bar has its time, hollow and tagged.
  CHECK(plain.cards[3].backend == SdpaBackend::Math);
  CHECK(plain.cards[3].not_recorded.starts_with("not recorded; eager, "));
  CHECK_FALSE(plain.cards[3].not_recorded.ends_with(" without the mask"));
  CHECK(masked.cards[3].not_recorded.ends_with(" without the mask"));
  const auto eager = std::find_if(plain.recorded_ms.begin(), plain.recorded_ms.end(),
                                  [](const RecordedBackend& one) { return one.who == Contender::Eager; });
  REQUIRE(eager != plain.recorded_ms.end());
  CHECK(plain.cards[3].time_ms == eager->ms);
  CHECK(plain.cards[3].bar_tag.starts_with("time of eager: "));
  CHECK(masked.cards[3].bar_tag == plain.cards[3].bar_tag);  // the chart's title says once that the mask is not in it
  CHECK(masked.times_title.find("without the attn_mask") != std::string::npos);
  words["dropout"] = "0.125";
  for (const WhichCard& card : model_of(words, &*times).cards)
    CHECK((card.recorded.empty() && card.not_recorded.empty()));
}

TEST_CASE("on a card that nothing was timed on, cards have predicted bars and the rates that others published") {
  const CallWords words = {{"device", "a100"}, {"batch", "2"}, {"heads", "32"}, {"n-q", "8192"}};
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const WhichModel m = model_of(words);
  const auto card = [&](SdpaBackend backend) -> const WhichCard& {
    return *std::find_if(m.cards.begin(), m.cards.end(), [&](const WhichCard& c) { return c.backend == backend; });
  };
  const auto ms = [&](Contender who) { return *predict(method_of(who), call, device_of("a100")).predicted_ms; };
  const WhichCard &flash = card(SdpaBackend::Flash), &math = card(SdpaBackend::Math);
  CHECK(flash.predicted == ms_text(ms(Contender::FlashV2)));
  CHECK(flash.bar_tag == "predicted, as FA-2 by Tilewalk");
  CHECK(math.predicted == ms_text(ms(Contender::Eager)));
  CHECK(math.bar_tag == "predicted, as eager");
  CHECK(math.time_ms == ms(Contender::Eager));
  CHECK(flash.time_ms == ms(Contender::FlashV2));
  CHECK(flash.published.starts_with("others published "));
  CHECK(flash.published_least_ms < flash.published_most_ms);
  CHECK(flash.published_source.starts_with("FA-2 paper"));
  CHECK(card(SdpaBackend::Efficient).predicted.empty());
  CHECK(card(SdpaBackend::Efficient).not_recorded == "neither recorded nor modelled");
  for (const WhichCard& each : m.cards) CHECK(each.recorded.empty());
  CallWords masked = words;
  masked["attn-mask"] = "bool";
  for (const WhichCard& each : model_of(masked).cards)
    if (!each.predicted.empty()) CHECK(each.bar_tag.find("mask") == std::string::npos);
  CHECK(model_of(masked).times_title.ends_with(", without the attn_mask"));
  masked["training"] = "on";
  for (const WhichCard& each : model_of(masked).cards) CHECK(each.predicted.empty());
}

TEST_CASE("no sentence asks for a backend that refuses the call") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  CallWords words = {{"batch", "3"}, {"heads", "16"}, {"n-q", "1125"}, {"d", "80"}};
  CHECK(model_of(words, &*times).recorded.find("[SDPBackend.FLASH_ATTENTION]) asks for it.") != std::string::npos);
  words["attn-mask"] = "bool";
  const std::string masked = model_of(words, &*times).recorded;
  INFO(masked);
  CHECK(masked.find("FLASH was faster there than cuDNN, but refuses this call: it needs no attn_mask.") !=
        std::string::npos);
  CHECK(masked.find("asks for it") == std::string::npos);
}

TEST_CASE("fields that have their default and are rarely changed are folded") {
  const WhichModel m = model_of({{"kv-heads", "4"}, {"enable-gqa", "on"}, {"deterministic", "off"}});
  CHECK_FALSE(field_of(m, "attn-mask").folded);
  CHECK_FALSE(field_of(m, "kv-heads").folded);
  CHECK_FALSE(field_of(m, "enable-gqa").folded);
  CHECK(field_of(m, "deterministic").folded);
  CHECK(field_of(m, "layout").folded);
}

TEST_CASE("for a call without recording a near one is quoted as such, and none of another kind") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  const auto told = [&](const CallWords& words) { return model_of(words, &*times).recorded; };
  CHECK(told({}).starts_with("This call was not recorded; near it, on an H200, was N 1,000, d 64"));
  CHECK(told({{"dtype", "fp16"}}).find("bf16: ") != std::string::npos);
  CHECK(told({{"n-q", "1"}, {"n-kv", "8192"}}).empty());
  CHECK(told({{"n-q", "2000000"}}).empty());
  CHECK(told({{"attn-mask", "bool"}}).empty());
  CHECK(told({{"dropout", "0.125"}}).empty());
  CHECK(told({{"kv-heads", "4"}, {"enable-gqa", "on"}}).empty());
  CHECK(told({{"dtype", "fp32"}}).empty());
  CHECK(told({{"device", "a100"}}).empty());
  CHECK(told({{"on", "cpu"}}).empty());
  CHECK(told({{"via", "flash-attn:2.8.3"}}).empty());
  CHECK(told({{"via", "hf:eager"}, {"heads", "16"}, {"n-q", "1000"}}).find("eager ") != std::string::npos);
  CHECK(model_of({}).recorded.empty());
}

TEST_CASE("sentences about ranks, versions and ineffective switches are right") {
  const WhichModel plain = model_of({});
  CHECK(plain.no_advice.starts_with(
      "No backend of PyTorch ranks higher. By speed, on full GPUs of SM 9.0: cuDNN, FLASH"));
  CHECK(model_of({{"on", "cpu"}}).no_advice == "No backend of PyTorch ranks higher. By speed, on a CPU: FLASH, MATH.");
  const WhichModel none = model_of({{"n-q", "0"}, {"enabled", "flash"}});
  CHECK_FALSE(none.runs);
  CHECK(none.advice_title == "What makes it run");
  if (none.advice.empty()) CHECK(none.no_advice == "No single change, and no two together, make it run.");
  CHECK(plain.other_versions.find("for PyTorch 2.2 to 2.14;") != std::string::npos);
  CHECK(plain.version_note == "Rules of PyTorch 2.2 to 2.14; 2.11 itself was run.");
  CHECK(model_of({{"torch", "2.12"}}).version_note == "Rules of PyTorch 2.2 to 2.14; 2.12 itself was not run.");
  CHECK(model_of({{"torch", "2.12"}}).checked.starts_with("Not checked"));
  CHECK(plain.other_versions.find("can_use_flash_attention") != std::string::npos);
  CHECK(model_of({{"cuda", "12.8"}}).notes.front() ==
        "No rule of PyTorch 2.11 asks for CUDA's version: it changes nothing.");
}

TEST_CASE("unknown facts about a kernel are reported, and then there is no generation, schedule or tile") {
  const WhichModel decode = model_of({{"n-q", "1"}, {"n-kv", "8192"}, {"batch", "16"}});
  CHECK(decode.generation == "FA-2");
  CHECK(decode.unknown.find("cuDNN's decision") != std::string::npos);
  CHECK_FALSE(decode.walk);
  const WhichModel other = model_of({{"n-q", "1"}, {"n-kv", "8192"}, {"device", "b200"}});
  CHECK(other.generation.empty());
  CHECK(other.unknown.find("was not recorded") != std::string::npos);
  const WhichModel flash = model_of({{"enabled", "flash"}});
  CHECK(flash.walk_words == "Split-KV with that kernel's tiles, 64×256, 4 splits");
}

TEST_CASE("the cost comes from the model where it knows the card") {
  CHECK(model_of({{"n-q", "4096"}, {"is-causal", "on"}, {"kv-heads", "4"}, {"enable-gqa", "on"}}).cost_line ==
        "tilewalk predict --device h200 --n 4096 --d 64 --heads 12 --batch 1 --mask causal --dtype bf16 --kv-heads 4");
  CHECK(model_of({{"on", "cpu"}}).cost_line.empty());
  CHECK(model_of({{"device", "sm_86"}}).cost_line.empty());
  CHECK(model_of({{"n-q", "1"}, {"n-kv", "64"}}).cost_line.empty());
}

TEST_CASE("the cost says what it leaves out, and is missing where the model does not cover the call") {
  CHECK(model_of({{"device", "a100"}, {"n-q", "3000"}, {"training", "on"}}).cost_note ==
        "Not in that cost: the backward pass.");
  CHECK(model_of({{"d-v", "32"}}).cost_line.empty());
  CHECK(model_of({{"n-q", "16000000"}, {"batch", "64"}}).cost_line.empty());
}

TEST_CASE("a note says where is_causal is another mask than a decoder means") {
  const auto has = [](const WhichModel& m, const std::string& part) {
    return std::any_of(m.notes.begin(), m.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
  };
  const WhichModel one =
      model_of({{"n-q", "1"}, {"n-kv", "1024"}, {"is-causal", "on"}, {"device", "a100"}, {"dtype", "fp16"}});
  CHECK(has(one, "the one query sees key 0 alone"));
  REQUIRE_FALSE(one.advice.empty());
  CHECK(one.advice.front().words.starts_with("is_causal=False"));
  CHECK(one.advice.front().then == "FLASH_ATTENTION");
  CHECK(has(model_of({{"n-q", "4"}, {"n-kv", "1024"}, {"is-causal", "on"}}), "causal_lower_right(4, 1024)"));
  CHECK(has(model_of({{"n-q", "64"}, {"n-kv", "16"}, {"is-causal", "on"}}), "queries after the last key see all keys"));
  CHECK_FALSE(has(model_of({{"is-causal", "on"}}), "aligned to the top left"));
  CHECK_FALSE(has(model_of({{"n-q", "1"}, {"n-kv", "1024"}}), "aligned to the top left"));
}

TEST_CASE("a wheel without FLASH or without kernels for the GPU says so") {
  const WhichModel linux_wheel = model_of({{"device", "rtx4090"}, {"dtype", "fp16"}});
  REQUIRE_FALSE(linux_wheel.notes.empty());
  CHECK(linux_wheel.notes.back() ==
        "On Windows EFFICIENT_ATTENTION runs: PyTorch's wheels for Windows have no FLASH (--build windows).");
  const WhichModel windows = model_of({{"device", "rtx4090"}, {"dtype", "fp16"}, {"build", "windows"}});
  CHECK(windows.headline == "EFFICIENT_ATTENTION");
  CHECK(windows.cards.front().checks.front().says.starts_with("compiled into this PyTorch"));
  CHECK(windows.cards.front().checks.front().mark == WhichMark::Refused);
  const WhichModel volta = model_of({{"device", "v100"}, {"dtype", "fp16"}});
  CHECK_FALSE(volta.runs);
  CHECK(volta.headline == "Nothing runs");
  CHECK(volta.so.find("no kernel image is available") != std::string::npos);
  REQUIRE_FALSE(volta.advice.empty());
  CHECK(volta.advice.front().words == "install PyTorch's wheel for CUDA 12.6");
  CHECK(volta.advice.front().then == "EFFICIENT_ATTENTION");
  CHECK(model_of({{"device", "v100"}, {"dtype", "fp16"}, {"cuda", "12.6"}}).headline == "EFFICIENT_ATTENTION");
  CHECK(model_of({{"device", "v100"}, {"dtype", "fp16"}, {"build", "source"}}).headline == "EFFICIENT_ATTENTION");
  CHECK(model_of({{"device", "sm_61"}, {"dtype", "fp32"}, {"cuda", "12.6"}}).headline == "EFFICIENT_ATTENTION");
  CHECK(model_of({{"device", "sm_61"}, {"dtype", "fp32"}, {"cuda", "12.8"}}).headline == "Nothing runs");
  CHECK(model_of({{"device", "rtx4090"}, {"dtype", "fp16"}, {"on", "cpu"}, {"build", "windows"}}).runs);
}
