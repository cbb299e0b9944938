#include "tests/ui/monkey.h"

#include <array>

#include "core/fields/fields.h"

namespace tilewalk::test {
namespace {

constexpr std::array kPasses = {"forward", "backward"};
constexpr std::array kDevices = {"h200", "t4", "cpu", "cpu-16", "cpu-99", "your-cpu", "your-gpu", "x"};
constexpr std::array kRungs = {"naive", "flash_v2", "flash_v3", "torch_flash", "cpu_naive", "cpu_tiled", "unheard_of"};

}  // namespace

std::int64_t Monkey::number() {
  switch (pick(6)) {
    case 0: return -1 - pick(3);
    case 1: return std::int64_t(1) << pick(63);
    default: return pick(40);
  }
}

std::string Monkey::typed() {
  constexpr std::array kTexts = {"",     "0",        "-1",  "9",      "16", "1e9", "4294967296", "99999999999999999999",
                                 "2, 1", "x",        "nan", "auto",   "on", "off", "causal",     "window:3:0",
                                 "bf16", "split_kv", "ℓ",   "\x1b[2J"};
  return pick(2) ? std::to_string(number()) : kTexts[std::size_t(pick(int(kTexts.size())))];
}

void Monkey::act() {
  const int what = pick(40);
  if (what < 10) return press();
  if (what < 20) {
    head_.click(float(pick(head_.width())), float(pick(head_.height())));
    return;
  }
  if (what < 22) {
    inject_mouse(float(pick(head_.width())), float(pick(head_.height())), false);
    inject_wheel(pick(2) ? 1.0f : -1.0f);
  } else if (what < 24) {
    inject_text(typed().c_str());
  } else if (what < 27) {
    constexpr std::array kKeys = {Key::Enter, Key::Escape, Key::Tab, Key::Up, Key::Down, Key::Escape};
    head_.press(kKeys[std::size_t(pick(int(kKeys.size())))]);
    return;
  } else if (what < 36) {
    head_.session->dispatch(command());
  } else if (what < 39) {
    head_.session->dispatch(news());
  } else {
    resize();
  }
  head_.frames(2);
}

void Monkey::press() {
  const CommandRow& row = command_table()[std::size_t(pick(int(command_table().size())))];
  if (row.key.key == Key::None)
    head_.session->dispatch(row.action), head_.frame();
  else
    head_.press(row.key.key, row.key.ctrl, row.key.shift);
}

void Monkey::resize() {
  constexpr std::array kSizes = {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160},
                                 std::pair{700, 420},  std::pair{200, 900},  std::pair{1, 1}};
  const auto [width, height] = kSizes[std::size_t(pick(int(kSizes.size())))];
  head_.resize(width, height);
  if (pick(4) == 0) head_.session->dispatch(SetTextScale{0.5 + 0.25 * pick(12)});
}

Command Monkey::command() {
  switch (pick(26)) {
    case 0: return GoToStep{number()};
    case 1: return GoToTile{number(), number()};
    case 2: return RunToTile{number(), number()};
    case 3: return GoToHead{number(), number()};
    case 4: return SetSpeed{double(number())};
    case 5: return SetUnit{one_of<StepUnit>(3)};
    case 6: return SelectCell{number(), number()};
    case 7: return SetGridView{double(number()), 0.1 * pick(20) - 0.5, 0.1 * pick(20) - 0.5};
    case 8: return OpenDialog{one_of<Dialog>(int(Dialog::Traffic) + 1)};
    case 9: return ShowPage{one_of<Page>(3)};
    case 10: return pick(2) ? Command(SetPace{one_of<Pace>(3)}) : ChooseCompared{one_of<Compared>(2)};
    case 11: return SetLanesView{double(number()), 0.1 * pick(20) - 0.5};
    case 12: return SetLaneOption{one_of<LaneOption>(int(LaneOption::Stages) + 1), number()};
    case 13: return PinSchedule{all_schedules()[std::size_t(pick(int(all_schedules().size())))]};
    case 14: return pick(2) ? Command(ExchangeAt{number()}) : GoToCallStep{number()};
    case 15: return ShowTransfers{pick(2) ? "hbm" : typed()};
    case 16:
      return ChooseRace{.source = one_of<RaceSource>(3),
                        .metric = one_of<RaceMetric>(int(RaceMetric::Memory) + 1),
                        .pass = kPasses[std::size_t(pick(2))],
                        .n = number(),
                        .d = number(),
                        .causal = pick(2) == 0};
    case 17: return SetSchedule{all_schedules()[std::size_t(pick(int(all_schedules().size())))]};
    case 18: return EditField{fields()[std::size_t(pick(int(fields().size())))].name, typed()};
    case 19: return ApplyEdit{};
    case 20: return EditValue{one_of<TensorId>(3), number(), number(), typed()};
    case 21:
      if (pick(2)) return ChooseRoofline{.device = kDevices[std::size_t(pick(int(kDevices.size())))]};
      return ChooseRoofline{.n = number(), .d = number(), .heads = number(), .batch = number(), .causal = pick(2) == 0};
    case 22: return EditOwnCard{pick(2) ? "bandwidth" : "peak", typed()};
    case 23: return WalkMethod{pick(2) ? "naive" : "flash_v2"};
    case 24: return ReadName{typed()};
    default: return of_a_file();
  }
}

