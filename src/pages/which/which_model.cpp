#include "pages/which/which_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/units.h"
#include "core/predict/attention_call.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "dispatch/kernel/shows.h"
#include "dispatch/raced_kernel.h"
#include "pages/which/fields/which_fields.h"
#include "pages/which/times/predicted_times.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

constexpr const char* kWouldRun = "Enabled alone, it would run too.";
constexpr const char* kPlaces[] = {"1st", "2nd", "3rd", "4th"};

std::string card_words(const Call& call) {
  std::string out = call.device;
  for (char& c : out) c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  return out;
}

std::string call_line(const Call& c) {
  std::string out = fmt::format("{}, batch {}, {} head{}", name_of(c.type), format_count(c.batch),
                                format_count(c.heads), c.heads == 1 ? "" : "s");
  if (c.heads != c.heads_of_kv()) out += fmt::format(" ({} of K and V)", format_count(c.heads_of_kv()));
  out +=
      fmt::format(", N {}{}, d {}", format_count(c.n_q), c.n_q == c.keys() ? "" : " × " + format_count(c.keys()), c.d);
  if (c.d != c.value_size()) out += fmt::format(" (of V {})", c.value_size());
  if (c.has_mask()) out += ", attn_mask " + mask_words(c);
  if (c.is_causal) out += ", is_causal";
  if (c.dropout > 0) out += ", dropout " + format_number(c.dropout);
  if (c.training) out += ", training";
  return out;
}

std::string all_hold(std::size_t conditions, std::size_t topics) {
  if (conditions == 1) return "its one condition holds";
  return fmt::format("all {} conditions hold", conditions) +
         (topics > 1 && topics < conditions ? fmt::format(", on {} topics", topics) : "");
}

// Why the backend runs or does not, from the other fields.
void put_reason(WhichCard& card) {
  card.reason = card.verdict == WhichVerdict::Runs ? card.all_hold : card.hint;
  if (card.verdict != WhichVerdict::Refused) return;
  const auto failed = std::find_if(card.checks.begin(), card.checks.end(),
                                   [](const WhichCheck& check) { return check.mark == WhichMark::Refused; });
  if (failed == card.checks.end()) return;
  const bool off = failed->topic == "enabled";
  card.reason = off ? "it is switched off" : failed->refusal.empty() ? "it needs " + failed->says : failed->refusal;
  if (!off) card.yours = "yours is " + failed->value;
}

WhichCard card_of(const BackendAnswer& one, const WhichAnswer& answer, std::size_t place) {
  WhichCard card{
      .backend = one.backend, .title = backend_title(one.backend), .badge = kPlaces[std::min<std::size_t>(place, 3)]};
  card.checks = checks_of(one);
  card.stops = stops_of(card.checks);
  if (!one.tried) {
    card.verdict = WhichVerdict::NotReached;
    card.verdict_words = "not reached";
    const RuleAnswer* failed = one.failed();
    card.hint = failed                 ? fmt::format("It would want: {}.", failed->rule->says)
                : answer.lacks_kernels ? "Its checks pass, but this wheel has no kernel for the GPU."
                : one.raises.rule
                    ? fmt::format("Enabled alone, it would raise an error: it needs {}.", one.raises.rule->says)
                    : kWouldRun;
  } else if (!one.allowed) {
    card.verdict = WhichVerdict::Refused;
    card.verdict_words = "refused";
  } else if (answer.runs == one.backend) {
    card.verdict = WhichVerdict::Runs;
    card.verdict_words = "runs";
    card.all_hold = all_hold(card.checks.size(), card.stops.size());
  } else {
    card.verdict = WhichVerdict::Raises;
    card.verdict_words = "chosen, then raises";
    card.hint = "It needs " + answer.raised_rule + ".";
  }
  put_reason(card);
  return card;
}

void put_shown(const Call& call, const KernelSchedule& shown, WhichModel& out) {
  out.generation = shown.generation;
  out.unknown = shown.unknown;
  if (auto walk = kernel_walk(call, shown)) {
    out.walk = std::move(walk->problem);
    out.walk_words = std::move(walk->words);
  }
}

