// The fields of a problem, one row each. From this table come the flags of the command line, the keys of recordings and
// of session files, the editor, and what has to be recomputed when a problem changes: a new field is a new row. Order:
// fields() is that of --help and of recordings, editor_fields() that of the editor and of session files. Not here:
// rules between fields, which core/fields/validate has; a range in a row is the field's own. Invariant: set() parses
// whatever text() returns, to the same value.
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

// What a change of a field changes: the numbers computed, the steps of the walk, the bytes moved or resident, the
// modelled time.
struct Changes {
  bool values = false, steps = false, bytes = false, time = false;
  bool operator==(const Changes&) const = default;
};

enum class FieldGroup { Schedule, Shape, Numerics, Tiling, Machine, Lanes, Fault };  // as the members of Problem

// The member of the problem that a field reads and sets.
template <class T>
struct FieldAt {
  const T& (*of)(const Problem&);
  T& (*in)(Problem&);
};
struct FieldWord {  // one of a field's named values
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
  const char* key = "";   // in recordings: "kv_heads"; empty: recordings do not contain it
  FieldGroup group = {};
  const char* label = "";                           // in the editor: "KV heads"
  const char* hint = "";                            // in the editor: what may be typed, one line
  const char* type = "";                            // the name of the value in --help
  std::string help;                                 // in --help
  std::vector<std::string> choices{};               // not empty: one of these
  std::optional<FieldRange> range{};                // of a number
  std::string way_out = "Type digits, such as 16";  // advice for a text that cannot be parsed
  bool sparse = false;  // files contain it only where it differs from its default: it is younger than they are
  bool leads = false;   // is listed before the others in the editor and in session files
  bool (*used_by)(ScheduleKind) = nullptr;  // empty: every schedule. A field that is not used changes nothing
  Changes changes{};
  FieldPlace place;

  std::string text(const Problem&) const;
  std::optional<double> number(const Problem&) const;  // empty where it is not a number
  bool in_range(const Problem&) const;                 // always true for words
  // An issue names the field, the text, the rule and what to do; the problem is then unchanged. validate() checks
  // ranges.
  Result<Done> set(Problem&, const std::string& text) const;
  bool matters(ScheduleKind kind) const { return !used_by || used_by(kind); }
  bool same(const Problem&, const Problem&) const;  // a missing scale equals the default scale
};

const std::vector<Field>& fields();
const std::vector<const Field*>& editor_fields();
const Field* find_field(std::string_view name);

// All differences between two problems; none where they differ only in fields that their schedules do not use.
Changes changes_between(const Problem&, const Problem&);

}  // namespace tilewalk
