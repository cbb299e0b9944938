// A number asked by hand is nowhere on screen: random walks over problems of hand size in every schedule, with random
// questions, answers, hints and jumps, over every page and while presenting. At each stop every text and every number
// of every view model is collected, and none is one of the hidden numbers, in the screen's format. Nor is it on a
// printed sheet. A number that is also an input, or is visible in the state already, may appear at that place.
#include <cmath>
#include <map>
#include <set>

#include "pages/walk/walk_page.h"
#include "session/command/command_text.h"
#include "session/document/words.h"
#include "session/hand/hand_words.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"
#include "view/check/every_text.h"
#include "view/hand/hide.h"
#include "view/print/worksheet.h"
#include "view/views.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::Draw;

namespace {

using Numbers = std::vector<std::pair<std::string, float>>;

struct Seen {
  std::vector<ShownText> texts;
  Numbers numbers;
  void say(const std::vector<ShownText>& all) { texts.insert(texts.end(), all.begin(), all.end()); }
  void say(const std::string& where, const std::string& what) { texts.push_back({where, what}); }
  void count(const std::string& where, float value) { numbers.emplace_back(where, value); }
};

// Numbers drawn as colours, and those that a panel formats itself.
void look_at(Seen& seen, const WalkPage& page) {
  for (const ScoreTile& tile : page.scores.tiles)
    for (std::int64_t i = 0; i < tile.rows * tile.cols; ++i) {
      const ScoreCell& cell = page.scores.cells[tile.first_cell + std::size_t(i)];
      if (cell.known) seen.count("cell", cell.value);
    }
  for (const float end : {page.scores.low, page.scores.high, page.scores.now_low, page.scores.now_high})
    seen.count("scale of scores", end);
  for (const float value : page.o_tile.values) seen.count("O", value);
  seen.count("scale of O", page.o_tile.largest);
  if (page.fault)
    for (const float value : page.fault->right_o) seen.count("fault", value);
}

void look_at(Seen& seen, const Session& session, const Views& views) {
  // The tree's words are the same for every problem: a version such as 2.11 in them tells of no number of the walk.
  if (views.shown_page != Page::Tree) seen.say(every_text(views));
  if (views.page<WalkPage>()) look_at(seen, *views.page<WalkPage>());
  for (const HandField& field : session.hand().fields())
    for (const std::string& said : {field.diagnosis, field.hint, field.stands() ? "" : field.answer})
      seen.say("field " + text_of(field.place), said);
  const Step& step = session.state().step;
  if (!views.page<WalkPage>() || !session.state().started || step.q_tile < 0) return;
  for (std::int64_t row = step.row_begin; row < step.row_end; ++row) {
    for (std::int64_t col = 0; col < session.problem().shape.n_kv; ++col)
      seen.say(every_text(inspected_cell(session, row, col, views.page<WalkPage>()->scores.shown),
                          "tooltip of " + std::to_string(row) + ", " + std::to_string(col)));
    for (std::int64_t x = 0; x < session.problem().shape.d; ++x)
      seen.say(every_text(inspected_output(session, row, x), "tooltip of O " + std::to_string(row)));
  }
}

// The print-out for a class meanwhile: the sheet without its key.
std::string sheet_text(const Session& session) {
  if (!why_no_worksheet(session.problem()).empty()) return "";
  const auto schedule = session.walk().shared_schedule();
  const std::int64_t q_tile = session.state().started ? session.state().step.q_tile : busiest_q_tile(*schedule);
  return document_text(build_worksheet(schedule, session.inputs(), std::max<std::int64_t>(q_tile, 0)).sheet);
}

// The screen's formats of a problem's numbers, each printed once; whole numbers (and in base 2 short fractions) are too
// common to reveal anything.
class Prints {
 public:
  explicit Prints(const Problem& problem) : p_(problem) {}
  const std::set<std::string>& of(double value) {
    const auto [at, is_new] = prints_.try_emplace(value);
    if (is_new)
      for (const std::string& text :
           {format_value(p_, value), signed_number(value), signed_number(value, 4), signed_number(value, 6)})
        if (text.find('.') != std::string::npos) at->second.insert(text);
    return at->second;
  }

 private:
  const Problem p_;
  std::map<double, std::set<std::string>> prints_;
};

// Bytes, times and rates are not numbers of the softmax.
bool counts(const std::string& after) {
  for (const char* unit : {" B", " KiB", " MiB", " GiB", " TiB", " GB", " TB", " ms", " µs", " s ", " TFLOP", " GFLOP",
                           " MFLOP", " kFLOP", " %", "×", " times"})
    if (after.starts_with(unit)) return true;
  return false;
}

std::set<std::string> tokens_of(const std::string& text) {
  std::set<std::string> out;
  std::string now;
  const auto finish = [&](std::size_t end) {
    while (!now.empty() && now.back() == '.') now.pop_back();
    if (!now.empty() && !counts(text.substr(end, 8))) out.insert(now);
    now.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.compare(i, 3, "−") == 0) {
      finish(i);
      if (i + 3 < text.size() && std::isdigit((unsigned char)text[i + 3])) now = "−";
      i += 2;
    } else if (std::isdigit((unsigned char)c) || (c == '.' && !now.empty())) {
      now += c;
    } else {
      finish(i);
    }
  }
  finish(text.size());
  return out;
}

