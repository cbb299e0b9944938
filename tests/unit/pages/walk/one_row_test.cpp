// One row, explained: its numbers are the replay's, and what the picture shows at t.
#include "pages/walk/one_row.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/words.h"
#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "pages/walk/one_row_model.h"
#include "pages/walk/walk_page.h"
#include "tests/support/catch.h"
#include "tests/unit/view/view_fixture.h"
#include "view/sentence/sentence.h"
#include "view/sentence/sentence_parts.h"

using namespace tilewalk;

namespace {

OneRow row_of_picture() { return one_row_of(test::picture(), Inputs(test::picture()), {0, 0, 2}); }

OneRowModel row_model(double t, const Problem& p = test::picture()) {
  Document document;
  document.problem = p;
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  (*session)->dispatch(GoToStep{30});
  (*session)->dispatch(HoldRow{t});
  auto model = build_one_row(**session);
  REQUIRE(model);
  return *model;
}

double end_at(RowScene scene) { return end_of(scene); }

}  // namespace

TEST_CASE("the weights of the whole row add up to the replay's sum, and with V to its row of O") {
  const OneRow row = row_of_picture();
  const std::size_t last = row.visits.size() - 1;
  const Inputs inputs(test::picture());
  const std::int64_t d = row.problem.shape.d;
  double sum = 0;
  std::vector<double> o(std::size_t(d), 0.0);
  for (const RowKey& key : row.keys) {
    CHECK(key.key <= row.row);  // causal
    sum += row.weight(key, last);
    for (std::int64_t c = 0; c < d; ++c)
      o[std::size_t(c)] += row.weight(key, last) * inputs.at({TensorId::V, 0, 0}, key.key, c);
  }
  CHECK(std::int64_t(row.keys.size()) == row.row + 1);
  CHECK(sum == Approx(row.sum_after(last)).epsilon(1e-6));
  for (std::int64_t c = 0; c < d; ++c) CHECK(o[std::size_t(c)] / sum == Approx(row.o[std::size_t(c)]).epsilon(1e-5));
}

TEST_CASE("the row is one whose max a later tile raises, and its old weights shrink by that tile's α") {
  const OneRow row = row_of_picture();
  REQUIRE(row.better >= 1);
  CHECK(row.max_after(row.better) > row.max_after(row.better - 1));
  CHECK(row.alpha() > 0);
  CHECK(row.alpha() < 0.5);  // seen from afar
  for (const RowKey& key : row.keys)
    if (key.visit < row.better)
      CHECK(row.weight(key, row.better) == Approx(row.alpha() * row.weight(key, row.better - 1)).epsilon(1e-6));
}

TEST_CASE("at the end of each scene the bars are the scores, or the weights against the best so far") {
  const OneRow row = row_of_picture();
  const std::size_t last = row.visits.size() - 1;
  for (const auto& [scene, against] : {std::pair{RowScene::Weights, last},
                                       {RowScene::Average, last},
                                       {RowScene::Tiles, row.better - 1},
                                       {RowScene::Shrink, row.better},
                                       {RowScene::Rest, last}}) {
    const OneRowModel m = row_model(end_at(scene));
    INFO(m.sentence);
    REQUIRE(m.scene == scene);
    REQUIRE(m.bars.size() == row.keys.size());
    double best = 0;
    for (std::size_t i = 0; i < m.bars.size(); ++i) {
      CHECK(m.bars[i].low == 0);
      if (m.bars[i].visible) CHECK(m.bars[i].high == Approx(row.weight(row.keys[i], against)));
      CHECK(m.bars[i].high <= 1 + 1e-9);
      CHECK(m.bars[i].best == (m.bars[i].visible && m.bars[i].high > 1 - 1e-9));
      best = std::max(best, m.bars[i].high);
    }
    CHECK(best == Approx(1));
  }
  const OneRowModel scores = row_model(end_at(RowScene::Scores));
  CHECK_FALSE(scores.weights);
  for (const RowBar& bar : scores.bars) CHECK(bar.high - bar.low <= 1);
}

