#include "view/pipes/pipes_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/units.h"
#include "base/words.h"
#include "core/predict/dram_bytes.h"
#include "core/schedules/registry.h"
#include "core/values/quantity.h"
#include "view/pipes/pipes_on_chip.h"
#include "view/sentence/sentence.h"
#include "view/walk/memory_model.h"
#include "view/walk/traffic_model.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr int kMostCells = 32;                   // of a side of the picture of the matrix
constexpr std::int64_t kMostTilesOfL2 = 65'536;  // Q tiles: the model of L2 goes through them

// The shape of the quantity that HBM holds as that tensor; none for an input.
std::optional<QuantityShape> shape_of(TensorId id) {
  for (const QuantityRow& row : quantity_ledger())
    if (row.tensor == id) return row.shape;
  return std::nullopt;
}

bool is_score_matrix(TensorId id) { return shape_of(id) == QuantityShape::Cell; }

std::string part_of(std::int64_t part, std::int64_t whole) {
  return part_of_text(format_bytes(part), format_bytes(whole));
}

struct Walked {  // one side's schedule at its cursor
  const Schedule& schedule;
  std::int64_t cursor;
  std::vector<std::int64_t> starts;  // of the sections, and one past the last step
  std::vector<Cost> at_starts;       // counters there
  Cost now;

  Walked(const Schedule& s, std::int64_t at)
      : schedule(s), cursor(std::clamp<std::int64_t>(at, 0, s.step_count())), now(s.totals_before(cursor).cost) {
    for (int section = 0; section <= s.section_count(); ++section) {
      starts.push_back(first_step_in_section(s, section));
      at_starts.push_back(s.totals_before(starts.back()).cost);
    }
  }
  const Problem& problem() const { return schedule.problem(); }
  int section_now() const { return cursor == 0 ? 0 : schedule.step(cursor - 1).section; }
  bool finished() const { return cursor == schedule.step_count(); }
  Step step() const { return schedule.step(std::max<std::int64_t>(0, cursor - 1)); }
  bool moves(TensorId id) const { return at_starts.back().of(id).bytes() > 0; }
  const HbmTensor* in_hbm(TensorId id) const {
    for (const HbmTensor& tensor : row_of(problem()).memory.tensors)
      if (tensor.id == id) return &tensor;
    return nullptr;
  }
};

std::int64_t clamped(std::int64_t value, std::int64_t low, std::int64_t high) {
  return std::min(std::max(value, low), high);
}

std::string pass_label(const Walked& w, int section) {
  return w.schedule.section_count() > 1 ? fmt::format("pass {}", section + 1) : std::string();
}

// Bytes of a whole tensor in HBM, over batch and heads.
std::int64_t bytes_of(const Problem& p, TensorId id, const HbmTensor* in_hbm) {
  const bool keys = is_of_keys(id);
  const std::int64_t rows = p.shape.batch * (keys ? p.shape.kv_heads * p.shape.n_kv : p.shape.heads * p.shape.n_q);
  if (shape_of(id) == QuantityShape::Row) return rows * std::int64_t(sizeof(float));  // m, l, L and D
  return rows * bytes_a_row(p, in_hbm ? in_hbm->width : Width::Stored);
}

double times_read(const Walked& w, TensorId id, std::int64_t bytes) {
  const std::int64_t once = bytes_of(w.problem(), id, w.in_hbm(id));
  return once > 0 ? double(bytes) / double(once) : 0;
}

std::string times_text(double times) {
  return std::abs(times - std::round(times)) < 0.05 ? counted(std::llround(times), "time")
                                                    : fmt::format("{:.1f} times", times);
}

std::string times_sign(double times) {  // "4 ×", "2.5 ×"
  return std::abs(times - std::round(times)) < 0.05 ? format_count(std::llround(times)) + " ×"
                                                    : fmt::format("{:.1f} ×", times);
}

