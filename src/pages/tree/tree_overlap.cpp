#include "pages/tree/tree_overlap.h"

#include <algorithm>

#include "core/fields/validate.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "session/document/compared_problems.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kFull = 4, kVisits = 1;  // visits before the picture, and of it

bool is_product(Doing doing) { return doing == Doing::Scores || doing == Doing::Accumulate; }
bool is_softmax(Doing doing) {
  return doing == Doing::RowMax || doing == Doing::Exponentiate || doing == Doing::RowSum;
}

const char* label_of(Doing doing) {
  return doing == Doing::Scores ? "QKᵀ" : doing == Doing::Accumulate ? "P·V" : "softmax";
}

// The work of a lane between two cycles; neighbours with one label are one box.
OverlapRow row_of_lane(const Timeline& t, int lane, bool products, double from, double to) {
  OverlapRow out{.name = "", .products = products, .boxes = {}};
  for (const Segment& s : t.segments) {
    if (s.lane != lane || !(products ? is_product(s.doing) : is_softmax(s.doing)) || s.end <= from || s.start >= to)
      continue;
    const double x0 = (std::max(s.start, from) - from) / (to - from), x1 = (std::min(s.end, to) - from) / (to - from);
    const std::string label = label_of(s.doing);
    if (!out.boxes.empty() && out.boxes.back().label == label && x0 - out.boxes.back().x1 < 1e-6)
      out.boxes.back().x1 = x1;
    else
      out.boxes.push_back({x0, x1, s.doing, label});
  }
  return out;
}

}  // namespace

TreeOverlap overlap_of(ScheduleKind kind) {
  const DeviceModel& device = device_of(kDefaultDevice);
  Problem p;
  p.schedule = kind;
  p = at_call(p, {.n = 8192, .d = 128, .heads = 16, .batch = 2}, device);
  if (!validate(p).empty()) return {};
  TimelineOptions options;
  options.most_visits = kFull + kVisits + 4;
  const Timeline t = build_timeline(*make_schedule(p), options);
  std::vector<int> lanes;
  for (std::size_t i = 0; i < t.lanes.size(); ++i)
    if (t.lanes[i].two_rows) lanes.push_back(int(i));
  if (lanes.size() < 2) return {};
  std::vector<double> starts;  // of the visits of the first lane
  for (const Segment& s : t.segments)
    if (s.lane == lanes[0] && s.doing == Doing::Scores) starts.push_back(s.start);
  if (std::int64_t(starts.size()) <= kFull + kVisits) return {};
  const double from = starts[kFull], to = starts[kFull + kVisits];
  TreeOverlap out{.rows = {}, .words = "Modelled: one warpgroup multiplies while the other computes its softmax."};
  for (int pair = 0; pair < 2; ++pair)
    for (const bool products : {true, false}) {
      const int group = products ? pair : 1 - pair;
      out.rows.push_back(row_of_lane(t, lanes[std::size_t(group)], products, from, to));
      out.rows.back().name = (products ? "products " : "softmax ") + std::to_string(group);
    }
  return out;
}

std::vector<OverlapBox> shared_times(const OverlapRow& products, const OverlapRow& softmax) {
  std::vector<OverlapBox> out;
  for (const OverlapBox& a : products.boxes)
    for (const OverlapBox& b : softmax.boxes)
      if (const double x0 = std::max(a.x0, b.x0), x1 = std::min(a.x1, b.x1); x1 > x0)
        out.push_back({x0, x1, a.doing, ""});
  return out;
}

}  // namespace tilewalk
