// What lies on chip and in HBM as the steps of a walk go by, derived from the schedule's own rows: Schedule::cost_of
// says which tensors a step loads and stores, the ledger of phases which numbers it makes and from what. A read of
// something that no step filled is an error, and so is a second store of a tensor that is written once.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/schedules/registry.h"
#include "core/walk/schedule.h"

namespace tilewalk::test {

class Filled {
 public:
  explicit Filled(const Schedule& schedule)
      : schedule_(schedule), p_(schedule.problem()), row_(row_of(schedule.problem())) {
    given_ = {TensorId::Q, TensorId::K, TensorId::V};
    for (const HbmTensor& tensor : row_.memory.tensors) {
      life_[tensor.id] = tensor.life;
      if (tensor.life != Life::Given) continue;
      given_.insert(tensor.id);
      if (tensor.width == Width::Pair) given_.insert(TensorId::l);  // m and l in one row
    }
  }

  // What the step needs and nothing filled; empty where all is there.
  std::string step(const Step& s) {
    forget_what_is_over(s);
    const Cost cost = schedule_.cost_of(s);
    for (int t = 0; t < kTensorCount; ++t)
      if (cost.hbm[std::size_t(t)].read_bytes > 0)
        if (const std::string lacks = load(TensorId(t), s); !lacks.empty()) return lacks;
    for (const Made& made : made_by(row_, s.section_name, s.phase))
      if (const std::string lacks = make(made, s); !lacks.empty()) return lacks;
    for (int t = 0; t < kTensorCount; ++t)
      if (cost.hbm[std::size_t(t)].write_bytes > 0)
        if (const std::string lacks = store(TensorId(t), s); !lacks.empty()) return lacks;
    return "";
  }

  // Every tile of every output lies in HBM, as it leaves the walk; what is missing, else empty.
  std::string unfinished() const {
    const bool backward = row_.family.backward;
    const std::int64_t q = p_.shape.batch * p_.shape.heads * p_.q_tiles(),
                       kv = p_.shape.batch * p_.shape.kv_heads * p_.kv_tiles();
    for (const auto& [id, tiles] :
         backward
             ? std::vector<std::pair<TensorId, std::int64_t>>{{TensorId::dQ, q}, {TensorId::dK, kv}, {TensorId::dV, kv}}
             : std::vector<std::pair<TensorId, std::int64_t>>{{TensorId::O, q}}) {
      std::int64_t finished = 0;
      for (const auto& [region, tile] : hbm_) {
        const bool unmet = region.q_tile >= 0 && schedule_.visited(region.q_tile).count() == 0;  // stays as it started
        finished += region.tensor == id && (tile.result || unmet);
      }
      if (finished != tiles)
        return std::string(name_of(id)) + ": " + std::to_string(finished) + " of " + std::to_string(tiles) +
               " tiles are finished in HBM";
    }
    return "";
  }

 private:
  struct Region {  // one tile of a tensor in HBM
    TensorId tensor{};
    std::int64_t head = 0, q_tile = -1, kv_tile = -1, split = -1;
    auto operator<=>(const Region&) const = default;
  };
  struct Stored {
    int times = 0;
    bool result = false;
  };

  static bool is_pair(TensorId id) {
    return id == TensorId::S || id == TensorId::P || id == TensorId::dP || id == TensorId::dS;
  }
  static bool is_key(TensorId id) {
    return id == TensorId::K || id == TensorId::V || id == TensorId::dK || id == TensorId::dV;
  }
  static bool is_partial(TensorId id) { return id == TensorId::OPartial || id == TensorId::LPartial; }

  // The tiles of a tensor that a step speaks of: one, or all of a row of tiles, or those of all splits.
  std::vector<Region> regions(TensorId id, const Step& s) const {
    const std::int64_t head = s.batch * p_.shape.heads + s.head;
    if (is_key(id)) return {{id, s.batch * p_.shape.kv_heads + p_.shape.kv_head_of(s.head), -1, s.kv_tile}};
    std::vector<Region> out;
    if (is_partial(id)) {
      const bool merge = !schedule_.section(s.section).splits;
      for (std::int64_t n = merge ? 0 : s.split; n < (merge ? p_.tiling.splits : s.split + 1); ++n)
        out.push_back({id, head, s.q_tile, -1, n});
      return out;
    }
    if (!is_pair(id)) return {{id, head, s.q_tile}};
    const bool whole = s.kv_tile < 0;
    for (std::int64_t j = whole ? 0 : s.kv_tile; j < (whole ? p_.kv_tiles() : s.kv_tile + 1); ++j)
      out.push_back({id, head, s.q_tile, j});
    return out;
  }

