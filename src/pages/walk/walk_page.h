// All models of the page of the walk, for one cursor. The parts of the page do not depend on each other.
#pragma once

#include <optional>

#include "pages/walk/endless_zoom_model.h"
#include "pages/walk/fault_model.h"
#include "pages/walk/last_card_model.h"
#include "pages/walk/one_row_model.h"
#include "session/session.h"
#include "view/hand/hand_model.h"
#include "view/motion/arithmetic.h"
#include "view/motion/landing_words.h"
#include "view/motion/motion.h"
#include "view/scores/inspector_model.h"
#include "view/scores/scores_model.h"
#include "view/scores/scores_steering.h"
#include "view/scores/tile_values.h"
#include "view/view_room.h"
#include "view/walk/code_model.h"
#include "view/walk/memory_model.h"
#include "view/walk/o_tile_model.h"
#include "view/walk/softmax_model.h"
#include "view/walk/transport_model.h"

namespace tilewalk {

// The motion of the current step: when its numbers and tiles land, and the models of the state before it, which are
// drawn until they land.
struct WalkMotion {
  Motion motion;
  ScoresModel scores;
  SoftmaxModel softmax;
  OTileModel o_tile;
  OperandTile into_o;
  std::vector<LandingWords> landing;  // of the sentence
};

struct WalkPage {
  MemoryModel memory;
  ScoresModel scores;
  SoftmaxModel softmax;
  OTileModel o_tile;
  OperandTile into_o;      // the operand of its product, where it is small enough for work by hand
  std::string output_sum;  // "α·O + P·V1", "dK + dSᵀ·Q2": how a visit changes the output; empty without into_o
  CodeModel code;
  TransportModel transport;
  std::optional<HandModel> hand;                 // while work by hand is on
  std::optional<FaultModel> fault;               // with a deliberate mistake
  std::optional<HeadChoice> heads;               // where there are several
  std::optional<InspectorModel> selected;        // while something is selected
  std::optional<WalkMotion> moving;              // while the current step moves, outside work by hand
  Arithmetic arithmetic;                         // of what the sentence names
  std::optional<LastCard> last_card;             // at the end, instead of the matrix and the column beside it
  std::optional<EndlessZoomModel> endless_zoom;  // instead of all of these
  std::optional<OneRowModel> one_row;            // alone: then no other model is built
  std::optional<ExplainedRow> explained;         // outlined in the scores
};

struct WalkCaches {
  ScoresCache scores, before;
  LastCardCache last_card;
  ExplainedRowCache explained;
  WrongVisitsCache wrong;
};

WalkPage build_walk_page(const Session&, const ViewRoom&, const KernelTexts&, WalkCaches&, WalkTimesCache&);

}  // namespace tilewalk
