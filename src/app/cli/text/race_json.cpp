#include "app/cli/text/race_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.h"
#include "base/words.h"
#include "measured/prediction_error.h"
#include "measured/recorded_race.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

// For a recorded row; none for a row run here, on an unknown card.
std::optional<Prediction> predicted(const SourcedRace& from, const RaceRow& row) {
  if (from.source != RaceSource::Recorded) return std::nullopt;
  return prediction_of(row, *device_named(kRecordedOn));
}

Json row_json(const SourcedRace& from, const RaceRow& row) {
  const Race& race = from.race;
  const bool counts = row.counts();
  Json out = {{"source", name_of(from.source)},
              {"rung", row.rung},
              {"pass", row.pass},
              {"n", row.n},
              {"d", row.d},
              {"heads", row.heads},
              {"batch", row.batch},
              {"causal", row.causal},
              {"dtype", row.dtype},
              {"outcome", name_of(row.outcome())}};
  if (!counts) out["note"] = row.note();
  out["ms_median"] = counts ? Json(row.median_ms()) : Json(nullptr);
  out["ms_min"] = counts ? Json(row.smallest_ms()) : Json(nullptr);
  out["ms_max"] = counts ? Json(row.largest_ms()) : Json(nullptr);
  out["samples"] = row.ms.size();
  out["spread"] = row.ms.empty() ? Json(nullptr) : Json(row.spread());
  out["tflops"] = counts ? Json(row.tflops()) : Json(nullptr);
  out["share_of_peak"] = or_null(race.share_of_peak(row));
  out["peak_at_clock_tflops"] = or_null(row.peak_at_clock());
  out["share_at_clock"] = or_null(row.share_at_clock());
  out["flops_done"] = or_null(row.flops_done);
  out["processor_share"] = row.own_share.empty() ? Json(nullptr) : Json(row.share_got());
  out["extra_bytes"] = or_null(row.extra_bytes);
  const RaceFloors floors = race.floors(row);
  out["floor_ms"] = {{"bytes", or_null(floors.bytes_ms)},
                     {"scores", or_null(floors.scores_ms)},
                     {"flops", or_null(floors.flops_ms)},
                     {"exponentials", or_null(floors.exponentials_ms)}};
  out["highest_floor"] = floors.highest_ms() ? Json(floors.highest()) : Json(nullptr);
  out["times_floor"] = or_null(race.times_the_floor(row));
  const std::optional<Prediction> model = predicted(from, row);
  out["paper_ms"] = model ? or_null(model->pencil_ms) : Json(nullptr);
  out["predicted_ms"] = model ? or_null(model->predicted_ms) : Json(nullptr);
  out["vs_naive"] = or_null(race.times_as_fast_as_naive(row));
  for (const ContenderRow& rival : kContenders)
    if (rival.race_rival) out[std::string("vs_") + rival.word] = or_null(race.times_as_fast(row, rival.who));
  return out;
}

Json ceilings_json(const Race& race) {
  const std::string dtype = race.rows.empty() ? "" : race.rows.front().dtype;
  return {{"matmul_tflops", or_null(race.product_tflops(dtype))},
          {"matmul", race.product_name(dtype)},
          {"copy_gb_per_s", or_null(race.copy_gb_per_s())},
          {"memory_read_gb_per_s", or_null(race.memory_read_gb_per_s())},
          {"dtype", dtype}};
}

std::string heading(const SourcedRace& from) {
  const Race& race = from.race;
  const std::string day = race.date().substr(0, 10);
  std::string out =
      from.source == RaceSource::Recorded
          ? fmt::format("RECORDED, not run here: {}, {}\n", race.machine(), day)
          : fmt::format("Run here on {}, {}{}\n", race.machine(), day, race.stopped ? "; stopped before the end" : "");
  const std::string dtype = race.rows.empty() ? "" : race.rows.front().dtype;
  std::string rates;
  for (const double rate : race.product_rates())
    add_to_list(rates, fmt::format("{:.{}f} TFLOP/s", rate, rate < 10 ? 3 : 0), ", above d 128 ");
  if (!rates.empty()) rates = race.product_name(dtype) + " " + rates;
  if (const auto copy = race.copy_gb_per_s())
    add_to_list(rates, fmt::format("copy {:.{}f} GB/s", *copy, *copy < 1000 ? 1 : 0));
  if (!rates.empty()) out += fmt::format("Ceilings {}: {}\n", race.name_of_ceilings(), rates);
  if (const std::string blas = race.word(kBlasKey); !blas.empty())
    out += fmt::format("cpu_naive's products: {}\n", blas);
  if (const std::string slow = race.word(kSlowBlasKey); !slow.empty())
    out += fmt::format("Not a fair race: {}. No speed-up over naive is given\n", slow);
  if (const std::string left_out = race.word("left out"); !left_out.empty())
    out += fmt::format("Left out: {}\n", left_out);
  return out;
}

