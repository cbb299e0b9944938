#include "session/lesson/facts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/nearest.h"
#include "core/problem/device_model.h"
#include "core/problem/paper_number.h"
#include "core/schedules/fields/fields.h"
#include "core/schedules/registry.h"
#include "core/schedules/validate.h"
#include "session/problem_draft.h"
#include "session/words.h"

namespace tilewalk {

namespace {

using Words = std::vector<std::string>;

struct Asked {
  const Document& document;
  const WalkDesk& walk;
  const Problem& problem;  // as it stands, or changed
  const FactPath& path;

  const std::string& word(std::size_t i) const { return path.words[i].word; }
  std::int64_t at(std::size_t i) const { return path.words[0].at[i]; }
  Issue issue(const char* rule, const char* way_out) const { return {"", path.text(), rule, way_out}; }
  Issue not_made() const {
    return issue("is not known here: the walk has not made it, or no longer holds it", "Go to the step that makes it");
  }
};

Words schedules() {
  Words out = {"this"};
  for (const ScheduleKind kind : all_schedules()) out.push_back(name_of(kind));
  return out;
}
Words traffic_words() {
  Words out = {"total", "read", "write"};
  for (const char* name : kTensorNames) out.push_back(name);
  return out;
}
Words directions() { return {"read", "write", "total"}; }

Problem under(const Asked& asked, const std::string& schedule) {
  Problem p = asked.problem;
  if (schedule == "this") return p;
  p.schedule = *schedule_from(schedule);
  p.fault = Fault::None;
  return p;
}

Figure bytes(std::int64_t n) { return Figure::of(double(n), Counts::Bytes); }
Figure whole(std::int64_t n) { return Figure::of(double(n), Counts::Whole); }
Figure flops(std::int64_t n) { return Figure::of(double(n), Counts::Flops); }

Figure direction_of(const Traffic& traffic, const std::string& direction) {
  if (direction == "read") return bytes(traffic.read_bytes);
  if (direction == "write") return bytes(traffic.write_bytes);
  return bytes(traffic.read_bytes + traffic.write_bytes);
}

Figure traffic_of(const Cost& cost, const std::string& what, const std::string& direction) {
  for (int i = 0; i < kTensorCount; ++i)
    if (what == kTensorNames[std::size_t(i)]) return direction_of(cost.of(TensorId(i)), direction);
  return direction_of(cost.hbm_total(), what);
}

// A length or a count of the problem, by its field's name.
Result<Figure> count(const Asked& asked) {
  std::string field = asked.word(0) == "n" ? "n-q" : asked.word(0);
  std::replace(field.begin(), field.end(), '_', '-');
  return Figure::of(*find_field(field)->number(asked.problem), Counts::Whole);
}

Result<Figure> tiles(const Asked& asked) {
  const Problem& p = asked.problem;
  const std::string& what = asked.word(1);
  if (what == "q") return whole(p.q_tiles());
  if (what == "kv") return whole(p.kv_tiles());
  if (what == "all") return whole(p.q_tiles() * p.kv_tiles() * p.shape.batch * p.shape.heads);
  const VisitCounts counts = make_schedule(p)->visit_counts();
  if (what == "full") return whole(counts.full);
  if (what == "partial") return whole(counts.partial);
  if (what == "skipped") return whole(counts.skipped);
  return whole(counts.visited());
}

Result<Figure> traffic(const Asked& asked) {
  const Cost cost = whole_run_cost(under(asked, asked.word(1)));
  return traffic_of(cost, asked.word(2), asked.path.words.size() > 3 ? asked.word(3) : "total");
}

Result<Figure> flop_count(const Asked& asked) {
  const Cost cost = whole_run_cost(under(asked, asked.word(1)));
  const std::string& what = asked.word(2);
  return flops(what == "matmul" ? cost.matmul : what == "exp" ? cost.exp : cost.other);
}

Result<Figure> device(const Asked& asked) {
  const DeviceModel& device = device_of(asked.problem.machine);
  const std::string& what = asked.word(1);
  if (what == "name") return Figure::word(device.title);
  if (what == "sms") return whole(device.sms);
  if (what == "hbm") return bytes(std::int64_t(device.hbm_gb * 1e9));
  if (what == "hbm_rate") return bytes(std::int64_t(device.hbm_gb_per_s * 1e9));
  if (what == "l2") return bytes(device.l2_bytes);
  if (what == "sram") return bytes(std::int64_t(device.sram_bytes()));
  if (what == "sram_per_sm") return bytes(device.sram_per_sm_bytes);
  if (what == "sram_per_block") return bytes(device.sram_per_block_bytes);
  if (what == "sram_rate") return bytes(std::int64_t(device.sram_gb_per_s() * 1e9));
  if (what == "flops16") return Figure::of(device.matrix16_tflops * 1e12, Counts::Flops);
  return Figure::of(device.fp32_tflops * 1e12, Counts::Flops);
}

Result<Figure> step_of(const Asked& asked, const Step& step) {
  const std::string& what = asked.word(1);
  if (what == "phase") return Figure::word(name_of(step.phase));
  if (what == "section") return Figure::word(name_of(step.section_name));
  if (what == "q_tile") return whole(step.q_tile);
  if (what == "kv_tile") return whole(step.kv_tile);
  return direction_of(asked.walk.schedule().cost_of(step).hbm_total(), what);
}

Result<Figure> step_done(const Asked& asked) {
  if (asked.walk.cursor() == 0) return asked.not_made();
  return step_of(asked, asked.walk.schedule().step(asked.walk.cursor() - 1));
}

Result<Figure> step_to_come(const Asked& asked) {
  if (asked.walk.cursor() >= asked.walk.schedule().step_count()) return asked.not_made();
  return step_of(asked, asked.walk.schedule().step(asked.walk.cursor()));
}

Result<Figure> so_far(const Asked& asked) {
  const Totals totals = asked.walk.schedule().totals_before(asked.walk.cursor());
  if (asked.word(1) == "visits") return whole(totals.visits_done);
  return direction_of(totals.cost.hbm_total(), asked.word(1));
}

Result<Figure> value_in(const Asked& asked, const std::vector<float>& values, std::int64_t row, std::int64_t col,
                        std::int64_t cols, bool score) {
  if (asked.walk.busy() || row < 0 || col < 0 || col >= cols || row * cols + col >= std::int64_t(values.size()))
    return asked.not_made();
  const float value = values[std::size_t(row * cols + col)];
  return Figure::of(score ? display_score(asked.walk.schedule().problem(), value) : double(value));
}

Result<Figure> row_value(const Asked& asked) {
  const State& state = asked.walk.state();
  const std::string& what = asked.word(1);
  const std::int64_t row = asked.at(0) - state.step.row_begin;
  if (!state.started) return asked.not_made();
  const auto of = [&](const std::vector<float>& values, bool score) {
    return value_in(asked, values, row, 0, 1, score);
  };
  if (what == "m_old") return of(state.m_old, true);
  if (what == "m") return of(state.m, true);
  if (what == "tile_max") return of(state.tile_max, true);
  if (what == "lse") return of(state.lse, true);
  if (what == "alpha") return of(state.alpha, false);
  if (what == "beta") return of(state.beta, false);
  if (what == "l_old") return of(state.l_old, false);
  if (what == "l") return of(state.l, false);
  if (what == "tile_l") return of(state.tile_l, false);
  return of(state.D, false);
}

Result<Figure> tile_value(const Asked& asked) {
  const State& state = asked.walk.state();
  if (!state.started) return asked.not_made();
  const Step& step = state.step;
  const std::string& what = asked.word(0);
  const std::int64_t row = asked.at(0) - step.row_begin, col = asked.at(1) - step.col_begin;
  const std::int64_t d = asked.walk.schedule().problem().shape.d;
  if (what == "o") return value_in(asked, state.o, row, asked.at(1), d, false);
  if (what == "dq") return value_in(asked, state.dq, row, asked.at(1), d, false);
  const std::int64_t kv_row = asked.at(0) - step.col_begin;
  if (what == "dk") return value_in(asked, state.dk, kv_row, asked.at(1), d, false);
  if (what == "dv") return value_in(asked, state.dv, kv_row, asked.at(1), d, false);
  if (what == "s") return value_in(asked, state.s, row, col, step.cols(), true);
  const std::vector<float>& values = what == "p" ? state.p : what == "dp" ? state.dp : state.ds;
  return value_in(asked, values, row, col, step.cols(), false);
}

Result<Figure> input(const Asked& asked) {
  const Problem& p = asked.walk.schedule().problem();
  const std::string& what = asked.word(0);
  const TensorId tensor = what == "q"   ? TensorId::Q
                          : what == "k" ? TensorId::K
                          : what == "v" ? TensorId::V
                                        : TensorId::dO;
  const bool by_query = tensor == TensorId::Q || tensor == TensorId::dO;
  if (asked.at(0) >= (by_query ? p.shape.n_q : p.shape.n_kv) || asked.at(1) >= p.shape.d)
    return asked.issue("lies outside the tensor", "Rows count from 0, and so do columns");
  const std::int64_t head = asked.walk.head_in_view();
  return Figure::of(asked.walk.inputs().at(tensor, asked.walk.batch_in_view(),
                                           by_query ? head : p.shape.kv_head_of(head), asked.at(0), asked.at(1)));
}

Result<Figure> selected(const Asked& asked) {
  const std::optional<Selection>& selection = asked.walk.selection();
  if (asked.word(1) == "any") return Figure::truth(selection.has_value());
  if (!selection) return asked.issue("is not known: nothing is selected", "Click a cell of the matrix");
  return whole(asked.word(1) == "row" ? selection->row : selection->col);
}

// A fact's first word, how many numbers follow it, the words that may follow, and who knows it.
struct Family {
  Words names;
  std::size_t numbers = 0;
  Words second = {}, third = {}, fourth = {};  // the fourth may be left out
  bool of_problem = false;
  Result<Figure> (*of)(const Asked&) = nullptr;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {.names = {"n", "n_q", "n_kv", "d", "batch", "heads", "kv_heads", "br", "bc"}, .of_problem = true, .of = count},
      {.names = {"scale"},
       .of_problem = true,
       .of = [](const Asked& a) -> Result<Figure> { return Figure::of(a.problem.scale_value()); }},
      {.names = {"element_bytes"},
       .of_problem = true,
       .of = [](const Asked& a) -> Result<Figure> { return whole(a.problem.numerics.element_bytes()); }},
      {.names = {"sram"},
       .of_problem = true,
       .of = [](const Asked& a) -> Result<Figure> { return bytes(a.problem.machine.sram_bytes); }},
      {.names = {"tiles"},
       .second = {"q", "kv", "all", "full", "partial", "skipped", "visited"},
       .of_problem = true,
       .of = tiles},
      {.names = {"traffic"},
       .second = schedules(),
       .third = traffic_words(),
       .fourth = directions(),
       .of_problem = true,
       .of = traffic},
      {.names = {"flops"},
       .second = schedules(),
       .third = {"matmul", "exp", "other"},
       .of_problem = true,
       .of = flop_count},
      {.names = {"needs"},
       .second = schedules(),
       .of_problem = true,
       .of = [](const Asked& a) -> Result<Figure> { return bytes(peak_bytes(under(a, a.word(1)))); }},
      {.names = {"blocks"},
       .second = schedules(),
       .of_problem = true,
       .of = [](const Asked& a) -> Result<Figure> { return whole(thread_blocks(under(a, a.word(1)))); }},
      {.names = {"device"},
       .second = {"name", "sms", "hbm", "hbm_rate", "l2", "sram", "sram_per_sm", "sram_per_block", "sram_rate",
                  "flops16", "flops32"},
       .of_problem = true,
       .of = device},
      {.names = {"cursor"}, .of = [](const Asked& a) -> Result<Figure> { return whole(a.walk.cursor()); }},
      {.names = {"steps"},
       .of = [](const Asked& a) -> Result<Figure> { return whole(a.walk.schedule().step_count()); }},
      {.names = {"finished"},
       .of = [](const Asked& a) -> Result<Figure> {
         return Figure::truth(a.walk.cursor() == a.walk.schedule().step_count());
       }},
      {.names = {"step"},
       .second = {"phase", "section", "q_tile", "kv_tile", "read", "write", "total"},
       .of = step_done},
      {.names = {"next"},
       .second = {"phase", "section", "q_tile", "kv_tile", "read", "write", "total"},
       .of = step_to_come},
      {.names = {"so_far"}, .second = {"read", "write", "total", "visits"}, .of = so_far},
      {.names = {"row"},
       .numbers = 1,
       .second = {"m_old", "m", "tile_max", "alpha", "beta", "l_old", "l", "tile_l", "lse", "D"},
       .of = row_value},
      {.names = {"s", "p", "dp", "ds", "o", "dq", "dk", "dv"}, .numbers = 2, .of = tile_value},
      {.names = {"q", "k", "v", "do"}, .numbers = 2, .of = input},
      {.names = {"selected"}, .second = {"any", "row", "col"}, .of = selected},
      {.names = {"schedule"},
       .of = [](const Asked& a) -> Result<Figure> { return Figure::word(name_of(a.problem.schedule)); }},
      {.names = {"fault"},
       .of = [](const Asked& a) -> Result<Figure> { return Figure::word(name_of(a.problem.fault)); }},
      {.names = {"page"},
       .of = [](const Asked& a) -> Result<Figure> { return Figure::word(kPageWords[int(a.document.view.page)]); }},
  };
  return all;
}

const Family* family_of(const std::string& word) {
  for (const Family& family : families())
    if (std::find(family.names.begin(), family.names.end(), word) != family.names.end()) return &family;
  return nullptr;
}

// Whether the place-th word is one of these; empty: none may stand there.
std::optional<Issue> unknown_word(const FactPath& path, std::size_t place, const Words& among, bool needed,
                                  const std::string& where) {
  const std::string said = path.text();
  if (place >= path.words.size()) {
    if (among.empty() || !needed) return std::nullopt;
    return Issue{where, said, "is not finished", "Such as " + said + "." + among.front()};
  }
  const std::string& word = path.words[place].word;
  if (among.empty()) return Issue{where, said, "has nothing called " + word, "Take ." + word + " off"};
  if (std::find(among.begin(), among.end(), word) != among.end()) return std::nullopt;
  return Issue{where, said, "has nothing called " + word, "The nearest is " + nearest(word, among)};
}

}  // namespace

