#include "view/words/race_row_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

// "Floors: bytes 63 µs, S 8.04 ms, FLOPs 2.71 ms, exponentials 2.05 ms; 1.12 times the highest"; "" where none is
// known.
std::string floors_text(const Race& race, const RaceRow& row) {
  const RaceFloors floors = race.floors(row);
  std::string out;
  for (const auto& [name, ms] :
       {std::pair{"bytes", floors.bytes_ms}, std::pair{"S", floors.scores_ms}, std::pair{"FLOPs", floors.flops_ms},
        std::pair{"exponentials", floors.exponentials_ms}})
    if (ms) out += fmt::format("{}{} {}", out.empty() ? "Floors: " : ", ", name, milliseconds_text(*ms));
  if (floors.exponentials_ms) out += fmt::format(" at {:g} GHz", floors.ghz);
  if (const auto times = race.times_the_floor(row)) out += fmt::format("; {:.2f} times the highest", *times);
  return out;
}

// "4.25" below the limit, "1,650" from it on.
std::string fixed_below(double value, double limit) {
  return value < limit ? format_fixed(value, 2) : format_count(std::llround(value));
}

}  // namespace

std::string rate_text(double tflops) {
  return tflops < 1 ? fmt::format("{:.0f} GFLOP/s", tflops * 1e3) : fixed_below(tflops, 10) + " TFLOP/s";
}

std::string milliseconds_text(double ms) { return ms_text(ms); }

std::string n_text(std::int64_t n) {
  return n >= 1024 && n % 1024 == 0 ? fmt::format("{}k", n / 1024) : format_count(n);
}

// The figure of a row under a metric; empty if it has none.
std::optional<double> figure(const Race& race, const RaceRow& row, RaceMetric metric) {
  if (metric == RaceMetric::Memory) return row.extra_bytes ? std::optional(double(*row.extra_bytes)) : std::nullopt;
  if (!row.counts()) return std::nullopt;
  switch (metric) {
    case RaceMetric::Rate: return row.tflops();
    case RaceMetric::Time: return row.median_ms();
    case RaceMetric::Share: return race.share_of_peak(row);
    case RaceMetric::OverFloor: return race.times_the_floor(row);
    case RaceMetric::VsNaive: return race.times_as_fast_as_naive(row);
    case RaceMetric::Memory: break;
  }
  return std::nullopt;
}

std::string figure_text(RaceMetric metric, double value) {
  switch (metric) {
    case RaceMetric::Rate: return rate_text(value);
    case RaceMetric::Time: return milliseconds_text(value);
    case RaceMetric::Share: return fmt::format("{:.0f} %", 100 * value);
    case RaceMetric::VsNaive: return times_text_of(value);
    case RaceMetric::OverFloor: return fmt::format("{:.{}f}×", value, value < 10 ? 2 : 0);
    case RaceMetric::Memory: return format_bytes(std::int64_t(value));
  }
  return "";
}

const char* metric_title(RaceMetric metric) {
  switch (metric) {
    case RaceMetric::Rate: return "Rate";
    case RaceMetric::Time: return "Time";
    case RaceMetric::Share: return "Share of ceiling";
    case RaceMetric::OverFloor: return "Over floor";
    case RaceMetric::VsNaive: return "Speed-up";
    case RaceMetric::Memory: return "Extra memory";
  }
  return "";
}

const char* column_title(RaceMetric metric) {
  switch (metric) {
    case RaceMetric::Rate: return "rate";
    case RaceMetric::Time: return "time";
    case RaceMetric::Share: return "of ceiling";
    case RaceMetric::OverFloor: return "× its floor";
    case RaceMetric::VsNaive: return "vs naive";
    case RaceMetric::Memory: return "extra memory";
  }
  return "";
}

const char* metric_words(RaceMetric metric) {
  switch (metric) {
    case RaceMetric::Rate: return "rate, longer is faster";
    case RaceMetric::Time: return "time, shorter is faster";
    case RaceMetric::Share: return "share of the measured product rate";
    case RaceMetric::OverFloor: return "times the floor that binds: bytes, S, FLOPs or exponentials";
    case RaceMetric::VsNaive: return "times as fast as naive";
    case RaceMetric::Memory: return "memory allocated beside inputs and outputs";
  }
  return "";
}

