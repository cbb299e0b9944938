#include "pages/compare/compare_page.h"

#include <fmt/format.h>

#include "base/units.h"
#include "base/words.h"
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "pages/compare/blocks/compared_waves.h"
#include "pages/compare/blocks/drawn_visits.h"
#include "pages/compare/whole_calls.h"
#include "view/pipes/pipes_stills.h"
#include "view/walk/accuracy_model.h"
#include "view/walk/lanes_axis.h"
#include "view/words/call_model.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

CompareLine float64_line(const Session& session, const Problem& baseline) {
  const AccuracyModel left = build_accuracy_model(baseline, session.baseline_accuracy()),
                      right = build_accuracy_model(session.problem(), session.checks().accuracy());
  CompareLine line;
  line.id = "float64";
  line.title = fmt::format("{} from float64, at most", makes(row_of(baseline), Quantity::DQ) ? "gradients" : "O");
  line.left = left.figure.empty() ? "…" : left.figure;
  line.right = right.figure.empty() ? "…" : right.figure;
  line.tip = right.detail;
  return line;
}

// All figures of backward passes are counted. Time, lanes and SMs are modelled for forward passes only.
void build_backward_page(ComparePage& page, const Session& session, const Problem& baseline, ComparePageCache& cache) {
  const Problem& now = session.problem();
  if (cache.now != now || cache.baseline != baseline) {
    ++cache.models;
    cache.now = now, cache.baseline = baseline;
    cache.compare = {};
    cache.launches.reset();
    cache.pinned_schedule.reset();
    const Issues issues = validate(baseline);
    for (const Issue& issue : issues.empty() ? why_not_comparable(baseline, now) : issues)
      cache.compare.problems.push_back(issue.text());
    if (cache.compare.problems.empty()) {
      cache.pinned_schedule = make_schedule(baseline);
      cache.launches = build_launches(*cache.pinned_schedule, session.schedule());
      const BackwardComparison compared = build_backward_comparison(*cache.pinned_schedule, session.schedule());
      cache.compare = build_compare_model(compared.figures, compared.words);
      cache.compare.footnote =
          "Bytes and FLOPs are counted, distances from float64 measured. Time is modelled for the forward schedules "
          "alone.";
    }
  }
  page.launches = cache.launches;
  page.compare = cache.compare;
  if (!page.compare.lines.empty()) page.compare.lines.push_back(float64_line(session, baseline));
  order_rows(page.compare);
  if (!page.launches) page.lanes.empty_note = "The two cannot be set side by side; the table says why.";
}

struct Sides {  // the two compared problems, each with its thread block in view
  const Problem& now;
  const Problem& baseline;
  bool of_walk = true;
  Issues issues;  // rules that the baseline breaks
  const Schedule* schedule = nullptr;
  std::int64_t cursor = 0;
  ThreadBlock block{}, pinned_block{};

  bool are_those_of(const ComparePageCache& cache) const {
    return cache.now == now && cache.baseline == baseline && cache.block == block && cache.pinned_block == pinned_block;
  }
};

// The figures that depend on the two problems alone.
void compare_problems(const Sides& of, const Schedule& now, const TimelineOptions& options, ComparePageCache& cache) {
  cache.removals = what_it_removes(of.now, options);
  cache.warps.reset();
  cache.run = run_time(now, device_of(of.now.machine), kMostListedBlocks);
  cache.pinned_run.reset();
  cache.comparison.reset();
  cache.call_times.reset();
  cache.compare = {};
  if (of.issues.empty())
    cache.pinned_run = run_time(*cache.pinned_schedule, device_of(of.baseline.machine), kMostListedBlocks);
  for (const Issue& issue : of.issues.empty() ? why_not_comparable(of.baseline, of.now) : of.issues)
    cache.compare.problems.push_back(issue.text());
  if (cache.compare.problems.empty())
    cache.comparison = build_comparison(*cache.pinned_schedule, now, *cache.pinned_run, *cache.run);
  cache.no_time = cache.comparison && !why_no_time(*cache.comparison).empty();
}

