// Reads a table of a session file key by key. What is wrong is collected, each with file, line, key and rule: nothing
// stops at the first.
#pragma once

#include <toml++/toml.h>

#include <charconv>
#include <functional>
#include <set>
#include <string>

#include "base/result.h"

namespace tilewalk {

// Reads one table: each key is taken once by name, and what is left over at the end is refused.
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
        refuse(*node, key, "must be text in quotes");
    }
  }
  void whole(const std::string& key, std::int64_t& out, std::int64_t low) {
    if (const toml::node* node = take(key)) {
      const auto value = node->value_exact<std::int64_t>();
      if (value && *value >= low)
        out = *value;
      else
        refuse(*node, key, "must be a whole number, at least " + std::to_string(low));
    }
  }
  void number(const std::string& key, double& out, double low, double high) {
    if (const toml::node* node = take(key)) {
      const auto value = node->is_number() ? node->value<double>() : std::nullopt;
      if (value && *value >= low && *value <= high)
        out = *value;
      else
        refuse(*node, key, "must be a number from " + plain(low) + " to " + plain(high));
    }
  }
  // Position of the text in `names`.
  template <std::size_t N>
  int choice(const std::string& key, const char* const (&names)[N], int otherwise) {
    const toml::node* node = take(key);
    if (!node) return otherwise;
    const auto value = node->value_exact<std::string>();
    std::string all;
    for (std::size_t i = 0; i < N; ++i) {
      if (value && *value == names[i]) return int(i);
      all += (i ? ", " : "") + std::string(names[i]);
    }
    refuse(*node, key, "must be one of " + all);
    return otherwise;
  }
  void yes_or_no(const std::string& key, bool& out) {
    if (const toml::node* node = take(key)) {
      if (const auto value = node->value_exact<bool>())
        out = *value;
      else
        refuse(*node, key, "must be true or false");
    }
  }
  void refuse(const toml::node& node, const std::string& key, std::string rule) {
    issues_.push_back({place(node), where_ + key, std::move(rule), ""});
  }
  std::string place(const toml::node& node) const {
    return file_ + ", line " + std::to_string(node.source().begin.line);
  }
  void refuse_unknown() {
    for (const auto& [key, node] : table_)
      if (!known_.contains(std::string(key.str())))
        refuse(node, std::string(key.str()), "is not a key of a session file");
  }
  const std::string& where() const { return where_; }
  static std::string plain(double value) {
    char buffer[40];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }

 private:
  const toml::table& table_;
  std::string where_;
  const std::string& file_;
  Issues& issues_;
  std::set<std::string> known_;
};

// Calls `read` with a reader of the table under `key`, if it is there.
inline void read_table(TableReader& parent, const std::string& key, const std::string& file, Issues& issues,
                       const std::function<void(TableReader&)>& read) {
  const toml::node* node = parent.take(key);
  if (!node) return;
  if (!node->is_table()) return parent.refuse(*node, key, "must be a table");
  TableReader reader(*node->as_table(), parent.where() + key + ".", file, issues);
  read(reader);
  reader.refuse_unknown();
}

}  // namespace tilewalk
