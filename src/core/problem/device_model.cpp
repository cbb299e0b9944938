#include "core/problem/device_model.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <stdexcept>

#include "base/contains.h"
#include "base/units.h"
#include "base/words.h"

namespace tilewalk {
namespace {

// The share of a memory's bandwidth that a copy reaches: an H200's 4275 of 4800 GB/s (an H100 0.90). Other cards are
// assumed to reach the same share.
constexpr double kReachedBandwidth = 4275.0 / 4800;
constexpr std::int64_t kLongestNarrowHead = 128;  // DeviceModel::wide_tflops

// "NVIDIA GeForce RTX 4090" and "rtx4090" are both "4090".
std::string letters_of(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum((unsigned char)c)) out += char(std::tolower((unsigned char)c));
  for (const std::string_view maker : {"nvidia", "tesla", "geforce", "quadro", "rtx"})
    if (out.starts_with(maker) && out.size() > maker.size()) out.erase(0, maker.size());
  return out;
}

struct FoundDevice {
  const DeviceModel* model = nullptr;
  const DeviceAlias* alias = nullptr;  // null: by name or title
};

FoundDevice find_device(std::string_view name) {
  for (const DeviceModel& model : device_models())
    if (name == model.name) return {&model, nullptr};
  const std::string letters = letters_of(name);
  for (const DeviceModel& model : device_models()) {
    if (letters == letters_of(model.name) || letters == letters_of(model.title)) return {&model, nullptr};
    for (const DeviceAlias& alias : model.aliases)
      if (letters == letters_of(alias.name) || (alias.card && letters == letters_of(alias.card)))
        return {&model, &alias};
  }
  return {};
}

std::string capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

bool begins_with_any(const std::string& letters, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return letters.starts_with(word); });
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

// The maker of another maker's GPU, by the beginning of its name; null: not known here.
const char* other_maker(const std::string& letters) {
  const auto digit_after = [&](std::string_view word) {
    return letters.starts_with(word) && letters.size() > word.size() &&
           std::isdigit((unsigned char)letters[word.size()]);
  };
  if (digit_after("mi") || digit_after("rx") || digit_after("gfx") ||
      begins_with_any(letters, {"amd", "radeon", "instinct"}))
    return "AMD";
  const bool number_alone = letters.size() == 2 || (letters.size() > 2 && std::isalpha((unsigned char)letters[2]));
  if (begins_with_any(letters, {"apple", "mps"}) || (digit_after("m") && number_alone)) return "Apple";
  if (begins_with_any(letters, {"intel", "arc", "gaudi", "xpu"})) return "Intel";
  if (begins_with_any(letters, {"google", "tpu"})) return "Google";
  return begins_with_any(letters, {"aws", "trainium", "inferentia"}) ? "Amazon" : nullptr;
}

// NVIDIA's cards before tensor cores.
bool is_before_tensor_cores(const std::string& letters) {
  if (begins_with_any(letters, {"gtx", "titanx"})) return true;
  constexpr std::string_view cards[] = {"p100", "p40",  "p4",     "k80",  "k40", "m40",
                                        "m60",  "1080", "1080ti", "1070", "1060"};
  return contains(cards, letters);
}

// The parts of "NVIDIA A100-SXM4-80GB": NVIDIA, A100, SXM4, 80GB.
std::vector<std::string> parts_of_name(const std::string& name) {
  std::vector<std::string> out(1);
  for (const char c : name) {
    if (std::isalnum((unsigned char)c))
      out.back() += c;
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

}  // namespace

std::optional<DeviceModel> device_named(const std::string& name) {
  const FoundDevice found = find_device(name);
  return found.model ? std::optional(*found.model) : std::nullopt;
}

std::string device_title(const std::string& name) {
  const std::optional<DeviceModel> known = device_named(name);
  return known ? known->title : name;
}

std::string stand_in_sentence(const std::string& name) {
  const FoundDevice found = find_device(name);
  if (!found.alias || !found.alias->card) return {};
  return std::string(found.alias->card) + " has no figures of its own in the device table: those of the " +
         found.model->title + ", which has the same compute capability (" +
         capability_text(found.model->compute_capability) + "), stand in";
}

Issue no_such_device(const std::string& field, const std::string& name, const std::string& known) {
  const std::string letters = letters_of(name), names = "Try one of " + device_names() + known;
  if (const char* maker = other_maker(letters))
    return {field, name,
            std::string("is a GPU of ") + maker +
                ": the device table, PyTorch's rules for CUDA and the kernels do not apply to it",
            names};
  if (is_before_tensor_cores(letters))
    return {field, name,
            "is older than tensor cores: the device table begins with compute capability " +
                capability_text(device_models().front().compute_capability),
            names};
  return {field, name, "is not in the device table", names};
}

double DeviceModel::reached_bytes_per_s() const {
  return (copy_gb_per_s > 0 ? copy_gb_per_s : hbm_gb_per_s * kReachedBandwidth) * 1e9;
}

double DeviceModel::reached_flop_per_s() const {
  return (product_tflops > 0 ? product_tflops : matrix16_tflops) * 1e12;
}

double DeviceModel::highest_flop_per_s(std::int64_t d) const {
  return std::max(reached_flop_per_s(), d > kLongestNarrowHead ? wide_tflops * 1e12 : 0);
}

double DeviceModel::reached_flop_per_cycle() const { return reached_flop_per_s() / (sms * reached_clock_hz()); }

const DeviceModel& device_of(const Machine& machine) { return device_of(machine.device); }

const DeviceModel& device_of(std::string_view name) {
  for (const DeviceModel& model : device_models())
    if (model.name == name) return model;
  throw std::logic_error("no device is called " + std::string(name));
}

const DeviceModel& device_of_capability(int capability) {
  const DeviceModel* found = &device_models().front();
  for (const DeviceModel& model : device_models())
    if (model.compute_capability <= capability && model.compute_capability > found->compute_capability) found = &model;
  return *found;
}

const DeviceModel* device_like(const std::string& card_name) {
  const std::vector<std::string> name_parts = parts_of_name(card_name);
  const DeviceModel* best = nullptr;
  std::size_t most = 0;
  for (const DeviceModel& device : device_models()) {
    const std::vector<std::string> title = parts_of_name(device.title);
    const auto number = std::find_if(title.begin(), title.end(), has_digit);  // "H200", "4090"
    if (number == title.end() || !contains(name_parts, *number)) continue;
    const std::size_t alike = std::size_t(std::count_if(title.begin(), title.end(), [&](const std::string& part) {
      return std::any_of(name_parts.begin(), name_parts.end(),
                         [&](const std::string& word) { return word.starts_with(part); });
    }));
    if (alike > most) most = alike, best = &device;
  }
  return best;
}

std::string device_names() {
  std::string out;
  for (const DeviceModel& model : device_models()) add_to_list(out, model.name);
  return out;
}

std::string memory_words(const DeviceModel& device) {
  const std::string memory = format_bytes(std::llround(device.memory_bytes())) + " that " + device.title;
  if (device.reported_memory_bytes == 0) return memory + " has by its data sheet";
  return memory + " reports (data sheet: " + std::to_string(std::llround(device.hbm_gb)) + " GB)";
}

}  // namespace tilewalk