// Changes that people meet; most of them select another backend.
WhichTries tries_of(const Call& call) {
  constexpr struct {
    const char *label, *field, *text;
  } kTries[] = {{"float mask with a gradient", "attn-mask", "float-grad"},
                {"fp32", "dtype", "fp32"},
                {"d 80", "d", "80"},
                {"PyTorch 2.4", "torch", "2.4"}};
  const CallWords now = changed_fields(call);
  WhichTries out{"Try", {}};
  for (const auto& one : kTries) {
    const auto at = now.find(one.field);
    out.tags.push_back({one.label, at != now.end() && at->second == one.text, EditCall{one.field, one.text}});
  }
  return out;
}

void put_advice(const Call& call, const RuleTable& table, WhichModel& out) {
  const std::string order = fmt::format(
      "By speed, on {}: {}", call.on_gpu ? "full GPUs of SM " + sm_text(call.sm()) : "a CPU", rank_words(call));
  out.advice_title = out.runs ? "Faster?" : "What makes it run";
  for (const Advice& one : advice_for(call, table))
    out.advice.push_back({one.change, one.costs, torch_name(one.then), changed_fields(one.call)});
  if (!out.advice.empty()) return;
  const WhichAnswer answer = answer_of(call, table);
  const int first = std::max(speed_rank(call, SdpaBackend::Flash), call.on_gpu ? 4 : 0);
  if (!answer.runs)
    out.no_advice = "No single change, and no two together, make it run.";
  else if (speed_rank(call, answer.runs) >= first)
    out.no_advice = fmt::format("No backend of PyTorch ranks higher. {}.", order);
  else
    out.no_advice =
        fmt::format("No single change, and no two together, lead to a backend that ranks higher. {}.", order);
}

void put_priority_note(Call call, const RuleTable& table, WhichModel& out) {
  if (!call.on_gpu) return out.notes.push_back("On a CPU set_priority changes nothing.");
  call.set_priority = false;
  if (answer_of(call, table).order.front() == SdpaBackend::Cudnn && !table.set_priority_note.empty())
    out.notes.push_back(table.set_priority_note);
}

// The same flag means another mask in flash-attn from 2.1 on, and in what decoders do.
void put_causal_note(const Call& call, WhichModel& out) {
  if (!call.is_causal || call.n_q == call.keys() || call.n_q == 0 || call.keys() == 0) return;
  if (call.n_q == 1)
    return out.notes.push_back(fmt::format(
        "is_causal is aligned to the top left: the one query sees key 0 alone, and not the other {}. Decoding with a "
        "cache means no mask here: leave is_causal off.",
        format_count(call.keys() - 1)));
  if (call.n_q < call.keys())
    return out.notes.push_back(
        fmt::format("is_causal is aligned to the top left: query 0 sees key 0 alone, and no query sees a key after {}. "
                    "Decoding with "
                    "a cache means the bottom right, where the last query sees the last key: "
                    "torch.nn.attention.bias.causal_lower_right({}, {}), or flash-attn from 2.1 on.",
                    format_count(call.n_q - 1), call.n_q, call.keys()));
  out.notes.push_back(
      "is_causal is aligned to the top left: queries after the last key see all keys. flash-attn from 2.1 on aligns it "
      "to the bottom right, where the first queries see no key.");
}

void put_environment_notes(const Call& call, const RuleTable& table, const WhichAnswer& answer, WhichModel& out) {
  for (const auto& [name, value] : call.env)
    if (name.starts_with("TORCH_") && !reads_variable(table, name))
      out.notes.push_back(fmt::format("PyTorch {} does not read {} for this choice.", table.version, name));
  if (answer.runs && call.on_gpu && call.has_mask() && contains(table.drops_mask, *answer.runs))
    out.notes.push_back(
        fmt::format("PyTorch {} chooses {} here and does not pass the attn_mask on: the result is that without a mask.",
                    table.version, backend_title(*answer.runs)));
}

