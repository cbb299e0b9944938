#include "dispatch/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "base/units.h"
#include "core/problem/device_model.h"
#include "dispatch/call_words.h"

namespace tilewalk {
namespace {

struct BackendNames {
  SdpaBackend backend;
  const char *name, *torch;
  std::optional<Contender> contender = {};
};
constexpr BackendNames kBackends[] = {
    {SdpaBackend::Flash, "flash", "FLASH_ATTENTION", Contender::TorchFlash},
    {SdpaBackend::Efficient, "efficient", "EFFICIENT_ATTENTION", Contender::TorchEfficient},
    {SdpaBackend::Math, "math", "MATH"},
    {SdpaBackend::Cudnn, "cudnn", "CUDNN_ATTENTION", Contender::TorchCudnn}};

const BackendNames& names_of(SdpaBackend backend) {
  return *std::find_if(std::begin(kBackends), std::end(kBackends),
                       [&](const BackendNames& row) { return row.backend == backend; });
}

}  // namespace

const char* name_of(SdpaBackend backend) { return names_of(backend).name; }
const char* torch_name(SdpaBackend backend) { return names_of(backend).torch; }
std::optional<Contender> contender_of(SdpaBackend backend) { return names_of(backend).contender; }

std::optional<SdpaBackend> backend_named(const std::string& name) {
  for (const BackendNames& row : kBackends)
    if (name == row.name || name == row.torch) return row.backend;
  return std::nullopt;
}

std::optional<Version> version_from(const std::string& text) {
  if (const auto whole = parse_integer<int>(text); whole && *whole >= 1000 && *whole <= 999999)
    return Version{*whole < 10000 ? *whole / 1000 * 10000 + *whole % 1000 : *whole};  // 8902 is cuDNN 8.9.2
  std::string_view rest = text;
  int number = 0;
  for (const int worth : {10000, 100, 1}) {
    if (rest.empty() && worth != 10000) break;
    const auto part = within(parse_integer<int>(take_until(rest, '.')), 0, 99);
    if (!part) return std::nullopt;
    number += worth * *part;
  }
  return rest.empty() && !text.ends_with('.') ? std::optional(Version{number}) : std::nullopt;
}

std::string text_of(Version version) {
  const int major = version.number / 10000, minor = version.number / 100 % 100, patch = version.number % 100;
  return patch ? fmt::format("{}.{}.{}", major, minor, patch) : fmt::format("{}.{}", major, minor);
}

std::optional<int> sm_of(const std::string& device) {
  if (const std::optional<DeviceModel> known = device_named(device)) return known->compute_capability;
  for (const char* prefix : {"sm_", "sm"})
    if (device.starts_with(prefix))
      return within(parse_integer<int>(device.substr(std::string(prefix).size())), 50, 129);
  return std::nullopt;
}

int Call::sm() const { return sm_of(device).value_or(0); }

std::string sm_text(int sm) { return fmt::format("{}.{}", sm / 10, sm % 10); }

std::string name_of(CallType type) { return kTypeWords[int(type)]; }

std::string mask_words(const Call& call) {
  constexpr const char* kinds[] = {"none", "bool", "float", "float that needs a gradient"};
  std::string out = kinds[int(call.mask)];
  if (!call.has_mask()) return out;
  out += ", ";
  if (call.mask_dims == 4) out += format_count(call.batch) + "×" + format_count(call.heads) + "×";
  return out + format_count(call.n_q) + "×" + format_count(call.keys());
}

Result<Call> call_from(const CallWords& words) {
  Call call;
  Issues issues;
  for (const CallField& field : call_fields()) {
    const auto at = words.find(field.name);
    if (at == words.end() || (at->second.empty() && field.text(Call{}).empty())) continue;
    if (const auto rule = field.read(call, at->second))
      issues.push_back({field.name, at->second, *rule, field.such_as});
  }
  for (const auto& [name, text] : words) {
    const auto known = [&word = name](const CallField& field) { return word == field.name; };
    if (std::none_of(call_fields().begin(), call_fields().end(), known))
      issues.push_back({name, text, "is not a field of a call", "tilewalk which --help lists them"});
  }
  if (!issues.empty()) return issues;
  if (call.kv_heads == call.heads) call.kv_heads.reset();
  if (call.n_kv == call.n_q) call.n_kv.reset();
  if (call.d_v == call.d) call.d_v.reset();
  return call;
}

CallWords changed_fields(const Call& call) {
  CallWords out;
  const Call plain;
  for (const CallField& field : call_fields())
    if (const std::string text = field.text(call); text != field.text(plain)) out[field.name] = text;
  return out;
}

std::string command_line_of(const Call& call) {
  std::string out = "tilewalk which";
  const CallWords words = changed_fields(call);
  for (const CallField& field : call_fields())
    if (const auto at = words.find(field.name); at != words.end())
      out += fmt::format(" --{} {}", field.name, at->second);
  return out;
}

}  // namespace tilewalk
