// The order and the rules of a race, over any track. Internal to kernels/race.
#pragma once

#include "kernels/race/live_race.h"
#include "kernels/race/track.h"

namespace tilewalk {

constexpr int kRounds = 5;        // each gives every contender a turn
constexpr int kMostPerRound = 5;  // timed runs in a turn
constexpr int kTries = 3;         // attempts at a cell whose samples show that the machine was not quiet
constexpr double kPatience = 4;   // seconds of a whole race for attempts after the first

Result<Race> run_on_track(RaceTrack&, const RacePlan&, const RaceWatch&);

}  // namespace tilewalk