TEST_CASE("old weights are marked as too large, then shrink, and ℓ and O change where they have arrived") {
  const OneRow row = row_of_picture();
  const OneRowModel better = row_model(end_at(RowScene::Better)),
                    before = row_model(end_at(RowScene::Better) + 0.05 / kRowScenes),
                    half = row_model(end_at(RowScene::Better) + 0.21 / kRowScenes),
                    after = row_model(end_at(RowScene::Shrink));
  CHECK(before.l == better.l);
  CHECK(half.l == better.l);
  CHECK(half.o == better.o);
  CHECK(after.l != better.l);
  CHECK(after.o != better.o);
  CHECK(half.o_height < 1);
  CHECK(half.o_height > row.alpha());
  CHECK(after.o_height == Approx(row.alpha()));  // the outline shows what it was
  double sum = 0, old = 0;
  for (std::size_t i = 0; i < row.keys.size(); ++i) {
    const bool is_old = row.keys[i].visit < row.better;
    CHECK(better.bars[i].too_large == is_old);
    CHECK(half.bars[i].text == better.bars[i].text);
    if (!is_old) continue;
    CHECK(half.bars[i].high < better.bars[i].high);
    CHECK(half.bars[i].high > after.bars[i].high);
    CHECK(half.bars[i].ghost == Approx(better.bars[i].high));
    CHECK(half.bars[i].falls);
    CHECK_FALSE(after.bars[i].falls);
    CHECK(after.bars[i].text != better.bars[i].text);
    sum += after.parts[i], old += better.parts[i];
  }
  CHECK(sum / old == Approx(row.alpha()));
  CHECK(half.l_before == Approx(old));
  CHECK(after.l_before == Approx(old));
  CHECK(half.alpha == "α = 0.16");
  CHECK(after.alpha == half.alpha);
  CHECK(better.too_large);
  CHECK(half.too_large);
  CHECK_FALSE(after.too_large);
  CHECK(better.alpha.empty());
  CHECK(row_model(1).o_height == 1);
}

TEST_CASE("at the end the row of O and ℓ are those of the whole row, and only then") {
  const OneRowModel whole = row_model(end_at(RowScene::Average)), end = row_model(1),
                    on_its_way = row_model(1 - 0.9 / kRowScenes);
  CHECK(end.same_again);
  CHECK(end.l == whole.l);
  CHECK(end.o == whole.o);
  CHECK(end.parts == whole.parts);
  CHECK_FALSE(on_its_way.same_again);
  CHECK(on_its_way.o != whole.o);
}

TEST_CASE("no bar has a number while its height changes, and no sum before its weights are there") {
  const double begin = end_of(RowScene::Average), scene = end_of(RowScene::Tiles) - begin;
  int moved = 0;
  for (double share = 0.02; share < 0.42; share += 0.02) {
    const OneRowModel m = row_model(begin + share * scene), rest = row_model(end_of(RowScene::Tiles)),
                      before = row_model(begin);
    INFO(share);
    CHECK(m.l.empty());
    for (const std::string& value : m.o) CHECK(value.empty());
    for (std::size_t i = 0; i < m.bars.size(); ++i) {
      if (!m.bars[i].visible || m.bars[i].high == before.bars[i].high || m.bars[i].high == rest.bars[i].high) continue;
      CHECK(m.bars[i].text.empty());
      ++moved;
    }
  }
  CHECK(moved > 0);
  // On its way from a score to a weight a bar is neither; the score is below it, and the best one is marked.
  const double scores = end_of(RowScene::Scores), step = (end_of(RowScene::Weights) - scores) / 40;
  const OneRowModel first = row_model(scores + step / 10), last = row_model(end_of(RowScene::Weights));
  int changing = 0;
  for (int k = 1; k < 40; ++k) {
    const OneRowModel m = row_model(scores + k * step);
    for (std::size_t i = 0; i < m.bars.size(); ++i) {
      const RowBar& bar = m.bars[i];
      if (bar.high == first.bars[i].high || bar.high == last.bars[i].high) continue;
      INFO("key " << bar.key << ": " << bar.text);
      CHECK(bar.text.empty());
      CHECK_FALSE(bar.score.empty());
      ++changing;
    }
    CHECK(std::any_of(m.bars.begin(), m.bars.end(), [](const RowBar& bar) { return bar.best; }));
  }
  CHECK(changing > 20);
  CHECK_FALSE(row_model(end_of(RowScene::Scores)).has_unit);
  CHECK_FALSE(row_model(end_of(RowScene::Scores) + 0.2 * scene).has_unit);  // the bars are still scores
  CHECK(row_model(end_of(RowScene::Weights)).has_unit);
}

