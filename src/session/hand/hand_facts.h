// All that a number that is asked for is made of, as the screen counts it: what a person with a pencil has before them.
// Diagnosis, hints and prompts are written from it. Lists go by the columns of the tile at hand (of a whole row: all of
// it) or by the elements of a head; what the step has no such number of stays NaN or empty.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/schedules/registry.h"
#include "session/hand/hand_values.h"

namespace tilewalk {

// A number that is asked for, or given for another: as the table has it; of a backward pass, whose numbers are small,
// to four places below 0.1.
std::string asked_number(const Problem&, double value);

struct HandFacts {
  const Problem* problem = nullptr;
  Step step;                   // that makes it
  const Made* made = nullptr;  // its row of that step in the ledger of phases
  std::vector<Step> unit;      // and those that belong together with it
  HandPlace place;
  double right = NAN;
  std::vector<std::pair<MadeFrom, double>> sources;  // those of its row or its cell: what it is made of
  double scale = 1;                                  // of the scores
  double m_old = NAN, tile_max = NAN, m = NAN, alpha = NAN, beta = NAN, l_old = NAN, l = NAN, tile_l = NAN;
  double against = NAN;  // of P: what is subtracted from the score
  double lse = NAN, d = NAN, o_before = NAN, undivided = NAN, pv = NAN;
  bool first_visit = false;                         // the row had seen nothing
  std::vector<std::int64_t> cols;                   // those that the row may see, of the tile
  std::vector<double> s, p, v, dp, ds;              // by `cols`; v: the element asked for of each row of V
  std::vector<double> unmasked;                     // scores of every column of the tile, before the mask
  std::vector<double> q_row, k_row, do_row, v_row;  // by element of the head, of the cell's row and column
  std::vector<double> column_rows_p, column_rows_ds, column_do, column_q;  // by the rows of the Q tile: of dV and dK
  std::vector<double> ds_k;  // by `cols`: the element asked for of each row of K
  double gradient_before = NAN, gradient_factor = 1;
  std::vector<std::pair<std::int64_t, double>> same_of_others;  // this quantity of other rows (or columns)
  std::vector<double> log_sums;                                 // of a merge's splits

  // True if the number is made from this one as it stands in the visit; or as it was before it.
  bool reads(Quantity quantity) const { return made && made->reads(quantity); }
  bool reads_before(Quantity quantity) const { return made && made->reads_before(quantity); }
  std::optional<Quantity> subtrahend() const { return made ? made->subtrahend() : std::nullopt; }
  std::string number(double value) const;
  double power(double x) const;  // e^x, or 2^x in base 2
  double logarithm(double x) const;
  const char* base() const;
};

HandFacts facts_of(HandValues&, const HandKey&);
double dot(const std::vector<double>&, const std::vector<double>&);

}  // namespace tilewalk