// The two peaks behind the shares, and the work that each share counts.
std::string clock_note(const Race& race) {
  double low = 0, high = 0;
  for (const RaceRow& row : race.rows) {
    if (!row.share_at_clock()) continue;
    const double peak = *row.peak_at_clock();
    low = low > 0 ? std::min(low, peak) : peak;
    high = std::max(high, peak);
  }
  const std::string least = fmt::format("{:.3f}", low), most = fmt::format("{:.3f}", high);
  const auto rested = race.product_tflops(race.rows.front().dtype);
  return fmt::format(
      "  of peak: the visible pairs' work, relative to multiply-adds in registers after a rest{}\n"
      "  at clock: all work really done (causal: masked pairs in visited tiles too), relative to multiply-adds "
      "straight "
      "after cpu_tiled, on its own threads, at the clock under dense vector work: {}{} TFLOP/s\n",
      rested ? fmt::format(": {:.3f} TFLOP/s", *rested) : "", least, least == most ? "" : " to " + most);
}

// The columns and notes that a race needs.
struct RaceParts {
  bool torch = false, memory = false, floors = false, at_clock = false, models = false;
  bool not_quiet = false, shared = false;  // a row that is not reported: for spread times, or for other programs
};

RaceParts parts_of(const SourcedRace& from) {
  RaceParts has;
  for (const RaceRow& row : from.race.rows) {
    const ContenderRow* const contender = contender_named(row.rung);
    has.torch |= contender && contender->by == RunBy::PyTorch && contender->who != Contender::Eager;
    has.memory |= row.extra_bytes.has_value();
    has.floors |= from.race.floors(row).highest_ms().has_value();
    has.at_clock |= row.share_at_clock().has_value();
    has.models |= from.source == RaceSource::Recorded && row.counts();
    const bool lost = row.outcome() == RaceOutcome::NotQuiet, got_little = row.share_got() < kQuietShare;
    has.shared |= lost && got_little;
    has.not_quiet |= lost && !got_little;
  }
  return has;
}

std::vector<std::string> heads_of(const RaceParts& has) {
  std::vector<std::string> heads = {"pass", "rung", "N", "d", "heads", "batch", "mask", "ms", "TFLOP/s", "of peak"};
  if (has.at_clock) heads.push_back("at clock");
  if (has.floors) heads.insert(heads.end(), {"floor ms", "of", "× floor"});
  if (has.models) heads.insert(heads.end(), {"paper ms", "predicted ms", "error"});
  if (has.memory) heads.push_back("extra");
  heads.push_back("× naive");
  for (const ContenderRow& rival : kContenders)
    if (has.torch && rival.race_rival) heads.push_back(std::string("× ") + rival.short_title);
  return heads;
}

std::vector<std::string> line_of(const SourcedRace& from, const RaceRow& row, const RaceParts& has) {
  const Race& race = from.race;
  const bool counts = row.counts();
  const auto times = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : std::string("·");
  };
  const auto percent = [](const std::optional<double>& part) {
    return part ? fmt::format("{:.0f} %", 100 * *part) : std::string("·");
  };
  const double tflops = counts ? row.tflops() : 0;
  std::vector<std::string> line = {row.pass,
                                   row.rung,
                                   std::to_string(row.n),
                                   std::to_string(row.d),
                                   std::to_string(row.heads),
                                   std::to_string(row.batch),
                                   row.causal ? "causal" : "none",
                                   counts ? fmt::format("{:.3f}", row.median_ms()) : name_of(row.outcome()),
                                   counts                          ? fmt::format("{:.{}f}", tflops, tflops < 10 ? 3 : 0)
                                   : row.ms.empty()                ? "·"
                                   : row.share_got() < kQuietShare ? fmt::format("got {:.0f} %", 100 * row.share_got())
                                                                   : fmt::format("spread {:.0f} %", 100 * row.spread()),
                                   percent(race.share_of_peak(row))};
  if (has.at_clock) line.push_back(percent(row.share_at_clock()));
  if (has.floors) {
    const RaceFloors floor = race.floors(row);
    line.push_back(floor.highest_ms() ? fmt::format("{:.3f}", *floor.highest_ms()) : "·");
    line.push_back(floor.highest());
    line.push_back(times(race.times_the_floor(row)));
  }
  if (has.models) {
    const std::optional<Prediction> model = predicted(from, row);
    const auto ms = [](const std::optional<double>& value) {
      return value ? fmt::format("{:.3f}", *value) : std::string("·");
    };
    const auto error = model ? error_of(*model, row) : std::nullopt;
    line.push_back(model ? ms(model->pencil_ms) : "·");
    line.push_back(model ? ms(model->predicted_ms) : "·");
    line.push_back(error ? error_text(*error) : "·");
  }
  if (has.memory) line.push_back(row.extra_bytes ? format_bytes(*row.extra_bytes) : "·");
  line.push_back(times(race.times_as_fast_as_naive(row)));
  if (has.torch) {
    for (const ContenderRow& rival : kContenders)
      if (rival.race_rival) line.push_back(times(race.times_as_fast(row, rival.who)));
  }
  return line;
}

