#include "view/print/roofline_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/units.h"
#include "core/chip/visit_pace.h"
#include "core/predict/pencil_method.h"
#include "view/print/class_set.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

constexpr int kLeastPower = 0, kMostPower = 4, kDecadesY = 3;  // 1 to 10,000 FLOP a byte

std::string short_number(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value);
}

class RooflineAuthor {
 public:
  RooflineAuthor(const DeviceModel& device, const RaceTimes& times, const std::vector<WinShape>& all,
                 std::uint64_t seed)
      : device_(device),
        times_(times),
        all_(all),
        roof_(ceilings_of(device)),
        seed_(seed),
        shapes_(sampled_by(seed, kWinsOnSheet, all)) {
    three_ = why_not_there(method_of(Contender::FlashV3), AttentionCall{}, device).empty();
    measured_ = device.copy_gb_per_s > 0 && device.product_tflops > 0;
  }

  PrintDocument sheet() const {
    PrintDocument out = head("The roofline of the {}: predict the win", "");
    out.blocks.push_back(PrintFields{{"Name", "Date"}});
    out.blocks.push_back(PrintBox{{card(), method()}});
    out.blocks.push_back(
        PrintHeading{"Draw", "FLOP: an addition or a multiplication. T is 10¹²: 1 GB at 1 TB/s takes 1 ms"});
    out.blocks.push_back(PrintLines{to_draw()});
    out.blocks.push_back(chart(false));
    out.blocks.push_back(PrintHeading{"Predict", "the last two columns when the answers are read out"});
    out.blocks.push_back(wins(false));
    out.blocks.push_back(PrintLines{{"The goal: the middle one of your five errors is under 25 %."}});
    return out;
  }

  PrintDocument key() const {
    PrintDocument out = head("Key · The roofline of the {}", "key · ");
    out.blocks.push_back(PrintBox{{card(), method()}});
    out.blocks.push_back(PrintHeading{"The roof, the lower lines and the points", "rings: naive, others by number"});
    out.blocks.push_back(chart(true));
    const bool recorded = times_.device == device_.name;
    out.blocks.push_back(PrintHeading{"The wins", recorded
                                                      ? "recorded: the medians of the shipped races on this GPU"
                                                      : "there is no recording of this GPU: the times are modelled"});
    out.blocks.push_back(wins(true));
    out.blocks.push_back(PrintLines{closing()});
    return out;
  }

 private:
  PrintDocument head(const char* title, const char* before) const {
    return {.title = fmt::format(fmt::runtime(title), device_.title),
            .label = fmt::format("{}seed {}", before, seed_),
            .foot = fmt::format("{} · bf16, forward{}", device_.title,
                                measured_ ? "" : " · B and P: the data sheet, less what an H200 loses of its own"),
            .blocks = {}};
  }

  PrintBox::Part card() const {
    const char* const source = measured_ ? "measured" : "estimated";
    PrintBox::Part out{"The GPU's numbers", {}, 1};
    out.lines = {fmt::format("B = {} TB/s: bytes from and to HBM, {}", short_number(roof_.bytes_per_s / 1e12), source),
                 fmt::format("P = {} TFLOP/s: large products, {}", short_number(roof_.flop_per_s / 1e12), source)};
    out.lines.push_back(device_.mma_sync_share < 1
                            ? fmt::format("R = {:.2g} P = {} TFLOP/s: by mma.sync, FA-2's instruction",
                                          device_.mma_sync_share, short_number(roof_.mma_sync_flop_per_s / 1e12))
                            : "R = P: FA-2's instruction, mma.sync, reaches all of it");
    out.lines.push_back(fmt::format("E = {} T/s: exponentials, {} a cycle, {} SMs, {:.4g} GHz",
                                    short_number(roof_.exp_per_s / 1e12), device_.exp_per_cycle, device_.sms,
                                    device_.reached_clock_hz() / 1e9));
    if (three_)
      out.lines.push_back(fmt::format("F = {} T/s: softmax of a score, 1/{} + {:g}/{} cycles",
                                      short_number(softmax_per_s(roof_) / 1e12), device_.exp_per_cycle,
                                      kOtherOpsPerScore, device_.fp32_lanes));
    return out;
  }

