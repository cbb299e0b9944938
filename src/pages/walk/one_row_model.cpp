#include "pages/walk/one_row_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "core/problem/format_value.h"
#include "pages/walk/one_row.h"
#include "session/document/step_motion.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr double kMoving = 0.42;  // the share of a scene in which its bars move; then they rest
constexpr double kInTurn = 0.6;   // of that, the share over which the bars begin one after the other
constexpr double kFirst = 0.25;   // of that, what the first score takes; the others follow it, one at a time

class Builder {
 public:
  Builder(const OneRow& row, double t, OneRowModel& model)
      : row_(row), p_(row.problem), m_(model), scene_(row_scene_at(t)), share_(row_scene_share(t) / kMoving) {
    for (const RowKey& key : row_.keys) {
      highest_ = std::max(highest_, double(key.score));
      lowest_ = std::min(lowest_, double(key.score));
    }
  }

  void build() {
    m_.scene = scene_;
    m_.title = fmt::format("One row of the answer: row {} of O", row_.row);
    m_.weights = scene_ != RowScene::Scores;
    m_.has_unit = scene_ > RowScene::Weights || (scene_ == RowScene::Weights && landed());
    const double zero = lowest_ < 0 ? -lowest_ / (highest_ - lowest_) : 0;
    m_.axis = scene_ == RowScene::Scores ? zero : scene_ == RowScene::Weights ? zero * (1 - all_at_once()) : 0;
    for (std::size_t i = 0; i < row_.keys.size(); ++i) m_.bars.push_back(bar(i, zero));
    mark_best();
    tiles();
    if (scene_ >= RowScene::Average)
      sums();
    else
      query();
    words();
    m_.same_again = scene_ == RowScene::Rest && landed();
  }

 private:
  std::size_t last() const { return row_.visits.size() - 1; }
  bool landed() const { return share_ >= 1; }
  double all_at_once() const { return eased(std::clamp(share_, 0.0, 1.0)); }
  double in_turn(std::size_t i) const {
    if (scene_ == RowScene::Scores) return one_at_a_time(i);
    const double begin = kInTurn * double(i) / double(std::max<std::size_t>(row_.keys.size(), 1));
    return eased(std::clamp((share_ - begin) / (1 - kInTurn), 0.0, 1.0));
  }
  double one_at_a_time(std::size_t i) const {
    const double each = (1 - kFirst) / double(std::max<std::size_t>(row_.keys.size(), 2) - 1);
    const double begin = i == 0 ? 0 : kFirst + each * double(i - 1), takes = i == 0 ? kFirst : each;
    return eased(std::clamp((share_ - begin) / takes, 0.0, 1.0));
  }
  // Whose score is computed, or the best one.
  std::size_t key_met() const {
    if (scene_ == RowScene::Scores && !landed())
      for (std::size_t i = 0; i < row_.keys.size(); ++i)
        if (one_at_a_time(i) < 1) return i;
    return row_.best;
  }
  bool is_old(const RowKey& key) const { return key.visit < row_.better; }

  // The visits whose keys have come, and the one whose max the weights are against.
  std::size_t end_visit(RowScene scene) const {
    if (scene == RowScene::Tiles) return row_.better;
    if (scene == RowScene::Better || scene == RowScene::Shrink) return row_.better + 1;
    return row_.visits.size();
  }
  // From the scene in which the keys come tile by tile: a score is there while its tile is in SRAM.
  std::string score_below(const RowKey& key, const std::string& printed) const {
    if (scene_ < RowScene::Tiles) return printed;
    const std::size_t end = end_visit(scene_);
    return key.visit >= end ? std::string() : key.visit + 1 < end ? "gone" : printed;
  }
  double weight_in(RowScene scene, const RowKey& key) const {
    if (key.visit >= end_visit(scene)) return 0;
    if (scene == RowScene::Tiles || (scene == RowScene::Better && is_old(key)))
      return row_.weight(key, row_.better - 1);
    if (scene == RowScene::Better || scene == RowScene::Shrink) return row_.weight(key, row_.better);
    return row_.weight(key, last());
  }

