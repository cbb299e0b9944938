#include "pages/which/which_controller.h"

#include <algorithm>
#include <filesystem>

#include "base/units.h"
#include "core/problem/device_model.h"
#include "core/schedules/ledger.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "dispatch/advice.h"
#include "dispatch/entry_points.h"

namespace tilewalk {

void WhichController::read_rules() {
  if (!tables_.empty() || !missing_.empty()) return;
  if (!setup_.load_rules) {
    missing_ = "PyTorch's rules cannot be read here.";
  } else if (Result<std::vector<RuleTable>> loaded = setup_.load_rules(); loaded) {
    tables_ = std::move(*loaded);
  } else {
    missing_ = text_of(loaded.issues());
  }
}

const RuleTable* WhichController::table() const {
  const Result<const RuleTable*> found = table_for(tables_, call().torch);
  return found ? *found : nullptr;
}

Result<Call> WhichController::read(const CallWords& words) const {
  Result<Call> read = call_from(words);
  if (read && !tables_.empty())
    if (const auto found = table_for(tables_, read->torch); !found) return found.issues();
  return read;
}

// Changes the call only if every field is valid; otherwise keeps the texts and the reasons.
void WhichController::take(const CallWords& words) {
  const Result<Call> read = this->read(words);
  issues_ = read ? Issues{} : read.issues();
  if (!issues_.empty()) {
    draft_.clear();
    for (const Issue& issue : issues_)
      if (const auto at = words.find(issue.field); at != words.end()) draft_[issue.field] = at->second;
    return;
  }
  window_.call = *read;
  draft_.clear();
}

void WhichController::carry_out(const EditCall& c) {
  const auto known = [&](const CallField& field) { return c.field == field.name; };
  if (std::none_of(call_fields().begin(), call_fields().end(), known))
    return messages_.refuse("A call has no field " + c.field, About::Deed);
  read_rules();
  if (is_shape_field(c.field)) window_.as_raced = false;
  CallWords words = changed_fields(call());
  for (const auto& [field, text] : draft_) words[field] = text;
  words[c.field] = c.text;
  take(words);
  if (std::string sentence = c.field == "device" ? stand_in_sentence(c.text) : ""; !sentence.empty())
    messages_.say(std::move(sentence));
  if (draft_.empty() || draft_.count(c.field)) return;
  // An issue of another field does not block this one.
  words = changed_fields(call());
  words[c.field] = c.text;
  if (const Result<Call> alone = read(words)) window_.call = *alone;
}

void WhichController::carry_out(const TakeAdvice& c) {
  read_rules();
  if (!table()) return messages_.refuse(missing_, About::Deed);
  const std::vector<Advice> advice = advice_for(call(), *table());
  if (c.number < 1 || c.number > std::int64_t(advice.size()))
    return messages_.refuse("There is no advice " + format_count(c.number) + " for this call", About::Deed);
  take(changed_fields(advice[std::size_t(c.number - 1)].call));
}

bool WhichController::answer_presented(int direction) {
  if (answered_ || direction < 0) return false;
  answered_ = true;
  return true;
}

void WhichController::walk() {
  read_rules();
  if (!table()) return messages_.refuse(missing_, About::Deed);
  const EntryPointAnswer way = entry_point_answer(call());
  std::optional<SdpaBackend> runs;
  if (way.by_sdpa) runs = answer_of(call(), *table()).runs;
  if (way.by_sdpa ? !runs.has_value() : !way.runs)
    return messages_.refuse("Nothing runs, so there is nothing to walk", About::Deed);
  const auto shown = runs.has_value() ? kernel_schedule(call(), *table(), runs.value()) : way.shown;
  const std::optional<KernelWalk> walk = kernel_walk(call(), shown);
  if (!walk)
    return messages_.refuse(shown.schedule ? "A call of these sizes cannot be walked here"
                                           : "Which schedule runs is not known: " + shown.unknown,
                            About::Deed);
  adopt(walk->problem);
}

void WhichController::adopt(const Problem& problem) {
  if (const Issues issues = owner_.adopt(walking(document_, problem), false); !issues.empty())
    messages_.refuse(issues, About::Problem);
}

void WhichController::walk_kernel() {
  const std::optional<Problem> problem = problem_of(decode_kernel(name_));
  if (!problem) return messages_.refuse("That name has no schedule that can be walked here", About::Deed);
  adopt(*problem);
}

void WhichController::carry_out(const ReadName& c) { name_ = c.name.substr(0, kLongestShownName); }

void WhichController::carry_out(const OpenExampleProfile& c) {
  if (!setup_.load_example) return messages_.refuse("Profiles of the program cannot be read here", About::Deed);
  Result<Profile> read = setup_.load_example(c.name);
  if (!read) return messages_.refuse(read.issues(), About::Deed);
  close_profile();
  example_ = c.name;
  profile_.news = {.path = c.name + ".json", .profile = std::make_shared<const Profile>(std::move(*read))};
}

void WhichController::read_profile(const std::string& path) {
  example_.clear();
  profile_.news = {.path = path, .running = true};
  profile_.start();
}

void WhichController::carry_out(const ReportProfile& c) {
  if (c.news.path != profile_.news.path) return;  // another profile was requested meanwhile
  profile_.news = c.news;
  profile_.report(c.news.running, c.news.fraction);
}

void WhichController::close_profile() {
  if (profile_.running) profile_.stop();
  profile_.news = {};
  example_.clear();
}

void WhichController::forget_call() {
  window_ = {};
  draft_.clear();
  issues_.clear();
}

bool names_a_profile(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  return name.extension() == ".json" || name.extension() == ".csv";
}

}  // namespace tilewalk