void model_sides(const Sides& of, const Schedule& now, bool new_problem, const ChipTimelines* chip,
                 ComparePageCache& cache) {
  ++cache.models;
  cache.chip = chip;
  // Beside recorded lanes, as many visits are shown as were recorded; of the call, those around the cursor.
  if (cache.chip_lanes && cache.chip_lanes->run)
    cache.timeline = timeline_of(now, of.block, cache.chip_lanes->timeline.visits);
  else
    cache.timeline = of.of_walk ? timeline_of(now, of.block) : timeline_drawing(now, of.block, of.cursor);
  cache.pinned_timeline.reset();
  if (of.issues.empty())
    cache.pinned_timeline = cache.chip_lanes || of.of_walk ? timeline_of(*cache.pinned_schedule, of.pinned_block)
                                                           : timeline_until(*cache.pinned_schedule, of.pinned_block,
                                                                            complete_until(*cache.timeline));
  TimelineOptions options;
  options.batch = of.block.batch, options.head = of.block.head, options.group = of.block.group;
  if (new_problem) compare_problems(of, now, options, cache);
  cache.now = of.now;
  cache.baseline = of.baseline;
  cache.block = of.block, cache.pinned_block = of.pinned_block;
}

// Titles and progress of two pictures of modelled lanes.
void describe_lanes(const Sides& of, const ComparePageCache& cache, bool both, bool left_lanes,
                    std::int64_t pinned_cursor, LanesModel& lanes) {
  LanesPicture &before = lanes.pictures[0], &after = lanes.pictures[1];
  if (of.baseline.schedule != of.now.schedule) {  // equal settings would give equal titles
    before.title = "Pinned: " + named_settings(of.baseline);
    after.title = "Now: " + named_settings(of.now);
  }
  // The caption names the tile of the current schedule; another tile on the pinned side is named beside its cycles.
  if (const std::string tile = tile_of(of.baseline, of.pinned_block.group);
      left_lanes && tile != tile_of(of.now, of.block.group))
    before.note = tile + (before.note.empty() ? "" : ", " + before.note);
  // The two have one ratio: of the whole calls, or, where their times are not known, of these cycles.
  const bool whole = cache.comparison && !cache.no_time &&
                     add_whole_calls(*cache.comparison, cache.call_times, *cache.pinned_schedule, *of.schedule, lanes);
  const auto add_share = [&](double now, double pinned, bool a_score) {
    if (!whole) after.cycles_text += ", " + share_of_cycles(now, pinned, of.now, of.baseline, a_score);
  };
  if (both && same_work(of.baseline, *cache.pinned_timeline, of.now, *cache.timeline)) {
    add_share(cache.timeline->cycles, cache.pinned_timeline->cycles, false);
  } else if (both) {
    const double pinned = cycles_a_score(of.baseline, *cache.pinned_timeline),
                 now = cycles_a_score(of.now, *cache.timeline);
    before.cycles_text += a_score_text(pinned);
    after.cycles_text += a_score_text(now);
    add_share(now, pinned, true);
  }
  if (whole && !before.rows.empty()) before.cycles_text += shared_text(cache.pinned_run);
  if (whole && !after.rows.empty()) after.cycles_text += shared_text(cache.run);
  before.so_far = so_far_text(progress_at(*cache.pinned_schedule, pinned_cursor));
  after.so_far = so_far_text(progress_at(*of.schedule, of.cursor));
}

// Beside the panels of warps: the bars of both whole calls, for which there is room, and no lanes.
LanesModel bars_of_calls(const Sides& of, const ComparePageCache& cache) {
  LanesModel bars;
  bars.pictures = {without_lanes(of.baseline, "Pinned: "), without_lanes(of.now, "Now: ")};
  bars.switches = lane_switches(cache.removals);
  add_whole_calls(*cache.comparison, cache.call_times, *cache.pinned_schedule, *of.schedule, bars);
  return bars;
}

