// The table itself. A new field: a member of the problem, a row here, and a rule in validate() if it has one.
#include <type_traits>

#include "core/fields/fields.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr double kMaxLength = double(std::int64_t(1) << 32), kMaxCount = 1 << 20, kMaxSram = double(1ll << 40);
constexpr Changes kAll{.values = true, .steps = true, .bytes = true, .time = true};
constexpr Changes kValues{.values = true};
constexpr Changes kTime{.time = true};

template <auto... Path>
constexpr auto at() {
  using T = std::remove_cvref_t<decltype((std::declval<Problem&>().*....*Path))>;
  return FieldAt<T>{[](const Problem& p) -> const T& { return (p.*....*Path); },
                    [](Problem& p) -> T& { return (p.*....*Path); }};
}

// `from` parses one of the names that name_of() returns.
template <auto From, auto... Path>
constexpr FieldWord word() {
  return {[](const Problem& p) { return std::string(name_of((p.*....*Path))); },
          [](Problem& p, const std::string& text) {
            const auto found = From(text);
            if (found) (p.*....*Path) = *found;
            return found.has_value();
          }};
}

bool splits_keys(ScheduleKind kind) { return schedule_row(kind).settings.splits; }
bool rescales_rarely(ScheduleKind kind) { return schedule_row(kind).settings.rescale_threshold; }
bool has_consumers(ScheduleKind kind) { return schedule_row(kind).settings.warp_roles; }
bool has_narrow_scores(ScheduleKind kind) { return schedule_row(kind).settings.narrow_scores; }
bool has_exp2_share(ScheduleKind kind) { return schedule_row(kind).settings.exp2_share; }
bool has_stages(ScheduleKind kind) { return schedule_row(kind).settings.stages; }

template <class T>
std::vector<std::string> names(const std::vector<T>& values) {
  std::vector<std::string> out;
  for (const T& value : values) out.push_back(name_of(value));
  return out;
}

std::vector<std::string> fault_names() {
  std::vector<std::string> out = names(all_faults());
  out.insert(out.begin(), name_of(Fault::None));
  return out;
}

std::vector<std::string> devices() {
  std::vector<std::string> out;
  for (const DeviceModel& device : device_models())
    if (device.in_choices) out.push_back(device.name);
  return out;
}

