// The fields of a problem, one row each. From this table come the flags of the command line, the keys of recordings and
// of session files, the editor, and what has to be made again when a problem changes: a field more is a row more.
// Order: fields() is that of --help and of recordings, editor_fields() that of the editor and of session files.
// Not here: rules between fields, which core/schedules/validate has; a range in a row is the field's own.
// Invariant: whatever text() tells, set() takes back as the same value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/problem/problem.h"

namespace tilewalk {

// What is another once a field is: the numbers computed, the steps that are walked, the bytes that are moved or held,
// the modelled time.
struct Changes {
  bool values = false, steps = false, bytes = false, time = false;
  bool operator==(const Changes&) const = default;
};

enum class FieldGroup { Schedule, Shape, Numerics, Tiling, Machine, Lanes, Fault };  // as the members of Problem

// Where in the problem a field lies.
template <class T>
struct FieldAt {
  const T& (*of)(const Problem&);
  T& (*in)(Problem&);
};
struct FieldWord {  // one of several names
  std::string (*of)(const Problem&);
  bool (*put)(Problem&, const std::string&);  // false: not one of the names
};
using FieldPlace = std::variant<FieldWord, FieldAt<std::int64_t>, FieldAt<int>, FieldAt<std::uint64_t>, FieldAt<double>,
                                FieldAt<std::optional<double>>, FieldAt<bool>, FieldAt<std::string>>;

struct FieldRange {
  double least = 0, most = 0;
};

struct Field {
  const char* name = "";  // on the command line, in session files, in the editor, in Issues: "kv-heads"
  const char* key = "";   // in recordings: "kv_heads"; empty: they do not tell it
  FieldGroup group = {};
  const char* label = "";                           // in the editor: "KV heads"
  const char* hint = "";                            // there, too: what may be typed, one line
  const char* type = "";                            // in --help: what stands for the value
  std::string help;                                 // there, too
  std::vector<std::string> choices{};               // not empty: one of these
  std::optional<FieldRange> range{};                // of a number
  std::string way_out = "Type digits, such as 16";  // of a text that cannot be read
  bool leads = false;                               // comes before the others in the editor and in session files
  bool (*used_by)(ScheduleKind) = nullptr;          // empty: every schedule. Where it is not used, it changes nothing
  Changes changes{};
  FieldPlace place;

  std::string text(const Problem&) const;
  std::optional<double> number(const Problem&) const;  // if it is one
  bool in_range(const Problem&) const;                 // words always are
  // The issue names the field, the text, the rule and the way out; then the problem is as it was. Ranges are left to
  // validate().
  Result<Done> set(Problem&, const std::string& text) const;
  bool matters(ScheduleKind kind) const { return !used_by || used_by(kind); }
  bool same(const Problem&, const Problem&) const;  // a scale that is left out is the one in force
};

const std::vector<Field>& fields();
const std::vector<const Field*>& editor_fields();
const Field* find_field(std::string_view name);

// All that differs between two problems; nothing, where they differ in nothing that their schedules use.
Changes changes_between(const Problem&, const Problem&);

}  // namespace tilewalk
