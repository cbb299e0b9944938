#include "view/walk/timeline_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr double kHealedBy = 0.7, kGreenFor = 0.3;  // of the healing's t
constexpr std::int64_t kMostParts = 256;            // of a folded strip

constexpr double kBoxGap = 0.04;       // fraction of a box,
constexpr double kWidestGap = 0.004;   // but at most this fraction of the strip
constexpr double kGroupGap = 0.22;     // fraction of a box, between Q tiles
constexpr double kSkippedWidth = 0.4;  // fraction of a box

struct SectionShape {
  bool visits = false, outside = false;
  std::int64_t groups = 0;         // for each head (or for the heads that share a group)
  std::int64_t heads_a_group = 1;  // query heads whose visits are in one group
  std::int64_t splits = 1;
};

SectionShape shape_of(const Schedule& schedule, int section) {
  const Problem& p = schedule.problem();
  SectionShape shape;
  shape.outside = schedule.kv_outside(section);
  shape.visits = shape.outside || section == schedule.visit_section();
  if (schedule.section(section).shares_heads) shape.heads_a_group = p.shape.head_group();
  if (schedule.section(section).splits) shape.splits = p.tiling.splits;
  shape.groups = shape.outside ? p.kv_tiles() : p.q_tiles() * shape.splits;
  const std::int64_t end = schedule.end_step_of_group(section, {.group = 0});
  for (std::int64_t k = schedule.first_step_of_group(section, {.group = 0}); k < end && !shape.visits; ++k)
    shape.visits = schedule.step(k).in_visit();
  return shape;
}

// The boxes of one outer tile, and its steps, of which some are outside the boxes: loads before them, stores after
// them.
struct BoxGroup {
  std::size_t begin = 0, end = 0;
  std::int64_t first_step = 0, end_step = 0;
  int section = 0;
  std::int64_t batch = 0, head = 0, tile = 0;
  bool by_kv = false;
};

double caret_at(const TimelineModel& m, const std::vector<BoxGroup>& groups) {
  if (m.cursor <= 0) return 0;
  const std::int64_t step = m.cursor - 1;
  for (const BoxGroup& group : groups) {
    if (step < group.first_step || step >= group.end_step || group.begin >= group.end) continue;
    const TimelineBox* before = nullptr;
    for (std::size_t b = group.begin; b < group.end; ++b) {
      const TimelineBox& box = m.boxes[b];
      if (box.skipped || step < box.first_step) continue;
      before = &box;
      if (step < box.end_step)
        return double(box.x0) +
               double(box.x1 - box.x0) * double(m.cursor - box.first_step) / double(box.end_step - box.first_step);
    }
    return before ? double(before->x1) : double(m.boxes[group.begin].x0);
  }
  return double(m.cursor) / double(std::max<std::int64_t>(1, m.step_count));
}

// One label for each pass; of a walk of one pass for each head, or for each outer tile.
void add_labels(TimelineModel& m, const Schedule& schedule, const State& state, const std::vector<BoxGroup>& groups) {
  const Problem& p = schedule.problem();
  const bool passes = schedule.section_count() > 1, heads = p.shape.heads * p.shape.batch > 1;
  const auto same = [&](const BoxGroup& a, const BoxGroup& b) {
    if (passes) return a.section == b.section;
    return a.batch == b.batch && a.head == b.head && (heads || a.tile == b.tile);
  };
  const BoxGroup* last = nullptr;
  for (const BoxGroup& group : groups) {
    if (group.begin >= group.end) continue;
    const bool here = state.started && state.step.index >= group.first_step && state.step.index < group.end_step;
    if (last && same(*last, group)) {
      m.groups.back().x1 = m.boxes[group.end - 1].x1;
      m.groups.back().now |= here;
    } else {
      const std::string label = passes  ? name_of(schedule.section_name(group.section))
                                : heads ? fmt::format("head {}", group.batch * p.shape.heads + group.head)
                                        : tile_name(group.by_kv ? TensorId::K : TensorId::Q, group.tile);
      m.groups.push_back({m.boxes[group.begin].x0, m.boxes[group.end - 1].x1, label, here});
    }
    last = &group;
  }
}

