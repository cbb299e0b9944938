// Above the lanes of one thread block: how long each whole call takes, as bars on one scale, and the launches of a
// schedule that has no lanes. One ratio compares the two sides: that of these times, as the table of differences gives
// it. Where no time is known, the lanes have a ratio of their own, with its unit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/compare.h"
#include "core/walk/schedule.h"
#include "pages/compare/lanes_model.h"
#include "view/words/call_times.h"

namespace tilewalk {

// Puts the bars above the two pictures; returns false, and adds none, where both calls are so short that launches may
// set their times and both sides have lanes. times: null where no pair is known; then the modelled ones are drawn.
bool add_whole_calls(const Comparison&, const std::optional<CallTimes>& times, const Schedule& pinned,
                     const Schedule& now, LanesModel&);

// "39 % of FA-1's cycles a score"; two settings of one schedule are told apart by their sides.
std::string share_of_cycles(double part, double whole, const Problem& now, const Problem& baseline, bool a_score);

// The compared call, the longest first: "N 8,192 · d 64 · tiles 128×64", "N 8,192 · d 64", "N 8,192".
std::vector<std::string> call_titles(const Problem&);

// The place in the compared problem: "step 45 of 92 · Q tile 2, KV tile 1: accumulate"; of_walk: false: its N first.
// And a text as long as any of them.
std::string steps_text(const Schedule&, std::int64_t cursor, bool of_walk);
std::string longest_steps_text(const Schedule&, bool of_walk);

// Replaces the lanes of a side that has none, or whose bar is all that is drawn.
LanesPicture without_lanes(const Problem&, const char* side);

// For thread blocks with different work, cycles are also given for each 1,000 scores.
bool same_work(const Problem& a, const Timeline& at, const Problem& b, const Timeline& bt);
double cycles_a_score(const Problem&, const Timeline&);
std::string a_score_text(double cycles);

}  // namespace tilewalk