const char* highest_floor_word(const Race& race, const RaceRow& row) {
  const std::string highest = race.floors(row).highest();
  return highest == "bytes"   ? "bytes"
         : highest == "S"     ? "bytes of S"
         : highest == "FLOPs" ? "products"
         : highest == ""      ? ""
                              : "exponentials";
}

namespace {

// ". S and P, 122 MiB each, set no floor: …", where naive's scores may lie in L2, and so bind by none of their bytes.
std::string scores_without_floor(const Race& race, const RaceFloors& floors) {
  if (floors.scores_bytes <= 0 || floors.scores_ms || !race.copy_gb_per_s()) return "";
  return fmt::format(". S and P, {} each, set no floor: the L2 cache may serve a part of their bytes",
                     format_bytes(std::int64_t(floors.scores_bytes)));
}

}  // namespace

std::string highest_floor_text(const Race& race, const RaceRow& row) {
  const RaceFloors floors = race.floors(row);
  const std::string highest = floors.highest();
  const auto most = floors.highest_ms();
  if (!most) return "";
  const std::string ms = milliseconds_text(*most), beside = scores_without_floor(race, floors);
  const auto bytes = [](double count) { return format_bytes(std::int64_t(count)); };
  if (highest == "S")
    return fmt::format("S and P, {} each, cross HBM {:.2g} times in all: {} of it", bytes(floors.scores_bytes),
                       floors.scores_trips, ms);
  if (highest == "bytes")
    return fmt::format("all tensors, {}, cross HBM once: {} of it{}", bytes(floors.bytes), ms, beside);
  if (highest == "FLOPs")  // the rate by name: a run and the card have different ones
    return fmt::format("products at the {} {}: {} of it{}", rate_text(*race.product_tflops(row.dtype, row.d)),
                       race.name_of_ceilings(), ms, beside);
  return fmt::format("exponentials, 16 a cycle and SM at {:g} GHz: {} of it{}", floors.ghz, ms, beside);
}

std::string detail_of(const Race& race, const RaceRow& row) {
  std::string out =
      fmt::format("{}\n{}, N {}, d {}, {} heads, batch {}, {}, {}", row.contender, row.pass, format_count(row.n), row.d,
                  row.heads, row.batch, row.causal ? "causal" : "no mask", row.dtype);
  if (!row.counts()) return out + "\n" + row.note();
  out += fmt::format("\n{} median of {} samples, {} to {}", milliseconds_text(row.median_ms()), row.ms.size(),
                     milliseconds_text(row.smallest_ms()), milliseconds_text(row.largest_ms()));
  out += "\n" + rate_text(row.tflops());
  if (const auto share = race.share_of_peak(row))
    out += fmt::format(", {:.0f} % of the measured product rate", 100 * *share);
  if (const auto share = row.share_at_clock())
    out += fmt::format(
        "\n{:.0f} % of multiply-adds straight after it ({}), at the clock that such work leaves; of the work really "
        "done",
        100 * *share, rate_text(*row.peak_at_clock()));
  if (const std::string floors = floors_text(race, row); !floors.empty()) out += "\n" + floors;
  if (const std::string why = why_slow(race, row); !why.empty()) out += "\n" + why;
  if (const auto times = race.times_as_fast_as_naive(row); times && !is_naive(row.rung))
    out += fmt::format("\n{} as fast as naive", times_text_of(*times));
  for (const ContenderRow& rival : kContenders)
    if (const auto times =
            rival.race_rival && row.rung != rival.word ? race.times_as_fast(row, rival.who) : std::nullopt)
      out += fmt::format("\n{:.2f} times as fast as {}", *times, rival.race_title);
  if (row.extra_bytes) out += "\n" + format_bytes(*row.extra_bytes) + " of memory allocated beside inputs and outputs";
  return out;
}

std::string rung_title(const std::string& rung) {
  const ContenderRow* const contender = contender_named(rung);
  if (!contender) return rung;
  const bool own = contender->by == RunBy::Tilewalk && contender->generation > 0;
  return own ? std::string(contender->title) + " by Tilewalk" : contender->race_title;
}

}  // namespace tilewalk
