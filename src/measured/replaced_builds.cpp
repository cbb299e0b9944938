#include "measured/replaced_builds.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "core/problem/build_choice.h"

namespace tilewalk {
namespace {

using enum Contender;

// The call as the choice of its build sees it, and the build that runs it today.
struct Today {
  Contender who;
  const AttentionCall& call;
  int sms;
  fast::PartsShape shape;
  fast::BuildChoice choice;
};

// Without a mask, rows of query heads that share K and V are rows of one head.
Today build_today(Contender who, const AttentionCall& call, const DeviceModel& device) {
  const std::int64_t heads = call.causal ? call.all_heads() : call.all_kv_heads();
  const fast::PartsShape shape{heads, call.all_heads() / heads * call.n, call.keys(), call.causal, 0};
  return {who, call, device.sms, shape, fast::choose_build(who, call.d, shape, device.sms)};
}

bool is_new_build(const Today& t) {
  const std::int64_t d = t.choice.build.d;
  return d == 96 || d == 160 || d == 192 || (t.who == FlashV2 && d == 256) || t.choice.variant != 0 ||
         t.choice.plan.divided();
}

// With the estimate before, in which each multiprocessor had one block in the last wave, these tiles were whole.
bool divides_last_wave(const Today& t) {
  const fast::PartsPlan& plan = t.choice.plan;
  if (t.who != FlashV2 || t.call.causal || t.choice.build.blocks != 2 || plan.tiles == 0 || plan.whole == 0)
    return false;
  const double full = double(plan.whole) / (2.0 * t.sms), last = fast::wave_share(plan.tiles, 2, t.sms);
  const double before = fast::plan_parts(t.shape, t.choice.build, t.sms, false).us * (full + last) / (full + 1);
  return plan.us >= fast::kWorthwhile * before;
}

bool has_short_tiles(const Today& t) {
  return t.who == FlashV2 && !t.call.causal && t.call.d <= 128 && t.choice.variant == fast::v2_short_variant(t.call.d);
}

bool has_other_parts(const Today& t) {
  if (fast::is_of_few_rows(t.choice.variant) || !t.choice.plan.divided()) return false;
  const fast::PartsPlan before = fast::plan_parts(t.shape, t.choice.build, t.sms);
  return before.tiles != t.choice.plan.tiles || before.each != t.choice.plan.each;
}

// FA-3's first variant at 64 columns, as it was estimated until 2026-12-01.
fast::BuildPace usual_before(bool causal) { return {192, 128, 64, 1.53, 1, causal ? 1.6 : 1.2, 0.9}; }

// Before, whole tiles of 64 x 64 or the first variant's, in parts where heads are few; a causal call was estimated with
// the first variant's pace without a mask.
bool has_few_causal(const Today& t) {
  if (t.who != FlashV3 || t.choice.build.d != 64) return false;
  if (!t.call.causal && (!fast::has_odd_rows(t.call.d) || t.choice.plan.divided())) return false;
  const fast::JoinPace join = t.call.causal ? fast::kCausalJoin : fast::kJoin;
  const fast::PartsPlan usual = fast::plan_parts(t.shape, usual_before(false), t.sms, true, join);
  const bool was_short =
      fast::plan_parts(t.shape, fast::short_rows(64), t.sms, false).us < fast::kWorthwhile * usual.us;
  if (was_short != (t.choice.variant == fast::short_rows_variant(64))) return true;
  return t.call.causal && !was_short && (t.choice.variant != 0 || t.choice.plan.each != usual.each);
}

// Before, built for 64 and 128; at 64 without a mask, a choice that did not know that larger tiles begin later.
bool has_narrow_build(const Today& t) {
  const std::int64_t built = built_d(FlashV3, t.call.d);
  if (t.who != FlashV3 || fast::is_of_few_rows(t.choice.variant)) return false;
  if (built != 64) return built == 32 || built == 48 || built == 112;
  if (t.call.causal || t.choice.variant == 0) return false;
  if (fast::has_odd_rows(t.call.d) && t.call.keys() <= fast::kCopiedAhead) return true;
  fast::BuildPace usual = usual_before(false);
  usual.first_us = 0;
  return t.choice.plan.us >= fast::kWorthwhile * fast::plan_parts(t.shape, usual, t.sms, true, fast::kJoin).us;
}

// Before, tiles of 192 rows were estimated to end sooner, those of 64 x 128 were for causal calls, and the estimate did
// not know that a causal call with a few tiles more than places needs another round.
bool has_short_choice(const Today& t) {
  const fast::BuildChoice& now = t.choice;
  if (t.who != FlashV3 || now.build.d != 64 || fast::is_of_few_rows(now.variant)) return false;
  if (now.plan.divided() && now.build.blocks == 3) return false;  // as in decoding
  if (now.variant == fast::two_blocks_variant(64)) {
    fast::BuildPace before = now.build;
    before.visit_us = 1.13;
    if (!t.call.causal || fast::plan_parts(t.shape, before, t.sms, true, fast::kTwoBlocksJoin).each != now.plan.each)
      return true;
  }
  const fast::BuildPace usual = usual_before(t.call.causal);
  const fast::PartsPlan was = fast::plan_of(FlashV3, t.shape, usual, t.sms);
  if (now.variant == 0 && was.each != now.plan.each) return true;
  const std::int64_t tiles = t.shape.heads * fast::ceil_div(t.shape.n_q, usual.rows);
  if (t.call.causal && now.variant != fast::two_blocks_variant(64)) return tiles <= 3 * t.sms;
  return now.variant != 0 && now.plan.us >= fast::kWorthwhile * was.us;
}

// timed: beginnings of names of files of the last day that timed the change.
struct DatedChange {
  BuildChange change;
  std::string_view last_day;
  std::span<const std::string_view> timed;
  bool (*concerns)(const Today&);
};

constexpr std::string_view kTimedShortTiles[] = {"shapes_h200_seed80115", "short_tiles_h200", "parts_estimate_v"};
constexpr std::string_view kTimedParts[] = {"parts_estimate_v"};
constexpr std::string_view kTimedFewCausal[] = {"few_causal_h200", "shapes_h200_seed91402", "shapes_h200_seed120",
                                                "short_rows_h200"};
constexpr std::string_view kTimedNarrow[] = {"narrow_h200", "narrow_choices", "shapes_h200_seed91502",
                                             "shapes_h200_seed120", "short_rows_h200"};
constexpr std::string_view kTimedShortRows[] = {"shapes_h200_seed12021", "short_rows_h200"};

constexpr DatedChange kChanges[] = {
    {BuildChange::HeadSize32, "2026-11-27.csv", {}, [](const Today& t) { return t.choice.build.d == 32; }},
    {BuildChange::Builds, "2026-11-25.csv", {}, is_new_build},
    {BuildChange::LastWave, "2026-11-28.csv", {}, divides_last_wave},
    {BuildChange::ShortTiles, "2026-11-30.csv", kTimedShortTiles, has_short_tiles},
    {BuildChange::Parts, "2026-11-30.csv", kTimedParts, has_other_parts},
    {BuildChange::FewCausal, "2026-12-01.csv", kTimedFewCausal, has_few_causal},
    {BuildChange::Narrow, "2026-12-01.csv", kTimedNarrow, has_narrow_build},
    {BuildChange::ShortRows, "2026-12-01.csv", kTimedShortRows, has_short_choice},
};

bool is_older(const std::string& file, const DatedChange& row) {
  const std::string_view name = file, day = name.substr(name.size() - std::min(name.size(), row.last_day.size()));
  return day <= row.last_day && std::none_of(row.timed.begin(), row.timed.end(), [&](std::string_view each) {
           return name.find(each) != std::string_view::npos;
         });
}

bool has_builds(Contender who) { return who == FlashV2 || who == FlashV3; }

}  // namespace

bool lacked(BuildChange change, Contender who, const AttentionCall& call, const std::string& file,
            const DeviceModel& device) {
  const DatedChange& row =
      *std::find_if(std::begin(kChanges), std::end(kChanges), [&](const DatedChange& r) { return r.change == change; });
  return has_builds(who) && is_older(file, row) && row.concerns(build_today(who, call, device));
}

bool was_replaced(Contender who, const AttentionCall& call, const std::string& file, const DeviceModel& device) {
  if (!has_builds(who)) return false;
  const Today today = build_today(who, call, device);
  return std::any_of(std::begin(kChanges), std::end(kChanges),
                     [&](const DatedChange& row) { return is_older(file, row) && row.concerns(today); });
}

}  // namespace tilewalk
