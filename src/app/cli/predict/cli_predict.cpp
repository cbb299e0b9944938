// tilewalk predict: predicted times of attention on a card or a processor, by contender, beside recorded ones.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/predict/predict_parts.h"
#include "app/cli/verbs.h"
#include "base/contains.h"
#include "base/units.h"
#include "core/predict/published.h"
#include "measured/prediction_error.h"
#include "measured/win_pair.h"
#include "pages/roofline/roof_words.h"
#include "pages/roofline/roofline_controller.h"
#include "session/resources.h"
#include "view/words/naive_win.h"
#include "view/words/paper_reason.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

constexpr const char* kTypedCard = "own";

struct AskedCard {
  DeviceModel device;
  std::string name;  // kTypedCard where rates were typed
  bool own = false;
};

Result<AskedCard> measured_card(const MeasuredMachine& machine) {
  if (!machine.card)
    return Issue{"device", kYourCard,
                 machine.no_card.empty() ? "was not measured yet" : "was not measured: " + machine.no_card,
                 "Run tilewalk predict --measure"};
  const DeviceModel* const like = device_like(machine.card->name);
  DeviceModel card = own_card(like ? *like : device_of(kRecordedOn), machine.card->copy_gb_per_s,
                              machine.card->product_tflops, RateFrom::MeasuredHere);
  card.title = "Your " + machine.card->name + " (" + machine.date + ")";
  return AskedCard{std::move(card), kYourCard, true};
}

Result<AskedCard> card_asked(const CommandLine& line) {
  const std::string name = line.option("device").value_or(kRecordedOn);
  const std::optional<DeviceModel> like = device_named(name);
  Issues issues;
  if (!like)
    issues.push_back(no_such_device(
        "device", name, std::string(", cpu, or after --measure ") + kYourCard + " or " + your_processor_name()));
  const auto rate = [&](const char* field) -> std::optional<double> {
    std::optional<double> value;
    if (const auto text = line.option(field)) put(card_rate(field, *text), value, issues);
    return value;
  };
  const auto bandwidth = rate("bandwidth"), peak = rate("peak");
  if (!issues.empty()) return issues;
  const bool own = bandwidth || peak;
  return AskedCard{own_card(*like, bandwidth, peak), own ? kTypedCard : name, own};
}

std::string source_of(const AskedCard& card) {
  return card.name == kTypedCard ? card.device.title + ": rates as they were typed" : ceilings_of(card.device).source;
}

std::string bandwidth_text(double bytes_per_s) {
  return bytes_per_s < 1e12 ? format_digits(bytes_per_s / 1e9, 3) + " GB/s"
                            : fmt::format("{:.2f} TB/s", bytes_per_s / 1e12);
}

std::string tflops_text(double flop_per_s) {
  const double tflops = flop_per_s / 1e12;
  return tflops < 100 ? format_digits(tflops, 3) : fmt::format("{:.0f}", tflops);
}

void print_eager(const std::vector<PredictionRow>& rows) {
  const PredictionRow* const eager = find_row(rows, Contender::Eager);
  if (!eager || !eager->predicted.there) return;
  std::vector<std::vector<std::string>> lines;
  for (const OperationLine& line : lines_of(eager->predicted)) lines.push_back({line.line, line.bytes, line.ms});
  say("\n  eager, as people write it in PyTorch\n");
  say("{}", table_text({"", "bytes", "takes"}, lines, "  "));
  say("  {}\n", trips_sentence(eager->predicted, find_row(rows, Contender::FlashV2)));
}

// A rate or a time with one end or two: "78 to 125".
std::string range_text(const std::string& least, const std::string& most) {
  return least == most ? least : least + " to " + most;
}

void print_published(const AttentionCall& call, const DeviceModel& device) {
  const std::vector<PublishedTime> times = published_times(call, device);
  if (times.empty()) return;
  std::vector<std::vector<std::string>> lines;
  bool first_generation = false, fourth = false;
  for (const PublishedTime& time : times) {
    const std::string_view method = time.rate->method;
    first_generation |= method.starts_with("FA-1"), fourth |= method.starts_with("FA-4");
    lines.push_back(
        {time.rate->method,
         range_text(fmt::format("{:.0f}", time.rate->least_tflops), fmt::format("{:.0f}", time.rate->most_tflops)) +
             " TFLOP/s",
         range_text(ms_text(time.least_ms), ms_text(time.most_ms))});
  }
  say("  Published by others for such calls, forward; no prediction uses these:\n");
  say("{}", table_text({"", "rate", "takes"}, lines, "  "));
  std::vector<std::string> sources;
  for (const PublishedTime& time : times)
    if (!contains(sources, time.rate->source)) sources.push_back(time.rate->source);
  say("  From: {}.\n", fmt::join(sources, "; "));
  if (first_generation)
    say("  FA-1 above is this project's kernel, with its loops as published: one thread block a head. The released one "
        "(v1.0.9) also divides a head's rows among thread blocks.\n");
  if (fourth)
    say("  FA-4 has no kernel here, and can be walked: tilewalk --schedule flash_v4 --device {} --n {} --d {}\n",
        device.name, call.n, call.d);
}