// "standard, flash_v1 … or split_kv"
std::string one_of(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::vector<Field> make_fields() {
  const std::vector<std::string> schedules = names(all_schedules()), on_off = {"on", "off"};
  return {
      {.name = "schedule",
       .key = "schedule",
       .group = FieldGroup::Schedule,
       .label = "Schedule",
       .hint = "how the work is ordered",
       .type = "NAME",
       .help = one_of(schedules),
       .choices = schedules,
       .way_out = one_of(schedules),
       .leads = true,
       .changes = kAll,
       .place = word<schedule_from, &Problem::schedule>()},
      {.name = "batch",
       .key = "batch",
       .group = FieldGroup::Shape,
       .label = "Batch",
       .hint = "independent problems",
       .type = "COUNT",
       .help = "Independent problems",
       .range = FieldRange{1, kMaxCount},
       .changes = kAll,
       .place = at<&Problem::shape, &Shape::batch>()},
      {.name = "heads",
       .key = "heads",
       .group = FieldGroup::Shape,
       .label = "Heads",
       .hint = "query heads",
       .type = "COUNT",
       .help = "Query heads",
       .range = FieldRange{1, kMaxCount},
       .changes = kAll,
       .place = at<&Problem::shape, &Shape::heads>()},
      {.name = "kv-heads",
       .key = "kv_heads",
       .group = FieldGroup::Shape,
       .label = "KV heads",
       .hint = "divides heads",
       .type = "COUNT",
       .help = "KV heads; divides heads (default: heads)",
       .range = FieldRange{1, kMaxCount},
       .changes = kAll,
       .place = at<&Problem::shape, &Shape::kv_heads>()},
      {.name = "n-q",
       .key = "n_q",
       .group = FieldGroup::Shape,
       .label = "Query length",
       .hint = "rows of Q and O",
       .type = "LENGTH",
       .help = "Rows of Q and O",
       .range = FieldRange{1, kMaxLength},
       .leads = true,
       .changes = kAll,
       .place = at<&Problem::shape, &Shape::n_q>()},
      {.name = "n-kv",
       .key = "n_kv",
       .group = FieldGroup::Shape,
       .label = "Key length",
       .hint = "rows of K and V",
       .type = "LENGTH",
       .help = "Rows of K and V",
       .range = FieldRange{1, kMaxLength},
       .leads = true,
       .changes = kAll,
       .place = at<&Problem::shape, &Shape::n_kv>()},
      {.name = "d",
       .key = "d",
       .group = FieldGroup::Shape,
       .label = "Head size",
       .hint = "1 to 256",
       .type = "SIZE",
       .help = "Head size, 1 to 256",
       .range = FieldRange{1, 256},
       .leads = true,
       .changes = kAll,
       .place = at<&Problem::shape, &Shape::d>()},
      {.name = "mask",
       .key = "mask",
       .group = FieldGroup::Shape,
       .label = "Mask",
       .hint = "none, causal, causal-bottom-right, window:LEFT:RIGHT",
       .type = "MASK",
       .help = "none, causal, causal-bottom-right, window:LEFT:RIGHT or window-bottom-right:LEFT:RIGHT",
       .way_out = "Such as none, causal or window:3:0",
       .changes = kAll,
       .place = word<mask_from, &Problem::shape, &Shape::mask>()},
      {.name = "br",
       .key = "br",
       .group = FieldGroup::Tiling,
       .label = "Q tile rows",
       .hint = "Br",
       .type = "ROWS",
       .help = "Rows of a Q tile",
       .range = FieldRange{1, kMaxLength},
       .leads = true,
       .changes = kAll,
       .place = at<&Problem::tiling, &Tiling::br>()},
      {.name = "bc",
       .key = "bc",
       .group = FieldGroup::Tiling,
       .label = "KV tile rows",
       .hint = "Bc",
       .type = "ROWS",
       .help = "Rows of a KV tile",
       .range = FieldRange{1, kMaxLength},
       .leads = true,
       .changes = kAll,
       .place = at<&Problem::tiling, &Tiling::bc>()},
      {.name = "splits",
       .key = "splits",
       .group = FieldGroup::Tiling,
       .label = "Splits",
       .hint = "split_kv: thread blocks that share a Q tile's keys",
       .type = "COUNT",
       .help = "split_kv: thread blocks that share a Q tile's keys, 1 to 256 (default 4)",
       .range = FieldRange{1, 256},
       .leads = true,
       .used_by = splits_keys,
       .changes = kAll,
       .place = at<&Problem::tiling, &Tiling::splits>()},
      {.name = "threshold",
       .key = "rescale_threshold",
       .group = FieldGroup::Tiling,
       .label = "Threshold",
       .hint = "flash_v4: how far m may lag, in log2 units",
       .type = "X",
       .help = "flash_v4: a max that grew by no more than this is not followed, in log2 units (default 8)",
       .range = FieldRange{0, 64},
       .way_out = "Type 8, as FlashAttention-4 has it",
       .leads = true,
       .used_by = rescales_rarely,
       .changes = {.values = true, .time = true},
       .place = at<&Problem::tiling, &Tiling::rescale_threshold>()},
      {.name = "stages",
       .group = FieldGroup::Tiling,
       .label = "Stages",
       .hint = "flash_v3, flash_v4: tiles in the circular buffer",
       .type = "COUNT",
       .help = "flash_v3, flash_v4: tiles in the circular buffer, K and V in turn (default 4)",
       .range = FieldRange{1, 64},
       .leads = true,
       .used_by = has_stages,
       .changes = {.bytes = true, .time = true},
       .place = at<&Problem::tiling, &Tiling::stages>()},
      {.name = "specialised",
       .group = FieldGroup::Lanes,
       .label = "Warps specialised",
       .hint = "flash_v3: a producer loads",
       .type = "ON",
       .help = "flash_v3: on or off; if off, a consumer loads between its own work",
       .choices = on_off,
       .way_out = "on or off",
       .leads = true,
       .used_by = has_consumers,
       .changes = kTime,
       .place = at<&Problem::lanes, &LaneSettings::warp_specialised>()},
      {.name = "ping-pong",
       .group = FieldGroup::Lanes,
       .label = "Ping-pong",
       .hint = "flash_v3: consumers take turns",
       .type = "ON",
       .help = "flash_v3: on or off; whether consumers take turns at the tensor cores",
       .choices = on_off,
       .way_out = "on or off",
       .leads = true,
       .used_by = has_consumers,
       .changes = kTime,
       .place = at<&Problem::lanes, &LaneSettings::ping_pong>()},
      {.name = "overlap",
       .group = FieldGroup::Lanes,
       .label = "Overlap",
       .hint = "flash_v3: products beside softmax",
       .type = "ON",
       .help = "flash_v3: on or off; whether a product runs beside the next softmax",
       .choices = on_off,
       .way_out = "on or off",
       .leads = true,
       .used_by = has_consumers,
       .changes = kTime,
       .place = at<&Problem::lanes, &LaneSettings::overlap>()},
      {.name = "exp2-share",
       .group = FieldGroup::Lanes,
       .label = "Polynomial share",
       .hint = "flash_v4: of the exponentials, 0 to 1",
       .type = "X",
       .help = "flash_v4: share of the exponentials computed by a polynomial, 0 to 1",
       .range = FieldRange{0, 1},
       .way_out = "Type a share from 0 to 1",
       .leads = true,
       .used_by = has_exp2_share,
       .changes = kTime,
       .place = at<&Problem::lanes, &LaneSettings::exp2_share>()},
      {.name = "order",
       .key = "order",
       .group = FieldGroup::Tiling,
       .label = "KV order",
       .hint = "which KV tile comes first",
       .type = "ORDER",
       .help = "Order of KV tiles: forward or reverse",
       .choices = {"forward", "reverse"},
       .way_out = "forward or reverse",
       .changes = kAll,
       .place = word<order_from, &Problem::tiling, &Tiling::order>()},
      {.name = "dtype",
       .key = "dtype",
       .group = FieldGroup::Numerics,
       .label = "Type",
       .hint = "of Q, K, V and O in HBM",
       .type = "TYPE",
       .help = "fp32, fp16 or bf16",
       .choices = {"fp32", "fp16", "bf16"},
       .way_out = "fp32, fp16 or bf16",
       .changes = kAll,
       .place = word<dtype_from, &Problem::numerics, &Numerics::dtype>()},
      {.name = "narrow-scores",
       .key = "narrow_scores",
       .group = FieldGroup::Numerics,
       .label = "S in 16 bits",
       .hint = "standard: S has this type too, not fp32",
       .type = "ON",
       .help = "standard in 16 bits: on or off; whether S has that type in HBM, as in PyTorch, or fp32 (default "
               "off; on for the naive attention beside another schedule's walk of 1,024 rows or more)",
       .choices = on_off,
       .way_out = "on or off",
       .sparse = true,
       .used_by = has_narrow_scores,
       .changes = {.values = true, .bytes = true, .time = true},
       .place = at<&Problem::numerics, &Numerics::narrow_scores>()},
      {.name = "base",
       .key = "base",
       .group = FieldGroup::Numerics,
       .label = "Base",
       .hint = "of the exponential",
       .type = "BASE",
       .help = "Base of the exponential: e or 2",
       .choices = {"e", "2"},
       .way_out = "e or 2",
       .changes = kValues,
       .place = word<base_from, &Problem::numerics, &Numerics::base>()},
      {.name = "scale",
       .key = "scale",
       .group = FieldGroup::Numerics,
       .label = "Scale",
       .hint = "auto, or a number",
       .type = "X",
       .help = "Factor on the scores (default 1/sqrt(d); 1 in base 2)",
       .way_out = "Type auto for 1/sqrt(d)",
       .changes = kValues,
       .place = at<&Problem::numerics, &Numerics::scale>()},
      {.name = "seed",
       .key = "seed",
       .group = FieldGroup::Numerics,
       .label = "Seed",
       .hint = "of Q, K and V",
       .type = "NUMBER",
       .help = "Seed of Q, K and V",
       .changes = kValues,
       .place = at<&Problem::numerics, &Numerics::seed>()},
      {.name = "distribution",
       .key = "distribution",
       .group = FieldGroup::Numerics,
       .label = "Distribution",
       .hint = "of Q, K and V",
       .type = "NAME",
       .help = "normal, uniform, integers or outliers",
       .choices = {"normal", "uniform", "integers", "outliers"},
       .way_out = "normal, uniform, integers or outliers",
       .changes = kValues,
       .place = word<distribution_from, &Problem::numerics, &Numerics::distribution>()},
      {.name = "device",
       .key = "device",
       .group = FieldGroup::Machine,
       .label = "Device",
       .hint = "the GPU whose limits are used",
       .type = "NAME",
       .help = "The GPU whose limits and rates are used, such as h200",
       .choices = devices(),
       .changes = {.bytes = true, .time = true},
       .place = FieldWord{[](const Problem& p) { return p.machine.device; },
                          [](Problem& p, const std::string& text) {
                            const std::optional<DeviceModel> known = device_named(text);
                            p.machine.device = known ? known->name : text;  // validate() reports an unknown name
                            return true;
                          }}},
      {.name = "sram",
       .key = "sram_bytes",
       .group = FieldGroup::Machine,
       .label = "SRAM bytes",
       .hint = "one thread block",
       .type = "BYTES",
       .help = "Bytes of SRAM that one thread block may use",
       .range = FieldRange{1, kMaxSram},
       .changes = {.steps = true,
                   .bytes = true,
                   .time = true},  // standard reads a row of S twice where it does not fit
       .place = at<&Problem::machine, &Machine::sram_bytes>()},
      {.name = "fault",
       .group = FieldGroup::Fault,
       .label = "Mistake",
       .hint = "made on purpose, to see it caught",
       .type = "NAME",
       .help = "Make one classic mistake in the replay; the check finds it",
       .choices = fault_names(),
       .way_out = "Try " + one_of(fault_names()),
       .changes = kValues,
       .place = word<fault_from, &Problem::fault>()},
  };
}

}  // namespace

const std::vector<Field>& fields() {
  static const std::vector<Field> all = make_fields();
  return all;
}

}  // namespace tilewalk