// GeForce cards are where Windows is.
void put_build_note(const Call& call, const RuleTable& table, const WhichAnswer& answer, WhichModel& out) {
  if (!call.on_gpu || call.build != TorchBuild::Linux || answer.runs != SdpaBackend::Flash) return;
  if (!call.device.starts_with("rtx")) return;
  Call windows = call;
  windows.build = TorchBuild::Windows;
  const std::optional<SdpaBackend> there = answer_of(windows, table).runs;
  out.notes.push_back(fmt::format("On Windows {}: PyTorch's wheels for Windows have no FLASH (--build windows).",
                                  there ? std::string(torch_name(*there)) + " runs" : std::string("nothing runs")));
}

void build_sdpa(const Call& call, const RuleTable& table, WhichModel& out) {
  const WhichAnswer answer = answer_of(call, table);
  out.fields = which_fields(call, answer.cuda, answer.cudnn, &answer);
  out.versions = fmt::format("{} · CUDA {} · cuDNN {}", table.title, text_of(answer.cuda), text_of(answer.cudnn));
  if (call.on_gpu && call.build != TorchBuild::Linux)
    out.versions += call.build == TorchBuild::Windows ? " · for Windows" : " · built from source";
  out.versions += call.on_gpu ? fmt::format(" · {}, SM {}", card_words(call), sm_text(call.sm())) : " · on the CPU";
  out.why_order = answer.why_order;
  for (std::size_t i = 0; i < answer.backends.size(); ++i) out.cards.push_back(card_of(answer.backends[i], answer, i));
  out.runs = answer.runs.has_value();
  out.plain = plain_answer(call, table, answer);
  if (answer.runs) {
    const KernelSchedule shown = kernel_schedule(call, table, *answer.runs);
    out.headline = torch_name(*answer.runs);
    out.so = "runs: " + shown.sentence + ".";
    put_shown(call, shown, out);
  } else {
    out.headline = "Nothing runs";
    out.so = fmt::format(". PyTorch says: “{}”{}", answer.raised, answer.raised.ends_with('.') ? "" : ".");
    if (answer.picked)
      out.so += fmt::format(" {} was chosen, and it needs {}; here: {}.", torch_name(*answer.picked),
                            answer.raised_rule, answer.raised_value);
  }
  out.tries = tries_of(call);
  put_advice(call, table, out);
  if (call.cuda && !answer.lacks_kernels)
    out.notes.push_back(
        fmt::format("No rule of PyTorch {} asks for CUDA's version: it changes nothing.", table.version));
  put_build_note(call, table, answer, out);
  put_environment_notes(call, table, answer, out);
  for (WhichCard& card : out.cards) {  // the change that would let a refused backend run, where a single one does
    if (card.verdict != WhichVerdict::Refused || !card.hint.empty()) continue;
    for (const WhichAdvice& advice : out.advice)
      if (card.title == backend_title(*backend_named(advice.then)) && card.hint.empty())
        card.hint = "Let through by: " + advice.words;
  }
  put_causal_note(call, out);
  if (call.set_priority) put_priority_note(call, table, out);
  if (call.set_priority && !table.can_set_priority)
    out.notes.push_back("This PyTorch knows no set_priority: the order of the list does not count.");
  if (!call.set_priority && call.enabled.size() > 1)
    out.notes.push_back("The order in sdpa_kernel's list counts only with set_priority=True.");
  out.checked = table.checked;
}

void build_way(const Call& call, const RuleTable& table, const EntryPointAnswer& way, WhichModel& out) {
  out.fields = which_fields(call, call.cuda.value_or(table.cuda), call.cudnn.value_or(table.cudnn), nullptr);
  out.versions = fmt::format("{} · {}", way.name,
                             call.on_gpu ? card_words(call) + ", SM " + sm_text(call.sm()) : std::string("on the CPU"));
  out.why_order = "PyTorch chooses nothing here: this way in has its own kernel.";
  WhichCard card{.title = way.name, .badge = "alone"};
  for (const EntryPointCheck& check : way.checks)
    card.checks.push_back({!check.ok   ? WhichMark::NotReached
                           : *check.ok ? WhichMark::Passed
                                       : WhichMark::Refused,
                           check.says, check.value, way.source});
  card.stops = stops_of(card.checks);
  card.verdict = way.runs ? WhichVerdict::Runs : WhichVerdict::Refused;
  card.verdict_words = way.runs ? "runs" : "refused";
  if (way.runs) card.all_hold = all_hold(card.checks.size(), card.stops.size());
  put_reason(card);
  out.cards.push_back(std::move(card));
  out.runs = way.runs;
  const bool eager = way.shown.schedule == shows::unfused;
  out.headline = !way.runs ? "Nothing runs" : eager ? "Eager attention" : way.shown.generation;
  out.so = way.runs ? "runs: " + way.shown.sentence + "." : ": " + way.otherwise + ".";
  out.plain = plain_answer(way);
  if (way.runs) put_shown(call, way.shown, out);
  if (!way.note.empty()) out.notes.push_back(way.note);
  out.advice_title = "What to change";
  out.no_advice = "Changes are tried for --via sdpa alone.";
  out.checked = "Read from " + way.source + " and the facts that its authors publish; not compared with a machine.";
}

