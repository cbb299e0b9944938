#include "view/timeline_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"

namespace tilewalk {
namespace {

constexpr float kBoxGap = 0.04f;    // of a box
constexpr double kGroupGap = 0.22;  // of a box, between Q tiles

}  // namespace

TimelineModel build_timeline_model(const Schedule& schedule, const State& state, const CheckReport& check,
                                   double width_px, double box_min_px) {
  const Problem& p = schedule.problem();
  TimelineModel model;
  model.step_count = schedule.step_count();
  model.cursor = state.cursor;
  model.step_text = fmt::format("step {} of {}", format_count(state.cursor), format_count(model.step_count));
  const VisitCounts counts = schedule.visit_counts();
  if (!state.started) {
    model.visit_text = "Nothing done yet";
    model.phase_text = fmt::format("{} tile visits to come", format_count(counts.visited()));
  } else {
    const Step& step = state.step;
    if (schedule.section_count() > 1)
      model.visit_text = fmt::format("Pass {} of {} · ", step.section + 1, schedule.section_count());
    if (step.in_visit()) {
      model.visit_text += fmt::format("{} {} of {}", schedule.section_count() > 1 ? "tile visit" : "Tile visit",
                                      format_count(step.visit_index + 1), format_count(counts.visited()));
      model.phase_text =
          fmt::format("phase {} of {}: {}", step.phase_in_visit + 1, step.phases_in_visit, name_of(step.phase));
    } else {
      model.visit_text += fmt::format("Q tile {}", step.q_tile);
      model.phase_text = fmt::format("{}", name_of(step.phase));
    }
    if (state.cursor == model.step_count) model.phase_text += " · finished";
  }

  // One group for each section, head and Q tile; a section without visits has one box a group.
  const std::int64_t heads = p.batch * p.heads;
  double slots = 0;
  std::int64_t groups = 0;
  std::vector<int> wide(std::size_t(schedule.section_count()));
  for (int s = 0; s < schedule.section_count(); ++s) {
    const std::int64_t begin = schedule.first_step_of_group(s, 0, 0, 0), end = schedule.end_step_of_group(s, 0, 0, 0);
    bool visits = s == 0;
    for (std::int64_t k = begin; k < end && !visits; ++k) visits = schedule.step(k).in_visit();
    wide[std::size_t(s)] = visits ? 1 : 0;
    slots += double(heads) * double(p.q_tiles()) * (visits ? double(p.kv_tiles()) : 1.0);
    groups += heads * p.q_tiles();
  }
  const double units = slots + kGroupGap * double(groups - 1);
  if (width_px / units < box_min_px) {
    model.folded = true;
    const double all = double(std::max<std::int64_t>(1, model.step_count));
    model.done = double(state.cursor) / all;
    if (check.first) model.diverged = double(check.first->step) / all;
    const std::int64_t parts = schedule.section_count() * heads;
    if (parts <= 256)
      for (int s = 0; s < schedule.section_count(); ++s)
        for (std::int64_t b = 0; b < p.batch; ++b)
          for (std::int64_t h = 0; h < p.heads; ++h)
            model.marks.push_back(float(double(schedule.first_step_of_group(s, b, h, 0)) / all));
    return model;
  }

  double at = 0;
  const float unit = float(1 / units);
  for (int s = 0; s < schedule.section_count(); ++s)
    for (std::int64_t b = 0; b < p.batch; ++b)
      for (std::int64_t h = 0; h < p.heads; ++h)
        for (std::int64_t q = 0; q < p.q_tiles(); ++q) {
          const bool here = state.started && state.step.section == s && state.step.batch == b && state.step.head == h &&
                            state.step.q_tile == q;
          std::int64_t place = schedule.first_step_of_group(s, b, h, q);
          const std::int64_t group_end = schedule.end_step_of_group(s, b, h, q);
          if (!wide[std::size_t(s)]) {
            TimelineBox box;
            box.x0 = float(at) * unit;
            box.x1 = float(at + 1 - kBoxGap) * unit;
            box.first_step = place;
            box.end_step = group_end;
            box.q_tile = q;
            box.now = here;
            box.done = group_end <= state.cursor;
            model.boxes.push_back(box);
            at += 1 + kGroupGap;
            continue;
          }
          for (std::int64_t i = 0; i < p.kv_tiles(); ++i) {
            const std::int64_t kv = p.order == KvOrder::Reverse ? p.kv_tiles() - 1 - i : i;
            TimelineBox box;
            box.x0 = float(at + double(i)) * unit;
            box.x1 = float(at + double(i) + 1 - kBoxGap) * unit;
            box.q_tile = q;
            box.kv_tile = kv;
            const std::int64_t first = schedule.first_step_of_visit(s, b, h, q, kv);
            box.skipped = first < 0;
            if (box.skipped) {
              box.first_step = box.end_step = place;
              box.done = place <= state.cursor;
            } else {
              box.first_step = first;
              box.end_step = place = schedule.end_step_of_visit(s, b, h, q, kv);
              box.now = here && state.step.kv_tile == kv;
              box.done = box.end_step <= state.cursor;
              box.check = check_of_visit(check, schedule.visit_index(b, h, q, kv));
            }
            model.boxes.push_back(box);
          }
          at += double(p.kv_tiles()) + kGroupGap;
        }
  return model;
}

std::int64_t TimelineModel::cursor_at(double fraction) const {
  fraction = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0);
  if (folded || boxes.empty()) return std::int64_t(std::llround(fraction * double(step_count)));
  if (fraction <= 0) return 0;
  if (fraction >= 1) return step_count;
  const auto after = std::upper_bound(boxes.begin(), boxes.end(), fraction,
                                      [](double f, const TimelineBox& box) { return f < double(box.x0); });
  if (after == boxes.begin()) return 0;
  const TimelineBox& box = *(after - 1);
  const double within = std::clamp((fraction - double(box.x0)) / std::max(1e-9, double(box.x1 - box.x0)), 0.0, 1.0);
  return box.first_step + std::int64_t(std::ceil(within * double(box.end_step - box.first_step)));
}

}  // namespace tilewalk
