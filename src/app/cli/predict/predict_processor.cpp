// tilewalk predict on a processor: floors and recorded times; and measuring this machine.
#include <fmt/format.h>

#include "app/cli/predict/predict_parts.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "base/shown.h"
#include "base/units.h"
#include "kernels/race/measure_machine.h"
#include "pages/roofline/processor_page.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

Json tflops_json(double tflops) { return tflops > 0 ? Json(tflops) : Json(nullptr); }

Json cache_json(const Processor& p) { return p.cache_bytes > 0 ? Json(p.cache_bytes) : Json(nullptr); }

Json processor_json(const Processor& p) {
  return {{"name", p.name},
          {"threads", p.threads},
          {"read_gb_per_s", p.read_gb_per_s},
          {"fp32_tflops", p.fp32_tflops},
          {"bf16_tflops", tflops_json(p.bf16_tflops)},
          {"cache_bytes", cache_json(p)}};
}

std::string roofs_text(const Processor& p) {
  std::string text = fmt::format("memory {} GB/s, fp32 {} TFLOP/s", format_digits(p.read_gb_per_s, 3),
                                 format_digits(p.fp32_tflops, 3));
  if (p.bf16_tflops > 0) text += ", bf16 " + format_digits(p.bf16_tflops, 3) + " TFLOP/s";
  return text;
}

void print_call_on(const std::vector<PredictionRow>& rows, const Processor& on) {
  say("{}\n", call_title(rows.front().predicted.call));
  std::vector<std::vector<std::string>> lines;
  for (const PredictionRow& row : rows) {
    const Prediction& p = row.predicted;
    if (!p.there) continue;
    const auto faster = times_as_fast(rows, row, Contender::CpuNaive);
    lines.push_back({p.method->title, big_bytes(p.dram_bytes), ms_text(p.floor_bytes_ms), ms_text(p.floor_flops_ms),
                     ms_text(p.roofline_ms()), or_dash(row.recorded_ms),
                     row.reached() ? fmt::format("{:.0f} %", *row.reached() * 100) : "–",
                     faster ? times_text_of(*faster) : "–"});
  }
  if (!lines.empty())
    say("{}", table_text({"", "memory", "by bytes", "by products", "allowed", "recorded", "reached", "vs cpu_naive"},
                         lines, "  "));
  const auto print_wrapped = [](const std::string& text) { say("{}", wrapped(text, "  ")); };
  if (const std::string win = processor_win_sentence(rows); !win.empty()) print_wrapped(win);
  for (const PredictionRow& row : rows)
    if (row.predicted.there) print_wrapped(processor_roof_sentence(row, on));
  if (lines.empty()) print_wrapped(rows.front().predicted.note + ".");
  say("\n");
}

}  // namespace

int predict_on_processor(const CommandLine& line, const KnownProcessor& on, const std::vector<AttentionCall>& calls,
                         Json out) {
  const Processor& p = on.processor;
  if (line.has("json")) {
    out["device"] = {{"name", on.name}, {"title", p.title()}, {"threads", p.threads}, {"date", on.date}};
    out["ceilings"] = {{"bandwidth_gb_per_s", p.read_gb_per_s},
                       {"product_tflops", p.fp32_tflops},
                       {"fp32_tflops", p.fp32_tflops},
                       {"bf16_tflops", tflops_json(p.bf16_tflops)},
                       {"wide_product_tflops", nullptr},
                       {"mma_sync_tflops", nullptr},
                       {"exp_per_s", nullptr},
                       {"cache_bytes", cache_json(p)},
                       {"source", on.source()}};
    out["rows"] = Json::array();
  } else {
    say("On {}. Roofs: {}.\n\n", on.source(), roofs_text(p));
  }
  for (const AttentionCall& call : calls) {
    const std::vector<PredictionRow> rows = prediction_rows(call, on);
    if (!line.has("json"))
      print_call_on(rows, p);
    else
      for (const PredictionRow& row : rows) out["rows"].push_back(row_json(rows, row, row.predicted.note));
  }
  if (line.has("json")) {
    print_json(out);
    return kExitOk;
  }
  for (const std::string& note : processor_notes(prediction_rows(calls.front(), on))) say("{}", wrapped(note, "  "));
  return kExitOk;
}

MeasuredHere measure_here() {
  if (const std::string why = no_measuring_reason(); !why.empty()) {
    complain(why);
    return {{}, kExitNoDevice};
  }
  Result<OutputFile> file = open_user_file(machine_path());  // opened before minutes of measuring
  if (!file) return {{}, refuse(file.issues())};
  catch_interrupts();
  MeasureEnd end;
  {
    Progress progress("Measuring");
    end = measure_machine([&](double fraction, const std::string& doing) {
      progress.say("Measuring: " + doing);
      return progress.update(fraction);
    });
  }
  if (end.stopped) return {{}, interrupted_exit()};
  if (!end.machine.any()) {
    complain("nothing was measured. " + end.machine.no_processor + ". " + end.machine.no_card);
    return {{}, kExitNoDevice};
  }
  const Result<KeptFile> saved = save_machine(end.machine, std::move(*file));
  if (!saved) return {{}, refuse(saved.issues())};
  if (!saved->aside.empty()) complain("the file that could not be read is now " + shown(saved->aside));
  return {std::move(end.machine), std::nullopt};
}

Json machine_json(const MeasuredMachine& machine) {
  Json out = {{"date", machine.date}, {"cpu", nullptr}, {"gpu", nullptr}};
  if (machine.processor) out["cpu"] = processor_json(*machine.processor);
  if (machine.card)
    out["gpu"] = {{"name", machine.card->name},
                  {"copy_gb_per_s", machine.card->copy_gb_per_s},
                  {"product_tflops", machine.card->product_tflops}};
  out["no_cpu"] = machine.no_processor.empty() ? Json(nullptr) : Json(machine.no_processor);
  out["no_gpu"] = machine.no_card.empty() ? Json(nullptr) : Json(machine.no_card);
  return out;
}

void print_machine(const MeasuredMachine& machine) {
  say("This machine, measured on {}\n", machine.date);
  if (const auto& p = machine.processor) {
    say("  CPU: {}: {}", p->title(), roofs_text(*p));
    say("{}\n", p->cache_bytes > 0 ? "; last-level cache " + format_bytes(p->cache_bytes) : "");
  } else {
    say("{}", wrapped("No CPU: " + machine.no_processor + ".", "  "));
  }
  if (const auto& c = machine.card)
    say("  GPU: {}: a copy {:.0f} GB/s, a bf16 product {:.0f} TFLOP/s\n", c->name, c->copy_gb_per_s, c->product_tflops);
  else
    say("{}", wrapped("No GPU: " + machine.no_card + ".", "  "));
  say("\n");
}

}  // namespace tilewalk
