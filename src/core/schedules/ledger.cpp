#include "core/schedules/ledger.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <utility>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using enum Quantity;
using T = TensorId;

constexpr const char *kScoresFormula = "QKᵀ{scale}",
                     *kScoresNote = "Multiply Q's row and K's row element by element, add up, then apply the scale.",
                     *kAtMostOne = "It is never above 1.", *kFirstO = "O is 0 before the first visit",
                     *kFirstL = "ℓ is 0 before the first visit", *kFirstM = "m is −∞ before the first visit";

// Read from HBM, or rounded as it leaves: nothing to work out.
Made given(Quantity quantity) { return {.quantity = quantity, .asked = false, .printed = false, .given = true}; }
Made result(Quantity quantity, std::vector<MadeFrom> from) {
  return {.quantity = quantity, .from = std::move(from), .asked = false, .printed = false, .result = true};
}

// S = Q K^T and its mask, the same in every schedule that computes scores.
PhaseLedger with_scores(PhaseLedger rows) {
  rows.push_back(
      {Phase::Scores, {{.quantity = S, .from = {T::Q, T::K}, .formula = kScoresFormula, .note = kScoresNote}}});
  rows.push_back({Phase::Mask, {{.quantity = S, .from = {S}, .formula = kScoresFormula, .asked = false}}});
  return rows;
}

// dV, dP, dS, dQ and dK, the same in every backward pass.
PhaseLedger with_gradients(PhaseLedger rows) {
  rows.push_back({Phase::GradV,
                  {{.quantity = DV,
                    .from = {before(DV), P, T::dO},
                    .formula = "dV before + Pᵀ dO",
                    .start = "dV is 0 at the start"}}});
  rows.push_back({Phase::GradP, {{.quantity = DP, .from = {T::dO, T::V}, .formula = "dO Vᵀ"}}});
  rows.push_back({Phase::GradS, {{.quantity = DS, .from = {P, DP, D}, .formula = "P × (dP − D)"}}});
  rows.push_back({Phase::GradQ,
                  {{.quantity = DQ,
                    .from = {before(DQ), DS, T::K},
                    .formula = "dQ before + dS K",
                    .start = "dQ is 0 at the start"}}});
  rows.push_back({Phase::GradK,
                  {{.quantity = DK,
                    .from = {before(DK), DS, T::Q},
                    .formula = "dK before + dSᵀ Q",
                    .start = "dK is 0 at the start"}}});
  return rows;
}

Made alpha() {
  return {.quantity = Alpha, .from = {M, before(M)}, .formula = "{b}^(m{old} − m{new})", .note = kAtMostOne};
}
Made row_dot(std::vector<MadeFrom> from, const char* formula) {
  return {.quantity = D, .from = std::move(from), .formula = formula};
}
Made scaled_dq() {
  return {
      .quantity = DQ, .from = {DQ}, .formula = "dQ × {factor}", .letter = "final dQ", .asked = false, .result = true};
}

PhaseLedger online() {
  return with_scores(
      {{Phase::LoadQ, {fresh(M), fresh(L), fresh(O)}},
       {Phase::RowMax, {tile_max(false), running_max()}},
       {Phase::Rescale, {alpha(), {.quantity = O, .from = {before(O), Alpha}, .asked = false, .printed = false}}},
       {Phase::Exponentiate, {{.quantity = P, .from = {M, S}, .formula = "{b}^(S − m)"}}},
       {Phase::RowSum,
        {{.quantity = L,
          .from = {before(L), Alpha, P},
          .formula = "α × ℓ{old} + the sum of the row of P",
          .start = kFirstL}}},
       {Phase::Accumulate,
        {{.quantity = O, .from = {before(O), Alpha, P, T::V}, .formula = "α × O before + P V", .start = kFirstO}}},
       {Phase::Normalise,
        {{.quantity = O, .from = {O, L}, .formula = "O / ℓ", .letter = "final O", .result = true},
         {.quantity = LogSum, .from = {M, L}, .formula = "m + {log} ℓ", .asked = false, .result = true}}}});
}