LanesModel build_both_lanes(const Sides& of, const Session& session, const ComparePageCache& cache,
                            std::int64_t pinned_cursor, double width, bool alone) {
  std::optional<LanesSource> pinned;
  LanesWindow window{session.compare().lanes_view().first(), session.compare().lanes_view().last(), true};
  constexpr double kBoxMin = 3;
  const bool of_call = !of.of_walk && !cache.chip_lanes;
  if (of_call && alone)
    window.cut = place_on_axis(*cache.timeline, {&*cache.timeline}, of.cursor, width, window.begin, window.end);
  if (alone) {
    LanesModel lanes =
        build_lanes_model({&of.now, &*cache.timeline}, pinned, cache.removals, of.cursor, width, kBoxMin, window);
    lanes.pictures.back().title = named_settings(of.now);
    return lanes;
  }
  const bool chip = cache.chip_lanes && cache.chip_lanes->run, right_lanes = !cache.timeline->lanes.empty();
  // The panels of warps compare the thread blocks of both sides, so their lanes leave their space.
  if (session.compare().filling() == Filling::Warps && right_lanes && !chip && cache.call_times && !cache.no_time &&
      !cache.comparison->too_small())
    return bars_of_calls(of, cache);
  if (chip)
    pinned = LanesSource{&of.now, &cache.chip_lanes->timeline};
  else if (cache.pinned_timeline)
    pinned = LanesSource{&of.baseline, &*cache.pinned_timeline, pinned_cursor};
  const bool left_lanes = chip || (pinned && !cache.pinned_timeline->lanes.empty());
  std::vector<const Timeline*> drawn = {&*cache.timeline};
  if (left_lanes && pinned) drawn.push_back(pinned->timeline);
  if (of_call && right_lanes)
    window.cut = place_on_axis(*cache.timeline, drawn, of.cursor, width, window.begin, window.end);
  LanesModel lanes;
  if (right_lanes || !left_lanes) {
    lanes = build_lanes_model({&of.now, &*cache.timeline}, pinned, cache.removals, of.cursor, width, kBoxMin, window);
    if (right_lanes && !left_lanes && cache.pinned_timeline)
      lanes.pictures.insert(lanes.pictures.begin(), without_lanes(of.baseline, "Pinned: "));
  } else {  // only the pinned side has lanes
    lanes = build_lanes_model(*pinned, std::nullopt, {}, pinned_cursor, width, kBoxMin, window);
    lanes.pictures.push_back(without_lanes(of.now, "Now: "));
    lanes.sentence = "Pinned alone: " + lanes.sentence;
  }
  if (lanes.pictures.size() == 2 && !cache.chip_lanes)
    describe_lanes(of, cache, left_lanes && right_lanes, left_lanes, pinned_cursor, lanes);
  if (cache.chip_lanes) describe_chip(*cache.chip_lanes, of.now, *cache.timeline, lanes);
  return lanes;
}

void add_differences(const Sides& of, const Session& session, const ComparePageCache& cache, ComparePage& page) {
  page.compare = cache.compare;
  if (page.compare.lines.empty() || !of.of_walk) return;  // only the walk's values are computed
  page.compare.lines.push_back(float64_line(session, of.baseline));
  page.compare.footnote = "* modelled; distances from float64 are measured; the rest is counted";
}

void add_pipes(const Session& session, const Schedule& now, std::int64_t cursor, const ComparePageCache& cache,
               ComparePage& page) {
  if (page.filling != Filling::Pipes || !cache.pinned_schedule || !page.compare.problems.empty()) return;
  const bool by_time = session.document().view.pace == Pace::Time && cache.call_times;
  if (by_time) {
    page.pace = "in step by time";
    page.pace_tip = "Both calls began at once, and each takes its whole time. Click for the next (I).";
    page.pinned_cursor = pinned_cursor_by_time(now, cursor, *cache.pinned_schedule, *cache.call_times);
  }
  page.pipes = build_pipes_model(*cache.pinned_schedule, page.pinned_cursor, now, cursor,
                                 by_time ? cache.call_times : std::nullopt);
  add_shared_memory(cache.pinned_schedule->problem(), cache.pinned_run, page.pipes->sides[0]);
  add_shared_memory(now.problem(), cache.run, page.pipes->sides[1]);
  add_stills(*cache.pinned_schedule, now, page.of_walk, *page.pipes);
}

void add_chip(const Session& session, const ComparePageCache& cache, ComparePage& page) {
  const ChipLanes& chip = *cache.chip_lanes;
  page.chip = compare_with_chip(chip, *cache.timeline, cache.run ? cache.run->seconds * 1e3 : 0, session.problem(),
                                unlike_the_call(*chip.run, session.call().call));
  page.lanes.sentence.clear();  // the conclusion is above the lanes
  page.call_titles = call_titles(recorded_problem(*chip.run));
  page.call_name = "recorded call: ";
}

