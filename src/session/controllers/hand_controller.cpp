#include "session/controllers/hand_controller.h"

#include <algorithm>
#include <cmath>

#include "base/shown.h"
#include "base/typed_quantity.h"
#include "core/problem/format_value.h"
#include "session/hand/hand_diagnosis.h"
#include "session/hand/hand_facts.h"
#include "session/hand/hand_words.h"

namespace tilewalk {
namespace {

TypedQuantity typed_answer(Quantity quantity, const std::string& text) {
  if (quantity == Quantity::Follow) {
    if (text == "yes" || text == "y") return {.value = 1, .unit = "", .error = ""};
    if (text == "no" || text == "n") return {.value = 0, .unit = "", .error = ""};
  }
  return typed_quantity(text, "");
}

std::string settle_first(const std::string& what) {
  return "Not that. Settle " + what + " first: this number is made of it.";
}

std::string answer_text(const Problem& p, Quantity quantity, double right) {
  if (quantity == Quantity::Follow) return right == 1 ? "yes" : "no";
  return asked_number(p, right);
}

}  // namespace

const HandField* HandController::field(const HandPlace& place) const {
  const auto at = std::find_if(fields_.begin(), fields_.end(), [&](const HandField& f) { return f.place == place; });
  return at == fields_.end() ? nullptr : &*at;
}

int HandController::open() const {
  return int(std::count_if(fields_.begin(), fields_.end(), [](const HandField& f) { return !f.stands(); }));
}

const HandField* HandController::first_open() const {
  const auto at = std::find_if(fields_.begin(), fields_.end(), [](const HandField& f) { return !f.stands(); });
  return at == fields_.end() ? nullptr : &*at;
}

bool HandController::all_right() const { return on() && !fields_.empty() && open() == 0; }

bool HandController::hidden(const HandPlace& place) const { return on() && hidden_answers_.hides(place); }

bool HandController::refused() {
  const Problem& p = document_.problem;
  Issues issues;
  const auto too_large = [&](const char* field, std::int64_t value) {
    if (value > kMostByHand)
      issues.push_back({field, std::to_string(value),
                        "is too large for a pencil: work by hand supports up to " + std::to_string(kMostByHand),
                        "Open the preset \"paper\", which fits"});
  };
  too_large("br", p.tiling.br);
  too_large("bc", p.tiling.bc);
  too_large("d", p.shape.d);
  if (p.fault != Fault::None)
    issues.push_back({"fault", name_of(p.fault), "makes this walk's numbers wrong, and work by hand needs correct ones",
                      "Take the mistake out: set-fault none"});
  if (issues.empty()) return false;
  messages_.refuse(issues, About::Problem);
  return true;
}

void HandController::stop() {
  rows_ = {};
  quantities_.clear();
  asked_.clear();
  fields_.clear();
  focus_.reset();
  values_.reset();
  hidden_answers_ = {};
  seen_ = {};
  cursor_ = -1;
}

void HandController::work_by_hand() {
  if (on()) return stop();
  carry_out(AskByHand{{HandRows::One, {}}, std::nullopt});
}

void HandController::carry_out(const AskByHand& c) {
  if (c.rows.kind == HandRows::None) return stop();
  if (refused()) return;
  if (!on()) tries_wrong_ = shown_ = 0;
  rows_ = c.rows;
  quantities_ = c.ask.value_or(HandQuantities{});
  std::erase_if(asked_, [](const auto& each) { return !each.second.stands(); });
  cursor_ = -1;
  begins_ = true;
}

bool HandController::follow(std::uint64_t problem_revision) {
  if (!on() || walk_.busy()) return false;
  if (problem_revision_ != problem_revision || !values_) {
    const bool another = problem_revision_ != problem_revision && values_;
    problem_revision_ = problem_revision;
    if (another && refused()) {
      stop();
      return true;
    }
    asked_.clear();
    values_ = std::make_unique<HandValues>(walk_.shared_schedule(), walk_.inputs());
    cursor_ = -1;
  }
  const std::int64_t selected = walk_.selection() ? walk_.selection()->row : -1;
  if (cursor_ == walk_.state().cursor && selected_ == selected) return false;
  cursor_ = walk_.state().cursor;
  selected_ = selected;
  ask();
  return true;
}

std::vector<std::int64_t> HandController::rows_at_hand() const {
  const Step& step = walk_.state().step;
  std::vector<std::int64_t> rows;
  if (step.q_tile < 0) return rows;
  const auto here = [&](std::int64_t row) { return row >= step.row_begin && row < step.row_end; };
  if (rows_.kind == HandRows::One) return {here(selected_) ? selected_ : values_->most_changing_row(step)};
  for (std::int64_t row = step.row_begin; rows_.kind == HandRows::All && row < step.row_end; ++row) rows.push_back(row);
  for (const std::int64_t row : rows_.these)
    if (here(row)) rows.push_back(row);
  return rows;
}

void HandController::ask() {
  fields_.clear();
  const State& state = walk_.state();
  if (state.started) {
    const std::int64_t unit = unit_of(walk_.schedule(), state.step).first;
    if (begins_) asked_from_ = state.step.index;
    if (!begins_ && unit != unit_) asked_from_ = unit;
    unit_ = unit;
    asked_from_ = std::min(asked_from_, state.step.index);
    for (const HandKey& key : asked_at(walk_.schedule(), state.step, rows_at_hand(), quantities_)) {
      if (!asked_.count(key)) {
        if (key.made_at < asked_from_) continue;
        const std::optional<double> right = values_->right(key);
        if (!right || std::isnan(*right)) continue;
        asked_[key] = {.place = key.place, .made_at = key.made_at};
      }
      fields_.push_back(asked_.at(key));
    }
  }
  begins_ = false;
  if (!focus_ || !field(*focus_)) focus_.reset();
  look();
}

void HandController::look() {
  std::vector<HandKey> open;
  for (const auto& [key, field] : asked_)
    if (!field.stands()) open.push_back(key);
  hidden_answers_ = walk_.state().started ? HiddenAnswers(walk_.schedule(), walk_.state().step, open) : HiddenAnswers();
  seen_ = walk_.state();
  hidden_answers_.put_on(seen_);
  for (HandField& field : fields_) rewrite_words(field);
}

// Writes the hint and the diagnosis again: a number in the old texts may be a field now.
void HandController::rewrite_words(HandField& field) {
  const bool wrong = field.state == HandState::Wrong;
  if (field.stands() || (!wrong && field.hints == 0)) return;
  const HandFacts facts = facts_of(*values_, {field.made_at, field.place});
  if (field.hints > 0) field.hint = hint_of(facts, hidden_answers_, field.hints);
  if (const std::string first = unsettled(facts, hidden_answers_); wrong && !first.empty()) {
    field.mistake.clear();
    field.diagnosis = settle_first(first);
  }
  keep(field);
}

HandField* HandController::at(const HandPlace& place) {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const HandField& f) { return f.place == place; });
  if (found != fields_.end()) return &*found;
  messages_.refuse({{"field", text_of(place), "is not a field at this step",
                     fields_.empty() ? "" : "One that is: " + text_of(fields_.front().place)}},
                   About::Cursor);
  return nullptr;
}

