#include "measured/known_processors.h"

#include <algorithm>

#include "base/parse.h"
#include "base/words.h"
#include "measured/recorded_race.h"

namespace tilewalk {
namespace {

constexpr const char* kRecordedProcessor = "cpu";
constexpr const char* kYourProcessor = "your-cpu";
constexpr std::int64_t kColumnsRaced = 128;

// "Intel(R) Xeon(R) Processor, model 207, AVX3, 16 threads", and the ceilings of the same run.
Result<Processor> processor_of(const Race& race, const std::string& file) {
  Processor out;
  const std::string title = race.word(kProcessorKey);
  const std::size_t comma = title.rfind(", ");
  if (comma != std::string::npos) {
    out.name = title.substr(0, comma);
    std::string_view rest = std::string_view(title).substr(comma + 2);
    const auto threads = parse_integer(take_until(rest, ' '));
    out.threads = int(std::clamp<std::int64_t>(threads.value_or(0), 0, 1 << 20));
  }
  out.read_gb_per_s = race.memory_read_gb_per_s().value_or(0);
  out.cache_bytes = parse_integer(race.word(kCacheKey)).value_or(0);
  const bool dots = race.product_name("bf16").find("dot") != std::string::npos;
  if (dots) out.bf16_tflops = race.product_tflops("bf16").value_or(0);
  out.fp32_tflops = race.product_tflops(dots ? "fp32" : race.rows.front().dtype).value_or(0);
  Issues issues;
  for (Issue issue : why_no_processor(out)) {
    if (dots && issue.field == "fp32_tflops") continue;  // for a file with dot products only
    issue.field = file + ", " + issue.field;
    issues.push_back(std::move(issue));
  }
  if (!issues.empty()) return issues;
  return out;
}

void join(KnownProcessor& to, const Processor& found, const Race& race) {
  Processor& roofs = to.processor;
  roofs.read_gb_per_s = std::max(roofs.read_gb_per_s, found.read_gb_per_s);
  roofs.fp32_tflops = std::max(roofs.fp32_tflops, found.fp32_tflops);
  roofs.bf16_tflops = std::max(roofs.bf16_tflops, found.bf16_tflops);
  roofs.cache_bytes = std::max(roofs.cache_bytes, found.cache_bytes);
  to.date = race.date();
  for (const RaceRow& row : race.rows) {
    const auto same = std::find_if(to.rows.begin(), to.rows.end(), [&](const RaceRow& r) {
      return r.rung == row.rung && static_cast<const RaceCell&>(r) == row;
    });
    if (same == to.rows.end())
      to.rows.push_back(row);
    else
      *same = row;
  }
}

std::string names_of(const std::vector<KnownProcessor>& recorded) {
  std::string out = recorded.empty() ? "" : kRecordedProcessor;
  for (const KnownProcessor& each : recorded) add_to_list(out, each.name);
  add_to_list(out, kYourProcessor);
  return out;
}

}  // namespace

const RaceRow* KnownProcessor::row(Contender who, const RaceCell& cell) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const RaceRow& r) {
    return r.rung == word_of(who) && static_cast<const RaceCell&>(r) == cell;
  });
  return at != rows.end() && at->counts() ? &*at : nullptr;
}

std::string KnownProcessor::source() const {
  return (yours ? "Your " : "") + processor.title() + ": reading memory and multiply-adds in registers, measured on " +
         date;
}

void KnownProcessor::shape_as_raced(AttentionCall& call) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const RaceRow& r) { return r.d == call.d; });
  call.heads =
      at != rows.end() ? at->heads : std::max<std::int64_t>(1, kColumnsRaced / std::max<std::int64_t>(1, call.d));
  call.batch = at != rows.end() ? at->batch : 1;
  call.kv_heads = 0;
}

bool names_processor(const std::string& device) {
  return device == kRecordedProcessor || device == kYourProcessor || device.starts_with("cpu-");
}

std::string your_processor_name() { return kYourProcessor; }

Result<std::vector<KnownProcessor>> load_known_processors(const std::string& root) {
  std::vector<KnownProcessor> out;
  const auto is_one = [](const std::string& name) { return name.starts_with("cpu_race_"); };
  for (const std::string& path : race_files(root + "/assets/measurements", is_one)) {
    const Result<Race> race = load_recorded_race(path);
    if (!race) return race.issues();
    const Result<Processor> found = processor_of(*race, path);
    if (!found) return found.issues();
    const auto same = std::find_if(out.begin(), out.end(), [&](const KnownProcessor& k) {
      return k.processor.name == found->name && k.processor.threads == found->threads;
    });
    KnownProcessor& to = same == out.end() ? out.emplace_back() : *same;
    to.processor.name = found->name;
    to.processor.threads = found->threads;
    to.name = std::string(kRecordedProcessor) + "-" + std::to_string(found->threads);
    join(to, *found, *race);
  }
  std::stable_sort(out.begin(), out.end(), [](const KnownProcessor& a, const KnownProcessor& b) {
    return a.processor.threads > b.processor.threads;
  });
  for (const KnownProcessor& each : out)
    if (!(each.processor.fp32_tflops > 0))
      return Issue{root + "/assets/measurements", each.processor.title(), "has no rate of fp32 multiply-adds",
                   "Race fp32 on it too"};
  return out;
}

Result<KnownProcessor> processor_named(const std::string& device, const std::vector<KnownProcessor>& recorded,
                                       const MeasuredMachine& at_hand) {
  if (device == kYourProcessor) {
    if (at_hand.processor)
      return KnownProcessor{.name = kYourProcessor,
                            .processor = *at_hand.processor,
                            .date = at_hand.date,
                            .yours = true,
                            .rows = at_hand.raced};
    return Issue{"device", device,
                 at_hand.no_processor.empty() ? "was not measured yet" : "was not measured: " + at_hand.no_processor,
                 "Run tilewalk predict --measure, or press Measure this machine"};
  }
  for (const KnownProcessor& each : recorded)
    if (device == kRecordedProcessor || device == each.name) return each;
  return Issue{"device", device, "is not a recorded processor", "Try one of " + names_of(recorded)};
}

std::vector<PredictionRow> prediction_rows(const AttentionCall& call, const KnownProcessor& on) {
  std::vector<PredictionRow> out;
  const bool grouped = call.kv_heads > 0 && call.kv_heads != call.heads;
  for (Prediction& each : predict_on(on.processor, call)) {
    PredictionRow row{.predicted = std::move(each)};
    if (row.predicted.there && !grouped && call.square()) {
      const RaceRow* const recorded = on.row(row.predicted.method->who, cell_of(call));
      if (recorded) row.recorded_ms = recorded->median_ms();
      if (recorded && recorded->extra_bytes) row.predicted.extra_bytes = double(*recorded->extra_bytes);
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace tilewalk
