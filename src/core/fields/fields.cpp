#include "core/fields/fields.h"

#include "base/overloaded.h"
#include "base/parse.h"
#include "base/units.h"
#include "base/words.h"

namespace tilewalk {
std::string Field::text(const Problem& p) const {
  return std::visit(
      Overloaded{[&](const FieldWord& word) { return word.of(p); },
                 [&](const FieldAt<bool>& at) { return std::string(at.of(p) ? "on" : "off"); },
                 [&](const FieldAt<std::string>& at) { return at.of(p); },
                 [&](const FieldAt<double>& at) { return format_number(at.of(p)); },
                 [&](const FieldAt<std::optional<double>>& at) { return at.of(p) ? format_number(*at.of(p)) : "auto"; },
                 [&](const auto& whole) { return std::to_string(whole.of(p)); }},
      place);
}

std::optional<double> Field::number(const Problem& p) const {
  using Number = std::optional<double>;
  return std::visit(Overloaded{[](const FieldWord&) { return Number(); }, [](const FieldAt<bool>&) { return Number(); },
                               [](const FieldAt<std::string>&) { return Number(); },
                               [&](const FieldAt<Number>& at) { return at.of(p); },
                               [&](const auto& number) { return Number(double(number.of(p))); }},
                    place);
}

bool Field::in_range(const Problem& p) const {
  const std::optional<double> value = number(p);
  return !range || !value || (*value >= range->least && *value <= range->most);
}

Result<Done> Field::set(Problem& p, const std::string& typed) const {
  const std::string text = trimmed(typed);
  const auto refuse = [&](const std::string& value, const char* rule) { return Issue{name, value, rule, way_out}; };
  const auto real = [&](double& to) -> Result<Done> {
    if (put(parse_real(text), to)) return Done{};
    return refuse(text.empty() ? "nothing" : text, "is not a number");
  };
  return std::visit(Overloaded{[&](const FieldWord& word) -> Result<Done> {
                                 if (word.put(p, text)) return Done{};
                                 return refuse(text, "is not one of the names");
                               },
                               [&](const FieldAt<bool>& at) -> Result<Done> {
                                 if (text != "on" && text != "off") return refuse(text, "is not one of the names");
                                 at.in(p) = text == "on";
                                 return Done{};
                               },
                               [&](const FieldAt<std::string>& at) -> Result<Done> {
                                 at.in(p) = text;
                                 return Done{};
                               },
                               [&](const FieldAt<double>& at) { return real(at.in(p)); },
                               [&](const FieldAt<std::optional<double>>& at) -> Result<Done> {
                                 double value = 0;
                                 const bool left_out = text.empty() || text == "auto";
                                 if (const Result<Done> read = left_out ? Done{} : real(value); !read) return read;
                                 at.in(p) = left_out ? std::nullopt : std::optional(value);
                                 return Done{};
                               },
                               [&]<class Integer>(const FieldAt<Integer>& at) -> Result<Done> {
                                 if (put(parse_integer<Integer>(text), at.in(p))) return Done{};
                                 return refuse(text.empty() ? "nothing" : text, "is not a whole number in range");
                               }},
                    place);
}

bool Field::same(const Problem& a, const Problem& b) const {
  return std::visit(
      Overloaded{[&](const FieldAt<std::optional<double>>&) { return a.scale_value() == b.scale_value(); },
                 [&](const auto& at) { return at.of(a) == at.of(b); }},
      place);
}

const std::vector<const Field*>& editor_fields() {
  static const std::vector<const Field*> ordered = [] {
    std::vector<const Field*> out;
    for (const Field& field : fields()) out.push_back(&field);
    std::stable_partition(out.begin(), out.end(), [](const Field* field) { return field->leads; });
    return out;
  }();
  return ordered;
}

const Field* find_field(std::string_view name) {
  for (const Field& field : fields())
    if (field.name == name) return &field;
  return nullptr;
}

Changes changes_between(const Problem& a, const Problem& b) {
  Changes out;
  for (const Field& field : fields()) {
    if ((!field.matters(a.schedule) && !field.matters(b.schedule)) || field.same(a, b)) continue;
    out.values |= field.changes.values;
    out.steps |= field.changes.steps;
    out.bytes |= field.changes.bytes;
    out.time |= field.changes.time;
  }
  return out;
}

}  // namespace tilewalk