void add_choices(const Session& session, ComparePage& page) {
  const CompareController& compare = session.compare();
  if (compare.chip()) return;
  const Problem& walk = session.problem();
  const std::string why = compare.why_not_the_call();
  const bool call = why.empty() && session.document().view.compared == Compared::Call;
  if (call) page.call_titles = call_titles(compare.problems().now);
  page.compared = {{.of = Compared::Walk,
                    .title = "this walk: " + problem_titles(walk).back(),
                    .tip = "Compares the walk itself: a click on its work goes to that step",
                    .active = !call},
                   {.of = Compared::Call,
                    .title = "this call: N " + format_count(session.call().call.n_q),
                    .tip = why.empty() ? "Compares the same schedules on the window's call, with the tiles of its "
                                         "kernels; the walk stays as it is. The header has the call"
                                       : "The call cannot be compared: " + why,
                    .active = call,
                    .enabled = why.empty()}};
  if (call && compare.walks_call()) page.compared.erase(page.compared.begin());  // one tag for one call
}

// At its end the visit rests, and the panels show which part of the tile each warp has.
void add_visit(const WarpsVisitController& visit, ComparePage& page) {
  if (visit.open() && visit.t() < 1) page.visit_t = visit.t();
  page.lanes.sentence.clear();  // the headline is above the lanes
  if (!page.compare.problems.empty()) return;
  page.compare.figure = page.warps->figure;
  page.compare.headline = page.warps->headline;
  page.compare.detail = page.warps->sentence;
}

}  // namespace

