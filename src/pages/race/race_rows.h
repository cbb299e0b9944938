// The rows that bars and table of the race's page show, from one of two sources: a race that was run, at the chosen
// cell; or the window's call where it was not raced, by the model of time. The builder of the page asks the source and
// does not know which one it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pages/race/race_parts.h"

namespace tilewalk {

class RaceRows {
 public:
  virtual ~RaceRows() = default;
  virtual const Race& race() const = 0;
  virtual std::vector<const RaceRow*> rows() const = 0;               // of every kernel, in the order of the bars
  virtual bool are_of_call() const = 0;                               // the window's call, which was not raced
  virtual bool is_predicted(const RaceRow&) const = 0;                // its time is the model's
  virtual bool all_predicted() const = 0;                             // so are all times
  virtual std::string detail(const RaceRow&) const = 0;               // for a tooltip
  virtual std::string no_memory(const RaceRow&) const = 0;            // why it has no figure
  virtual const RaceRow* mark_of(const std::string& rung) const = 0;  // its own mark on the curves; null: none
  virtual void add_table(const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel&) const = 0;
  // Sets the speed-up, its words and the note below them, from the rows of the bars.
  virtual void add_headline(const std::vector<const RaceRow*>& rows, RaceModel&) const = 0;
};

int order_of_rung(const std::string&);  // of the bars

// The rows of `race` at `cell`. differs: how they are otherwise than the window's call.
std::unique_ptr<RaceRows> raced_rows(const Race&, const RaceCell& cell, Differences differs, const CallOfWindow&);

// The rows of the call. nearest: the raced ones beside it, of `race`, whose curves are shown.
std::unique_ptr<RaceRows> predicted_rows(RaceOfCall, const Race&, const RaceCell& cell, std::string raced,
                                         const CallOfWindow&);

// Rates over the lengths `ns` of `race` at that head size and mask. kernels: the rungs that are shown; empty: all.
void add_curves(const Race&, const RaceCell&, const std::vector<std::int64_t>& ns,
                const std::vector<std::string>& kernels, const RaceRows&, RaceModel&);

}  // namespace tilewalk
