// Parts of the race's model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/contender.h"
#include "measured/race.h"
#include "pages/race/race_model.h"

namespace tilewalk {

// Badge, heading, ceilings and notes; the model's `recorded` is set.
void add_description(const Race&, RaceModel&);

// What the shown race has otherwise than the window's call; both empty where it is that very call.
struct Differences {
  std::string words;  // "N 4,096, not 3,000; mask none, not causal"
  std::string raced;  // "N 4,096, mask none"
};

Differences differences(const Call&, const RaceRow&, RaceSource);

// "64k: out of memory, its workspace takes 256 GiB, the card has 140 GiB"; where the row beside it has another batch or
// other heads: "64k, 32 heads × batch 1: out of memory, …".
std::string no_memory_words(const RaceRow&, const RaceRow* beside = nullptr);

bool is_pytorch(const RaceRow&);

// "mma.sync, its instruction, reaches 62 % of the rate of its floor, …", of a recorded kernel whose products are its
// floor; empty of others.
std::string slower_instruction(const Race&, const RaceRow&);

// The pair of measured/win_pair.h at the raced call, and PyTorch's default there, or its fastest; nothing where one of
// the two has no row. Beside a recorded race of another call the figure is the call's. rows: of the bars; other: how
// the race differs from the call; the model's `recorded` is set.
void add_headline(const Race&, const std::vector<const RaceRow*>& rows, const std::string& other, const CallOfWindow&,
                  RaceModel&);

// The same where the bars are of the window's call: the figure is the call's, and `beside` names the recorded call near
// it, else the shown cell of the race whose curves are drawn.
struct ShownCell {
  std::vector<const RaceRow*> rows;
  std::string differs;  // its sizes that the call does not have
};
void add_headline_of_call(const RaceOfCall&, const Race&, const ShownCell&, const CallOfWindow&, RaceModel&);

// The columns are those of the offered metrics; the bars have rates and shares. The model does not know the local card.
// rows: of the bars, in their order; best: null where none counts.
void add_table(const Race&, const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel&);
void add_table_of_call(const RaceOfCall&, const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel&);

}  // namespace tilewalk
