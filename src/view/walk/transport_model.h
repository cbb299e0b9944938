// The controls of the cursor: the buttons of the transport with their unit and speed, and the timeline below them. The
// only pixels in it are the timeline's width.
#pragma once

#include <string>

#include "session/session.h"
#include "view/walk/timeline_model.h"

namespace tilewalk {

enum class TransportTone { Hint, Said, NoOp, Error, Waiting };

struct TransportNews {  // one line below the timeline
  std::string text;
  TransportTone tone = TransportTone::Hint;
};

struct TransportModel {
  bool playing = false, at_start = false, at_end = false;
  StepUnit unit = StepUnit::Tile;
  Action back = Action::TileBack, forward = Action::TileForward;  // move by that unit
  std::string units[3];                                           // "by phase", in the order of StepUnit
  std::string speed;                                              // "1×"
  // "Play: Q0 meets K0" while nothing has happened; empty then, and where a lesson, work by hand, the first minute, a
  // mistake or a selected score has its place.
  std::string begin;
  TransportNews news;
  TimelineModel timeline;
};

TransportModel build_transport_model(const Session&, double timeline_width);

}  // namespace tilewalk
