#include "pages/compare/blocks/limiting_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/schedules/registry.h"
#include "pages/compare/blocks/drawn_visits.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr double kWorthSaying = 0.05;  // share of a lane that waits

enum class LaneTask { Products, Softmax, Loads, Waiting };

bool is_of(LaneTask work, const Segment& s) {
  switch (s.doing) {
    case Doing::Scores:
    case Doing::Accumulate: return work == LaneTask::Products;
    case Doing::RowMax:
    case Doing::Rescale:
    case Doing::Exponentiate:
    case Doing::RowSum: return work == LaneTask::Softmax;
    case Doing::LoadQ:
    case Doing::LoadK:
    case Doing::LoadV:
    case Doing::LoadState: return work == LaneTask::Loads;
    case Doing::Waiting: return work == LaneTask::Waiting;
    case Doing::Normalise:
    case Doing::Store: break;
  }
  return false;
}

struct TaskShare {
  std::vector<int> lanes;  // that do such work
  double share = 0;        // of the time, mean over these
};

double cycles_in(const Timeline& t, int lane, LaneTask work) {
  std::vector<std::pair<double, double>> spans;
  for (const Segment& s : t.segments)
    if (s.lane == lane && is_of(work, s)) spans.emplace_back(s.start, s.end);
  std::sort(spans.begin(), spans.end());
  double sum = 0, reached = 0;
  for (const auto& [start, end] : spans) {
    sum += std::max(0.0, end - std::max(start, reached));
    reached = std::max(reached, end);
  }
  return sum;
}

TaskShare share_of_task(const Timeline& t, LaneTask work, const std::vector<int>& among) {
  TaskShare out;
  for (const int lane : among)
    if (std::any_of(t.segments.begin(), t.segments.end(),
                    [&](const Segment& s) { return s.lane == lane && is_of(work, s); })) {
      out.lanes.push_back(lane);
      out.share += cycles_in(t, lane, work) / t.simulated_cycles;
    }
  if (!out.lanes.empty()) out.share /= double(out.lanes.size());
  return out;
}

std::string percent_of_lane(double share) {
  return share > 0 && share < 0.005 ? "less than 1 %" : fmt::format("{:.0f} %", share * 100);
}

WaitFor longest_wait(const Timeline& t, const std::vector<int>& lanes) {
  std::map<WaitFor, double> cycles;
  for (const Segment& s : t.segments)
    if (s.doing == Doing::Waiting && std::count(lanes.begin(), lanes.end(), s.lane) > 0)
      cycles[s.wait] += s.end - s.start;
  const auto most =
      std::max_element(cycles.begin(), cycles.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == cycles.end() ? WaitFor::Nothing : most->first;
}

}  // namespace

bool only_moves_tiles(const Timeline& t, int lane) {
  return std::all_of(t.segments.begin(), t.segments.end(), [&](const Segment& s) {
    return s.lane != lane || s.doing == Doing::Waiting || s.doing == Doing::Store || is_of(LaneTask::Loads, s);
  });
}

std::string limiting_work(const Problem& p, const Timeline& t) {
  const bool whole = t.simulated_visits >= t.visits;
  if (t.simulated_cycles <= 0) return "";
  std::vector<int> all, moving;
  for (int lane = 0; lane < int(t.lanes.size()); ++lane) (only_moves_tiles(t, lane) ? moving : all).push_back(lane);
  const TaskShare products = share_of_task(t, LaneTask::Products, all),
                  softmax = share_of_task(t, LaneTask::Softmax, all), loads = share_of_task(t, LaneTask::Loads, moving),
                  waiting = share_of_task(t, LaneTask::Waiting, products.lanes);
  const std::string lane =
      products.lanes.size() == 1 ? t.lanes[std::size_t(products.lanes.front())].name : std::string("a consumer's lane");
  std::string text = fmt::format("In {}{} cycles products take {} of {}", whole ? "" : "the first ",
                                 cycles_text(t.simulated_cycles), percent_of_lane(products.share), lane);
  if (!softmax.lanes.empty())
    text += fmt::format(", softmax {}{}", percent_of_lane(softmax.share),
                        softmax.lanes == products.lanes ? "" : " of its own");
  if (softmax.lanes == products.lanes && products.share + softmax.share + waiting.share > 1.005)
    text += " (some of both at once)";
  if (waiting.share >= kWorthSaying) {
    text += ", waiting " + percent_of_lane(waiting.share);
    // Of several lanes the sentence has enough in it: the picture shows what waits.
    if (products.lanes.size() == 1 && softmax.lanes == products.lanes)
      text += std::string(", mostly for ") + reason_of(longest_wait(t, products.lanes));
  }
  if (!loads.lanes.empty()) text += fmt::format("; loads take {} of their lane", percent_of_lane(loads.share));
  text += fmt::format(". At the tensor cores' peak rate {} would take {}",
                      products.lanes.size() == 1 ? "products" : "all products", percent_of_lane(t.product_utilisation));
  if (p.numerics.dtype != DType::Fp32 && device_of(p.machine).mma_sync_share < 1 &&
      row_of(p).chip.products_by != ProductBy::Warpgroup)
    text += ": mma.sync does not reach it";
  return text + ".";
}

}  // namespace tilewalk
