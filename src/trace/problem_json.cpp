#include "trace/problem_json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/overloaded.h"
#include "core/fields/fields.h"
#include "core/fields/validate.h"

namespace tilewalk {
namespace {

using Json = nlohmann::json;

constexpr const char* kWayOut = "Record it again, or read it with the Tilewalk that made it";

// A problem is one object of plain values. Deep nesting would overflow the stack of code that writes it again.
bool is_nested(std::string_view json) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '{' || c == '[') && ++depth > 2)
      return true;
    else if (!quoted && (c == '}' || c == ']'))
      --depth;
  }
  return false;
}

// First the fields of every schedule, then this schedule's own, in the order of recordings.
template <class Visit>
void each_written_field(ScheduleKind kind, Visit visit) {
  for (const bool own : {false, true})
    for (const Field& field : fields())
      if (*field.key && field.matters(kind) && (field.used_by != nullptr) == own) visit(field);
}

// Reads one key after another and records which were requested.
class Reader {
 public:
  Reader(const Json& json, const std::string& name) : json_(json), name_(name) {}

  void field(const Field& field, Problem& p) {
    if (!asked_.insert(field.key).second) return;
    const auto found = json_.find(field.key);
    if (found == json_.end() && field.sparse) return;
    if (found == json_.end()) {
      issues.push_back({name_ + ", problem", "", std::string("lacks the key ") + field.key, kWayOut});
      return;
    }
    if (const char* rule = std::visit([&](const auto& at) { return read(*found, at, p); }, field.place))
      issues.push_back({name_ + ", problem, " + field.key,
                        found->dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 80), rule,
                        field.way_out});
  }

  Issues finish() {
    for (const auto& item : json_.items()) {
      if (!asked_.contains(item.key()))
        issues.push_back(
            {name_ + ", problem", item.key(), "is not a key of a problem that this version knows", kWayOut});
    }
    return issues;
  }

 private:
  // Each sets the value in the problem, or returns the rule that the value breaks.
  static const char* read(const Json& value, const FieldWord& word, Problem& p) {
    return value.is_string() && word.put(p, value.get<std::string>()) ? nullptr : "is not one of the words known here";
  }
  static const char* read(const Json& value, const FieldAt<std::string>& at, Problem& p) {
    if (!value.is_string()) return "must be a string";
    at.in(p) = value.get<std::string>();
    return nullptr;
  }
  static const char* read(const Json& value, const FieldAt<bool>& at, Problem& p) {
    if (!value.is_boolean()) return "must be true or false";
    at.in(p) = value.get<bool>();
    return nullptr;
  }
  static const char* read(const Json& value, const FieldAt<double>& at, Problem& p) {
    if (!value.is_number()) return "must be a number";
    at.in(p) = value.get<double>();
    return nullptr;
  }
  static const char* read(const Json& value, const FieldAt<std::optional<double>>& at, Problem& p) {
    if (value.is_null()) return nullptr;
    if (!value.is_number()) return "must be a number or null";
    at.in(p) = value.get<double>();
    return nullptr;
  }
  static const char* read(const Json& value, const FieldAt<std::uint64_t>& at, Problem& p) {
    if (!value.is_number_unsigned()) return "must be a whole number from 0 to 2^64 - 1";
    at.in(p) = value.get<std::uint64_t>();
    return nullptr;
  }
  template <class Integer>
  static const char* read(const Json& value, const FieldAt<Integer>& at, Problem& p) {
    constexpr std::uint64_t most = std::uint64_t(std::numeric_limits<Integer>::max());
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= most : value.is_number_integer();
    if (!fits) return "must be a whole number below 2^63";
    at.in(p) = Integer(value.get<std::int64_t>());
    return nullptr;
  }

  const Json& json_;
  std::string name_;
  std::set<std::string> asked_;
  Issues issues;
};

}  // namespace

std::string problem_json(const Problem& p) {
  nlohmann::ordered_json json;
  each_written_field(p.schedule, [&](const Field& field) {
    if (field.sparse && field.same(p, {})) return;
    nlohmann::ordered_json& value = json[field.key] = nullptr;
    std::visit(Overloaded{[&](const FieldAt<std::optional<double>>& at) {
                            if (at.of(p)) value = *at.of(p);
                          },
                          [&](const auto& at) { value = at.of(p); }},
               field.place);
  });
  return json.dump();
}

Result<Problem> parse_problem_json(std::string_view text, const std::string& name) {
  if (text.size() > kMaxProblemJson)
    return Issue{name + ", problem", std::to_string(text.size()) + " bytes", "must be at most 65536 bytes", kWayOut};
  if (is_nested(text)) return Issue{name + ", problem", "", "must be a JSON object of plain values", kWayOut};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Issue{name + ", problem", "", "is not a JSON object", kWayOut};
  Problem p;
  Reader read(json, name);
  read.field(*find_field("schedule"), p);
  each_written_field(p.schedule, [&](const Field& field) { read.field(field, p); });
  Issues issues = read.finish();
  if (issues.empty()) {
    issues = validate(p);
    for (Issue& issue : issues) issue.field = name + ", problem, " + issue.field;
  }
  if (!issues.empty()) return issues;
  return p;
}

}  // namespace tilewalk
