// What the wheel, a drag and a click on the score matrix ask for, and the heads beside the one in view. Places are
// pixels from the corner of the area that the model was built for. Changes nothing: a Command comes out.
#pragma once

#include <optional>
#include <string>

#include "session/session.h"
#include "view/scores/scores_model.h"

namespace tilewalk {

class ScoresSteering {
 public:
  ScoresSteering(const Session& session, const ScoresModel& model) : session_(session), model_(model) {}
  Command zoom(double x, double y, double notches) const;      // the place under the pointer stays under it
  std::optional<Command> pan(double by_x, double by_y) const;  // none while the whole matrix is in view
  Command click(std::int64_t row, std::int64_t col) const;     // selects; a second time drops it

 private:
  const Session& session_;
  const ScoresModel& model_;
};

struct HeadChoice {
  std::string name;                       // "batch 0 · head 2"
  std::optional<GoToHead> before, after;  // of the one in view
};
std::optional<HeadChoice> build_head_choice(const Session&);  // none where there is but one head

}  // namespace tilewalk