class Checker {
 public:
  Checker(const Session& session, Prints& prints) : session_(session), prints_(prints), p_(session.problem()) {
    collect(session.state(), all_);
    collect(session.hand().seen(), visible_);
    for (const float value : {0.0f, 1.0f}) see(value);
    see(p_.scale_value());
    const Step& step = session.state().step;
    for (const TensorId id : {TensorId::Q, TensorId::K, TensorId::V, TensorId::dO}) {
      const bool query = is_by_query(id);
      if (!query || id != TensorId::dO || row_of(p_).family.backward)
        for (std::int64_t r = 0; r < (query ? p_.shape.n_q : p_.shape.n_kv); ++r)
          for (std::int64_t x = 0; x < p_.shape.d; ++x)
            see(session.inputs().at(input_head(p_, id, step.head_id()), r, x));
    }
    for (const double value : visible_) see(value);
    // Scores are in their cells, although a max equals one of them.
    for (std::int64_t r = 0; r < p_.shape.n_q; ++r)
      for (std::int64_t c = 0; c < p_.shape.n_kv; ++c)
        if (!session.hand().hidden(Quantity::S, r, c))
          see(display_score(p_, scores_of(session.inputs(), {step.head_id(), r, r + 1, c, c + 1}).at(0)));
    // The value before this visit is shown beside the field, unless it is hidden itself.
    if (session.state().started) {
      HandValues values(session.walk().shared_schedule(), session.inputs());
      if (step.section_name == SectionName::Merge)
        for (std::int64_t row = step.row_begin; row < step.row_end; ++row)
          if (!session.hand().hidden_answers().hides_old(Quantity::Partials, row))
            for (const double sum : values.log_sums(step, row)) see(sum);
      const State& before = values.after(unit_of(session.schedule(), step).first);
      const auto old = [&](const std::vector<float>& of, Quantity quantity, std::int64_t first) {
        for (std::size_t i = 0; i < of.size(); ++i)
          if (!session.hand().hidden_answers().hides_old(quantity, first + std::int64_t(i) / p_.shape.d)) see(of[i]);
      };
      old(before.o, Quantity::O, step.row_begin);
      old(before.dq, Quantity::DQ, step.row_begin);
      old(before.dk, Quantity::DK, step.col_begin);
      old(before.dv, Quantity::DV, step.col_begin);
    }
    // Products are listed term by term.
    for (std::int64_t r = 0; r < p_.shape.n_q; ++r)
      for (std::int64_t c = 0; c < p_.shape.n_kv; ++c)
        for (std::int64_t x = 0; x < p_.shape.d; ++x) {
          const auto at = [&](TensorId id, std::int64_t row) {
            return double(session.inputs().at(input_head(p_, id, step.head_id()), row, x));
          };
          see(at(TensorId::Q, r) * at(TensorId::K, c));
          if (row_of(p_).family.backward) see(at(TensorId::dO, r) * at(TensorId::V, c));
        }
    for (const double value : all_)
      if (!is_visible(value)) hidden_.push_back(value);
  }
  std::size_t hidden() const { return hidden_.size(); }

  // The first place that reveals a hidden number; empty if none does.
  std::string told(const Seen& seen) const {
    std::map<std::string, double> asked;
    for (const double value : hidden_)
      for (const std::string& print : prints_.of(value))
        if (!shown_.count(print)) asked[print] = value;
    for (const ShownText& shown : seen.texts)
      for (const std::string& token : tokens_of(shown.text))
        if (asked.count(token)) return shown.where + " tells " + token + ": " + shown.text;
    for (const auto& [where, value] : seen.numbers)
      for (const double each : hidden_)
        if (float(each) == value) return where + " holds " + std::to_string(value);
    return "";
  }

 private:
  void see(double value) {
    if (!seen_.insert(value).second) return;
    for (const std::string& print : prints_.of(value)) shown_.insert(print);
    floats_.insert(float(value));
  }
  bool is_visible(double value) const { return floats_.count(float(value)) > 0; }
  void collect(const State& state, std::vector<double>& into) const {
    const auto plain = [&](const std::vector<float>& values) {
      for (const float v : values)
        if (std::isfinite(v)) into.push_back(v);
    };
    const auto score = [&](const std::vector<float>& values) {
      for (const float v : values)
        if (std::isfinite(v)) into.push_back(display_score(p_, v));
    };
    score(state.s), score(state.m), score(state.m_old), score(state.tile_max), score(state.lse);
    for (const auto* values : {&state.p, &state.o, &state.alpha, &state.beta, &state.tile_l, &state.pv, &state.l_old,
                               &state.l, &state.D, &state.dp, &state.ds, &state.dq, &state.dk, &state.dv})
      plain(*values);
  }

  const Session& session_;
  Prints& prints_;
  const Problem& p_;
  std::vector<double> all_, visible_, hidden_;
  std::set<std::string> shown_;
  std::set<double> seen_;
  std::set<float> floats_;
};