void add_pipes(const Walked& w, TensorId tensor, std::vector<Pipe>& out) {
  const double visits = double(std::max<std::int64_t>(1, w.schedule.visit_counts().visited()));
  for (int section = 0; section < w.schedule.section_count(); ++section)
    for (const bool write : {false, true}) {
      const auto bytes_in = [&](const Cost& cost) {
        const Traffic& t = cost.of(tensor);
        return write ? t.write_bytes : t.read_bytes;
      };
      const std::int64_t begin = bytes_in(w.at_starts[std::size_t(section)]),
                         end = bytes_in(w.at_starts[std::size_t(section) + 1]);
      if (end == begin) continue;
      Pipe pipe{.tensor = tensor, .write = write, .section = section};
      pipe.bytes = end - begin;
      pipe.so_far = clamped(bytes_in(w.now), begin, end) - begin;
      pipe.visit_bytes = double(pipe.bytes) / visits;
      pipe.state = w.cursor <= w.starts[std::size_t(section)]       ? PipeState::ToCome
                   : w.cursor >= w.starts[std::size_t(section) + 1] ? PipeState::Done
                                                                    : PipeState::Now;
      const std::string pass = pass_label(w, section), way = write ? "written" : "read";
      pipe.label = pass.empty() ? way : pass + ", " + way;
      pipe.amount = pipe.state == PipeState::Now ? part_of(pipe.so_far, pipe.bytes) : format_bytes(pipe.bytes);
      if (const double times = times_read(w, tensor, pipe.bytes); !write && times > 1.05)
        pipe.times =
            fmt::format("{} {}", times_sign(times), format_bytes(bytes_of(w.problem(), tensor, w.in_hbm(tensor))));
      out.push_back(std::move(pipe));
    }
}

// The naive attention that races computes P in the memory of S.
std::optional<TensorId> replaced_by(const Walked& w, TensorId id) {
  const bool in_place = w.problem().numerics.narrow_scores && id == TensorId::P && w.moves(TensorId::S);
  return in_place ? std::optional(TensorId::S) : std::nullopt;
}

PipeArea area_of(const Walked& w, const Walked& other, TensorId id) {
  PipeArea area{.tensor = id};
  const Walked& owner = w.moves(id) ? w : other;
  area.bytes = bytes_of(owner.problem(), id, owner.in_hbm(id));
  area.exists = w.moves(id);
  area.text = format_bytes(area.bytes);
  area.over = replaced_by(owner, id);
  area.name = tensor_title(id);
  const bool given = area.exists && w.at_starts.back().of(id).write_bytes == 0;
  const std::int64_t written = std::min(area.bytes, w.now.of(id).write_bytes);
  area.filled = given ? 1 : area.exists && area.bytes > 0 ? double(written) / double(area.bytes) : 0;
  area.note = !area.exists            ? "never written"
              : given                 ? "given"
              : written == area.bytes ? "whole"
              : written == 0          ? "not yet written"
                                      : part_of(written, area.bytes);
  area.brief = !area.exists            ? "spared"
               : given                 ? "given"
               : written == area.bytes ? "whole"
               : written == 0          ? "later"
                                       : fmt::format("{:.0f} %", std::floor(area.filled * 100));
  return area;
}

// An area in which one tensor replaces another has the names of both, and says how far the later one is.
void merge_areas(std::vector<PipeArea>& areas) {
  for (const PipeArea& later : areas) {
    const auto first =
        std::find_if(areas.begin(), areas.end(), [&](const PipeArea& each) { return later.over == each.tensor; });
    if (first == areas.end()) continue;
    first->name += (first->exists ? ", then " : " and ") + later.name;
    if (!later.exists || later.filled <= 0) continue;
    first->note = later.name + ": " + later.note;
    first->brief = later.name + " " + later.brief;
  }
}

// Q, K, V and what else moves on either side; matrices of scores last.
std::vector<TensorId> tensors_of(const Walked& a, const Walked& b) {
  std::vector<TensorId> out;
  for (const bool scores : {false, true})
    for (int i = 0; i < kTensorCount; ++i) {
      const TensorId id = TensorId(i);
      if (is_score_matrix(id) == scores && (a.moves(id) || b.moves(id))) out.push_back(id);
    }
  return out;
}

