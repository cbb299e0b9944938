#include "trace/problem_json.h"
#include "core/schedules/registry.h"
#include "core/schedules/validate.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace tilewalk {
namespace {

using Json = nlohmann::json;

// Reads one key after another and remembers which were asked for.
class Reader {
 public:
  Reader(const Json& json, const std::string& name) : json_(json), name_(name) {}

  void integer(const char* key, std::int64_t& to) {
    const Json* const value = find(key);
    if (!value) return;
    const bool fits = value->is_number_integer() &&
                      (!value->is_number_unsigned() ||
                       value->get<std::uint64_t>() <= std::uint64_t(std::numeric_limits<std::int64_t>::max()));
    if (fits)
      to = value->get<std::int64_t>();
    else
      refuse(key, *value, "must be a whole number below 2^63");
  }

  void seed(const char* key, std::uint64_t& to) {
    const Json* const value = find(key);
    if (!value) return;
    if (value->is_number_unsigned())
      to = value->get<std::uint64_t>();
    else
      refuse(key, *value, "must be a whole number from 0 to 2^64 - 1");
  }

  void number(const char* key, double& to) {
    const Json* const value = find(key);
    if (!value) return;
    if (value->is_number())
      to = value->get<double>();
    else
      refuse(key, *value, "must be a number");
  }

  void scale(const char* key, std::optional<double>& to) {
    const Json* const value = find(key);
    if (!value || value->is_null()) return;
    if (value->is_number())
      to = value->get<double>();
    else
      refuse(key, *value, "must be a number or null");
  }

  template <class T, class From>
  void word(const char* key, T& to, From from) {
    const Json* const value = find(key);
    if (!value) return;
    const auto found = value->is_string() ? from(value->get<std::string>()) : std::nullopt;
    if (found)
      to = *found;
    else
      refuse(key, *value, "is not one of the words known here");
  }

  void text(const char* key, std::string& to) {
    const Json* const value = find(key);
    if (!value) return;
    if (value->is_string())
      to = value->get<std::string>();
    else
      refuse(key, *value, "must be a string");
  }

  Issues finish() {
    for (const auto& item : json_.items()) {
      if (!asked_.contains(item.key()))
        issues.push_back({name_ + ", problem", item.key(), "is not a key of a problem", ""});
    }
    return issues;
  }

 private:
  const Json* find(const char* key) {
    asked_.insert(key);
    const auto at = json_.find(key);
    if (at != json_.end()) return &*at;
    issues.push_back({name_ + ", problem", "", std::string("lacks the key ") + key, ""});
    return nullptr;
  }
  void refuse(const char* key, const Json& value, const char* rule) {
    issues.push_back({name_ + ", problem, " + key,
                      value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 80), rule, ""});
  }

  const Json& json_;
  std::string name_;
  std::set<std::string> asked_;
  Issues issues;
};

}  // namespace

std::string problem_json(const Problem& p) {
  nlohmann::ordered_json json = {{"schedule", name_of(p.schedule)},
                                 {"batch", p.shape.batch},
                                 {"heads", p.shape.heads},
                                 {"kv_heads", p.shape.kv_heads},
                                 {"n_q", p.shape.n_q},
                                 {"n_kv", p.shape.n_kv},
                                 {"d", p.shape.d},
                                 {"mask", name_of(p.shape.mask)},
                                 {"br", p.tiling.br},
                                 {"bc", p.tiling.bc},
                                 {"order", name_of(p.tiling.order)},
                                 {"dtype", name_of(p.numerics.dtype)},
                                 {"base", name_of(p.numerics.base)},
                                 {"scale", nullptr},
                                 {"seed", p.numerics.seed},
                                 {"distribution", name_of(p.numerics.distribution)},
                                 {"device", p.machine.device},
                                 {"sram_bytes", p.machine.sram_bytes}};
  if (p.numerics.scale) json["scale"] = *p.numerics.scale;
  if (row_of(p).settings.splits) json["splits"] = p.tiling.splits;
  if (row_of(p).settings.rescale_threshold) json["rescale_threshold"] = p.tiling.rescale_threshold;
  return json.dump();
}

Result<Problem> parse_problem_json(std::string_view text, const std::string& name) {
  if (text.size() > kMaxProblemJson)
    return Issue{name + ", problem", std::to_string(text.size()) + " bytes", "must be at most 65536 bytes", ""};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Issue{name + ", problem", "", "is not a JSON object", ""};
  Problem p;
  Reader read(json, name);
  read.word("schedule", p.schedule, schedule_from);
  read.integer("batch", p.shape.batch);
  read.integer("heads", p.shape.heads);
  read.integer("kv_heads", p.shape.kv_heads);
  read.integer("n_q", p.shape.n_q);
  read.integer("n_kv", p.shape.n_kv);
  read.integer("d", p.shape.d);
  read.word("mask", p.shape.mask, mask_from);
  read.integer("br", p.tiling.br);
  read.integer("bc", p.tiling.bc);
  read.word("order", p.tiling.order, order_from);
  read.word("dtype", p.numerics.dtype, dtype_from);
  read.word("base", p.numerics.base, base_from);
  read.scale("scale", p.numerics.scale);
  read.seed("seed", p.numerics.seed);
  read.word("distribution", p.numerics.distribution, distribution_from);
  read.text("device", p.machine.device);
  read.integer("sram_bytes", p.machine.sram_bytes);
  if (row_of(p).settings.splits) read.integer("splits", p.tiling.splits);
  if (row_of(p).settings.rescale_threshold) read.number("rescale_threshold", p.tiling.rescale_threshold);
  Issues issues = read.finish();
  if (issues.empty()) issues = validate(p);
  if (!issues.empty()) return issues;
  return p;
}

}  // namespace tilewalk
