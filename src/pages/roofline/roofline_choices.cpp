#include "pages/roofline/roofline_choices.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "pages/roofline/processor_page.h"
#include "view/words/race_row_text.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::vector<std::int64_t> with(std::vector<std::int64_t> usual, std::int64_t at_hand) {
  if (!contains(usual, at_hand)) usual.push_back(at_hand);
  std::sort(usual.begin(), usual.end());
  return usual;
}

RooflineTags cards(const RooflineController& controller) {
  RooflineTags out{"GPU", {}};
  if (const std::optional<DeviceModel> device = device_named(controller.device()))
    out.tags.push_back({device->title + (device->measured_here() ? " · measured" : ""),
                        !controller.own_card() && !controller.processor(), ChooseRoofline{.device = device->name}});
  if (controller.machine().card)
    out.tags.push_back(
        {"this GPU", controller.measured_card() && !controller.processor(), ChooseRoofline{.device = kYourCard}});
  return out;
}

RooflineTags processors(const RooflineController& controller) {
  RooflineTags out{"CPU", {}};
  const auto active = [&](const std::string& name) {
    return controller.processor() && controller.processor()->name == name;
  };
  std::string said;  // for the same machine only the threads
  for (const KnownProcessor& each : controller.processors()) {
    const std::string name = short_name(each.processor), threads = counted(each.processor.threads, "thread");
    out.tags.push_back(
        {said == name ? threads : name + " · " + threads, active(each.name), ChooseRoofline{.device = each.name}});
    said = name;
  }
  if (controller.machine().processor)
    out.tags.push_back({"this CPU", active(your_processor_name()), ChooseRoofline{.device = your_processor_name()}});
  return out;
}

}  // namespace

std::vector<std::int64_t> roofline_lengths(const RooflineController& controller) {
  return with({std::begin(kRooflineLengths), std::end(kRooflineLengths)}, controller.call().n);
}

std::vector<RooflineTags> roofline_choices(const RooflineController& controller) {
  std::vector<RooflineTags> out = {
      cards(controller),
      processors(controller),
      {"heads × batch", {{"as raced", controller.as_raced(), ChooseRoofline{.as_raced = true}}}}};
  std::erase_if(out, [](const RooflineTags& row) { return row.tags.empty(); });
  return out;
}

std::string over_n_words(const RooflineController& controller) {
  if (controller.as_raced()) return "each N with the heads raced at it";
  const AttentionCall& call = controller.call();
  std::string out = fmt::format("each N with {}×{} heads", call.batch, call.heads);
  if (!controller.processor() && !is_raced_length(call.n))
    out += fmt::format(" · as raced is off: N {} was not raced", format_count(call.n));
  return out;
}

std::string machine_title(const RooflineController& controller) {
  for (const RooflineTags& row : {cards(controller), processors(controller)})
    for (const RooflineTag& tag : row.tags)
      if (tag.active) return tag.label;
  if (const KnownProcessor* const processor = controller.processor()) return processor->processor.title();
  return "your own GPU";
}

std::vector<RooflineField> own_card_fields(const RooflineController& controller) {
  const Ceilings roof = ceilings_of(controller.card());
  const std::string like = device_of(controller.device()).title;
  const auto field = [&](const char* name, const char* unit, const TypedRate& rate, double has, const char* what) {
    return RooflineField{.field = name,
                         .unit = unit,
                         .text = rate.text,
                         .otherwise = fmt::format("{:.0f}", has),
                         .help = fmt::format("Your own GPU: {}. All else of it is as the {} has it.", what, like),
                         .issue = rate.issue};
  };
  return {field("bandwidth", "GB/s", controller.bandwidth(), roof.bytes_per_s / 1e9,
                "bytes that a copy reads and writes in a second"),
          field("peak", "TFLOP/s", controller.peak(), roof.flop_per_s / 1e12, "what a large 16-bit product reaches")};
}

RooflineMeasure measure_choice(const RooflineController& controller) {
  const Measuring& now = controller.measuring();
  const MeasuredMachine& machine = controller.machine();
  RooflineMeasure out;
  out.can = controller.no_measuring().empty();
  out.running = now.running, out.stopping = now.stopping;
  out.fraction = now.fraction;
  out.failed = !now.failure.empty();
  out.help =
      "In a few seconds, by all of its threads: multiply-adds in registers, reading memory; on a GPU a copy and a "
      "large product. Kept for the next start.";
  if (!out.can)
    out.words = controller.no_measuring() + ".";
  else if (now.running)
    out.words = now.stopping ? "stopping" : now.doing;
  else if (out.failed)
    out.words = now.failure + (now.failure.ends_with(".") ? "" : ".");
  else if (machine.any()) {
    out.words = "measured " + machine.date + (machine.card ? "" : " · no GPU") + (machine.processor ? "" : " · no CPU");
    if (machine.processor)
      out.details = "CPU: " + machine.processor->title() + ".";
    else
      out.details = "No CPU: " + machine.no_processor + ".";
    out.details += " " + (machine.card ? "GPU: " + machine.card->name : "No GPU: " + machine.no_card) + ".";
  }
  if (out.details.empty()) out.details = out.words;
  return out;
}

}  // namespace tilewalk