TEST_CASE("the numbers of Q and V make the scores and column 0 of O") {
  const OneRow row = row_of_picture();
  const Inputs inputs(test::picture());
  const std::size_t last = row.visits.size() - 1;
  double o = 0, sum = 0;
  for (const RowKey& key : row.keys) {
    double score = 0;
    for (std::size_t c = 0; c < row.q.size(); ++c)
      score += double(row.q[c]) * inputs.at({TensorId::K, 0, 0}, key.key, std::int64_t(c));
    CHECK(display_score(row.problem, key.score) ==
          Approx(score / std::sqrt(double(row.problem.shape.d))).epsilon(1e-4));
    o += row.weight(key, last) * key.value, sum += row.weight(key, last);
  }
  CHECK(o / sum == Approx(row.o[0]).epsilon(1e-5));
  const OneRowModel begin = row_model(0), average = row_model(end_at(RowScene::Average));
  CHECK(begin.q_label == "row " + std::to_string(row.row) + " of Q");
  CHECK(begin.q.size() == row.q.size());
  for (const RowKey& key : row.keys) CHECK(key.score <= row.keys[row.best].score);
  for (const RowBar& bar : begin.bars) CHECK(bar.value.empty());
  for (const RowBar& bar : average.bars) CHECK_FALSE(bar.value.empty());
  CHECK(average.tiles.front().v_name == "V0");
}

TEST_CASE("the row of K that is shown is that of the score that is computed, and at the end the best one") {
  const OneRow row = row_of_picture();
  const Inputs inputs(test::picture());
  std::set<std::int64_t> met;
  for (int percent = 0; percent < 100; ++percent) {
    const OneRowModel m = row_model(0.01 * percent * end_at(RowScene::Scores));
    const auto fills = std::find_if(m.bars.begin(), m.bars.end(), [](const RowBar& bar) { return bar.fills; });
    INFO(percent << " percent: " << m.k_label);
    const RowKey& shown = fills == m.bars.end() ? row.keys[row.best] : row.keys[std::size_t(fills - m.bars.begin())];
    CHECK(m.k_label == "row " + std::to_string(shown.key) + " of K");
    REQUIRE(m.k.size() == shown.k.size());
    for (std::size_t c = 0; c < m.k.size(); ++c)
      CHECK(m.k[c] == number_in_text(row.problem, inputs.at({TensorId::K, 0, 0}, shown.key, std::int64_t(c))));
    if (fills == m.bars.end()) continue;
    CHECK(m.score.empty());
    met.insert(fills->key);
    for (auto after = fills + 1; after < m.bars.end(); ++after) CHECK(after->high == after->low);  // one at a time
    CHECK(std::all_of(m.bars.begin(), fills, [](const RowBar& bar) { return !bar.text.empty(); }));
  }
  CHECK(row_model(0).k_label == "row 0 of K");
  CHECK(met.size() == row.keys.size());
  CHECK(row_model(end_at(RowScene::Scores)).score == "score 2.77");
}

TEST_CASE("only the score that is computed has an outline: the others give no length away before their turn") {
  const OneRowModel end = row_model(end_at(RowScene::Scores));
  std::set<std::int64_t> outlined;
  for (int percent = 0; percent < 100; ++percent) {
    const OneRowModel m = row_model(0.01 * percent * end_at(RowScene::Scores));
    for (std::size_t i = 0; i < m.bars.size(); ++i) {
      CHECK((m.bars[i].to_high > m.bars[i].to_low) == m.bars[i].fills);
      if (!m.bars[i].fills) continue;
      CHECK(m.bars[i].to_low == Approx(end.bars[i].low));
      CHECK(m.bars[i].to_high == Approx(end.bars[i].high));
      outlined.insert(m.bars[i].key);
    }
    CHECK(std::count_if(m.bars.begin(), m.bars.end(), [](const RowBar& bar) { return bar.fills; }) <= 1);
  }
  CHECK(outlined.size() == end.bars.size());
}

TEST_CASE("where the weights are known their sum has its number, before the row of O has") {
  const OneRowModel begin = row_model(end_at(RowScene::Weights) + 0.01), end = row_model(end_at(RowScene::Average));
  CHECK(begin.scene == RowScene::Average);
  CHECK(begin.l == end.l);
  CHECK(begin.l == "1.62");
  for (const std::string& value : begin.o) CHECK(value.empty());
}

TEST_CASE("a tile is in SRAM alone, and the others have been used or wait in HBM") {
  for (const RowScene scene : {RowScene::Tiles, RowScene::Better, RowScene::Shrink, RowScene::Rest}) {
    int in_sram = 0;
    const OneRowModel m = row_model(end_at(scene));
    for (const RowTile& tile : m.tiles) in_sram += tile.now == RowTileNow::InSram;
    CHECK(in_sram == 1);
  }
}

