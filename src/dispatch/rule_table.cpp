#include "dispatch/rule_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/words.h"
#include "dispatch/rule_checks.h"
#include "files/file_io.h"
#include "files/table_reader.h"
#include "files/toml_text.h"

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = 1 << 18;

class TableFile {
 public:
  TableFile(const std::string& file, Issues& issues) : file_(file), issues_(issues) {}

  void read(const toml::table& root, RuleTable& out) {
    TableReader keys(root, "", file_, issues_);
    keys.text("version", out.version);
    keys.text("title", out.title);
    keys.text("commit", out.commit);
    keys.text("checked", out.checked);
    keys.text("flash_generation", out.flash_generation);
    keys.yes_or_no("can_set_priority", out.can_set_priority);
    keys.text("set_priority_note", out.set_priority_note);
    version(keys, "wheel_cuda", out.cuda);
    version(keys, "wheel_cudnn", out.cudnn);
    backends(keys, "order", out.order);
    keys.text("order_source", out.order_source);
    backends(keys, "order_cpu", out.order_cpu);
    keys.text("order_cpu_source", out.order_cpu_source);
    keys.text("none_left", out.none_left);
    keys.text("none_left_cpu", out.none_left_cpu);
    keys.text("none_enabled", out.none_enabled);
    read_table(keys, "prefer_cudnn", file_, issues_, [&](TableReader& prefer) {
      version(prefer, "above", out.prefer_cudnn.above);
      std::vector<std::string> cards;
      list(prefer, "sm", cards);
      for (const std::string& card : cards) out.prefer_cudnn.sm.push_back(sm_from(card));
      prefer.text("unless_one", out.prefer_cudnn.unless_one);
      prefer.text("source", out.prefer_cudnn.source);
    });
    for (const SdpaBackend backend : kAllBackends) {
      const std::string name = name_of(backend);
      rules(keys, name, out.gpu[backend], false);
      rules(keys, "cpu_" + name, out.cpu[backend], false);
      rules(keys, name + "_raises", out.gpu_raises[backend], true);
      rules(keys, "cpu_" + name + "_raises", out.cpu_raises[backend], true);
    }
    keys.refuse_unknown();
    if (out.version.empty() || out.order.empty() || out.order_cpu.empty())
      issues_.push_back({file_, "", "lacks its version, order or order_cpu", "See assets/dispatch/README.md"});
  }

 private:
  void version(TableReader& keys, const char* key, Version& out) {
    std::string text;
    keys.text(key, text);
    if (text.empty()) return;
    if (const auto read = version_from(text))
      out = *read;
    else
      issues_.push_back({file_ + ", " + key, text, "is not a version", "Such as \"9.19\""});
  }
  void list(TableReader& keys, const std::string& key, std::vector<std::string>& out) {
    const toml::node* node = keys.take(key);
    if (!node) return;
    if (node->is_array())
      for (const toml::node& each : *node->as_array())
        if (const auto text = each.value_exact<std::string>()) out.push_back(*text);
    if (out.empty()) keys.refuse(*node, key, "must be a list of texts", "Such as " + key + " = [\"fp16\"]");
  }
  void backends(TableReader& keys, const char* key, std::vector<SdpaBackend>& out) {
    std::vector<std::string> names;
    list(keys, key, names);
    for (const std::string& name : names) {
      if (const auto backend = backend_named(name))
        out.push_back(*backend);
      else
        issues_.push_back({file_ + ", " + key, name, "is not a backend", "One of flash, efficient, math, cudnn"});
    }
  }
  void rules(TableReader& keys, const std::string& key, std::vector<Rule>& out, bool raise) {
    const toml::node* node = keys.take(key);
    if (!node) return;
    if (!node->is_array_of_tables()) return keys.refuse(*node, key, "must be tables", "Such as [[" + key + "]]");
    for (const toml::node& each : *node->as_array()) {
      TableReader row(*each.as_table(), key + ".", file_, issues_);
      Rule rule;
      row.text("check", rule.check);
      row.text("says", rule.says);
      row.text("source", rule.source);
      if (raise) row.text("raises", rule.raises);
      if (const RuleCheck* check = check_named(rule.check))
        numbers(row, *each.as_table(), *check, rule.numbers);
      else
        row.refuse(each, "check", fmt::format("'{}' is not a known check", rule.check),
                   "The nearest is " + nearest_check(rule.check));
      if (rule.says.empty() || rule.source.empty() || (raise && rule.raises.empty()))
        row.refuse(each, "says", "a rule needs its words and its source", "says = \"…\", source = \"file:line\"");
      out.push_back(std::move(rule));
    }
  }
  // Reads each key except the fixed ones, by the type of its value; the numbers that the check needs are required.
  void numbers(TableReader& row, const toml::table& table, const RuleCheck& check, RuleNumbers& out) {
    scalars(row, table, out);
    if (const toml::node* cases = row.take("cases"); cases && cases->is_array_of_tables())
      for (const toml::node& each : *cases->as_array()) {
        TableReader inner(*each.as_table(), row.where() + "cases.", file_, issues_);
        scalars(inner, *each.as_table(), out.cases.emplace_back());
        if (!out.cases.back().whole.contains("most")) inner.refuse(each, "most", "a case needs 'most'", "most = 256");
      }
    for (const std::string& needed : check.needs)
      if (!out.whole.contains(needed) && !out.text.contains(needed) && !out.yes.contains(needed) &&
          !out.lists.contains(needed) && !(needed == "cases" && !out.cases.empty()))
        row.refuse(table, needed, fmt::format("{} needs '{}'", check.name, needed), "Give it in the rule's table");
  }
  void scalars(TableReader& row, const toml::table& table, RuleNumbers& out) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "check" || name == "says" || name == "source" || name == "raises" || name == "cases") continue;
      row.take(name);
      if (const auto whole = node.value_exact<std::int64_t>(); whole && *whole > 0)
        out.whole[name] = *whole;
      else if (const auto yes = node.value_exact<bool>())
        out.yes[name] = *yes;
      else if (const auto text = node.value_exact<std::string>())
        out.text[name] = *text;
      else
        list(row, name, out.lists[name]);
    }
  }

  const std::string& file_;
  Issues& issues_;
};

}  // namespace

