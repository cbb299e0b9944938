#include "view/problem/recorded_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

bool is_near(const RaceRow& row, const Problem& p) {
  const bool causal = p.shape.mask.kind == MaskKind::Causal, plain = p.shape.mask.kind == MaskKind::None;
  return p.shape.n_q == p.shape.n_kv && (causal || plain) && row.causal == causal && row.d == p.shape.d &&
         row.pass == (row_of(p).family.backward ? "backward" : "forward");
}

double octaves_to(const RaceRow& row, const Problem& p) {
  return std::fabs(std::log2(double(row.n)) - std::log2(double(p.shape.n_q)));
}

std::string what_differs(const RaceCell& run, const Problem& p) {
  const Shape& s = p.shape;
  std::string out;
  const auto add = [&](bool differs, const std::string& words) {
    if (differs) add_to_list(out, words, "; ");
  };
  add(run.n != s.n_q, fmt::format("N {}, not {}", format_count(run.n), format_count(s.n_q)));
  add(run.heads != s.heads || run.batch != s.batch,
      fmt::format("{} heads × batch {}, not {} × {}", run.heads, run.batch, s.heads, s.batch));
  add(s.kv_heads != s.heads, "each head with its own K and V");
  add(run.dtype != name_of(p.numerics.dtype), run.dtype + ", not " + name_of(p.numerics.dtype));
  return out;
}

}  // namespace

RecordedTimes recorded_times(const Race& race, const Problem& p) {
  const RaceRow* nearest = nullptr;
  for (const RaceRow& row : race.rows)
    if (is_near(row, p) && row.counts() && (!nearest || octaves_to(row, p) < octaves_to(*nearest, p))) nearest = &row;
  constexpr double kOctaves = 1.5;  // a run with a length farther away is not comparable
  if (!nearest || octaves_to(*nearest, p) > kOctaves) return {};
  const std::string machine = race.machine();
  RecordedTimes out;
  out.times = fmt::format("Recorded on an {}, {}: ", machine.substr(0, machine.find(',')), race.date().substr(0, 10));
  bool first = true;
  for (const ContenderRow& contender : kContenders) {
    const RaceRow* row = contender.by == RunBy::Tilewalk ? race.beside(*nearest, contender.who) : nullptr;
    if (!row) continue;
    out.times += fmt::format("{}{} {}", first ? "" : ", ", contender.title,
                             row->counts() ? milliseconds_text(row->median_ms()) : name_of(row->outcome()));
    first = false;
  }
  if (const std::string other = what_differs(*nearest, p); !other.empty()) out.differs = "That run: " + other;
  return out;
}

}  // namespace tilewalk
