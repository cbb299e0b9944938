// The commands for the wheel, a drag and a click on the score matrix, and the heads before and after the one in view.
// Positions are pixels from the corner of the area that the model was built for. Only returns commands.
#pragma once

#include <optional>
#include <string>

#include "session/session.h"
#include "view/scores/scores_model.h"

namespace tilewalk {

class ScoresSteering {
 public:
  ScoresSteering(const Session& session, const ScoresModel& model) : session_(session), model_(model) {}
  Command zoom(double x, double y, double notches) const;      // the cell under the pointer stays under it
  std::optional<Command> pan(double by_x, double by_y) const;  // empty while the whole matrix is in view
  Command click(std::int64_t row, std::int64_t col) const;     // selects a cell; a second click clears the selection

 private:
  const Session& session_;
  const ScoresModel& model_;
};

struct HeadChoice {
  std::string name;                       // "batch 0 · head 2"
  std::optional<GoToHead> before, after;  // neighbours of the head in view
};
std::optional<HeadChoice> build_head_choice(const Session&);  // empty if there is one head

}  // namespace tilewalk