void put_cost(const Call& c, WhichModel& out) {
  if (!modelled_call(c)) return;
  out.cost_line = fmt::format("tilewalk predict --device {} --n {} --d {} --heads {} --batch {} --mask {} --dtype {}",
                              c.device, c.n_q, c.d, c.heads, c.batch, c.is_causal ? "causal" : "none", name_of(c.type));
  if (c.kv_heads) out.cost_line += fmt::format(" --kv-heads {}", *c.kv_heads);
  std::vector<std::string> left_out;
  if (c.dropout > 0) left_out.push_back("dropout");
  if (c.training) left_out.push_back("the backward pass");
  out.cost_title = "What it costs" + std::string(c.has_mask() ? " without the attn_mask" : "");
  if (!left_out.empty()) out.cost_note = fmt::format("Not in that cost: {}.", fmt::join(left_out, ", "));
}

// What the call lacks for that backend to run, were it the only one enabled; empty: nothing.
std::string why_refused(Call call, const RuleTable& table, SdpaBackend backend) {
  call.enabled = {backend};
  const WhichAnswer answer = answer_of(call, table);
  if (answer.runs == backend) return "";
  const BackendAnswer* const own = answer.of(backend);
  const RuleAnswer* const failed = own ? own->failed() : nullptr;
  if (failed) return failed->rule->says;
  return answer.raised_rule.empty() ? "another call" : answer.raised_rule;
}

// Bars for a call that no race ran.
void put_predicted(const Call& call, const RuleTable& table, const RaceTimes* races, WhichModel& out) {
  std::vector<SdpaBackend> backends;
  for (const WhichCard& card : out.cards)
    if (card.verdict != WhichVerdict::Refused) backends.push_back(card.backend);
  const std::vector<PredictedTime> times = predicted_times(call, table, backends, races);
  if (times.empty()) return;
  for (const PredictedTime& each : times)
    for (WhichCard& card : out.cards) {
      if (card.backend != each.backend) continue;
      if (each.published_most_ms > 0) {
        card.published =
            fmt::format("others published {} to {}", ms_text(each.published_least_ms), ms_text(each.published_most_ms));
        card.published_least_ms = each.published_least_ms, card.published_most_ms = each.published_most_ms;
        card.published_source = each.published_source;
      }
      if (!each.ms) {
        card.not_recorded = each.lacks_room.empty() ? "neither recorded nor modelled" : each.lacks_room;
        if (!each.lacks_room.empty() && card.hint == kWouldRun)
          card.reason = card.hint = "Enabled alone, it would run out of memory.";
        continue;
      }
      card.predicted = ms_text(*each.ms), card.time_ms = *each.ms;
      card.bar_tag =
          (each.ratio == 1 ? "predicted, as " : fmt::format("predicted, {:.2f} times ", each.ratio)) + each.as;
      card.by_ratio = each.ratio != 1;
    }
  const bool by_ratio =
      std::any_of(out.cards.begin(), out.cards.end(), [](const WhichCard& card) { return card.by_ratio; });
  out.times_title = fmt::format("Predicted for an {}, forward{}{}", card_words(call),
                                call.has_mask() ? ", without the attn_mask" : "",
                                by_ratio ? ", by recorded ratios of two kernels" : "");
}