  RowBar bar(std::size_t i, double zero) const {
    const RowKey& key = row_.keys[i];
    const double score = double(key.score) / std::max(highest_ - lowest_, 1e-9);
    const bool at_once = scene_ == RowScene::Weights || scene_ == RowScene::Shrink;
    const double way = at_once ? all_at_once() : in_turn(i);
    const std::string printed = number_in_text(p_, display_score(p_, key.score));
    const std::size_t end = end_visit(scene_);
    RowBar out{.key = key.key, .visible = key.visit < end, .used = scene_ >= RowScene::Tiles && key.visit + 1 < end};
    if (scene_ == RowScene::Scores || (scene_ == RowScene::Weights && way < 1)) {
      const double shown = scene_ == RowScene::Scores ? score * way : score;
      out.low = zero + std::min(0.0, shown), out.high = zero + std::max(0.0, shown);
      if (way < 1 && scene_ == RowScene::Scores && i == key_met())
        out.to_low = zero + std::min(0.0, score), out.to_high = zero + std::max(0.0, score), out.fills = true;
      if (scene_ == RowScene::Scores ? way >= 1 : way == 0) out.text = printed;  // on its way it is neither
    }
    if (scene_ == RowScene::Scores) return out;
    out.score = score_below(key, printed);
    if (scene_ >= RowScene::Average) out.value = number_in_text(p_, key.value);
    const double weight = weight_in(scene_, key);
    if (scene_ == RowScene::Weights) {
      out.low *= 1 - way, out.high += (weight - out.high) * way;
      if (way >= 1) out.low = 0, out.high = weight, out.text = weight_text(p_, float(weight));
      return out;
    }
    const double before = weight_in(RowScene(int(scene_) - 1), key);
    out.high = before + (weight - before) * way;
    out.too_large = scene_ == RowScene::Better && is_old(key) && landed();
    if (scene_ == RowScene::Shrink && is_old(key)) out.ghost = before, out.too_large = out.falls = way < 1;
    const bool waits = way < 1 && (before == 0 || (scene_ == RowScene::Tiles && way > 0));
    if (out.visible && !waits) out.text = weight_text(p_, float(way >= 1 ? weight : before));
    return out;
  }

  void mark_best() {
    std::size_t best = row_.keys.size();
    for (std::size_t i = 0; i < row_.keys.size(); ++i)
      if (m_.bars[i].visible && (scene_ == RowScene::Weights || !m_.bars[i].text.empty()) &&
          (best == row_.keys.size() || row_.keys[i].score > row_.keys[best].score))
        best = i;
    if (best < row_.keys.size() && (scene_ != RowScene::Scores || landed())) m_.bars[best].best = true;
  }

  void tiles() {
    for (std::size_t visit = 0; visit < row_.visits.size(); ++visit) {
      RowTile tile{.name = tile_name(TensorId::K, row_.visits[visit].kv_tile)};
      for (std::size_t i = 0; i < row_.keys.size(); ++i)
        if (row_.keys[i].visit == visit) tile.first = tile.count == 0 ? i : tile.first, ++tile.count;
      if (tile.count == 0) continue;
      if (scene_ >= RowScene::Average) tile.v_name = tile_name(TensorId::V, row_.visits[visit].kv_tile);
      if (scene_ >= RowScene::Tiles) {
        const std::size_t end = end_visit(scene_);
        tile.now = visit >= end ? RowTileNow::ToCome : visit + 1 == end ? RowTileNow::InSram : RowTileNow::Done;
      }
      m_.tiles.push_back(std::move(tile));
    }
  }

  void query() {
    m_.q_label = fmt::format("row {} of Q", row_.row);
    for (const float value : row_.q) m_.q.push_back(number_in_text(p_, value));
    const RowKey& met = row_.keys[key_met()];
    m_.k_label = fmt::format("row {} of K", met.key);
    for (const float value : met.k) m_.k.push_back(number_in_text(p_, value));
    if (scene_ > RowScene::Scores || landed())
      m_.score = "score " + number_in_text(p_, display_score(p_, best_score()));
  }

  float best_score() const { return row_.keys[row_.best].score; }

  double longest_sum() const {
    double out = 0;
    for (std::size_t visit = 0; visit < row_.visits.size(); ++visit) out = std::max(out, double(row_.sum_after(visit)));
    return out;
  }

