// The Q tile of the row that was explained last, until the walk leaves that tile or its problem: the walk outlines the
// row. The outline moves to its place from that of the explanation; with reduced motion it is there at once. Times are
// passed in; no clock is read.
#pragma once

#include <cstdint>
#include <optional>

#include "core/replay/replay.h"

namespace tilewalk {

inline constexpr double kSecondsOfReturn = 0.6;

class ExplainedRowController {
 public:
  const std::optional<QTileId>& q_tile() const { return q_tile_; }
  double share() const { return share_; }  // of the outline's way, 0 to 1
  bool moves() const { return q_tile_ && share_ < 1; }
  std::optional<double> seconds_to_next() const;  // until its share changes; nothing while it rests

  void begin(const QTileId&, std::uint64_t problem_revision, bool motion);
  // Forgets the tile where the walk, of the problem of that revision, is at another one.
  void follow(const Schedule&, const State&, std::uint64_t problem_revision);
  bool tick(double now);  // true if the share changed

 private:
  std::optional<QTileId> q_tile_;
  std::uint64_t problem_revision_ = 0;
  double share_ = 1, began_ = -1;
};

// The Q tile of the next step; at the end of the last one.
QTileId q_tile_at(const Schedule&, const State&);

}  // namespace tilewalk