std::string FactPath::text() const {
  std::string out;
  for (const auto& [field, value] : changes) out += (out.empty() ? "[" : " ") + field + "=" + value;
  if (!out.empty()) out += "] ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i ? "." : "") + words[i].word;
    for (const std::int64_t place : words[i].at) out += " " + std::to_string(place);
  }
  return out;
}

Result<Done> check_fact(const FactPath& path, const std::string& where) {
  const std::string said = path.text();
  const FactWord& first = path.words.front();
  const Family* family = family_of(first.word);
  if (!family) {
    Words names;
    for (const Family& each : families()) names.insert(names.end(), each.names.begin(), each.names.end());
    return Issue{where, said, "is no fact that a lesson can speak of", "The nearest is " + nearest(first.word, names)};
  }
  if (first.at.size() != family->numbers)
    return Issue{where, said, first.word + " takes " + std::to_string(family->numbers) + " whole numbers",
                 family->numbers ? "Such as " + first.word + (family->numbers == 1 ? " 9" : " 9 6") : "Take them off"};
  for (std::size_t i = 1; i < path.words.size(); ++i)
    if (!path.words[i].at.empty()) return Issue{where, said, "has a number where none belongs", "Take it off"};
  if (auto issue = unknown_word(path, 1, family->second, true, where)) return *issue;
  if (auto issue = unknown_word(path, 2, family->third, true, where)) return *issue;
  if (auto issue = unknown_word(path, 3, family->fourth, false, where)) return *issue;
  if (path.words.size() > 4) return Issue{where, said, "has too many parts", "Leave the last ones out"};
  if (!path.changes.empty() && !family->of_problem)
    return Issue{where, said, "is of the walk, and cannot be asked of another problem", "Leave the brackets out"};
  for (const auto& [field, value] : path.changes)
    if (field != kBothLengths && !find_field(field)) {
      Words names = {kBothLengths};
      for (const Field& each : fields()) names.push_back(each.name);
      return Issue{where, said, field + " is no field of the problem", "The nearest is " + nearest(field, names)};
    }
  return Done{};
}

Result<Figure> Facts::of(const FactPath& path) const {
  Problem p = document_.problem;
  for (const auto& [name, value] : path.changes)
    for (const char* field : {name == kBothLengths ? "n-q" : name.c_str(), name == kBothLengths ? "n-kv" : ""})
      if (*field)
        if (const Result<Done> set = find_field(field)->set(p, value); !set) return set.issues();
  if (!path.changes.empty())
    if (const Issues issues = validate(p); !issues.empty()) return issues;
  return family_of(path.words.front().word)->of({document_, walk_, p, path});
}

}  // namespace tilewalk