Result<RuleTable> parse_rule_table(std::string_view text, const std::string& name) {
  const Result<toml::table> root = parse_toml(text, name);
  if (!root) return root.issues();
  Issues issues;
  RuleTable out;
  TableFile(name, issues).read(*root, out);
  if (!issues.empty()) return issues;
  return out;
}

Result<std::vector<RuleTable>> load_rule_tables(const std::string& root) {
  const std::string folder = root + "/assets/dispatch";
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  if (files.empty()) return Issue{folder, "", "contains no rules of PyTorch", "Install Tilewalk with its assets"};
  std::sort(files.begin(), files.end());
  std::vector<RuleTable> out;
  for (const std::string& file : files) {
    const Result<std::string> text = read_text_file(file, kMostBytes);
    if (!text) return text.issues();
    Result<RuleTable> table = parse_rule_table(*text, fs::path(file).filename().string());
    if (!table) return table.issues();
    out.push_back(std::move(*table));
  }
  std::sort(out.begin(), out.end(),
            [](const RuleTable& a, const RuleTable& b) { return version_from(a.version) > version_from(b.version); });
  return out;
}

std::string ask_torch_itself() {
  return "query that PyTorch itself: torch.backends.cuda.can_use_flash_attention(params, debug=True) prints what "
         "refuses, "
         "likewise can_use_efficient_attention and can_use_cudnn_attention; and a profile shows what ran "
         "(tilewalk decode --profile)";
}

Result<const RuleTable*> table_for(const std::vector<RuleTable>& tables, const std::string& version) {
  std::string known;
  for (const RuleTable& table : tables) {
    if (table.version == version) return &table;
    add_to_list(known, table.version);
  }
  std::string history;
  for (const TorchEvent& event : torch_history()) history += fmt::format(" {}: {}.", event.version, event.what);
  return Issue{
      "torch", version, "has no rules here: of its source no tag could be read",
      "Rules are here for " + known + ". For another one, " + ask_torch_itself() + ". What changed when:" + history};
}

// Pull requests 105602, 138522, 139298, 162073 and 170800 of PyTorch, and torch.nn.attention.flex_attention.
const std::vector<TorchEvent>& torch_history() {
  static const std::vector<TorchEvent> rows = {
      {"2.2", "FLASH is FlashAttention-2 from here on"},
      {"2.5", "FlexAttention is new"},
      {"2.5.0", "cuDNN goes first on Hopper"},
      {"2.5.1", "it no longer does"},
      {"2.10", "its source has cuDNN first again on SM 9.0 and 10, where cuDNN is newer than 9.15"},
      {"2.11", "its wheels include such a cuDNN"},
  };
  return rows;
}

}  // namespace tilewalk