bool is_done(const Walked& w, const Step& at, std::int64_t q, std::int64_t kv) {
  if (w.cursor == 0) return false;
  const SectionPlan& section = w.schedule.section(at.section);
  if (!section.visit.empty()) {
    const TileId tile{at.batch, at.head, q, kv};
    const std::int64_t end = w.schedule.end_step_of_visit(at.section, tile);
    return end >= 0 && end <= w.cursor;
  }
  const std::int64_t group = section.kv_outside ? kv : q;
  return w.schedule.end_step_of_group(at.section, {.batch = at.batch, .head = at.head, .group = group}) <= w.cursor;
}

// What the two kinds of cells mean: of a pass that writes a matrix, of one that reads it, and of a walk without one.
void describe_cells(PipeMatrix& matrix) {
  const std::string done = matrix.done ? tensor_title(*matrix.done) : "",
                    before = matrix.before ? tensor_title(*matrix.before) : "";
  matrix.done_words = matrix.done ? done + " is in HBM" : matrix.before ? before + " is read back" : "used, not stored";
  matrix.to_do_words = !matrix.before ? "to come" : matrix.done ? before + " alone is in HBM" : "not yet";
}

PipeMatrix matrix_of(const Walked& w) {
  const Problem& p = w.problem();
  PipeMatrix out;
  out.rows = int(std::min<std::int64_t>(kMostCells, p.q_tiles()));
  out.cols = int(std::min<std::int64_t>(kMostCells, p.kv_tiles()));
  const Step at = w.step();
  const bool masked_too = w.schedule.plan().visits_masked_tiles;
  for (int i = 0; i < out.rows; ++i)
    for (int j = 0; j < out.cols; ++j) {
      const std::int64_t q = std::int64_t(i) * p.q_tiles() / out.rows, kv = std::int64_t(j) * p.kv_tiles() / out.cols;
      const bool skipped = !masked_too && w.schedule.tile_class(q, kv) == TileClass::Skipped;
      out.cells.push_back(skipped                                 ? PipeCell::Skipped
                          : w.finished() || is_done(w, at, q, kv) ? PipeCell::Done
                                                                  : PipeCell::ToDo);
    }
  for (int section = 0; section <= at.section; ++section)
    for (int i = 0; i < kTensorCount; ++i) {
      const TensorId id = TensorId(i);
      const bool writes = w.at_starts[std::size_t(section) + 1].of(id).write_bytes >
                          w.at_starts[std::size_t(section)].of(id).write_bytes;
      if (!writes || !is_score_matrix(id)) continue;
      (section == at.section ? out.done : out.before) = id;
    }
  describe_cells(out);
  out.caption = fmt::format("All {} × {} scores{}:", format_count(p.shape.n_q), format_count(p.shape.n_kv),
                            p.shape.batch * p.shape.heads > 1 ? " of one head" : "");
  return out;
}

void add_passes(const Walked& w, PipeSide& side) {
  for (int section = 0; section < w.schedule.section_count(); ++section) {
    const std::string pass = pass_label(w, section);
    side.passes.push_back({.label = pass.empty() ? pass : pass + ": " + name_of(w.schedule.section_name(section)),
                           .first_byte = w.at_starts[std::size_t(section)].hbm_total().bytes(),
                           .end = w.at_starts[std::size_t(section) + 1].hbm_total().bytes()});
  }
}

// The bytes of a walk are all reads and writes of global memory that its kernel asks for. Other figures of the same
// call are those of DRAM, and of the naive kernel that races.
std::string counted_words(const Walked& w) {
  const Problem& p = w.problem();
  const std::int64_t heads = p.shape.batch * p.shape.heads, all = w.at_starts.back().hbm_total().bytes();
  std::string out = fmt::format("The kernel asks global memory for {}, read and written{}, {}.", format_bytes(all),
                                p.shape.batch > 1 ? fmt::format(", all {} × {} heads", p.shape.batch, p.shape.heads)
                                : heads > 1       ? fmt::format(", all {} heads", heads)
                                                  : "",
                                basis_of(p));
  if (p.q_tiles() > kMostTilesOfL2) return out;
  const std::int64_t dram = modelled_dram_bytes(w.schedule);
  if (format_bytes(dram) == format_bytes(all)) return out + " By the model all of them reach DRAM.";
  return out + fmt::format(" By the model {} of them reach DRAM; L2, the cache of all SMs, answers the rest.",
                           format_bytes(dram));
}