// Of a folded strip: where passes and heads begin, and a label for each pass, or for each head.
void add_parts(TimelineModel& m, const Schedule& schedule, double all) {
  const Shape& shape = schedule.problem().shape;
  const bool passes = schedule.section_count() > 1, heads = shape.heads * shape.batch > 1;
  const auto label = [&](int section, std::int64_t batch, std::int64_t head) {
    if (passes) return std::string(name_of(schedule.section_name(section)));
    return shape.batch > 1 ? fmt::format("batch {}, head {}", batch, head) : fmt::format("head {}", head);
  };
  for (int s = 0; s < schedule.section_count(); ++s)
    for (std::int64_t b = 0; b < shape.batch; ++b)
      for (std::int64_t h = 0; h < shape.heads; ++h) {
        const auto at = float(double(first_step_in_section(schedule, s, {b, h})) / all);
        m.marks.push_back(at);
        if (!(passes ? b == 0 && h == 0 : heads)) continue;
        if (!m.groups.empty()) m.groups.back().x1 = at;
        m.groups.push_back({.x0 = at, .x1 = 1, .label = label(s, b, h), .now = false});
      }
  for (TimelineGroup& group : m.groups) group.now = m.cursor > 0 && m.done > group.x0 && m.done <= group.x1;
}

std::string share_text(std::int64_t cursor, std::int64_t steps) {
  if (cursor >= steps) return "";
  return format_digits(std::min(99.0, 100 * double(cursor) / double(steps)), 2) + " % of the walk";
}

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
    model.phase_text = counted(counts.visited(), "tile visit") + " to come" +
                       (schedule.section_count() == 1 && counts.visited() > 1 ? ", one for each tile of scores" : "");
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
      model.visit_text +=
          step.q_tile < 0 ? fmt::format("KV tile {}", step.kv_tile) : fmt::format("Q tile {}", step.q_tile);
      if (schedule.section(step.section).splits)
        model.visit_text += fmt::format(", split {} of {}", step.split + 1, p.tiling.splits);
      model.phase_text = fmt::format("{}", name_of(step.phase));
    }
    if (state.cursor == model.step_count) model.phase_text += " · finished";
  }

  // One group for each section, head and outer tile; a section without visits has one box for each group.
  const std::int64_t heads = p.shape.batch * p.shape.heads;
  std::vector<SectionShape> shapes;
  double slots = 0, groups = 0;
  for (int s = 0; s < schedule.section_count(); ++s) {
    const SectionShape shape = shape_of(schedule, s);
    shapes.push_back(shape);
    slots += double(heads) * (shape.visits ? double(p.q_tiles()) * double(p.kv_tiles()) : double(p.q_tiles()));
    groups += double(heads / shape.heads_a_group) * double(shape.groups);
  }
  const double units = slots + kGroupGap * (groups - 1);
  if (width_px / units < box_min_px) {
    model.folded = true;
    const double all = double(std::max<std::int64_t>(1, model.step_count));
    model.caret = model.done = double(state.cursor) / all;
    model.share = share_text(state.cursor, model.step_count);
    if (check.first) model.diverged = double(check.first->step) / all;
    if (schedule.section_count() * heads <= kMostParts) add_parts(model, schedule, all);
    return model;
  }

  double at = 0;
  const double gap = std::min(kBoxGap, kWidestGap * units),
               skipped = std::clamp(box_min_px * units / std::max(1.0, width_px), kSkippedWidth, 1.0);
  const auto add = [&](TimelineBox box) {
    box.x0 = float(at);
    at += box.skipped ? skipped : 1;
    box.x1 = float(at - gap);
    model.boxes.push_back(box);
  };
  std::vector<BoxGroup> box_groups;
  const bool reverse = p.tiling.order == KvOrder::Reverse;
  for (int s = 0; s < schedule.section_count(); ++s) {
    const SectionShape& shape = shapes[std::size_t(s)];
    for (std::int64_t b = 0; b < p.shape.batch; ++b)
      for (std::int64_t h = 0; h < p.shape.heads; h += shape.heads_a_group)
        for (std::int64_t i = 0; i < shape.groups; ++i) {
          const std::int64_t g = shape.outside && reverse ? shape.groups - 1 - i : i;
          const GroupId group = {.batch = b, .head = h, .group = g};
          std::int64_t place = schedule.first_step_of_group(s, group);
          BoxGroup boxes{.begin = model.boxes.size(),
                         .end = 0,
                         .first_step = place,
                         .end_step = schedule.end_step_of_group(s, group),
                         .section = s,
                         .batch = b,
                         .head = h,
                         .tile = shape.outside ? g : g / shape.splits,
                         .by_kv = shape.outside};
          if (!shape.visits) {
            TimelineBox box;
            box.first_step = place;
            box.end_step = schedule.end_step_of_group(s, group);
            box.q_tile = g;
            box.now = state.started && state.step.index >= box.first_step && state.step.index < box.end_step;
            box.done = box.end_step <= state.cursor;
            add(box);
          } else {
            const auto visit = [&](std::int64_t head, std::int64_t q, std::int64_t kv) {
              TimelineBox box;
              box.q_tile = q;
              box.kv_tile = kv;
              const TileId tile = {.batch = b, .head = head, .q_tile = q, .kv_tile = kv};
              const std::int64_t first = schedule.first_step_of_visit(s, tile);
              box.skipped = first < 0;
              if (box.skipped) {
                box.first_step = box.end_step = place;
                box.done = place <= state.cursor;
              } else {
                box.first_step = first;
                box.end_step = place = schedule.end_step_of_visit(s, tile);
                box.now = state.started && state.step.section == s && state.step.batch == b &&
                          state.step.head == head && state.step.q_tile == q && state.step.kv_tile == kv;
                box.done = box.end_step <= state.cursor;
                box.check = check_of_visit(check, schedule.visit_index(tile));
              }
              add(box);
            };
            if (shape.outside) {
              for (std::int64_t head = h; head < h + shape.heads_a_group; ++head)
                for (std::int64_t q = 0; q < p.q_tiles(); ++q) visit(head, q, g);
            } else {
              const std::int64_t share = shape.splits > 1 ? p.split_tiles() : p.kv_tiles();
              const std::int64_t begin = std::min(p.kv_tiles(), g % shape.splits * share),
                                 end = std::min(p.kv_tiles(), begin + share);
              for (std::int64_t j = begin; j < end; ++j)
                visit(h, g / shape.splits, reverse ? end - 1 - (j - begin) : j);
            }
          }
          boxes.end = model.boxes.size();
          box_groups.push_back(boxes);
          at += kGroupGap;
        }
  }
  const float unit = float(1 / std::max(1e-9, at - kGroupGap));
  for (TimelineBox& box : model.boxes) box.x0 *= unit, box.x1 *= unit;
  model.caret = caret_at(model, box_groups);
  add_labels(model, schedule, state, box_groups);
  return model;
}

