#include "view/words/call_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/units.h"
#include "core/problem/device_model.h"
#include "dispatch/entry_points.h"
#include "dispatch/raced_kernel.h"

namespace tilewalk {
namespace {

std::string heads_text(const Call& call) {
  const std::string kv = call.heads_of_kv() == call.heads ? "" : " on " + format_count(call.heads_of_kv());
  return fmt::format("{}×{}{} heads", format_count(call.batch), format_count(call.heads), kv);
}

std::string mask_text(const Call& call) {
  if (call.has_mask()) return "attn_mask";
  return call.is_causal ? "causal" : "no mask";
}

std::string place_text(const Call& call) { return call.on_gpu ? device_title(call.device) : "CPU"; }

bool walks(const Call& call, const Problem& p) {
  const Shape& shape = p.shape;
  return shape.n_q == call.n_q && shape.n_kv == call.keys() && shape.d == call.d && shape.batch == call.batch &&
         shape.heads == call.heads && shape.kv_heads == call.heads_of_kv() &&
         (shape.mask.kind == MaskKind::Causal) == call.is_causal;
}

}  // namespace

CallFieldModel field_model(const CallField& field, const Call& call) {
  CallFieldModel out{.name = field.name, .label = field.label, .text = field.text(call), .help = field.help};
  out.choices = field.choices;
  out.by_itself = out.text.empty();
  return out;
}

void put_drafts(CallFieldModel& field, const WhichController& which) {
  if (const auto typed = which.draft().find(field.name); typed != which.draft().end()) field.text = typed->second;
  for (const Issue& issue : which.issues())
    if (issue.field == field.name) field.issue = issue.rule;
}

std::optional<Contender> default_of_call(const Session& session) {
  const Call& call = session.call().call;
  if (session.lesson().lesson()) return std::nullopt;  // it may ask for it
  const RuleTable* const table = session.which().table();
  if (!table || !modelled_call(call) || call.has_mask() || call.dropout > 0 || call.training) return std::nullopt;
  return entry_point_answer(call).by_sdpa ? contender_that_runs(call, *table) : std::nullopt;
}

std::optional<NaiveWin> window_win(const Session& session) {
  if (!modelled_call(session.call().call)) return std::nullopt;
  return call_win(session.roofline().rows(), default_of_call(session), session.roofline().times());
}

std::string untimed_part(const Call& call) {
  if (call.has_mask()) return "the attn_mask";
  return call.dropout > 0 ? "dropout" : "";
}

std::string not_followed(const Session& session) {
  if (const std::string& why = session.roofline().not_followed(); !why.empty())
    return "The model of time does not cover the call (" + why + "): this is the last call that it covers.";
  const std::string untimed = untimed_part(session.call().call);
  return untimed.empty() ? "" : "The model of time leaves out " + untimed + ".";
}

CallModel build_call_model(const Session& session) {
  const Call& call = session.call().call;
  CallModel out;
  out.chip = fmt::format("{} · {} · {} · d {} · {}", place_text(call), name_of(call.type), heads_text(call), call.d,
                         mask_text(call));
  const bool listed = session.view().dialog() == Dialog::Call;
  for (const CallField& field : call_fields()) {
    const auto same = [&](const char* name) { return std::string_view(name) == field.name; };
    if (std::none_of(std::begin(kHeaderFields), std::end(kHeaderFields), same)) continue;
    CallFieldModel model = field_model(field, call);
    if (same("kv-heads") && model.by_itself) model.text = std::to_string(call.heads_of_kv());
    put_drafts(model, session.which());
    if (same("n-q")) out.n = model;
    if (listed) out.fields.push_back(std::move(model));
  }
  out.of_lesson = session.has_call_of_lesson();
  out.walked = walks(call, session.problem());
  return out;
}

}  // namespace tilewalk