TEST_CASE("the keys of used tiles are marked as used, and no others") {
  for (int scene = 0; scene < kRowScenes; ++scene) {
    const OneRowModel m = row_model(end_at(RowScene(scene)));
    for (const RowTile& tile : m.tiles)
      for (std::size_t i = tile.first; i < tile.first + tile.count; ++i)
        CHECK(m.bars[i].used == (tile.now == RowTileNow::Done));
  }
}

TEST_CASE("every schedule explains a row: its own where the walk is small, else the example's") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    CHECK(row_model(1, test::picture(kind)).same_again);
  }
  Problem large = test::picture();
  large.shape.n_q = large.shape.n_kv = 4096;
  large.tiling.br = large.tiling.bc = 64;
  large.shape.d = 64;
  CHECK(one_row_of(large, Inputs(large), {0, 0, 3}).problem.shape.n_q == 16);
  Problem open = test::picture();
  open.shape.mask.kind = MaskKind::None;
  CHECK(one_row_of(open, Inputs(open), {0, 0, 0}).keys.size() == 16);
}

TEST_CASE("each scene has its sentence and its note, and names what it introduces") {
  for (const auto& [scene, word] : {std::pair{RowScene::Scores, "times each word's K"},
                                    {RowScene::Weights, "at most 1"},
                                    {RowScene::Average, "averages V by these weights"},
                                    {RowScene::Tiles, "On-chip SRAM has room for 4 keys; best m = "},
                                    {RowScene::Better, "too large"},
                                    {RowScene::Shrink, "ℓ and O"},
                                    {RowScene::Rest, "no score in HBM"}}) {
    const OneRowModel m = row_model(end_at(scene));
    INFO(m.sentence);
    CHECK(m.sentence.find(word) != std::string::npos);
    CHECK(m.note.size() > 40);
  }
}

TEST_CASE("in the first start and in Watch a second of the row shows at most 16 characters to read") {
  for (const Action tour : {Action::FirstStart, Action::Watch}) {
    Document document;
    document.problem = test::picture();
    SessionSetup setup;
    setup.presets = {{.name = "picture", .document = document}};
    auto opened = Session::open(document, std::move(setup));
    REQUIRE(opened.ok());
    Session& session = **opened;
    session.dispatch(tour);
    std::map<RowScene, double> seconds;
    std::map<RowScene, std::size_t> characters;
    double now = 1;
    session.dispatch(Tick{now});
    for (; session.shows_one_row() && now < 90; session.dispatch(Tick{now += 0.02})) {
      const OneRowModel m = *build_one_row(session);
      CHECK(m.headline_alone);
      if (!m.moves) continue;  // a moment at the end, before the walk goes on
      ShownTexts texts;
      add_texts(texts, m);
      std::string shown = m.sentence;
      for (const ShownText& text : texts.all)
        if (text.text == m.note || text.text == m.seen) shown += " " + text.text;
      seconds[m.scene] += 0.02;
      characters[m.scene] = std::max(characters[m.scene], character_count(shown));
    }
    CHECK(characters.size() == kRowScenes);
    for (const auto& [scene, count] : characters) {
      INFO(int(scene) << ": " << count << " characters in " << seconds[scene] << " s");
      CHECK(count >= 30);
      CHECK(double(count) <= 16 * (seconds[scene] + 0.05));
    }
  }
}

TEST_CASE("with the reading times of the window the film lasts 45 s at most") {
  Document document;
  document.problem = test::picture();
  SessionSetup setup;
  setup.presets = {{.name = "picture", .document = document}};
  setup.reading_time = reading_seconds;
  auto opened = Session::open(document, std::move(setup));
  REQUIRE(opened.ok());
  Session& session = **opened;
  session.dispatch(Action::Watch);
  double now = 100;
  for (session.dispatch(Tick{now}); session.tour().runs() && now < 200;) session.dispatch(Tick{now += 0.02});
  CHECK(now - 100 > 40);
  CHECK(now - 100 <= 45);
}

TEST_CASE("the note and the caption are there for whoever holds the row, not while it plays") {
  Document document;
  document.problem = test::picture();
  auto opened = Session::open(document, {});
  REQUIRE(opened.ok());
  Session& session = **opened;
  const auto alone = [&] { return build_one_row(session)->headline_alone; };
  session.dispatch(Action::OneRow);
  CHECK(alone());
  session.dispatch(Action::PlayPause);
  CHECK_FALSE(alone());
  session.dispatch(Action::StepForward);  // a move to a stop is over soon
  CHECK_FALSE(alone());
  session.dispatch(Action::Watch);
  session.dispatch(HoldRow{0.5});  // ends the film
  CHECK_FALSE(alone());
}