  PrintBox::Part method() const {
    PrintBox::Part out{"The method, H = heads × batch", {}, 1};
    // Naive's point, at d / 2 FLOPs a byte, is right of the ridge on few cards.
    const bool by_products = roof_.flop_per_s / roof_.bytes_per_s < 64;  // d 128
    out.lines = {by_products ? "naive = 8 N² H / B: S or P crosses 4 times. If longer 4 N² d H / P"
                             : "naive = 8 N² H / B. S or P crosses four times, 2 bytes each",
                 "FA-2 = 4 N² d H / R + N² H / E. One after the other"};
    if (three_) out.lines.push_back("FA-3 = the longer of 4 N² d H / P and N² H / F");
    out.lines.push_back("Causal: half of FA's work, all of naive's bytes (counted, 7 of 8)");
    out.lines.push_back("win = naive / FA");
    return out;
  }

  std::vector<std::string> to_draw() const {
    std::vector<std::string> out = {
        fmt::format(
            "1. The roof: B at 1 FLOP/byte, then a decade up for each one right, as far as the level line P, at "
            "P/B = {:.0f}.",
            roof_.flop_per_s / roof_.bytes_per_s),
        std::string("2. The lower lines for d 64 and d 128, level: FA-2's at 4d / (4d / R + 1 / E)") +
            (three_ ? ", FA-3's at the lower of P and 4d F." : "."),
        "3. A ring for naive on the slope at d/2 FLOP/byte, d/4 if causal. FA on its own line at N/2, N/4 if causal."};
    return out;
  }

  double level_of(const AttentionMethod& method, std::int64_t d) const {
    const AttentionCall call{.n = 4096, .d = d};
    return call.flops() / method.pencil_s(call, device_) / 1e12;
  }

  PrintChart chart(bool key) const {
    const double peak = roof_.flop_per_s / 1e12, slope = roof_.bytes_per_s / 1e12;
    const int top = int(std::ceil(std::log10(peak * 1.05)));
    PrintChart out{"FLOP/byte", "TFLOP/s", kLeastPower, kMostPower, top - kDecadesY, top, {}, {}};
    if (!key) return out;
    const double left = std::pow(10.0, kLeastPower), right = std::pow(10.0, kMostPower),
                 low = std::pow(10.0, out.y_low);
    const double begin = std::max(left, low / slope);
    out.lines.push_back(
        {begin, begin * slope, peak / slope, peak, fmt::format("B {} TB/s", short_number(slope)), false});
    PrintChart::Line level{peak / slope, peak, right, peak, "P " + short_number(peak), false};
    for (const Contender who : {Contender::FlashV2, Contender::FlashV3})
      for (const std::int64_t d : {64, 128}) {
        const AttentionMethod& method = method_of(who);
        if (who == Contender::FlashV3 && !three_) continue;
        const double at = level_of(method, d);
        const std::string name = fmt::format("{} d {}", method.title, d);
        if (at > peak * 0.995)
          level.label += " · " + name;
        else
          out.lines.push_back({at / slope, at, right, at, name + ": " + short_number(at), true});
      }
    out.lines.insert(out.lines.begin() + 1, level);
    std::sort(out.lines.begin() + 1, out.lines.end(),
              [](const PrintChart::Line& a, const PrintChart::Line& b) { return a.y1 > b.y1; });
    add_points(out);
    return out;
  }

