// The card at the end of a walk: the result whole, the bytes that moved beside those of the other way, what was
// checked, what became of S, and what to do next. Bytes are the schedule's counters; the check's words claim no more
// than its report. A result too large to replay for a frame is shown as the last tile alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/predict/compare.h"
#include "session/session.h"
#include "view/walk/accuracy_model.h"
#include "view/walk/moved_in_all.h"
#include "view/walk/traffic_model.h"
#include "view/walk/verify_model.h"
#include "view/walk/wrong_and_right.h"
#include "view/walk/wrong_visits.h"
#include "view/words/walk_times.h"

namespace tilewalk {

// O of the head in view; of a backward pass dQ, dK or dV.
struct CardResult {
  TensorId tensor = TensorId::O;
  std::int64_t rows = 0, cols = 0;
  std::int64_t row_begin = 0;    // matrix row of the first row
  std::int64_t tile_rows = 0;    // of a tile of its rows
  std::vector<float> values;     // rows x cols
  std::vector<bool> wrong = {};  // with a deliberate mistake: which differ from the right ones in print; else empty
  float least = 0, most = 0;     // finite values; both 0 where there is none
};

struct CardCheck {
  BadgeKind kind = BadgeKind::NotChecked;
  bool good = false;
  bool wrong = false;  // the result is wrong, or the check found a difference and nobody knows that it is right
  std::string title;   // "Every value equals the H200's, bit for bit"
  std::string text;    // "10 tile visits, 680 values: 0 ULP."
  AccuracyMark accuracy_mark = AccuracyMark::None;
  std::string accuracy;  // the distance from float64
};

struct CardScores {
  bool existed = false;  // the matrices were written to HBM
  std::string title;     // "S, the 16×16 matrix, never existed"
  std::string text;
};

struct CardWay {      // something to do next
  std::string id;     // "back"
  std::string title;  // "Walk backwards"
  std::string words;  // "Each state again, from step 92 to 0"
  std::string key;    // "←"
  std::vector<Command> commands;
};

struct LastCard : MovedInAll {
  std::string heading;                        // "Finished · 92 steps, 10 tile visits, 6 skipped"
  std::vector<std::string> shorter_headings;  // the longest first
  std::string result_title;
  std::vector<CardResult> results;
  std::string result_note;  // where the result is not whole, why
  WalkTimes times;          // empty for a backward pass
  // Of a walk that is too short to compare times: "At N 8,192 on an H200: 8.98 → 1.92 ms, recorded", of the window's
  // call. Empty: `times` says why there are none.
  std::string call_times;
  CardCheck check;
  std::optional<WrongRow> wrong_row;  // of a result that a deliberate mistake made wrong
  std::string wrong_row_title;        // "Row 13 of O"
  CardScores scores;
  std::vector<CardWay> next;
};

struct LastCardCache {
  std::uint64_t revision = ~0ull;
  std::int64_t batch = -1, head = -1;
  Problem problem;  // whole runs depend on parts that do not change values
  std::vector<CardResult> results;
  bool whole = true;  // else `results` has the last tile
  WholeRuns runs;
  std::string worst;  // which number of the result is most wrong (view/walk/wrong_and_right.h)
  std::optional<WrongRow> wrong_row;
  TensorId wrong_tensor = TensorId::O;  // of that row
  FirstWrongCache first_wrong;
};

// Empty unless the session shows it.
std::optional<LastCard> build_last_card(const Session&, LastCardCache&, WalkTimesCache&);

}  // namespace tilewalk