void HandController::keep(const HandField& field) { asked_.at({field.made_at, field.place}) = field; }

void HandController::settle(HandField& field, HandState state) {
  const double right = *values_->right({field.made_at, field.place});
  field.state = state;
  field.answer = answer_text(document_.problem, field.place.quantity, right);
  field.diagnosis.clear();
  field.mistake.clear();
  keep(field);
  look();
  focus_on_next(field.place);
}

void HandController::focus_on_next(const HandPlace& after) {
  focus_.reset();
  const auto here = std::find_if(fields_.begin(), fields_.end(), [&](const HandField& f) { return f.place == after; });
  for (auto next = here; next != fields_.end(); ++next)
    if (!next->stands()) return void(focus_ = next->place);
  if (const HandField* first = first_open()) focus_ = first->place;
}

void HandController::carry_out(const AnswerField& c) {
  HandField* field = at(c.field);
  if (!field || field->stands()) return;
  focus_ = c.field;
  field->typed = c.text;
  const HandKey key{field->made_at, field->place};
  const TypedQuantity answer = typed_answer(c.field.quantity, c.text);
  const std::optional<double> typed = answer.value;
  if (!typed) {
    field->diagnosis = c.text.empty()        ? "Nothing is typed yet."
                       : answer.begins_right ? answer.error
                                             : "\"" + tilewalk::shown(c.text, 40) + "\" is not a number.";
    return keep(*field);
  }
  const bool right = answers_field(*values_, key, *typed);
  const std::optional<HandDiagnosis> slip = right ? mistake_in_digits(*values_, key, *typed) : std::nullopt;
  if (right && !slip) return settle(*field, HandState::Right);
  field->state = HandState::Wrong;
  ++field->tries_wrong;
  ++tries_wrong_;
  const std::string first = unsettled(facts_of(*values_, key), hidden_answers_);
  const HandDiagnosis said = slip            ? *slip
                             : first.empty() ? diagnosed(*values_, key, *typed)
                                             : HandDiagnosis{"", settle_first(first)};
  field->mistake = said.mistake;
  field->diagnosis = said.words;
  keep(*field);
}

void HandController::carry_out(const HintField& c) {
  HandField* field = at(c.field);
  if (!field || field->stands()) return;
  focus_ = c.field;
  field->hints = std::min(field->hints + 1, kMostHints);
  field->hint = hint_of(facts_of(*values_, {field->made_at, field->place}), hidden_answers_, field->hints);
  keep(*field);
}

void HandController::carry_out(const ShowField& c) {
  HandField* field = at(c.field);
  if (!field || field->stands()) return;
  ++shown_;
  settle(*field, HandState::Shown);
}

void HandController::carry_out(const FocusField& c) {
  if (!c.field) return focus_.reset();
  if (at(*c.field)) focus_ = c.field;
}

std::string HandController::prompt_of_field(const HandField& field) const {
  return prompt_of(facts_of(*values_, {field.made_at, field.place}), hidden_answers_);
}

}  // namespace tilewalk