Json published_json(const AttentionCall& call, const DeviceModel& device) {
  Json out = Json::array();
  for (const PublishedTime& time : published_times(call, device))
    out.push_back({{"method", time.rate->method},
                   {"n", call.n},
                   {"d", call.d},
                   {"heads", call.heads},
                   {"batch", call.batch},
                   {"causal", call.causal},
                   {"tflops", {time.rate->least_tflops, time.rate->most_tflops}},
                   {"ms", {time.least_ms, time.most_ms}},
                   {"source", time.rate->source}});
  return out;
}

void print_call(const std::vector<PredictionRow>& rows, const DeviceModel& device, bool alone, bool own) {
  say("{}\n", call_title(rows.front().predicted.call));
  std::vector<std::vector<std::string>> lines;
  const PredictionRow* const naive = find_row(rows, Contender::Naive);
  for (const PredictionRow& row : rows) {
    const Prediction& p = row.predicted;
    const auto faster = times_as_fast(rows, row, Contender::Naive);
    const bool both_predicted = p.predicted_ms && naive && naive->predicted.predicted_ms;
    const auto floor = [&](double ms) { return p.there ? ms_text(ms) : std::string("–"); };
    lines.push_back({p.method->title, p.there ? big_bytes(p.dram_bytes) : "–", floor(p.floor_bytes_ms),
                     floor(p.floor_flops_ms), floor(p.floor_exp_ms), or_dash(p.pencil_ms), or_dash(p.predicted_ms),
                     or_dash(row.recorded_ms), error_cell(row),
                     faster ? times_text_of(*faster) + (both_predicted ? " predicted" : " recorded") : "–"});
  }
  say("{}", table_text({"", "DRAM", "by bytes", "by products", "by exps", "on paper", "predicted", "recorded", "error",
                        "vs naive"},
                       lines, "  "));
  const std::optional<NaiveWin> win = call_win(rows);
  const bool recorded = win && std::string_view(win->kind) == "recorded";  // the model's pair is a second one
  std::vector<std::string> said = {win ? win->figure() + " " + win->words() : "", launches_sentence(rows),
                                   recorded || !win ? win_sentence(rows) : ""};
  if (const PredictionRow* const fastest = fastest_here(rows)) said.push_back(roof_sentence(*fastest, device));
  said.push_back(padding_sentence(rows, device));
  const std::int64_t n = rows.front().predicted.call.keys();  // of a row of scores
  if (naive && naive->predicted.there) said.push_back(naive_jump_sentence(n));
  if (const PredictionRow* const eager = find_row(rows, Contender::Eager); eager && eager->predicted.there)
    said.push_back(eager_jump_sentence(n));
  for (std::string& why : paper_sentences(rows, true)) said.push_back(std::move(why));
  for (std::string& note : notes_of(rows, device)) said.push_back(std::move(note));
  for (const std::string& sentence : said)
    if (!sentence.empty()) say("  {}\n", sentence);
  if (!own) print_published(rows.front().predicted.call, device);
  if (alone) print_eager(rows);
  say("\n");
}

