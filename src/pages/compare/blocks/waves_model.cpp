#include "pages/compare/blocks/waves_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "pages/compare/blocks/filled_sms.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"
#include "view/words/verdict.h"

namespace tilewalk {
namespace {

const char* unit_of(BlockKind block) {
  switch (block) {
    case BlockKind::Head: return "thread block = head";
    case BlockKind::Split: return "thread block = some keys";
    case BlockKind::QTile: break;
  }
  return "thread block = Q tile";
}

std::string sentence_of(const Problem& p, const Waves& w) {
  static const char* const numbers[] = {"",           "one wave",   "two waves", "three waves",
                                        "four waves", "five waves", "six waves"};
  std::string text = "batch " + format_count(p.shape.batch) + " × heads " + format_count(p.shape.heads);
  if (row_of(p).walk.block != BlockKind::Head)
    text += " × " + format_count(p.q_tiles()) + (p.q_tiles() == 1 ? " Q tile" : " Q tiles");
  if (row_of(p).walk.block == BlockKind::Split)
    text += " × " + format_count(p.tiling.splits) + (p.tiling.splits == 1 ? " split" : " splits");
  text += " = " + format_count(w.blocks) + (w.blocks == 1 ? " thread block on " : " thread blocks on ") +
          format_count(w.sms) + " SMs";
  if (w.occupancy.blocks_per_sm == 0)
    return text + ": none fits, for it needs " + format_count(w.occupancy.shared_bytes) + " bytes of shared memory.";
  if (w.blocks < w.sms) {
    const std::int64_t idle = w.sms - w.blocks;
    return text + ": " + format_count(idle) + (idle == 1 ? " SM has" : " SMs have") + " nothing to do.";
  }
  if (w.occupancy.blocks_per_sm > 1) text += ", " + std::to_string(w.occupancy.blocks_per_sm) + " at once on each";
  text += ": " + (w.waves <= 6 ? std::string(numbers[w.waves]) : format_count(w.waves) + " waves");
  const int fill = int(std::lround(w.last_wave_fill * 100));
  text += fill == 100 ? (w.waves == 1 ? ", full" : ", the last full")
                      : (w.waves == 1 ? ", " : ", the last ") + std::to_string(fill) + " % full";
  text += "; SMs are busy " + std::to_string(int(std::lround(w.busy_fraction * 100))) + " % of the time.";
  return text;
}

std::string plain_of(const Waves& w) {
  if (w.occupancy.blocks_per_sm == 0) return "No thread block fits on an SM.";
  const std::string blocks = counted(w.blocks, "thread block");
  if (w.blocks < w.sms) return fmt::format("{} for {} SMs: {} have nothing to do.", blocks, w.sms, w.sms - w.blocks);
  const int each = w.occupancy.blocks_per_sm;
  return fmt::format("{}, {} on each of {} SMs: {}.", blocks, each == 1 ? "one" : fmt::format("{} at once", each),
                     w.sms, counted(w.waves, "wave"));
}

// The waves, and what their end leaves without work.
void add_waits(const Problem& p, const Waves& w, WavesModel& model) {
  const int each = w.occupancy.blocks_per_sm;
  if (each == 0) return;
  const std::string blocks = counted(w.blocks, "thread block");
  if (w.blocks < w.sms) {
    model.figure = fmt::format("{} of {} SMs", w.blocks, w.sms);
    model.figure_words = "have a thread block, one each";
    model.waits = fmt::format("The other {} wait for the whole time: there are only {}.", w.sms - w.blocks, blocks);
    return;
  }
  model.figure = counted(w.waves, "wave");
  const char* const of = row_of(p).memory.scores_in_hbm ? " a launch" : "";  // each pass is one
  model.figure_words = fmt::format("a wave: {} at once; {}{}", counted(std::int64_t(each) * w.sms, "thread block"),
                                   format_count(w.blocks), *of ? of : " in all");
  const double idle = 100 * (1 - w.busy_fraction), full = 100 * w.last_wave_fill;
  const std::string wait = idle < 0.5 ? "SMs hardly wait" : fmt::format("SMs wait {:.0f} % of the time", idle);
  model.waits = full >= 99.5 ? fmt::format("{} full: {}.", w.waves == 1 ? "It is" : "The last is", wait)
                             : fmt::format("{} {:.0f} % full: {}.", w.waves == 1 ? "It is" : "The last is", full, wait);
}

}  // namespace

std::string title_of_waves(const Problem& p) {
  return fmt::format("{} · {}", run_title(p), unit_of(row_of(p).walk.block));
}

WavesModel build_waves_model(const Problem& p, const RunTime& run, double width_px, double height_px) {
  const Waves& w = run.waves;
  WavesModel model;
  model.title = title_of_waves(p);
  // The largest squares that fit.
  const double aspect = std::max(1.0, width_px) / std::max(1.0, height_px);
  model.columns = std::clamp(int(std::lround(std::sqrt(double(w.sms) * aspect))), 1, std::max(1, w.sms));
  model.rows = (w.sms + model.columns - 1) / model.columns;
  for (int i = 0; i < w.sms; ++i) {
    const SmLoad& load = w.loads[std::size_t(i)];
    SmSquare square{i,
                    double(i % model.columns),
                    double(i / model.columns),
                    load.in_first_wave,
                    w.cycles > 0 ? load.busy / w.cycles : 0,
                    ""};
    square.tip = load.blocks == 0 ? fmt::format("SM {}: nothing to do", i)
                                  : fmt::format("SM {}: {}, busy {:.0f} % of the time", i,
                                                counted(load.blocks, "thread block"), square.share * 100);
    model.squares.push_back(std::move(square));
  }
  model.plain = plain_of(w);
  add_waits(p, w, model);
  model.sentence = sentence_of(p, w);
  model.limit = w.occupancy.blocks_per_sm == 0
                    ? "does not fit on this device"
                    : fmt::format("{} an SM at once, by {}", counted(w.occupancy.blocks_per_sm, "thread block"),
                                  w.occupancy.limit);
  model.time = fmt::format("{} cycles, {} with its {}", cycles_text(w.cycles), ms_text(run.seconds * 1e3),
                           run.launches == 1 ? "launch" : "launches");
  if (w.cycles > 0 && w.tail / w.cycles >= 0.005 && w.sms_in_first_wave == w.sms)
    model.time += fmt::format(" · SMs run out of work over the last {:.0f} %", 100 * w.tail / w.cycles);
  return model;
}

void show_at_cursor(WavesModel& model, const Waves& w, double time) {
  if (time >= 1 || w.cycles <= 0) return;
  if (time <= 0) {
    for (SmSquare& square : model.squares) square.share = 0;
    model.at_cursor = "At the cursor nothing has run.";
    return;
  }
  const double now = time * w.cycles;
  for (SmSquare& square : model.squares) {
    const SmLoad& load = w.loads[std::size_t(square.sm)];
    square.busy = load.busy > now;
    square.share = std::min(load.busy, now) / w.cycles;
    if (load.blocks > 0)
      square.tip = fmt::format("SM {}: {:.0f} % of its work is done", square.sm, 100 * std::min(1.0, now / load.busy));
  }
  const auto working = std::count_if(w.loads.begin(), w.loads.end(), [&](const SmLoad& l) { return l.busy > now; });
  const std::int64_t percent = std::int64_t(time * 100);
  model.at_cursor =
      fmt::format("At the cursor {} of its time is over: {} SMs work.",
                  percent < 1 ? std::string("less than 1 %") : fmt::format("{} %", percent),
                  working == w.sms ? fmt::format("all {}", w.sms) : fmt::format("{} of {}", working, w.sms));
}

}  // namespace tilewalk
