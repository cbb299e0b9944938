// Reads a table of a session file key by key. Collects all faults, each with file, line, key, value, rule and what to
// do; does not stop at the first.
#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"
#include "base/shown.h"
#include "base/units.h"
#include "base/words.h"
#include "files/toml_text.h"

namespace tilewalk {

// Reads one table: each key is read once by name, and keys that remain at the end are refused.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string where, const std::string& file, Issues& issues)
      : table_(table), where_(std::move(where)), file_(file), issues_(issues) {}

  const toml::node* take(const std::string& key) {
    known_.insert(key);
    return table_.get(key);
  }
  void text(const std::string& key, std::string& out) {
    if (const toml::node* node = take(key)) {
      if (const auto value = node->value_exact<std::string>())
        out = *value;
      else
        refuse(*node, key, "must be text in quotes", "Such as " + key + " = \"text\"");
    }
  }
  void whole(const std::string& key, std::int64_t& out, std::int64_t low,
             std::int64_t high = std::numeric_limits<std::int64_t>::max()) {
    if (const toml::node* node = take(key)) {
      const auto value = node->value_exact<std::int64_t>();
      const bool bounded = high < std::numeric_limits<std::int64_t>::max();
      if (value && *value >= low && *value <= high)
        out = *value;
      else
        refuse(*node, key,
               bounded ? "must be a whole number from " + format_count(low) + " to " + format_count(high)
                       : "must be a whole number, at least " + std::to_string(low),
               "Such as " + key + " = " + std::to_string(low));
    }
  }
  void number(const std::string& key, double& out, double low, double high) {
    if (const toml::node* node = take(key)) {
      const auto value = node->is_number() ? node->value<double>() : std::nullopt;
      if (value && *value >= low && *value <= high)
        out = *value;
      else
        refuse(*node, key, "must be a number from " + format_number(low) + " to " + format_number(high),
               "Such as " + key + " = " + format_number(std::max(low, std::min(high, 1.0))));
    }
  }
  // Position of the text in `names`.
  template <std::size_t N>
  int choice(const std::string& key, const char* const (&names)[N], int otherwise) {
    const toml::node* node = take(key);
    if (!node) return otherwise;
    const auto value = node->value_exact<std::string>();
    for (std::size_t i = 0; i < N; ++i)
      if (value && *value == names[i]) return int(i);
    refuse(*node, key, "must be one of " + listed(names), "Such as " + key + " = \"" + names[0] + "\"");
    return otherwise;
  }
  void yes_or_no(const std::string& key, bool& out) {
    if (const toml::node* node = take(key)) {
      if (const auto value = node->value_exact<bool>())
        out = *value;
      else
        refuse(*node, key, "must be true or false", "Such as " + key + " = true");
    }
  }
  void refuse(const toml::node& node, const std::string& key, std::string rule, std::string way_out) {
    issues_.push_back({file_ + ", line " + std::to_string(node.source().begin.line) + ", " + where_ + key,
                       text_of_node(node), std::move(rule), std::move(way_out)});
  }
  void refuse_unknown() {
    const std::vector<std::string> known(known_.begin(), known_.end());
    for (const auto& [key, node] : table_)
      if (const std::string name(key.str()); !known_.contains(name))
        refuse(node, name, "is not a key that this version knows",
               "Delete it" + (known.empty() ? "" : "; the nearest is " + nearest(name, known)) +
                   ", or a newer Tilewalk wrote the file");
  }
  const std::string& where() const { return where_; }

 private:
  static constexpr std::size_t kMostShownText = 120;

  static std::string text_of_node(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return shown(*text, kMostShownText);
    if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
    if (const auto number = node.value_exact<double>()) return format_number(*number);
    if (const auto yes = node.value_exact<bool>()) return *yes ? "true" : "false";
    return node.is_table() ? "a table" : node.is_array() ? "a list" : "a date or a time";
  }

  const toml::table& table_;
  std::string where_;
  const std::string& file_;
  Issues& issues_;
  std::set<std::string> known_;
};

// Calls `read` with a reader of the table under `key`, if there is one.
inline void read_table(TableReader& parent, const std::string& key, const std::string& file, Issues& issues,
                       const std::function<void(TableReader&)>& read) {
  const toml::node* node = parent.take(key);
  if (!node) return;
  if (!node->is_table()) return parent.refuse(*node, key, "must be a table", "Such as [" + parent.where() + key + "]");
  TableReader reader(*node->as_table(), parent.where() + key + ".", file, issues);
  read(reader);
  reader.refuse_unknown();
}

// A whole file. `read` stores the values of the keys in a T and may add issues; it gets the table itself too.
template <class T>
Result<T> read_tables(std::string_view text, const std::string& name,
                      const std::function<void(TableReader&, const toml::table&, Issues&, T&)>& read) {
  const Result<toml::table> table = parse_toml(text, name);
  if (!table) return table.issues();
  Issues issues;
  T out;
  TableReader reader(*table, "", name, issues);
  read(reader, *table, issues, out);
  reader.refuse_unknown();
  if (!issues.empty()) return issues;
  return out;
}

}  // namespace tilewalk