int on_card(const CommandLine& line, const AskedCard& card, const std::vector<AttentionCall>& calls, Json out) {
  std::optional<RaceTimes> times;
  if (const Result<std::string> root = find_resource_root(); root && !card.own && was_raced(card.device.name)) {
    Result<RaceTimes> found = load_race_times(*root, card.device.name);
    if (!found) return refuse(found.issues());
    times = std::move(*found);
  }
  out["device"] = device_json(card.device, card.name);
  out["ceilings"] = ceilings_json(card.device);
  out["ceilings"]["source"] = source_of(card);
  out["rows"] = Json::array();
  out["published"] = Json::array();
  const Ceilings roof = ceilings_of(card.device);
  if (!line.has("json")) {
    const double wide = card.device.wide_tflops * 1e12;
    say("On {}. Roofs: {}, {} TFLOP/s ({}{} by mma.sync).\n", source_of(card), bandwidth_text(roof.bytes_per_s),
        tflops_text(roof.flop_per_s), wide > 0 ? tflops_text(wide) + " above d = 128; " : "",
        tflops_text(roof.mma_sync_flop_per_s));
    say("The kernels are those that race: naive has S in 16 bits, as the walk of `counters --schedule standard\n"
        "--narrow-scores on` has it.\n"
        "DRAM: the bytes that the L2 cache does not have. By bytes, products, exps: the least time of each alone;\n"
        "exps are exponentials. On paper: by five numbers of the GPU. Predicted: by the whole model.\n\n");
  }
  for (const AttentionCall& call : calls) {
    const std::vector<PredictionRow> rows = prediction_rows(call, card.device, times ? &*times : nullptr);
    if (!line.has("json"))
      print_call(rows, card.device, calls.size() == 1, card.own);
    else
      for (const PredictionRow& row : rows)
        out["rows"].push_back(row_json(rows, row, basis_text(row.predicted, card.device)));
    if (!card.own)
      for (Json& one : published_json(call, card.device)) out["published"].push_back(std::move(one));
  }
  if (line.has("json")) print_json(out);
  return kExitOk;
}

// The requested machine: a card, or a processor if there is one in it.
struct Asked {
  AskedCard card;
  std::optional<KnownProcessor> processor;
};

Result<Asked> processor_asked(const std::string& name, const MeasuredMachine& machine) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  const Result<std::vector<KnownProcessor>> recorded = load_known_processors(*root);
  if (!recorded) return recorded.issues();
  Result<KnownProcessor> found = processor_named(name, *recorded, machine);
  if (!found) return found.issues();
  return Asked{{}, std::move(*found)};
}

Result<Asked> asked_on(const CommandLine& line, const std::optional<MeasuredMachine>& measured) {
  std::string name = line.option("device").value_or(kRecordedOn);
  if (measured) name = measured->card ? kYourCard : your_processor_name();
  const bool yours = name == kYourCard || name == your_processor_name();
  if (!yours && !names_processor(name)) {
    Result<AskedCard> card = card_asked(line);
    if (!card) return card.issues();
    return Asked{std::move(*card), std::nullopt};
  }
  for (const char* rate : {"bandwidth", "peak"})
    if (line.option(rate))
      return Issue{rate, *line.option(rate), "is of a GPU of the device table, and " + name + " has its own",
                   "Leave it out"};
  MeasuredMachine machine;
  if (measured) {
    machine = *measured;
  } else if (yours) {
    Result<MeasuredMachine> kept = load_machine(machine_path());
    if (!kept) return kept.issues();
    machine = std::move(*kept);
  }
  if (names_processor(name)) return processor_asked(name, machine);
  Result<AskedCard> card = measured_card(machine);
  if (!card) return card.issues();
  return Asked{std::move(*card), std::nullopt};
}

}  // namespace

int predict_verb(const CommandLine& line) {
  if (line.has("against-recorded")) {
    const Issues issues = not_beside("--against-recorded", line, {"against-recorded", "device"});
    return issues.empty() ? predict_against_recorded(line) : refuse(issues);
  }
  const bool measures = line.has("measure");
  if (measures)
    for (const char* other : {"device", "bandwidth", "peak"})
      if (line.option(other))
        return refuse({Issue{other, *line.option(other),
                             "cannot be combined with --measure, which measures this machine", "Leave it out"}});
  if (measures)  // errors in the lists are reported before anything is measured
    if (const auto calls = calls_asked(line); !calls) return refuse(calls.issues());
  std::optional<MeasuredMachine> measured;
  Json out = Json::object();
  if (measures) {
    MeasuredHere here = measure_here();
    if (here.exit) return *here.exit;
    measured = std::move(here.machine);
    out["machine"] = machine_json(*measured);
    if (!line.has("json")) print_machine(*measured);
  }
  const Result<Asked> on = asked_on(line, measured);
  const KnownProcessor* const processor = on && on->processor ? &*on->processor : nullptr;
  const Result<std::vector<AttentionCall>> calls = calls_asked(line, processor);
  Issues issues;
  if (!on) issues = on.issues();
  if (!calls) append(issues, calls.issues());
  if (!issues.empty()) return refuse(issues);
  return processor ? predict_on_processor(line, *processor, *calls, std::move(out))
                   : on_card(line, on->card, *calls, std::move(out));
}

}  // namespace tilewalk