ComparePage build_compare_page(const Session& session, double lanes_width, double waves_width, double waves_height,
                               ComparePageCache& cache) {
  ComparePage page;
  const ComparedProblems compared = session.compare().problems();
  const Problem &now = compared.now, &baseline = compared.baseline;
  const ScheduleRow& row = row_of(now);
  page.baseline = title_of(baseline.schedule);
  page.filling = session.compare().filling();
  page.of_walk = compared.of_walk;
  for (const ScheduleKind kind : same_pass(now.schedule))
    if (kind != now.schedule) page.choices.push_back({kind, title_of(kind), kind == baseline.schedule});
  if (row.settings.stages) page.stages = now.tiling.stages;
  if (row.family.backward) {
    build_backward_page(page, session, baseline, cache);
    if (cache.pinned_schedule)
      page.pinned_cursor =
          cursor_in_step(session.schedule(), session.cursor(), *cache.pinned_schedule, session.document().view.pace);
    add_pipes(session, session.schedule(), session.cursor(), cache, page);
    return page;
  }
  add_choices(session, page);

  const bool new_problem = cache.now != now || cache.baseline != baseline;
  Sides sides{.now = now, .baseline = baseline, .of_walk = compared.of_walk, .issues = validate(baseline)};
  if (new_problem) {
    cache.pinned_schedule = sides.issues.empty() ? make_schedule(baseline) : nullptr;
    cache.schedule.reset();
  }
  if (!compared.of_walk && !cache.schedule) cache.schedule = make_schedule(now);
  if (compared.of_walk) {
    sides.schedule = &session.schedule();
    sides.cursor = session.cursor();
    const std::int64_t batch = session.walk().batch_in_view(), head = session.walk().head_in_view();
    sides.block = {batch, head, group_of(now, session.state())};
    sides.pinned_block = {batch, head, group_of(baseline, session.state())};
  } else {
    sides.schedule = cache.schedule.get();
    if (!session.compare().chip())
      sides.cursor = session.compare().call_walk().cursor(now).value_or(
          session.compare().first_call_cursor(*cache.schedule, cache.pinned_schedule.get()));
    sides.block =
        sides.cursor > 0 ? block_at(*cache.schedule, sides.cursor) : ThreadBlock{0, 0, group_of(now, State{})};
    sides.pinned_block = {0, 0, group_of(baseline, State{})};
  }
  page.call = session.compare().moves_call() ? cache.schedule : nullptr;
  page.cursor = sides.cursor, page.steps = sides.schedule->step_count();
  page.steps_text = steps_text(*sides.schedule, sides.cursor, compared.of_walk);
  page.longest_steps_text = longest_steps_text(*sides.schedule, compared.of_walk);
  const ChipTimelines* const chip = session.compare().chip();
  if (new_problem || cache.chip != chip) {
    cache.chip_lanes.reset();
    if (chip) cache.chip_lanes = chip_lanes_for(*chip, now);
  }
  const bool recorded = cache.chip_lanes && cache.chip_lanes->run;
  if (recorded) sides.block = {0, 0, cache.chip_lanes->q_tile};
  const Pace pace = session.document().view.pace;
  page.pace = pace_text(pace, baseline, now), page.pace_tip = pace_tip(pace, baseline, now);
  if (cache.pinned_schedule) {
    page.pinned_cursor = cursor_in_step(*sides.schedule, sides.cursor, *cache.pinned_schedule, pace);
    if (pace != Pace::Time && page.pinned_cursor > 0)
      sides.pinned_block = block_at(*cache.pinned_schedule, page.pinned_cursor);
  }
  page.chip_offered = row.lanes.recorded_on_chip;
  page.chip_pinned = chip != nullptr;
  const bool of_call = !compared.of_walk && !chip;
  if (!sides.are_those_of(cache) || cache.chip != chip || (of_call && !draws_cursor(*cache.timeline, sides.cursor)))
    model_sides(sides, *sides.schedule, new_problem, chip, cache);
  page.alone = session.lesson().hides("pinned") && !cache.timeline->lanes.empty();

  // Recorded times may be read some frames later.
  const RaceTimes* const times = session.roofline().recorded(now.machine.device);
  const std::optional<Contender> by_default = compared.of_walk ? std::nullopt : default_of_call(session);
  if (cache.comparison && (new_problem || cache.times != times || cache.torch_default != by_default)) {
    cache.compare =
        build_compare_model(*cache.comparison, words_with_times(*cache.comparison, times, by_default), times);
    cache.call_times = call_times(*cache.comparison, times);
  }
  cache.times = times, cache.torch_default = by_default;

  page.block =
      fmt::format("batch {}, head {}, {}", sides.block.batch, sides.block.head, tile_of(now, sides.block.group));
  if (pace == Pace::Time && cache.pinned_timeline && has_lanes(now.schedule) && has_lanes(baseline.schedule))
    page.pinned_cursor = cursor_at_the_same_cycle(*cache.timeline, sides.cursor, *cache.pinned_timeline);
  page.lanes = build_both_lanes(sides, session, cache, page.pinned_cursor, lanes_width, page.alone);
  if (recorded && page.lanes.pictures.size() == 2) add_chip(session, cache, page);
  if (page.chip && session.presents_page()) show_kind(session.compare().presented_step(), *page.chip, page.lanes);
  add_differences(sides, session, cache, page);
  if (page.filling == Filling::Waves && cache.run && cache.pinned_run && cache.pinned_schedule)
    page.filled = filled_pair({*cache.pinned_schedule, *cache.pinned_run}, {*sides.schedule, *cache.run}, sides.cursor,
                              cache.call_times && !cache.no_time ? &*cache.call_times : nullptr);
  if (page.filling == Filling::Warps) {
    if (!cache.warps)
      cache.warps = build_warps_model(*sides.schedule, sides.issues.empty() ? &baseline : nullptr,
                                      [&](ScheduleKind kind) { return session.compare().under(kind); });
    page.warps = cache.warps;
    add_visit(session.compare().visit(), page);
  }
  const auto waves = [&](const Problem& p, const std::optional<RunTime>& run, const Schedule* schedule,
                         std::int64_t cursor, std::optional<WavesModel>& out, std::string& note) {
    if (!run || run->waves.occupancy.blocks_per_sm <= 0) {
      note = "This schedule's settings do not fit this device.";
      return;
    }
    out = build_waves_model(p, *run, waves_width, waves_height);
    if (schedule && schedule->step_count() > 0)
      show_at_cursor(*out, run->waves, share_of_run(*schedule, run->waves, cursor));
  };
  waves(baseline, cache.pinned_run, cache.pinned_schedule.get(), page.pinned_cursor, page.left, page.left_note);
  waves(now, cache.run, sides.schedule, sides.cursor, page.right, page.right_note);
  if (cache.comparison && page.left && page.right)
    compare_waves(*cache.comparison, cache.call_times && !cache.no_time ? &*cache.call_times : nullptr, *page.left,
                  *page.right);
  if (cache.no_time)
    if (std::optional<WavesModel>& naive = row_of(now).memory.scores_in_hbm ? page.right : page.left)
      naive->time = "No time: its scores do not fit on this GPU.";
  order_rows(page.compare);
  add_pipes(session, *sides.schedule, sides.cursor, cache, page);
  return page;
}

}  // namespace tilewalk