PhaseLedger per_tile() {
  return with_scores(
      {{Phase::Initialise, {fresh(M), fresh(L), fresh(O)}},
       {Phase::RowMax, {tile_max(true)}},
       {Phase::Exponentiate, {{.quantity = P, .from = {TileMax, S}, .formula = "{b}^(S − tile max)"}}},
       {Phase::RowSum, {{.quantity = TileSum, .from = {P}, .formula = "the sum of the row of P in this tile"}}},
       {Phase::Rescale,
        {running_max(),
         alpha(),
         {.quantity = Beta, .from = {M, TileMax}, .formula = "{b}^(tile max − m{new})", .note = kAtMostOne},
         {.quantity = L,
          .from = {before(L), Alpha, Beta, TileSum},
          .formula = "α × ℓ{old} + β × tile ℓ",
          .start = kFirstL}}},
       {Phase::Accumulate,
        {{.quantity = PV, .from = {P, T::V}, .formula = "the product of P and the tile of V", .asked = false}}},
       {Phase::Normalise,
        {{.quantity = O,
          .from = {before(O), Alpha, before(L), Beta, PV, L},
          .formula = "(α × ℓ{old} × O before + β × P V) / ℓ{new}",
          .start = kFirstO}}},
       // The last visit leaves L in m and l; where the dtype has 16 bits, O is rounded by a launch of its own.
       {Phase::Store, {result(O, {O}), result(LogSum, {M, L})}, SectionName::Walk},
       {Phase::Store, {result(O, {O})}}});
}

PhaseLedger whole_rows() {
  return with_scores(
      {{Phase::RowMax, {{.quantity = M, .from = {S}, .formula = "the largest S of the whole row"}}},
       {Phase::Exponentiate,
        {{.quantity = P, .from = {M, S}, .formula = "{b}^(S − m)", .print_letter = "E", .asked = false}}},
       {Phase::RowSum, {{.quantity = L, .from = {P}, .formula = "the sum of the whole row of {E}"}}},
       {Phase::Divide, {{.quantity = P, .from = {M, S, L}, .formula = "{E} / ℓ"}}},
       {Phase::Accumulate,
        {{.quantity = O, .from = {before(O), P, T::V}, .formula = "O before + P V", .start = kFirstO}}},
       {Phase::Store, {result(O, {O})}}});
}

PhaseLedger from_l() {
  return with_gradients(
      with_scores({{Phase::LoadOutputs, {given(O)}},
                   {Phase::RowDot, {row_dot({T::dO, O}, "the sum of the row of dO × O")}},
                   {Phase::StoreD, {fresh(DQ)}},
                   {Phase::LoadKV, {fresh(DK), fresh(DV)}},
                   {Phase::LoadRows, {given(LogSum)}},
                   {Phase::Exponentiate, {{.quantity = P, .from = {S, LogSum}, .formula = "{b}^(S − L)"}}},
                   {Phase::StoreDKV, {result(DK, {DK}), result(DV, {DV})}},
                   {Phase::ScaleDQ, {scaled_dq()}}}));
}

PhaseLedger from_max_sum() {
  return with_gradients(
      with_scores({{Phase::Initialise, {fresh(DQ)}},
                   {Phase::LoadKV, {fresh(DK), fresh(DV)}},
                   {Phase::LoadRows, {given(O), given(M), given(L)}},
                   {Phase::Exponentiate,
                    {{.quantity = P, .from = {M, S}, .formula = "{b}^(S − m)", .print_letter = "E", .asked = false}}},
                   {Phase::Divide, {{.quantity = P, .from = {M, S, L}, .formula = "{E} / ℓ"}}},
                   {Phase::RowDot, {row_dot({T::dO, O}, "the sum of the row of dO × O")}},
                   {Phase::StoreDKV, {result(DK, {DK}), result(DV, {DV})}},
                   {Phase::ScaleDQ, {scaled_dq()}}}));
}

PhaseLedger stored() {
  return with_gradients({{Phase::LoadPDO, {given(P)}},
                         {Phase::RowDot, {row_dot({P, DP}, "the sum of the row of P × dP")}},
                         {Phase::StoreDV, {result(DV, {DV})}},
                         {Phase::StoreDQ, {scaled_dq()}},
                         {Phase::StoreDK, {result(DK, {DK})}}});
}