  // Numbers that belong to the outer tile stay from visit to visit; all others belong to one visit.
  bool is_of_outer_tile(Quantity quantity, const Step& s) const {
    const QuantityRow& row = ledger_row(quantity);
    const bool of_keys = row.shape == QuantityShape::ColByHead;
    return row.running && of_keys == schedule_.kv_outside(s.section);
  }

  void forget_what_is_over(const Step& s) {
    const bool kv_outside = schedule_.kv_outside(s.section), shares = schedule_.section(s.section).shares_heads;
    const auto group = std::make_tuple(s.section, s.batch, shares ? p_.shape.kv_head_of(s.head) : s.head, s.group);
    if (group != group_) {
      group_ = group;
      inputs_.clear(), numbers_.clear(), results_.clear();
      first_visit_ = true;
    } else if (s.in_visit() && s.visit != visit_) {
      first_visit_ = visit_ < 0;
      std::erase_if(inputs_, [&](TensorId id) { return is_key(id) != kv_outside; });
      std::erase_if(numbers_, [&](Quantity q) {
        return !is_of_outer_tile(q, s) && ledger_row(q).shape != QuantityShape::RowBySplit;
      });
      std::erase_if(results_, [&](Quantity q) { return !numbers_.contains(q); });
    }
    visit_ = s.visit;
  }

  static std::optional<Quantity> quantity_of(TensorId id) {
    if (is_partial(id)) return Quantity::Partials;
    for (const QuantityRow& row : quantity_ledger())
      if (row.tensor == id) return row.id;
    return std::nullopt;
  }

  std::string load(TensorId id, const Step& s) {
    for (const Region& region : regions(id, s))
      if (!given_.contains(id) && !hbm_.contains(region))
        return std::string("loads a tile of ") + name_of(id) + " that no step has stored";
    if (const auto quantity = quantity_of(id))
      numbers_.insert(*quantity), results_.erase(*quantity);
    else
      inputs_.insert(id);
    return "";
  }

  std::string make(const Made& made, const Step& s) {
    const char* letter = ledger_row(made.quantity).letter;
    if (made.given && !numbers_.contains(made.quantity) && s.rows() * s.cols() > 0)
      return std::string("does not load ") + letter;
    for (const MadeFrom& from : made.from) {
      if (!from.quantity) {
        if (!inputs_.contains(from.input)) return std::string(letter) + " needs a tile of " + name_of(from.input);
        continue;
      }
      const bool starts = from.before && made.start && first_visit_ && is_of_outer_tile(*from.quantity, s);
      if (!numbers_.contains(*from.quantity) && !starts)
        return std::string(letter) + " needs " + ledger_row(*from.quantity).letter;
    }
    numbers_.insert(made.quantity);
    if (made.result)
      results_.insert(made.quantity);
    else
      results_.erase(made.quantity);
    return "";
  }

  std::string store(TensorId id, const Step& s) {
    const auto life = life_.find(id);
    if (life != life_.end() && (life->second == Life::Never || life->second == Life::Given))
      return std::string("stores ") + name_of(id) + ", which its row says it never does";
    const Quantity source = id == TensorId::OPartial   ? Quantity::O
                            : id == TensorId::LPartial ? Quantity::LogSum
                                                       : quantity_of(id).value();
    // A tile that no row or column met is stored as it started.
    const bool started = is_of_outer_tile(source, s) && visit_ < 0;
    if (!numbers_.contains(source) && !started) return std::string("stores ") + name_of(id) + ", which is not on chip";
    for (const Region& region : regions(id, s)) {
      Stored& tile = hbm_[region];
      ++tile.times;
      tile.result = results_.contains(source);
      const bool once = life != life_.end() && (life->second == Life::Once || life->second == Life::Merged);
      if (once && tile.times > 1) return std::string("stores a tile of ") + name_of(id) + " again";
    }
    return "";
  }

  const Schedule& schedule_;
  const Problem& p_;
  const ScheduleRow& row_;
  std::set<TensorId> given_;
  std::map<TensorId, Life> life_;
  std::map<Region, Stored> hbm_;
  std::set<TensorId> inputs_;             // on chip
  std::set<Quantity> numbers_, results_;  // on chip; of them those as they leave the walk
  std::tuple<int, std::int64_t, std::int64_t, std::int64_t> group_{-1, 0, 0, 0};
  std::int64_t visit_ = -1;
  bool first_visit_ = true;
};

}  // namespace tilewalk::test