VisitCheck mark_of(const TimelineBox& box, double healed) {
  return healed < box.heals_at ? VisitCheck::Differs : box.check;
}

bool has_just_healed(const TimelineBox& box, double healed) {
  return box.heals_at > 0 && healed >= box.heals_at && healed < box.heals_at + kGreenFor && healed < 1;
}

void mark_wrong_visits(TimelineModel& model, const WrongVisits& wrong) {
  model.failed = std::int64_t(wrong.ends.size());
  const double count = double(wrong.ends.size());
  for (TimelineBox& box : model.boxes) {
    if (box.skipped) continue;
    const auto at = std::lower_bound(wrong.ends.begin(), wrong.ends.end(), box.end_step);
    if (at == wrong.ends.end() || *at != box.end_step) {
      // The check stops at the first difference; the right walk beside says that a visit between two wrong ones, which
      // are of one head, has none.
      const bool between = at != wrong.ends.begin() && at != wrong.ends.end();
      if (between && box.check == VisitCheck::Unknown) box.check = VisitCheck::Equal;
      continue;
    }
    box.heals_at = wrong.healing ? kHealedBy * double(wrong.ends.end() - at) / count : 2;
  }
  if (wrong.healing && !wrong.ends.empty()) model.heal_text = "Right again, from the last visit back";
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

void add_texts(ShownTexts& texts, const TimelineModel& m) {
  if (!m.heal_text.empty()) return texts.say("transport", {m.heal_text});
  texts.say("transport", {m.visit_text, m.phase_text, m.step_text});
}

}  // namespace tilewalk