TEST_CASE("the last sentence says that the row is the same only once O is") {
  CHECK(row_model(1).sentence.find(": the same row") != std::string::npos);
  CHECK(row_model(1).same_again);
  const OneRowModel before = row_model(1 - 0.9 / kRowScenes);
  CHECK_FALSE(before.same_again);
  CHECK(before.sentence == "The rest is added.");
}

TEST_CASE("a score is there while its tile is in SRAM, and gone after it") {
  const OneRow row = row_of_picture();
  for (const RowScene scene : {RowScene::Tiles, RowScene::Better, RowScene::Shrink, RowScene::Rest}) {
    const OneRowModel m = row_model(end_at(scene));
    INFO(m.sentence);
    for (const RowTile& tile : m.tiles)
      for (std::size_t i = tile.first; i < tile.first + tile.count; ++i) {
        if (tile.now == RowTileNow::Done) CHECK(m.bars[i].score == "gone");
        if (tile.now == RowTileNow::ToCome) CHECK(m.bars[i].score.empty());
        if (tile.now == RowTileNow::InSram) CHECK(m.bars[i].score == row_model(end_at(RowScene::Scores)).bars[i].text);
      }
  }
}

TEST_CASE("while the row is on screen its model is the only one of the page") {
  Document document;
  document.problem = test::picture();
  document.cursor = 45;
  auto opened = Session::open(document, {});
  REQUIRE(opened.ok());
  Session& session = **opened;
  WalkCaches caches;
  WalkTimesCache times;
  const auto page = [&] { return build_walk_page(session, {}, {}, caches, times); };
  CHECK_FALSE(page().softmax.rows.empty());
  session.dispatch(HoldRow{0.5});
  CHECK(page().one_row);
  CHECK(page().softmax.rows.empty());
  CHECK(page().memory.hbm.empty());
}

TEST_CASE("a row that was explained is outlined in the walk, until the walk leaves its Q tile or its problem") {
  Document document;
  document.problem = test::picture();
  auto opened = Session::open(document, {});
  REQUIRE(opened.ok());
  Session& session = **opened;
  ExplainedRowCache cache;
  session.dispatch(GoToStep{31});
  CHECK_FALSE(build_explained_row(session, cache));
  session.dispatch(Action::OneRow);
  CHECK_FALSE(build_explained_row(session, cache));  // it is being explained
  session.dispatch(Action::OneRow);
  REQUIRE(build_explained_row(session, cache));
  CHECK(build_explained_row(session, cache)->row == row_of_picture().row);
  CHECK(build_explained_row(session, cache)->share == 0);
  session.dispatch(Tick{10}), session.dispatch(Tick{10.3});
  CHECK(build_explained_row(session, cache)->share == Approx(0.5));
  session.dispatch(GoToStep{57});  // its last
  CHECK(build_explained_row(session, cache));
  session.dispatch(GoToStep{58});
  CHECK_FALSE(build_explained_row(session, cache));
  session.dispatch(GoToStep{40});  // it does not come back
  CHECK_FALSE(build_explained_row(session, cache));
  session.dispatch(Action::OneRow), session.dispatch(Action::OneRow);
  REQUIRE(build_explained_row(session, cache));
  session.dispatch(SetSchedule{ScheduleKind::Standard});
  CHECK_FALSE(build_explained_row(session, cache));
}

TEST_CASE("while the last weights arrive ℓ's bar is as long as its number says") {
  const OneRow row = row_of_picture();
  const double longest = row.sum_after(row.visits.size() - 1), begin = end_at(RowScene::Shrink);
  double least = 1e9, most = 0;
  for (double share = 0.02; share <= 1; share += 0.02) {
    const OneRowModel m = row_model(begin + share * (1 - begin));
    double parts = 0;
    for (const double part : m.parts) parts += part;
    INFO(share << ": " << m.l);
    double longest_sum = longest;
    for (std::size_t visit = 0; visit < row.visits.size(); ++visit)
      longest_sum = std::max(longest_sum, double(row.sum_after(visit)));
    CHECK(parts * longest_sum == Approx(std::stod(m.l)).margin(0.006));
    least = std::min(least, parts), most = std::max(most, parts);
  }
  CHECK(most > least + 0.1);
}
