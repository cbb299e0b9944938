// Results of the forward pass that the backward passes read: L (backward) or m and l (backward_v1, backward_standard)
// of every row, and D. They are computed Q tile by Q tile when first requested, by the forward replay of the same kind
// (flash_v2, flash_v1, standard) with the same tiles and KV order and no fault, and cached: 8 to 16 bytes a row, for at
// least the query heads of one KV head. So the first column of a cold seek costs the whole forward pass of those heads;
// later columns reuse it. Internal to core.
#pragma once

#include <memory>
#include <unordered_map>

#include "core/schedules/backward/backward_tile.h"

namespace tilewalk {

class ForwardResults {
 public:
  ForwardResults(const Problem&, const Inputs&, const std::shared_ptr<WorkerPool>&);

  // Towards the results of one Q tile, in at most `budget` tile visits, which are taken off it. True when they are
  // there; with_o also leaves its O in o().
  bool work(const QTileId&, bool with_o, std::int64_t& budget);
  const ForwardRows& at(const QTileId&) const;        // precondition: work was true
  const std::vector<float>& o() const { return o_; }  // rows x d, rounded to the dtype: of the last Q tile made with_o

 private:
  std::int64_t key(const QTileId&) const;
  bool run_forward(const QTileId&, bool with_o, std::int64_t& budget);
  bool make_row_dots(std::int64_t& budget);
  Problem forward_problem_;
  const Problem& p_;
  bool standard_;
  std::unique_ptr<const Schedule> schedule_;
  std::unique_ptr<GroupReplay> forward_;
  BackwardTile tile_;
  std::unordered_map<std::int64_t, ForwardRows> kept_;
  std::int64_t kept_rows_ = 0, making_ = -1, o_of_ = -1, tiles_dotted_ = 0;
  bool forwarded_ = false;
  ForwardRows made_;
  std::vector<float> o_;
};

}  // namespace tilewalk