  void sums() {
    m_.sums = true;
    const bool whole = scene_ == RowScene::Average || (scene_ == RowScene::Rest && landed());
    const std::size_t upto = scene_ == RowScene::Average || scene_ == RowScene::Rest ? row_.visits.size() : row_.better;
    const double longest = longest_sum();
    for (std::size_t i = 0; i < row_.keys.size(); ++i)
      m_.parts.push_back(row_.keys[i].visit < upto ? m_.bars[i].high / longest : 0);
    float arrived = 0;  // the new weights are added to ℓ one by one, each as its bar arrives
    if (scene_ == RowScene::Rest && !landed())
      for (std::size_t i = 0; i < row_.keys.size(); ++i) {
        if (is_old(row_.keys[i])) continue;
        if (in_turn(i) >= 1)
          arrived += float(row_.weight(row_.keys[i], last()));
        else
          m_.parts[i] = 0;
      }
    const double alpha = row_.alpha();
    const bool shrunk = scene_ == RowScene::Rest || (scene_ == RowScene::Shrink && landed());
    const std::size_t before = row_.better - 1;
    const float factor = shrunk ? float(alpha) : 1;
    m_.l_label = whole ? "ℓ, the sum of the weights" : "ℓ so far";
    m_.l = number_in_text(p_, whole ? row_.sum_after(last()) : factor * row_.sum_after(before) + arrived);
    m_.o_label = fmt::format("row {} of O", row_.row) + (whole ? "" : " so far, not divided by ℓ");
    for (const float value : whole ? row_.o : row_.sums_after(before))
      m_.o.push_back(number_in_text(p_, whole ? value : value * factor));
    if (scene_ == RowScene::Tiles && !landed()) m_.l.clear();  // its weights are not all there
    if ((scene_ == RowScene::Average || scene_ == RowScene::Tiles) && !landed()) m_.o.assign(m_.o.size(), "");
    m_.too_large = landed() ? scene_ == RowScene::Better : scene_ == RowScene::Shrink;
    if (scene_ != RowScene::Shrink) return;
    m_.o_height = 1 - (1 - alpha) * all_at_once();
    m_.l_before = row_.sum_after(before) / longest;
    m_.alpha = "α = " + weight_text(p_, float(alpha));
  }

  std::string shown_max(std::size_t visit) const {
    return number_in_text(p_, display_score(p_, row_.max_after(visit)));
  }
  // How the running max after a visit is subtracted: "−" and "0.92", or "+" and "0.31".
  const char* sign_of_max(std::size_t visit) const { return display_score(p_, row_.max_after(visit)) < 0 ? "+" : "−"; }
  std::string size_of_max(std::size_t visit) const {
    return number_in_text(p_, std::fabs(display_score(p_, row_.max_after(visit))));
  }
  std::string minus_max(std::size_t visit) const {
    return fmt::format("{} {}", sign_of_max(visit), size_of_max(visit));
  }

  std::string sentence() const {
    const RowSentence& own = kRowSentences[std::size_t(scene_)];
    const auto tile = [&](std::size_t visit) { return tile_name(TensorId::K, row_.visits[visit].kv_tile); };
    const std::string_view end = own.landed.empty() ? "" : landed() ? own.landed : ".";
    return fmt::format(fmt::runtime(std::string(own.first) + std::string(end)), fmt::arg("row", row_.row),
                       fmt::arg("base", base_text(p_)), fmt::arg("keys", p_.tiling.bc),
                       fmt::arg("tile", tile(row_.better)), fmt::arg("old", shown_max(row_.better - 1)),
                       fmt::arg("now", shown_max(row_.better)), fmt::arg("sign", sign_of_max(row_.better)),
                       fmt::arg("now_size", size_of_max(row_.better)),
                       fmt::arg("alpha", weight_text(p_, row_.alpha())));
  }