// Relative to the current folder, which the test makes a temporary one.
Command Monkey::of_a_file() {
  constexpr std::array kPaths = {"session.toml", "", "missing/session.toml", ".", "session.toml"};
  const std::string path = kPaths[std::size_t(pick(int(kPaths.size())))];
  switch (pick(3)) {
    case 0: return OpenFile{path};
    case 1: return SaveFile{path};
    default: return LoadPreset{pick(2) ? "one" : typed()};
  }
}

MeasureNews Monkey::measure_news() {
  MeasureNews news{
      .running = pick(2) == 0, .fraction = 0.1 * pick(11), .doing = typed(), .failure = pick(2) ? typed() : ""};
  if (news.running || pick(3) == 0) return news;
  news.machine.emplace();
  news.machine->date = typed(), news.machine->no_processor = typed(), news.machine->no_card = typed();
  if (pick(2))
    news.machine->processor = Processor{.name = typed(),
                                        .threads = 1 + pick(300),
                                        .read_gb_per_s = 0.1 + pick(1000),
                                        .fp32_tflops = 0.01 + pick(100),
                                        .bf16_tflops = double(pick(3)),
                                        .cache_bytes = std::int64_t(pick(3)) << 25};
  if (pick(2)) news.machine->card = MeasuredCard{pick(2) ? "NVIDIA H100" : typed(), 1.0 + pick(9000), 1.0 + pick(3000)};
  return news;
}

Command Monkey::news() {
  switch (pick(6)) {
    case 0: return ReportDevices{pick(2) == 0, typed()};
    case 1: {
      CheckReport report;
      report.against = one_of<CheckAgainst>(4), report.verdict = one_of<Verdict>(int(Verdict::NotFinite) + 1);
      report.reason = typed();
      report.tile_visits = number(), report.values = number(), report.differing = number();
      return ReportCheck{report, head_.session->problem_revision()};
    }
    case 2: {
      AccuracyReport report;
      report.verdict = one_of<Verdict>(int(Verdict::NotFinite) + 1), report.reason = typed();
      if (pick(2)) report.quantities.push_back({.error = double(number()), .plain = NAN, .rows = number()});
      return ReportAccuracy{report, head_.session->problem_revision()};
    }
    case 3: return Work{1 + pick(64)};
    case 4: return ReportMeasure{measure_news()};
    default: return ReportRace{race_news()};
  }
}

RaceNews Monkey::race_news() {
  auto race = std::make_shared<Race>();
  for (int rows = pick(8); rows > 0; --rows) {
    RaceRow& row = race->rows.emplace_back();
    row.rung = row.contender = kRungs[std::size_t(pick(int(kRungs.size())))];
    row.pass = kPasses[std::size_t(pick(2))];
    row.dtype = pick(2) ? "fp32" : "bf16";
    row.n = 512ll << pick(4), row.d = 64ll << pick(2), row.heads = 1 + pick(4), row.batch = 1;
    row.causal = pick(2) == 0;
    for (int samples = pick(4); samples > 0; --samples) row.ms.push_back(1 + pick(5));
    if (pick(3) == 0) row.own_share = {0.1 * pick(11)};
    if (pick(3) == 0) row.stopped = RaceOutcome::OutOfMemory, row.why = typed();
    if (pick(2)) row.extra_bytes = std::abs(number());
  }
  if (pick(2)) race->provenance = {{"date", typed()}, {"fp32 multiply-adds, TFLOP/s", pick(2) ? "0.2" : typed()}};
  RaceNews news;
  news.source = pick(2) ? RaceSource::Cpu : RaceSource::Gpu;
  if (pick(5)) news.race = race;
  news.running = pick(2) == 0;
  news.fraction = 0.25 * pick(5);
  news.doing = typed();
  if (pick(4) == 0) news.failure = typed();
  return news;
}

}  // namespace tilewalk::test