// What the columns are.
std::string footnotes_of(const Race& race, const RaceParts& has) {
  std::string out;
  if (has.at_clock) out += clock_note(race);
  if (has.floors)
    out +=
        "  floor: the longest of every tensor's bytes once at the copy rate, S at the same rate (naive: written and "
        "read, P too; eager: six transfers, masked ten), FLOPs at the product rate" +
        std::string(race.word(kMultiprocessorsKey).empty() ? "" : ", exponentials at 16 a cycle and multiprocessor") +
        "\n";
  if (has.models)
    out +=
        "  paper, predicted: by five numbers of the GPU, and by the whole model; error: predicted over recorded, less "
        "one. See tilewalk predict\n";
  if (has.shared)
    out += fmt::format(
        "  got: the share of the requested processor time that this program got; below {:.0f} % other programs slow it "
        "down steadily, so no figure is reported. Close them, or give --threads fewer, and race again\n",
        100 * kQuietShare);
  if (has.not_quiet)
    out += fmt::format(
        "  not quiet: the middle half of a row's times spreads over more than {:.0f} % of the median, so no figure is "
        "reported. Close other programs, and race again\n",
        100 * kQuietSpread);
  return out;
}

}  // namespace

const char* name_of(RaceSource source) {
  return source == RaceSource::Recorded ? "recorded" : source == RaceSource::Cpu ? "cpu" : "gpu";
}

Json races_json(const std::vector<SourcedRace>& races) {
  std::string against;
  Json list = Json::array(), rows = Json::array();
  for (const SourcedRace& from : races) {
    add_to_list(against, std::string(name_of(from.source)), " and ");
    list.push_back({{"source", name_of(from.source)},
                    {"machine", from.race.machine()},
                    {"date", from.race.date()},
                    {"ceilings", ceilings_json(from.race)},
                    {"stopped", from.race.stopped},
                    {"left_out", from.race.word("left out")},
                    {"blas", from.race.word(kBlasKey)},
                    {"blas_warning", from.race.word(kSlowBlasKey)}});
    for (const RaceRow& row : from.race.rows) rows.push_back(row_json(from, row));
  }
  Json out = {{"against", against}};
  for (const char* key : {"ceilings", "machine", "date"}) out[key] = list.empty() ? Json(nullptr) : list[0][key];
  out["rows"] = std::move(rows);
  out["races"] = std::move(list);
  return out;
}

std::string race_text(const SourcedRace& from) {
  const RaceParts has = parts_of(from);
  std::vector<std::vector<std::string>> lines;
  std::string notes;
  std::set<std::string> reasons;
  for (const RaceRow& row : from.race.rows) {
    lines.push_back(line_of(from, row, has));
    if (const std::string why = why_slow(from.race, row); row.counts() && !why.empty()) reasons.insert(why);
    if (!row.counts() && row.ms.empty())
      notes += fmt::format("  {}, {}, N {}, d {}, {}: {}\n", row.rung, row.pass, row.n, row.d,
                           row.causal ? "causal" : "no mask", row.note());
  }
  std::string out = heading(from) + table_text(heads_of(has), lines, "  ") + notes;
  for (const std::string& why : reasons) out += "  " + why + "\n";
  return out + footnotes_of(from.race, has);
}

}  // namespace tilewalk
