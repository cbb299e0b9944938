// Contents of SRAM and HBM during the steps of a backward pass. A read of data that no step wrote is an error; at the
// end every gradient must be complete in HBM, stored once.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "core/walk/schedule.h"

namespace tilewalk::test {

class FilledBackward {
 public:
  explicit FilledBackward(const Schedule& schedule) : schedule_(schedule), p_(schedule.problem()) {}

  bool step(const Step& s) {
    const auto now =
        std::make_tuple(s.section, s.batch, s.head / p_.shape.head_group() * (schedule_.kv_outside(s.section) ? 1 : 0),
                        s.head * (schedule_.kv_outside(s.section) ? 0 : 1), s.group);
    if (now != last_) chip_.clear();
    const bool fresh = now != last_;
    last_ = now;
    const bool standard = p_.schedule == ScheduleKind::BackwardStandard, v1 = p_.schedule == ScheduleKind::BackwardV1;
    if (standard && fresh) fill({TensorId::dV, TensorId::dK, TensorId::dQ});  // sums start at zero
    const std::int64_t row = (s.batch * p_.shape.heads + s.head) * p_.q_tiles() + s.q_tile;
    const std::int64_t col = (s.batch * p_.shape.kv_heads + p_.shape.kv_head_of(s.head)) * p_.kv_tiles() + s.kv_tile;
    switch (s.phase) {
      case Phase::Initialise: return dq_started_.insert(row).second;
      case Phase::LoadOutputs: return fill({TensorId::O, TensorId::dO});
      case Phase::RowDot:
        return (standard ? has({TensorId::P, TensorId::dP}) : has({TensorId::O, TensorId::dO})) && fill({TensorId::D});
      case Phase::StoreD: return has({TensorId::D}) && d_.insert(row).second && dq_started_.insert(row).second;
      case Phase::LoadKV: return fill({TensorId::K, TensorId::V, TensorId::dK, TensorId::dV});
      case Phase::LoadRows:
        drop({TensorId::S, TensorId::P, TensorId::dP, TensorId::dS, TensorId::D});
        fill({TensorId::Q, TensorId::dO, TensorId::dQ});
        if (v1)
          fill({TensorId::O, TensorId::m, TensorId::l});
        else
          fill({TensorId::L, TensorId::D});
        return dq_started_.count(row) && (v1 || d_.count(row));
      case Phase::Scores: return has({TensorId::Q, TensorId::K}) && fill({TensorId::S});
      case Phase::Mask: return has({TensorId::S});
      case Phase::Exponentiate: return has({TensorId::S, v1 ? TensorId::m : TensorId::L}) && fill({TensorId::P});
      case Phase::Divide: return has({TensorId::P, TensorId::l});
      case Phase::GradV: return has({TensorId::P, TensorId::dO, TensorId::dV});
      case Phase::GradP: return has({TensorId::dO, TensorId::V}) && fill({TensorId::dP});
      case Phase::GradS: return has({TensorId::P, TensorId::dP, TensorId::D}) && fill({TensorId::dS});
      case Phase::GradQ: return has({TensorId::dS, TensorId::K, TensorId::dQ});
      case Phase::GradK: return has({TensorId::dS, TensorId::Q, TensorId::dK});
      case Phase::StoreDQ:
        if (s.in_visit()) return ++dq_visits_[row] <= schedule_.visited(s.q_tile).count() && has({TensorId::dQ});
        return has({TensorId::dQ}) && dq_stored_.insert(row).second;
      case Phase::StoreDKV:
        return has({TensorId::dK, TensorId::dV}) && dk_stored_.insert(col).second && dv_stored_.insert(col).second;
      case Phase::LoadDQ: return fill({TensorId::dQ}) && dq_visits_[row] == schedule_.visited(s.q_tile).count();
      case Phase::ScaleDQ: return has({TensorId::dQ});
      case Phase::LoadPDO: return fill({TensorId::P, TensorId::dO});
      case Phase::StoreDV: return has({TensorId::dV}) && dv_stored_.insert(col).second;
      case Phase::LoadDO: return fill({TensorId::dO});
      case Phase::LoadV: drop({TensorId::dP}); return fill({TensorId::V});
      case Phase::StoreDP: return has({TensorId::dP}) && ++dp_tiles_[row] <= p_.kv_tiles();
      case Phase::LoadPDP:
      case Phase::LoadPDPAgain: return fill({TensorId::P, TensorId::dP}) && dp_tiles_[row] == p_.kv_tiles();
      case Phase::StoreDS: return has({TensorId::dS}) && ds_.insert(row).second;
      case Phase::LoadDSK: return fill({TensorId::dS, TensorId::K}) && ds_.count(row);
      case Phase::LoadDSQ: return fill({TensorId::dS, TensorId::Q}) && ds_.count(row);
      case Phase::StoreDK: return has({TensorId::dK}) && dk_stored_.insert(col).second;
      default: return false;
    }
  }

  bool finished() const {
    const std::size_t rows = std::size_t(p_.shape.batch * p_.shape.heads * p_.q_tiles()),
                      cols = std::size_t(p_.shape.batch * p_.shape.kv_heads * p_.kv_tiles());
    return dq_stored_.size() == rows && dk_stored_.size() == cols && dv_stored_.size() == cols;
  }

 private:
  bool has(std::initializer_list<TensorId> ids) const {
    for (TensorId id : ids)
      if (!chip_.count(id)) return false;
    return true;
  }
  bool fill(std::initializer_list<TensorId> ids) { return chip_.insert(ids), true; }
  void drop(std::initializer_list<TensorId> ids) {
    for (TensorId id : ids) chip_.erase(id);
  }

  const Schedule& schedule_;
  const Problem& p_;
  std::set<TensorId> chip_;
  std::set<std::int64_t> d_, ds_, dq_started_, dq_stored_, dk_stored_, dv_stored_;
  std::map<std::int64_t, std::int64_t> dq_visits_, dp_tiles_;
  std::tuple<int, std::int64_t, std::int64_t, std::int64_t, std::int64_t> last_{-1, 0, 0, 0, 0};
};

}  // namespace tilewalk::test