void replace(std::string& text, const std::string& token, const std::string& by) {
  for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at + by.size()))
    text.replace(at, token.size(), by);
}

std::string scale_text(const Problem& p) {
  if (p.numerics.scale == 1.0) return "";
  if (p.numerics.scale) {
    char text[32];
    std::snprintf(text, sizeof text, " × %.4g", *p.numerics.scale);
    return text;
  }
  return p.numerics.base == Base::E ? " / √d" : "";
}

std::string threshold_text(const Problem& p) {
  if (!(p.tiling.rescale_threshold > 0)) return "";
  return "; m{old} stays if the tile max is above it by " + compact_number(p.tiling.rescale_threshold) +
         " log2 units at most";
}

}  // namespace

MadeFrom before(Quantity quantity) {
  MadeFrom out(quantity);
  out.before = true;
  return out;
}

Made fresh(Quantity quantity) { return {.quantity = quantity, .asked = false, .printed = false}; }

Made tile_max(bool asked) {
  return {.quantity = TileMax,
          .from = {S},
          .formula = "the row's largest S in this tile",
          .note = "Masked scores do not count.",
          .asked = asked};
}

Made running_max() {
  return {
      .quantity = M, .from = {before(M), TileMax}, .formula = "the larger of m{old} and tile max", .start = kFirstM};
}

bool Made::reads(Quantity of) const {
  return std::any_of(from.begin(), from.end(),
                     [of](const MadeFrom& source) { return source.quantity == of && !source.before; });
}

bool Made::reads_before(Quantity of) const {
  return std::any_of(from.begin(), from.end(),
                     [of](const MadeFrom& source) { return source.quantity == of && source.before; });
}

std::optional<Quantity> Made::subtrahend() const {
  for (const MadeFrom& source : from)
    if (source.quantity && *source.quantity != S && ledger_row(*source.quantity).is_score) return source.quantity;
  return std::nullopt;
}

static const PhaseLedger& phase_ledger(SoftmaxKind kind) {
  static const std::array<PhaseLedger, 6> ledgers = {whole_rows(), online(),       per_tile(),
                                                     from_l(),     from_max_sum(), stored()};
  return ledgers[std::size_t(kind)];
}

const std::vector<Made>& made_by(const ScheduleRow& row, SectionName section, Phase phase) {
  static const std::vector<Made> nothing;
  const auto find = [&](const PhaseLedger& ledger) -> const PhaseRow* {
    for (const PhaseRow& each : ledger)
      if (each.phase == phase && (!each.section || *each.section == section)) return &each;
    return nullptr;
  };
  if (row.walk.own_phases)
    if (const PhaseRow* own = find(row.walk.own_phases())) return own->makes;
  const PhaseRow* common = find(phase_ledger(row.walk.softmax));
  return common ? common->makes : nothing;
}

bool reads_input(const ScheduleRow& row, const Step& step, TensorId input) {
  for (const Made& made : made_by(row, step.section_name, step.phase))
    for (const MadeFrom& from : made.from)
      if (!from.quantity && from.input == input) return true;
  return false;
}

const Made* made_by(const ScheduleRow& row, const Step& step, Quantity quantity) {
  for (const Made& made : made_by(row, step.section_name, step.phase))
    if (made.quantity == quantity) return &made;
  return nullptr;
}

// Every row of a schedule's ledger: its own, then those of its kind of softmax that it does not replace.
static std::vector<const Made*> all_made(const ScheduleRow& row) {
  std::vector<const Made*> all;
  const auto add = [&all](const PhaseRow& phase) {
    for (const Made& made : phase.makes) all.push_back(&made);
  };
  const PhaseLedger none, &own = row.walk.own_phases ? row.walk.own_phases() : none;
  for (const PhaseRow& phase : phase_ledger(row.walk.softmax))
    if (std::none_of(own.begin(), own.end(), [&](const PhaseRow& each) { return each.phase == phase.phase; }))
      add(phase);
  for (const PhaseRow& phase : own) add(phase);
  return all;
}

static bool any_made(const ScheduleRow& row, const std::function<bool(const Made&)>& condition) {
  const std::vector<const Made*> all = all_made(row);
  return std::any_of(all.begin(), all.end(), [&](const Made* made) { return condition(*made); });
}

