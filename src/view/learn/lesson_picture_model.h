// The picture of the open lesson's screen (session/lesson/lesson_picture) with its values. What is asked has no value
// and no words until the task is done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session/session.h"

namespace tilewalk {

enum class TileMark { None, Marked, Wrong };  // Wrong: marked, checked, and wrong

struct PictureItemModel {
  std::string heading, name;
  std::optional<TensorId> hue;
  bool sram = false;
  std::string words = {};                 // beside it; "?" while it is asked
  bool asked = false;                     // by the screen's task, answered or not
  bool hidden = false;                    // drawn without a length
  double share = 0;                       // Bars: of the whole width; Areas: the side, relative to the largest
  std::optional<double> guess = {};       // the same by what is drafted, while it is asked
  bool zoomed = false;                    // Bars: the bar before it, drawn larger
  bool beyond = false;                    // the guess is longer than there is space for
  std::int64_t count = 0;                 // Cells, Pairs; Tiles: a side
  bool plain = false;                     // Tiles: which are cut and skipped is asked
  std::vector<TileMark> marks = {};       // Tiles, row by row, while they are marked by the learner; else empty
  std::int64_t group = 0;                 // 0: none, or asked
  std::vector<std::int64_t> rings = {};   // empty while they are asked
  std::vector<std::string> numbers = {};  // Numbers; "?" each while they are asked
};

struct PictureTrip {  // one step, in the order that the learner has given
  std::string letter;
  std::string text;
  TripStep moves;
};

struct PictureTick {
  double share = 0;  // of the width
  std::string words;
};

struct LessonPictureModel {
  PictureKind kind = PictureKind::Bars;
  std::string title, note;
  std::string place;                 // changes with the screen
  bool done = false;                 // nothing is hidden
  bool asks_several = false;         // more than one item is asked: the sign of what is asked is in the legend
  std::vector<std::string> columns;  // Numbers: above the cells
  std::vector<PictureItemModel> items;
  std::vector<PictureTrip> trips;
  std::optional<double> mark;  // Bars: a share of the width
  std::string mark_name;
  std::vector<PictureTick> ticks;  // Bars: the powers of 10, from 1; empty: lengths are not logarithms
};

// False where the screen has none, and where the answer has opened another page than the walk: that is next to look at.
bool shows_lesson_picture(const Session&);
bool lesson_picture_covers_page(const Session&);  // false beside work by hand: it covers the matrix alone

std::optional<LessonPictureModel> build_lesson_picture_model(const Session&);  // empty: none is shown

}  // namespace tilewalk