Problem problem_of(ScheduleKind kind, Draw& draw) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = draw.upto(5, 12);
  p.shape.n_kv = draw.upto(5, 12);
  p.shape.d = draw.upto(2, 4);
  p.tiling.br = draw.upto(2, 4);
  p.tiling.bc = draw.upto(2, 4);
  p.tiling.order = KvOrder(draw.upto(0, 1));
  p.numerics.seed = std::uint64_t(draw.upto(0, 1000));
  p.numerics.base = Base(draw.upto(0, 4) == 0);
  if (draw.upto(0, 1)) p.shape.mask.kind = MaskKind::Causal;
  if (schedule_row(kind).settings.splits) p.tiling.splits = 2;
  if (schedule_row(kind).settings.rescale_threshold) p.tiling.rescale_threshold = double(draw.upto(0, 1));
  p.machine.sram_bytes = 1 << 16;
  return p;
}

std::string any_move(Draw& draw, const Session& session) {
  const std::vector<HandField>& fields = session.hand().fields();
  const std::string place =
      fields.empty() ? "" : text_of(fields[std::size_t(draw.upto(0, std::int64_t(fields.size()) - 1))].place);
  switch (draw.upto(0, 16)) {
    case 0: return "by-hand one";
    case 1: return "by-hand all ask " + std::string(draw.upto(0, 1) ? "m+alpha+l" : "s+p+o+dp+ds+dq+dk+dv");
    case 2: return "by-hand all";
    case 3: return "go-to-step " + std::to_string(draw.upto(0, session.schedule().step_count()));
    case 4: return "step-back";
    case 5: return "tile-forward";
    case 6:
      return "select " + std::to_string(draw.upto(0, session.problem().shape.n_q - 1)) + "," +
             std::to_string(draw.upto(0, session.problem().shape.n_kv - 1));
    case 7: return place.empty() ? "step-forward" : "focus-field on " + place;
    case 8: return place.empty() ? "step-forward" : "show-field " + place;
    case 9: return place.empty() ? "step-forward" : "hint-field " + place;
    case 10:
      return place.empty() ? "next-cells" : "answer-field " + place + " " + std::to_string(draw.upto(-3, 3)) + ".37";
    case 11: return "show " + std::string(kPageWords[draw.upto(0, std::int64_t(std::size(kPageWords)) - 1)]);
    case 12: return "present";
    default: return "step-forward";
  }
}

}  // namespace

TEST_CASE("no view model and no sentence contains a number that is asked by hand") {
  std::size_t hidden = 0, stops = 0;
  std::map<std::size_t, int> pages;
  for (const ScheduleKind kind : all_schedules())
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Draw draw(seed * 31 + std::uint64_t(kind));
      Document document;
      document.problem = problem_of(kind, draw);
      document.cursor = draw.upto(0, 20);
      auto session = Session::open(document, {});
      INFO((session ? "" : text_of(session.issues())));
      REQUIRE(session.ok());
      ViewBuilder builder(KernelTexts{});
      ViewRoom room;
      room.scores_width = room.scores_height = 900;
      room.timeline_width = 800;
      room.operand_width = room.operand_height = 20;
      Prints prints((*session)->problem());
      std::string script = "by-hand one";
      (*session)->dispatch(*command_from(script));
      for (int move = 0; move < 60; ++move) {
        const std::string next = any_move(draw, **session);
        script += "; " + next;
        (*session)->dispatch(*command_from(next));
        while ((*session)->busy()) (*session)->dispatch(Work{64});
        Seen seen;
        look_at(seen, **session, builder.build(**session, room));
        if (move % 10 == 0) seen.say("sheet", sheet_text(**session));
        ++pages[std::size_t((*session)->page())];
        const Checker checker(**session, prints);
        hidden += checker.hidden();
        ++stops;
        const std::string told = checker.told(seen);
        if (told.empty()) continue;
        CAPTURE(name_of(kind), seed, script, (*session)->cursor());
        FAIL(told);
      }
    }
  CHECK(pages.size() == std::size(kPageWords));
  CHECK(stops > 2000);
  CHECK(hidden > 10'000);
}

TEST_CASE("while the new max of a row is asked, the table hides the largest score of that row in the tile") {
  Document document;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.cursor = 43;
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  while ((*session)->busy()) (*session)->dispatch(Work{64});
  REQUIRE((*session)->state().step.phase == Phase::RowMax);
  (*session)->dispatch(*command_from("by-hand 9 ask m"));
  const auto tile_max = [&](std::size_t row) {
    const SoftmaxModel m = build_softmax_model((*session)->schedule(), (*session)->hand().seen());
    REQUIRE(m.columns[2] == "tile max");
    return m.rows[row].cells[2];
  };
  const auto value = [&](std::size_t row) {
    const Problem& p = (*session)->problem();
    return format_value(p, display_score(p, (*session)->state().tile_max[row]));
  };
  CHECK(tile_max(0) == value(0));
  CHECK(tile_max(1).empty());
  (*session)->dispatch(*command_from("show-field " + text_of((*session)->hand().fields().front().place)));
  CHECK(tile_max(1) == value(1));
}