bool makes(const ScheduleRow& row, Quantity quantity) { return last_made(row, quantity) != nullptr; }

bool runs(const ScheduleRow& row, Quantity quantity) {
  return any_made(row, [&](const Made& made) { return made.quantity == quantity && made.reads_before(quantity); });
}

bool is_given(const ScheduleRow& row, Quantity quantity) {
  return any_made(row, [&](const Made& made) { return made.quantity == quantity && made.given; });
}

const Made* last_made(const ScheduleRow& row, Quantity quantity) {
  const Made* last = nullptr;
  for (const Made* made : all_made(row))
    if (made->quantity == quantity && !made->from.empty()) last = made;
  return last;
}

bool has_input(const ScheduleRow& row, TensorId id) {
  return any_made(row, [id](const Made& made) {
    return std::any_of(made.from.begin(), made.from.end(),
                       [id](const MadeFrom& source) { return !source.quantity && source.input == id; });
  });
}

std::vector<TensorId> inputs_of(const ScheduleRow& row) {
  std::vector<TensorId> out;
  for (const TensorId id : kInputTensors)
    if (has_input(row, id)) out.push_back(id);
  return out;
}

std::vector<Quantity> results_of(const ScheduleRow& row) {
  std::vector<Quantity> out;
  for (const QuantityRow& each : quantity_ledger())
    if (any_made(row, [&](const Made& made) { return made.quantity == each.id && made.result; }))
      out.push_back(each.id);
  return out;
}

std::vector<MadeAt> phases_that_make(const Schedule& schedule, Quantity quantity) {
  const ScheduleRow& row = schedule_row(schedule.problem().schedule);
  std::vector<MadeAt> out;
  for (int s = 0; s < schedule.section_count(); ++s) {
    const SectionPlan& section = schedule.section(s);
    const auto look = [&](const std::vector<Phase>& phases, bool in_visit) {
      for (const Phase phase : phases)
        for (const Made& made : made_by(row, section.name, phase))
          if (made.quantity == quantity) out.push_back({s, in_visit, phase, &made});
    };
    look(section.prologue, false);
    look(section.visit, true);
    look(section.epilogue, false);
  }
  return out;
}

bool has_made(const Schedule& schedule, const Step& step, Quantity quantity) {
  for (const MadeAt& at : phases_that_make(schedule, quantity))
    if (at.section == step.section && at.in_visit == step.in_visit() && !at.made->from.empty() &&
        has_reached(schedule, step, at.phase))
      return true;
  return false;
}

std::string letter_of(const Made& made, Notation notation) {
  if (notation == Notation::Print && made.print_letter) return made.print_letter;
  std::string letter = made.letter ? made.letter : ledger_row(made.quantity).letter;
  const bool runs = made.formula && std::string_view(made.formula).find("{old}") != std::string_view::npos;
  return runs && notation == Notation::Screen && ledger_row(made.quantity).before ? letter + " new" : letter;
}

std::string formula_of(const Problem& p, const Made& made, Notation notation) {
  const std::string right = right_side_of(p, made, notation);
  return right.empty() ? "" : letter_of(made, notation) + " = " + right;
}

std::string right_side_of(const Problem& p, const Made& made, Notation notation) {
  if (!made.formula) return "";
  const bool base_two = p.numerics.base == Base::Two, screen = notation == Notation::Screen;
  std::string text = made.formula;
  if (made.start && notation == Notation::Print) text += std::string("; ") + made.start;
  replace(text, "{threshold}", threshold_text(p));
  replace(text, "{E}", screen ? "{b}^(S − m)" : "E");
  replace(text, "{old}", screen ? " old" : " before");
  replace(text, "{new}", screen ? " new" : "");
  replace(text, "{b}", base_two ? "2" : "e");
  replace(text, "{log}", base_two ? "log₂" : "ln");
  replace(text, "{scale}", scale_text(p));
  replace(text, "{factor}",
          signed_number(double(p.gradient_factor()), 4) + ", the scale of S" + (base_two ? " times ln 2" : ""));
  return text;
}

}  // namespace tilewalk