// Calls with an attn_mask were not raced: the times of the same call without it stand for them, and say so.
void put_times(Call call, const RuleTable& table, const RaceTimes* times, WhichModel& out) {
  const Call asked = call;
  out.without_mask = call.has_mask();
  const WhyRefused refusal = [&asked, &table](SdpaBackend backend) { return why_refused(asked, table, backend); };
  call.mask = CallMask::None;
  const RecordedCallTimes found = recorded_times_of(call, times);
  out.runs_as = contender_that_runs(asked, table);
  if (entry_point_answer(call).by_sdpa && table.version != kRecordedTorch)
    out.recorded_with = std::string("PyTorch ") + kRecordedTorch;
  const std::string with = out.recorded_with.empty() ? "" : " with " + out.recorded_with;
  if (!out.without_mask)
    out.recorded = recorded_words(found, call.device, out.runs_as, refusal,
                                  (with.empty() ? "this very call" : "these sizes" + with).c_str());
  else if (found.very_call)
    out.recorded = recorded_words(found, call.device, contender_that_runs(call, table), refusal,
                                  ("this call without the attn_mask" + with).c_str());
  const bool by_sdpa = entry_point_answer(call).by_sdpa;  // else its one card is of no backend
  if (!found.very_call) {
    if (by_sdpa) put_predicted(asked, table, times, out);
    return;
  }
  out.recorded_ms = found.backends;
  if (!by_sdpa) return;
  const bool any = std::any_of(found.backends.begin(), found.backends.end(),
                               [](const RecordedBackend& each) { return backend_of(each.who).has_value(); });
  out.times_title = fmt::format("Recorded{} for {} on an {}, forward", with,
                                out.without_mask ? "this call without the attn_mask"
                                : with.empty()   ? "this very call"
                                                 : "these sizes",
                                card_words(call));
  for (WhichCard& card : out.cards)
    for (const RecordedBackend& each : found.backends)
      if (backend_of(each.who) == card.backend) card.recorded = ms_text(each.ms), card.time_ms = each.ms;
  for (WhichCard& card : out.cards) {
    if (!card.recorded.empty() || !any) continue;
    card.not_recorded = "not recorded";
    // The race's eager attention does what MATH does, and is not MATH.
    for (const RecordedBackend& each : found.backends)
      if (each.who == Contender::Eager && card.backend == SdpaBackend::Math) {
        card.not_recorded += "; eager, the same steps as calls of your own, took " + ms_text(each.ms) +
                             (out.without_mask ? " without the mask" : "");
        card.time_ms = each.ms, card.bar_tag = "time of eager: its steps are those of MATH";
      }
  }
}

}  // namespace

std::string backend_title(SdpaBackend backend) {
  switch (backend) {
    case SdpaBackend::Flash: return "FLASH · FA-2";
    case SdpaBackend::Efficient: return "EFFICIENT · CUTLASS";
    case SdpaBackend::Math: return "MATH · eager";
    case SdpaBackend::Cudnn: return "cuDNN";
  }
  return "";
}

WhichModel build_which_model(const Call& call, const RuleTable& table, const RaceTimes* recorded) {
  WhichModel out;
  out.call_line = call_line(call);
  out.command_line = command_line_of(call);
  const EntryPointAnswer way = entry_point_answer(call);
  if (way.by_sdpa)
    build_sdpa(call, table, out);
  else
    build_way(call, table, way, out);
  if (way.by_sdpa && !way.note.empty()) out.notes.push_back(way.note);
  if (out.runs) put_cost(call, out);
  if (out.runs && (way.by_sdpa || way.shown.schedule == shows::unfused)) put_times(call, table, recorded, out);
  if (way.by_sdpa && table.like.empty())
    out.version_note = fmt::format("Rules of PyTorch {}; {} itself was run.", table.all_versions, table.version);
  else if (way.by_sdpa)
    out.version_note = fmt::format("Rules of PyTorch {}; {} itself was not run.", table.all_versions, table.version);
  if (way.by_sdpa)
    out.other_versions =
        fmt::format("There are rules here for PyTorch {}; --torch-history lists what changed. For another version, {}.",
                    table.all_versions, ask_torch_itself());
  return out;
}

}  // namespace tilewalk