PipeSide side_of(const Walked& w, const Walked& other) {
  PipeSide side;
  side.title = title_of(w.problem().schedule);
  side.heading = side.title;
  const int sections = w.schedule.section_count();
  if (w.finished())
    side.heading += " · finished";
  else if (sections > 1)
    side.heading += fmt::format(" · pass {} of {}: {}", w.section_now() + 1, sections,
                                name_of(w.schedule.section_name(w.section_now())));
  side.cursor = w.cursor;
  side.steps = w.schedule.step_count();
  side.bytes = w.now.hbm_total().bytes();
  side.of_bytes = w.at_starts.back().hbm_total().bytes();
  side.moved = format_bytes(side.bytes);
  const double percent = side.of_bytes > 0 ? 100 * double(side.bytes) / double(side.of_bytes) : 0;
  const bool hardly = side.bytes > 0 && percent < 0.5;
  side.share = w.finished() ? "finished"
               : hardly     ? "< 1 %"
                            : fmt::format("{:.0f} %", std::min(99.0, std::round(percent)));
  side.of = w.finished() ? "in all, read and written" : "of " + format_bytes(side.of_bytes);
  side.of += " · " + basis_of(w.problem());
  side.place =
      w.finished() ? "finished" : fmt::format("step {} of {}", format_count(side.cursor), format_count(side.steps));
  for (const TensorId id : tensors_of(w, other)) {
    side.areas.push_back(area_of(w, other, id));
    add_pipes(w, id, side.pipes);
  }
  merge_areas(side.areas);
  add_passes(w, side);
  side.matrix = matrix_of(w);
  describe_sram(w.schedule, w.cursor, side);
  side.counted = counted_words(w);
  return side;
}

// ": 4 crossings of 1.00 KiB", where tensors of one size cross whole.
std::string crossings_text(const Walked& w, const std::vector<TensorId>& of, std::int64_t bytes) {
  const std::int64_t once = bytes_of(w.problem(), of.front(), w.in_hbm(of.front()));
  for (const TensorId id : of)
    if (bytes_of(w.problem(), id, w.in_hbm(id)) != once) return "";
  if (once <= 0 || bytes % once != 0 || bytes == once) return "";
  return fmt::format(": {} crossings of {}", format_count(bytes / once), format_bytes(once));
}

// Where all of the difference comes from: matrices of scores first, then what is read more often, then what the lighter
// side moves in their place. What would be written as nothing beside the difference is left out.
std::string reason_of(const Walked& light, const Walked& heavy, std::int64_t difference) {
  struct Part {
    std::vector<TensorId> of;
    std::int64_t bytes = 0;
    void add(TensorId id, std::int64_t more) { of.push_back(id), bytes += more; }
  };
  Part scores, more, less;
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = TensorId(i);
    const std::int64_t extra = heavy.at_starts.back().of(id).bytes() - light.at_starts.back().of(id).bytes();
    if (std::abs(extra) * 200 < difference) continue;
    (is_score_matrix(id) && extra > 0 ? scores : extra > 0 ? more : less).add(id, std::abs(extra));
  }
  const auto are = [](const Part& part) { return part.of.size() == 1 ? "is" : "are"; };
  std::string out;
  if (scores.bytes > 0)
    out = fmt::format("{} of the difference {} {}, written and read back{}.", format_bytes(scores.bytes), are(scores),
                      names_of(scores.of), crossings_text(heavy, scores.of, scores.bytes));
  if (more.bytes > 0) {
    out += scores.bytes > 0 ? fmt::format(" The other {} {} {}", format_bytes(more.bytes), are(more), names_of(more.of))
                            : fmt::format("{} more {} {}", format_bytes(more.bytes), are(more), names_of(more.of));
    const auto times = [&](const Walked& w) {
      return times_read(w, more.of.front(), w.at_starts.back().of(more.of.front()).read_bytes);
    };
    if (times(heavy) > 1.05)
      out += fmt::format(", loaded {}, not {}", times_text(times(heavy)), times_text(times(light)));
    out += ".";
  }
  if (less.bytes > 0)
    out += fmt::format(" {} moves {} more of {}.", title_of(light.problem().schedule), format_bytes(less.bytes),
                       names_of(less.of));
  return out;
}