  void add_points(PrintChart& chart) const {
    const auto add = [&](double x, double y, PrintMark mark, const std::string& label) {
      for (PrintChart::Point& there : chart.points)
        if (std::fabs(there.x / x - 1) < 0.02 && std::fabs(there.y / y - 1) < 0.02 && there.mark == mark) {
          if (there.label.find(label) == std::string::npos) there.label += ", " + label;
          return;
        }
      chart.points.push_back({x, y, mark, label});
    };
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const AttentionCall& call = shapes_[i].call;
      const double naive_bytes = 4 * call.scores() * call.element_bytes();
      const double bytes = 4 * double(call.n) * double(call.d) * double(call.all_heads()) * call.element_bytes();
      add(call.flops() / naive_bytes, call.flops() / method_of(Contender::Naive).pencil_s(call, device_) / 1e12,
          PrintMark::Ring, fmt::format("d {} {}", call.d, call.causal ? "causal" : "no mask"));
      add(call.flops() / bytes, call.flops() / shapes_[i].method->pencil_s(call, device_) / 1e12,
          shapes_[i].method->who == Contender::FlashV2 ? PrintMark::Square : PrintMark::Triangle,
          std::to_string(i + 1));
    }
  }

  PrintGrid wins(bool key) const {
    PrintGrid out;
    out.to_fill = true;
    out.columns = {
        {"", 0.35, false},     {"by", 0.75, false},           {"N", 0.95, true},         {"d", 0.6, true},
        {"mask", 0.95, false}, {"heads × batch", 1.4, true},  {"naive, ms", 1.35, true}, {"FA, ms", 1.35, true},
        {"win", 1.15, true},   {measured_word(), 1.25, true}, {"error", 1, true}};
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const AttentionCall& call = shapes_[i].call;
      std::vector<std::string> row = {
          std::to_string(i + 1),  shapes_[i].method->title,        format_count(call.n),
          std::to_string(call.d), call.causal ? "causal" : "none", fmt::format("{} × {}", call.heads, call.batch)};
      if (key) {
        const WinAnswer answer = answer_of(shapes_[i], device_, &times_);
        for (const std::string& text :
             {short_number(answer.naive_pencil_ms), short_number(answer.pencil_ms), times_text_of(answer.pencil_win()),
              times_text_of(answer.win()), error_text(answer.error())})
          row.push_back(text);
      } else {
        row.insert(row.end(), 5, "");
      }
      out.rows.push_back(std::move(row));
    }
    return out;
  }
  const char* measured_word() const { return times_.device == device_.name ? "recorded" : "modelled"; }

  std::vector<std::string> closing() const {
    std::vector<double> errors;
    for (const WinShape& shape : shapes_) errors.push_back(answer_of(shape, device_, &times_).error());
    std::vector<double> all;
    for (const WinShape& shape : all_) all.push_back(answer_of(shape, device_, &times_).error());
    return {
        fmt::format("The middle one of these five errors of the method: {:.0f} %. Of all {} shapes that may be "
                    "asked: {:.0f} %.",
                    spread_of(errors).median * 100, all.size(), spread_of(all).median * 100),
        "Both take longer than on paper. Short rows without a mask: naive loses more, so the win is larger. Causal: "
        "FA loses more, as tiles that the diagonal cuts are computed whole, so the win is smaller."};
  }

  const DeviceModel& device_;
  const RaceTimes& times_;
  const std::vector<WinShape>& all_;  // the shapes to sample from
  const Ceilings roof_;
  const std::uint64_t seed_;
  const std::vector<WinShape> shapes_;
  bool three_ = false, measured_ = false;
};

}  // namespace

RooflineSheet build_roofline_sheet(const DeviceModel& device, const RaceTimes& times, const std::vector<WinShape>& all,
                                   std::uint64_t seed) {
  const RooflineAuthor author(device, times, all, seed);
  return {author.sheet(), author.key()};
}

Result<std::vector<PrintDocument>> build_roofline_set(const RooflineSheetRequest& request, const RaceTimes& times) {
  Issues issues;
  const std::optional<DeviceModel> device = device_named(request.device);
  const std::vector<WinShape> all = device ? win_shapes(times, *device) : std::vector<WinShape>{};
  if (!device)
    issues.push_back(no_such_device("device", request.device));
  else if (all.empty())
    issues.push_back({"device", request.device, "is older than the kernels: FA-2 needs Ampere", "Try h200 or a100"});
  if (request.count < 1 || request.count > kMostSheets)
    issues.push_back({"count", std::to_string(request.count), fmt::format("must be from 1 to {} sheets", kMostSheets),
                      "Print a second set with a later --seed"});
  if (request.count > 1 && request.seed > std::numeric_limits<std::uint64_t>::max() - std::uint64_t(kMostSheets))
    issues.push_back({"seed", std::to_string(request.seed), "leaves no seeds to follow it", "Try a smaller one"});
  if (!issues.empty()) return issues;
  std::vector<PrintDocument> sheets, keys;
  for (std::int64_t i = 0; i < request.count; ++i) {
    RooflineSheet made = build_roofline_sheet(*device, times, all, request.seed + std::uint64_t(i));
    sheets.push_back(std::move(made.sheet));
    if (request.key) keys.push_back(std::move(made.key));
  }
  for (PrintDocument& key : keys) sheets.push_back(std::move(key));
  return sheets;
}

}  // namespace tilewalk
