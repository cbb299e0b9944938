// Values of the three backward passes (kernels/README.md, "backward"). dQ of a Q tile depends only on the KV tiles
// visited before; dK and dV of a KV tile only on the Q tiles visited before, over the query heads that share it. So a
// seek replays one row and one column of score tiles, after the forward pass of the rows among them
// (forward_results.h). Earlier rows are cached up to kKeptRowBytes, and a column at some of its visits, so that small
// moves cost few visits. Internal to core.
#pragma once

#include "core/schedules/backward/forward_results.h"
#include "core/walk/group_walk.h"

namespace tilewalk {

class BackwardReplay final : public GroupReplay {
 public:
  BackwardReplay(const Schedule&, const Inputs&, const std::shared_ptr<WorkerPool>&);

  void open(const QTileId& id) override { open_ = id; }
  void aim(const Step&) override;
  bool work(std::int64_t max_visits) override { return work_towards(max_visits); }
  double progress() const override;
  void fill(State&) override;
  bool shows_early() const override { return row_ready_ && aim_.in_visit(); }
  void begin_walk() override { row_walked_ = 0; }
  Slice walk(VisitSink&, std::int64_t& max_visits) override;
  void begin_kv_walk(const KvTileId&) override;
  Slice walk_kv_tile(VisitSink&, std::int64_t& max_visits) override;

 private:
  // dQ of one Q tile after some of its KV tiles; dK and dV of one KV tile after some of its visits.
  struct Row {
    QTileId at = {.batch = -1};
    std::int64_t visits = 0;
    std::vector<float> dq = {};
  };
  struct Column {
    KvTileId at = {.batch = -1};
    std::int64_t visits = 0;
    std::vector<float> dk = {}, dv = {};
  };
  // dQ of all query heads of one KV head during the walk: the number of KV tiles walked so far; the next one is partly
  // walked where `column` is begun.
  struct Walked {
    std::int64_t batch = -1, kv_head = 0, place = 0, last = 0;
    std::vector<std::vector<float>> dq = {};
    Column column = {};
  };
  // What a state needs; -1: not needed.
  struct Wanted {
    bool rows = false, o = false;
    std::int64_t row_visits = -1, column_visits = -1, kv_tile = -1;
  };

  std::int64_t visits_of_row() const { return schedule_.visited(open_.q_tile).count(); }
  std::int64_t row_rows() const { return p_.q_tile_rows(open_.q_tile); }
  std::int64_t kv_tile_of_row(std::int64_t visit) const;
  std::int64_t visit_in_row(std::int64_t kv_tile) const;
  QTileId met_by_column(const Column&) const;

  void want_column(const Step&, bool whole);
  void settle();
  void settle_row();
  void settle_column();
  Column fresh_column(const KvTileId&) const;
  std::int64_t mark_interval() const;
  bool work_towards(std::int64_t& budget);
  void open_row();
  void visit_column(Column&, const QTileId&);
  void start_walk(std::int64_t batch, std::int64_t kv_head);
  Slice walk_column(VisitSink*, std::int64_t& budget);
  VisitState visit_state(const BackwardTile&, const TileId&, const std::vector<float>& dq, const Column&,
                         bool scores) const;

  // backward_state.cpp: the state after the aimed step.
  void fill_start(State&);
  void fill_visit(State&);
  void fill_standard(State&);
  void fill_standard_column(State&);
  void fill_standard_rows(State&);
  void copy_columns(const std::vector<float>& tile, std::int64_t kv_tile, std::vector<float>& rows_of_all) const;
  void scale(std::vector<float>&) const;
  void round(std::vector<float>&) const;
  std::vector<float> finished(const std::vector<float>& sums, std::int64_t rows) const;  // times g, rounded
  std::vector<float> packed_column(const std::vector<float>& sums) const;

  const Schedule& schedule_;
  const Problem& p_;
  SoftmaxKind softmax_;
  bool standard_;
  ForwardResults results_;
  BackwardTile row_tile_, column_tile_;
  GroupWalk columns_;
  Step aim_;
  Wanted wanted_;
  Row row_;
  ForwardRows own_;                                  // the forward pass's results for the current Q tile
  std::unordered_map<std::int64_t, Row> rows_left_;  // by (batch, head, Q tile)
  Column column_;
  std::vector<Column> marks_;  // column_ at every mark_interval() visits
  Walked walked_;
  QTileId open_;
  std::int64_t row_walked_ = 0;  // visits of the Q tile that a walk has handed over
  bool row_ready_ = false;       // all that the aimed step needs of its Q tile has been computed
};

}  // namespace tilewalk