void compare(const Walked& pinned, const Walked& now, PipesModel& model) {
  const std::int64_t left = model.sides[0].of_bytes, right = model.sides[1].of_bytes;
  if (left == right || left <= 0 || right <= 0) return;
  model.lighter = left < right ? 0 : 1;
  const Walked &light = left < right ? pinned : now, &heavy = left < right ? now : pinned;
  const std::int64_t fewer = std::min(left, right), more = std::max(left, right);
  const std::string ratio = bytes_against(double(more), double(fewer));
  model.ratio = ratio.substr(0, ratio.rfind(' '));
  model.ratio_words = "fewer bytes asked for";
  model.ratio_detail = fmt::format("{}, not {}", format_bytes(fewer), format_bytes(more));
  model.ratio_reason = reason_of(light, heavy, more - fewer);
}

// One clock: in step by byte both sides have moved as much, to the last transfer.
void set_clock(PipesModel& model) {
  const PipeSide &left = model.sides[0], &right = model.sides[1];
  const std::int64_t most = std::max(left.bytes, right.bytes);
  if (most > 0 && (left.moved == right.moved || std::abs(left.bytes - right.bytes) < most / 200))
    model.clock = right.moved + " have crossed on each side";
}

// ms: of the whole call; 0: the axis is in bytes.
void set_axis(PipeSide& side, const Walked& w, double ms) {
  side.of_axis = ms > 0 ? ms : double(side.of_bytes);
  side.at = ms > 0 ? share_of_time(w.schedule, w.cursor) * ms : double(side.bytes);
  for (std::size_t i = 0; i < side.passes.size(); ++i)
    side.passes[i].begin = ms > 0 ? share_of_time(w.schedule, w.starts[i]) * ms : double(side.passes[i].first_byte);
}

}  // namespace

PipesModel build_pipes_model(const Schedule& pinned, std::int64_t pinned_cursor, const Schedule& now,
                             std::int64_t cursor, const std::optional<CallTimes>& times) {
  const Walked left(pinned, pinned_cursor), right(now, cursor);
  PipesModel model;
  model.sides[0] = side_of(left, right);
  model.sides[1] = side_of(right, left);
  double widest = 1;
  std::int64_t most = 1;
  for (const PipeSide& side : model.sides)
    for (const Pipe& pipe : side.pipes) widest = std::max(widest, pipe.visit_bytes), most = std::max(most, pipe.bytes);
  for (PipeSide& side : model.sides)
    for (Pipe& pipe : side.pipes)
      pipe.number = bytes_in_unit_of(pipe.state == PipeState::Now ? pipe.so_far : pipe.bytes, most);
  const std::string in_unit = format_bytes(most);
  model.unit = in_unit.substr(in_unit.find(' ') + 1);
  model.dot_bytes = std::int64_t(std::bit_floor(std::uint64_t(std::max(1.0, widest / 4))));
  model.dot_text = "a dot is " + format_bytes(model.dot_bytes);
  const auto is_naive = [](const Walked& side) {
    return row_of(side.problem()).family.naive == side.problem().schedule;
  };
  model.left = is_naive(right) && !is_naive(left) ? 1 : 0;
  compare(left, right, model);
  set_clock(model);
  for (int i = 0; i < 2; ++i) set_axis(model.sides[i], i == 0 ? left : right, times ? times->ms[i] : 0);
  if (times) describe_times(*times, model);
  return model;
}

}  // namespace tilewalk
