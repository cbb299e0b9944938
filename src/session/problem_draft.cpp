#include "session/problem_draft.h"

#include <charconv>
#include <cstdlib>

#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "core/schedules/validate.h"

namespace tilewalk {
namespace {

template <class T>
std::vector<std::string> names(const std::vector<T>& values) {
  std::vector<std::string> out;
  for (T value : values) out.push_back(name_of(value));
  return out;
}

// "standard, flash_v1 … or split_kv"
std::string schedules_hint() {
  const std::vector<std::string> all = names(all_schedules());
  std::string text = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) text += (i + 1 == all.size() ? " or " : ", ") + all[i];
  return text;
}

std::vector<std::string> fault_names() {
  std::vector<std::string> out = {"none"};
  for (Fault fault : all_faults()) out.push_back(name_of(fault));
  return out;
}

std::vector<std::string> device_titles() {
  std::vector<std::string> out;
  for (const DeviceModel& device : device_models()) out.push_back(device.name);
  return out;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string number_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

const char* switch_text(bool on) { return on ? "on" : "off"; }

std::optional<bool> switch_from(const std::string& text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return std::nullopt;
}

struct Reader {
  const Draft& draft;
  Issues issues{};

  std::string text(const char* field) const {
    const auto at = draft.find(field);
    return at == draft.end() ? "" : trimmed(at->second);
  }
  template <class Integer>
  void whole(const char* field, Integer& out) {
    const std::string value = text(field);
    Integer parsed{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (error == std::errc() && end == value.data() + value.size() && !value.empty())
      out = parsed;
    else
      issues.push_back(
          {field, value.empty() ? "nothing" : value, "is not a whole number in range", "Type digits, such as 16"});
  }
  void number(const char* field, double& out, const char* suggestion) {
    const std::string value = text(field);
    double parsed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (error == std::errc() && end == value.data() + value.size() && !value.empty())
      out = parsed;
    else
      issues.push_back({field, value.empty() ? "nothing" : value, "is not a number", suggestion});
  }
  template <class T, class From>
  void choice(const char* field, T& out, From from, const std::string& suggestion) {
    const std::string value = text(field);
    if (const auto parsed = from(value))
      out = *parsed;
    else
      issues.push_back({field, value, "is not one of the names", suggestion});
  }
};

}  // namespace

const std::vector<DraftField>& draft_fields() {
  static const std::vector<DraftField> fields = {
      {"schedule", "Schedule", "how the work is ordered", names(all_schedules())},
      {"n-q", "Query length", "rows of Q and O", {}},
      {"n-kv", "Key length", "rows of K and V", {}},
      {"d", "Head size", "1 to 256", {}},
      {"br", "Q tile rows", "Br", {}},
      {"bc", "KV tile rows", "Bc", {}},
      {"splits", "Splits", "split_kv: thread blocks that share a Q tile's keys", {}},
      {"threshold", "Threshold", "flash_v4: how far m may lag, in log2 units", {}},
      {"stages", "Stages", "flash_v3, flash_v4: tiles in the circular buffer", {}},
      {"specialised", "Warps specialised", "flash_v3: a producer loads", {"on", "off"}},
      {"ping-pong", "Ping-pong", "flash_v3: consumers take turns", {"on", "off"}},
      {"overlap", "Overlap", "flash_v3: products beside softmax", {"on", "off"}},
      {"exp2-share", "Polynomial share", "flash_v4: of the exponentials, 0 to 1", {}},
      {"batch", "Batch", "independent problems", {}},
      {"heads", "Heads", "query heads", {}},
      {"kv-heads", "KV heads", "divides heads", {}},
      {"mask", "Mask", "none, causal, causal-bottom-right, window:LEFT:RIGHT", {}},
      {"order", "KV order", "which KV tile comes first", {"forward", "reverse"}},
      {"dtype", "Type", "of Q, K, V and O in HBM", {"fp32", "fp16", "bf16"}},
      {"base", "Base", "of the exponential", {"e", "2"}},
      {"scale", "Scale", "auto, or a number", {}},
      {"seed", "Seed", "of Q, K and V", {}},
      {"distribution", "Distribution", "of Q, K and V", {"normal", "uniform", "integers", "outliers"}},
      {"device", "Device", "whose limits are quoted", device_titles()},
      {"sram", "SRAM bytes", "one thread block", {}},
      {"fault", "Mistake", "made on purpose, to see it caught", fault_names()},
  };
  return fields;
}

Draft draft_of(const Problem& p) {
  const std::string scale = p.numerics.scale ? number_text(*p.numerics.scale) : "auto";
  return {{"schedule", name_of(p.schedule)},
          {"n-q", std::to_string(p.shape.n_q)},
          {"n-kv", std::to_string(p.shape.n_kv)},
          {"d", std::to_string(p.shape.d)},
          {"br", std::to_string(p.tiling.br)},
          {"bc", std::to_string(p.tiling.bc)},
          {"batch", std::to_string(p.shape.batch)},
          {"heads", std::to_string(p.shape.heads)},
          {"kv-heads", std::to_string(p.shape.kv_heads)},
          {"mask", name_of(p.shape.mask)},
          {"order", name_of(p.tiling.order)},
          {"dtype", name_of(p.numerics.dtype)},
          {"base", name_of(p.numerics.base)},
          {"scale", scale},
          {"seed", std::to_string(p.numerics.seed)},
          {"distribution", name_of(p.numerics.distribution)},
          {"splits", std::to_string(p.tiling.splits)},
          {"threshold", number_text(p.tiling.rescale_threshold)},
          {"stages", std::to_string(p.tiling.stages)},
          {"specialised", switch_text(p.lanes.warp_specialised)},
          {"ping-pong", switch_text(p.lanes.ping_pong)},
          {"overlap", switch_text(p.lanes.overlap)},
          {"exp2-share", number_text(p.lanes.exp2_share)},
          {"device", p.machine.device},
          {"sram", std::to_string(p.machine.sram_bytes)},
          {"fault", name_of(p.fault)}};
}

Result<Problem> problem_of(const Draft& draft) {
  Problem p;
  Reader read{draft};
  read.choice("schedule", p.schedule, schedule_from, schedules_hint());
  read.whole("n-q", p.shape.n_q);
  read.whole("n-kv", p.shape.n_kv);
  read.whole("d", p.shape.d);
  read.whole("br", p.tiling.br);
  read.whole("bc", p.tiling.bc);
  read.whole("batch", p.shape.batch);
  read.whole("heads", p.shape.heads);
  read.whole("kv-heads", p.shape.kv_heads);
  read.whole("seed", p.numerics.seed);
  read.whole("sram", p.machine.sram_bytes);
  read.whole("splits", p.tiling.splits);
  read.number("threshold", p.tiling.rescale_threshold, "Type 8, as FlashAttention-4 has it");
  read.whole("stages", p.tiling.stages);
  read.choice("specialised", p.lanes.warp_specialised, switch_from, "on or off");
  read.choice("ping-pong", p.lanes.ping_pong, switch_from, "on or off");
  read.choice("overlap", p.lanes.overlap, switch_from, "on or off");
  read.number("exp2-share", p.lanes.exp2_share, "Type a share from 0 to 1");
  read.choice("mask", p.shape.mask, mask_from, "Such as none, causal or window:3:0");
  read.choice("order", p.tiling.order, order_from, "forward or reverse");
  read.choice("dtype", p.numerics.dtype, dtype_from, "fp32, fp16 or bf16");
  read.choice("base", p.numerics.base, base_from, "e or 2");
  read.choice("distribution", p.numerics.distribution, distribution_from, "normal, uniform, integers or outliers");
  read.choice("fault", p.fault, fault_from, "none, or a mistake from the list");
  p.machine.device = read.text("device");
  const std::string scale = read.text("scale");
  if (!scale.empty() && scale != "auto") read.number("scale", p.numerics.scale.emplace(), "Type auto for 1/sqrt(d)");
  if (!read.issues.empty()) return read.issues;
  if (Issues issues = validate(p); !issues.empty()) return issues;
  return p;
}

bool concerns(const Issue& issue, const std::string& field) {
  if (issue.field.starts_with("window")) return field == "mask";
  for (std::size_t begin = 0; begin <= issue.field.size();) {
    const std::size_t end = std::min(issue.field.find(" x ", begin), issue.field.size());
    if (issue.field.substr(begin, end - begin) == field) return true;
    begin = end + 3;
  }
  return false;
}

}  // namespace tilewalk
