#include "app/cli/text/which_text.h"

#include <fmt/format.h>

#include "base/words.h"
#include "core/schedules/registry.h"
#include "dispatch/call_words.h"
#include "session/document/session_file.h"

namespace tilewalk {
namespace {

const char* mark_of(WhichMark mark) {
  return mark == WhichMark::Passed ? "ok" : mark == WhichMark::Refused ? "NO" : " ·";
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t has = character_count(text);
  return has < width ? text + std::string(width - has, ' ') : text;
}

// A backend that PyTorch did not reach is one line: its own result.
std::string card_text(const WhichCard& card) {
  if (card.verdict == WhichVerdict::NotReached)
    return fmt::format("{}  {}: not reached. {}\n", padded(card.badge, 5), card.title, card.hint);
  std::size_t wide = 0, reached = 0;
  for (const WhichCheck& check : card.checks)
    if (check.mark != WhichMark::NotReached) wide = std::max(wide, character_count(check.says)), ++reached;
  std::string out = fmt::format("{}  {}: {}\n", padded(card.badge, 5), card.title, card.verdict_words);
  for (const WhichCheck& check : card.checks)
    if (check.mark != WhichMark::NotReached)
      out += fmt::format("       {}  {}  {}\n", mark_of(check.mark), padded(check.says, wide), check.value);
  if (const std::size_t rest = card.checks.size() - reached; rest > 0)
    out += fmt::format("        ·  {} more check{} not reached\n", rest, rest == 1 ? "" : "s");
  if (!card.hint.empty()) out += "       " + card.hint + "\n";
  return out;
}

Json checks_json(const BackendAnswer& one) {
  Json out = Json::array();
  for (const RuleAnswer& check : one.checks)
    out.push_back({{"rule", check.rule->says},
                   {"check", check.rule->check},
                   {"ok", check.ok ? Json(*check.ok) : Json(nullptr)},
                   {"value", check.value},
                   {"source", check.rule->source}});
  return out;
}

Json schedule_json(const KernelSchedule& shown) {
  return shown.schedule ? Json(schedule_row(*shown.schedule).identity.id) : Json(nullptr);
}
Json tile_json(const KernelSchedule& shown) {
  return shown.br && shown.bc ? Json::array({*shown.br, *shown.bc}) : Json(nullptr);
}
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

void put_shown(const KernelSchedule& shown, Json& out) {
  out["schedule"] = schedule_json(shown);
  out["tile"] = tile_json(shown);
  out["split_kv"] = shown.split_kv ? Json(*shown.split_kv) : Json(nullptr);
  out["splits"] = shown.splits ? Json(*shown.splits) : Json(nullptr);
  out["generation"] = text_or_null(shown.generation);
  out["unknown"] = text_or_null(shown.unknown);
}

void put_sdpa(const Call& call, const RuleTable& table, Json& out) {
  const WhichAnswer answer = answer_of(call, table);
  out["choice"] = answer.runs ? torch_name(*answer.runs) : "none";
  out["picked"] = answer.picked ? torch_name(*answer.picked) : "none";
  out["says"] = text_or_null(answer.raised);
  out["order"] = Json::array();
  for (const SdpaBackend backend : answer.order) out["order"].push_back(torch_name(backend));
  out["why_order"] = answer.why_order;
  out["backends"] = Json::array();
  for (const BackendAnswer& one : answer.backends)
    out["backends"].push_back({{"name", torch_name(one.backend)},
                               {"allowed", one.allowed},
                               {"tried", one.tried},
                               {"checks", checks_json(one)}});
  out["advice"] = Json::array();
  for (const Advice& one : advice_for(call, table))
    out["advice"].push_back({{"change", one.change},
                             {"then", torch_name(one.then)},
                             {"costs", text_or_null(one.costs)},
                             {"command", command_line_of(one.call)}});
  const KernelSchedule shown = answer.runs ? kernel_schedule(call, table, *answer.runs) : KernelSchedule{};
  put_shown(shown, out);
  out["torch"] = table.version;
  out["rules_like"] = text_or_null(table.like);
  out["build"] = kBuildWords[int(call.build)];
  out["cuda"] = text_of(answer.cuda);
  out["cudnn"] = text_of(answer.cudnn);
}

void put_way(const Call& call, const EntryPointAnswer& way, Json& out) {
  Json checks = Json::array();
  for (const EntryPointCheck& check : way.checks)
    checks.push_back({{"rule", check.says},
                      {"check", nullptr},
                      {"ok", check.ok ? Json(*check.ok) : Json(nullptr)},
                      {"value", check.value},
                      {"source", way.source}});
  out["choice"] = way.runs ? way.name : "none";
  out["picked"] = out["choice"];
  out["says"] = way.runs ? Json(nullptr) : Json(way.otherwise);
  out["order"] = Json::array({way.name});
  out["why_order"] = "";
  out["backends"] =
      Json::array({{{"name", way.name}, {"allowed", way.runs}, {"tried", true}, {"checks", std::move(checks)}}});
  out["advice"] = Json::array();
  put_shown(way.shown, out);
  out["torch"] = call.torch;
}

// The command line that opens the window.
std::string walk_line(const Problem& problem) {
  Document document;
  document.problem = problem;
  std::string out = command_line_for(document, "");
  if (const std::size_t twice = out.find("  "); twice != std::string::npos) out.erase(twice, 1);
  return out;
}

}  // namespace

std::string which_call_text(const WhichModel& m) {
  std::string out = m.versions + "\n" + m.call_line + "\n\n" + m.why_order + "\n\n";
  for (const WhichCard& card : m.cards) out += card_text(card);
  return out + fmt::format("\n{}{}{}\n", m.headline, m.so.starts_with('.') || m.so.starts_with(':') ? "" : " ", m.so);
}

std::string which_text(const WhichModel& m, const std::string& speed_up) {
  std::string out = which_call_text(m);
  if (!m.generation.empty()) out += fmt::format("Generation: {}.\n", m.generation);
  if (!m.unknown.empty()) out += m.unknown + "\n";
  if (!speed_up.empty()) out += speed_up + "\n";
  if (!m.advice.empty()) {
    const char* const between = m.advice_title.ends_with('?') ? " The" : ", the";
    out += fmt::format("\n{}{} smallest change first:\n", m.advice_title, between);
    for (const WhichAdvice& one : m.advice)
      out += fmt::format("  {}\n      then {}{}\n", one.words, one.then,
                         one.costs.empty() ? "" : "; the price: " + one.costs);
  } else {
    out += "\n" + m.no_advice + "\n";
  }
  for (const std::string& note : m.notes) out += "\n" + note + "\n";
  if (m.walk) out += fmt::format("\nWalk it, {}:\n  {}\n", m.walk_words, walk_line(*m.walk));
  if (!m.cost_line.empty()) out += "\n" + m.cost_title + ":\n  " + m.cost_line + "\n";
  if (!m.recorded.empty()) out += "\n" + m.recorded + "\n";
  out += "\nHow this was checked: " + m.checked + "\n";
  return m.other_versions.empty() ? out : out + m.other_versions + "\n";
}

Json which_json(const Call& call, const RuleTable& table, const WhichModel& m) {
  Json out = Json::object();
  const EntryPointAnswer way = entry_point_answer(call);
  if (way.by_sdpa)
    put_sdpa(call, table, out);
  else
    put_way(call, way, out);
  out["via"] = call.via;
  out["sm"] = sm_text(call.sm());
  out["walk"] = m.walk ? Json(walk_line(*m.walk)) : Json(nullptr);
  out["predict"] = text_or_null(m.cost_line);
  out["recorded"] = text_or_null(m.recorded);
  out["recorded_ms"] = m.recorded_ms.empty() ? Json(nullptr) : Json::object();
  for (const RecordedBackend& one : m.recorded_ms) out["recorded_ms"][word_of(one.who)] = one.ms;
  out["notes"] = m.notes;
  out["checked"] = m.checked;
  out["command"] = m.command_line;
  return out;
}

}  // namespace tilewalk