  void words() {
    const char* const base = base_text(p_);
    m_.sentence = sentence();
    switch (scene_) {
      case RowScene::Scores:
        m_.seen = "A taller bar is a better match.";
        m_.note = fmt::format(
            "Row {} of Q belongs to word {}, a row of K to each word that it may look at. A score is the product of "
            "the two rows, scaled.",
            row_.row, row_.row);
        return;
      case RowScene::Weights:
        m_.seen = "Each bar becomes a weight: the best score gets 1.";
        m_.note = fmt::format(
            "The power of a large score exceeds the largest number that a GPU's 16 or 32 bits can store. With "
            "the best score subtracted, the largest power is {}^(0) = 1. The walk calls the weights P.",
            base);
        return;
      case RowScene::Average:
        m_.seen = "O: each bar times its V, added, divided by ℓ.";
        m_.note =
            "V is what each key adds to O. Column 0 of O: each weight times its number in column 0 of V, all added up, "
            "divided by ℓ, the sum of the weights.";
        return;
      case RowScene::Tiles:
        m_.seen = "ℓ is the sum of the weights so far.";
        m_.note =
            "SRAM, small and fast, lies beside the arithmetic; HBM is large and slow. A tile of K and of V comes in, "
            "is "
            "used, and makes way for the next. m is the running max.";
        return;
      case RowScene::Better:
        m_.seen = fmt::format("m rises from {} to {}.", shown_max(row_.better - 1), shown_max(row_.better));
        m_.note = fmt::format(
            "The new weights are {0}^(score {1}), the old ones were {0}^(score {2}). Weights can be added up only if "
            "they all subtract the same number.",
            base, minus_max(row_.better), minus_max(row_.better - 1));
        return;
      case RowScene::Shrink:
        m_.seen = "The old bars shrink by the same α.";
        m_.note =
            "α corrects every old weight at once, so it is enough to multiply their sums. The old scores "
            "are gone, and nobody needs them.";
        return;
      case RowScene::Rest:
        m_.seen = "At the end O is divided by ℓ.";
        m_.note = fmt::format(
            "The walk does this for all rows of Q tile {} at once. Scores and weights stay in SRAM, for one "
            "tile visit each: the whole table of scores, S, is never in HBM.",
            row_.q_tile);
        return;
    }
  }

  const OneRow& row_;
  const Problem& p_;
  OneRowModel& m_;
  const RowScene scene_;
  const double share_;
  double highest_ = 0, lowest_ = 0;
};

}  // namespace

std::optional<OneRowModel> build_one_row(const Session& session) {
  if (!session.shows_one_row()) return std::nullopt;
  OneRowModel out{.t = session.one_row().t(),
                  .moves = session.one_row().moves(),
                  .headline_alone = session.one_row().plays() || session.tour().runs()};
  const OneRow row = one_row_of(session.problem(), session.inputs(), q_tile_at(session.schedule(), session.state()));
  Builder(row, out.t, out).build();
  return out;
}

std::optional<ExplainedRow> build_explained_row(const Session& session, ExplainedRowCache& cache) {
  const std::optional<QTileId>& q_tile = session.explained_row().q_tile();
  if (!q_tile || session.shows_one_row()) return std::nullopt;
  if (cache.problem_revision != session.problem_revision() || cache.q_tile != *q_tile) {
    cache = {session.problem_revision(), *q_tile, std::nullopt};
    const OneRow row = one_row_of(session.problem(), session.inputs(), *q_tile);
    const bool own = row.problem.shape == session.problem().shape && row.problem.tiling == session.problem().tiling;
    if (own && row.q_tile == q_tile->q_tile) cache.row = row.row;
  }
  if (!cache.row) return std::nullopt;
  return ExplainedRow{
      .row = *cache.row, .share = eased(session.explained_row().share()), .label = "the row just explained"};
}

void add_texts(ShownTexts& texts, const OneRowModel& m) {
  texts.say("one row", {m.title, m.sentence, m.l_label, m.l, m.o_label, m.alpha, m.q_label, m.k_label, m.score});
  if (!m.headline_alone) texts.say("one row", {m.note, m.seen});
  for (const RowBar& bar : m.bars) texts.say("one row", {bar.text, bar.score, bar.value});
  for (const RowTile& tile : m.tiles) texts.say("one row", {tile.name, tile.v_name});
  for (const std::string& value : m.q) texts.say("one row", value);
  for (const std::string& value : m.k) texts.say("one row", value);
  for (const std::string& value : m.o) texts.say("one row", value);
}

}  // namespace tilewalk
