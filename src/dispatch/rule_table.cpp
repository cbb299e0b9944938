#include "dispatch/rule_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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
    keys.text("like", out.like);
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
    backends(keys, "drops_mask", out.drops_mask);
    keys.text("order_cpu_source", out.order_cpu_source);
    keys.text("none_left", out.none_left);
    keys.text("none_left_cpu", out.none_left_cpu);
    keys.text("none_enabled", out.none_enabled);
    read_table(keys, "prefer_cudnn", file_, issues_, [&](TableReader& prefer) {
      out.prefer_cudnn = {};
      version(prefer, "above", out.prefer_cudnn.above);
      std::vector<std::string> cards;
      list(prefer, "sm", cards);
      for (const std::string& card : cards) out.prefer_cudnn.sm.push_back(sm_from(card));
      prefer.text("unless_one", out.prefer_cudnn.unless_one);
      prefer.text("unless_zero", out.prefer_cudnn.unless_zero);
      prefer.text("source", out.prefer_cudnn.source);
    });
    wheels(keys, out.wheels);
    keys.text("wheels_source", out.wheels_source);
    for (const SdpaBackend backend : kAllBackends) {
      const std::string name = name_of(backend);
      rules(keys, "windows_" + name, out.on_windows[backend], false);
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
  void wheels(TableReader& keys, std::vector<WheelBuild>& out) {
    const toml::node* node = keys.take("wheels");
    if (!node) return;
    if (!node->is_array_of_tables()) return keys.refuse(*node, "wheels", "must be tables", "Such as [[wheels]]");
    out.clear();
    for (const toml::node& each : *node->as_array()) {
      TableReader row(*each.as_table(), "wheels.", file_, issues_);
      WheelBuild wheel;
      version(row, "cuda", wheel.cuda);
      std::vector<std::string> cards;
      list(row, "sm", cards);
      for (const std::string& card : cards) wheel.sm.push_back(sm_from(card));
      row.refuse_unknown();
      out.push_back(std::move(wheel));
    }
  }
  void backends(TableReader& keys, const char* key, std::vector<SdpaBackend>& out) {
    std::vector<std::string> names;
    list(keys, key, names);
    if (!names.empty()) out.clear();
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
    out.clear();
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

Result<RuleTable> parse_rule_table(std::string_view text, const std::string& name, const RuleTable* base) {
  const Result<toml::table> root = parse_toml(text, name);
  if (!root) return root.issues();
  Issues issues;
  RuleTable out = base ? *base : RuleTable{};
  TableFile(name, issues).read(*root, out);
  if (!issues.empty()) return issues;
  return out;
}

namespace {

struct TableText {
  std::string name, text;
};

// The version whose rules a table copies; empty: none.
std::string like_of(const TableText& file) {
  const Result<toml::table> root = parse_toml(file.text, file.name);
  return root ? (*root)["like"].value_or(std::string()) : std::string();
}

// Tables after the table whose rules they take over.
Result<Done> parse_in_turn(std::vector<TableText> files, std::vector<RuleTable>& out) {
  while (!files.empty()) {
    std::vector<TableText> waiting;
    for (TableText& file : files) {
      const std::string like = like_of(file);
      const auto base = std::find_if(out.begin(), out.end(), [&](const RuleTable& one) { return one.version == like; });
      if (!like.empty() && base == out.end()) {
        waiting.push_back(std::move(file));
        continue;
      }
      Result<RuleTable> table = parse_rule_table(file.text, file.name, like.empty() ? nullptr : &*base);
      if (!table) return table.issues();
      out.push_back(std::move(*table));
    }
    if (waiting.size() == files.size())
      return Issue{waiting.front().name + ", like", like_of(waiting.front()), "is no version with rules here",
                   "Such as like = \"2.11\""};
    files = std::move(waiting);
  }
  return Done{};
}

}  // namespace

Result<std::vector<RuleTable>> load_rule_tables(const std::string& root) {
  const std::string folder = root + "/assets/dispatch";
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().string());
  if (names.empty()) return Issue{folder, "", "contains no rules of PyTorch", "Install Tilewalk with its assets"};
  std::sort(names.begin(), names.end());
  std::vector<TableText> files;
  for (const std::string& name : names) {
    Result<std::string> text = read_text_file(name, kMostBytes);
    if (!text) return text.issues();
    files.push_back({fs::path(name).filename().string(), std::move(*text)});
  }
  std::vector<RuleTable> out;
  if (const auto parsed = parse_in_turn(std::move(files), out); !parsed) return parsed.issues();
  std::sort(out.begin(), out.end(), [](const RuleTable& a, const RuleTable& b) {
    const auto left = version_from(a.version), right = version_from(b.version);
    return left == right ? a.version < b.version : left > right;  // 2.5 is 2.5.1, newer than 2.5.0
  });
  const std::string all = out.size() == 1 ? out.front().version : out.back().version + " to " + out.front().version;
  for (RuleTable& table : out) table.all_versions = all;
  return out;
}

bool reads_variable(const RuleTable& table, const std::string& name) {
  const PreferCudnn& prefer = table.prefer_cudnn;
  const auto reads = [&](const Rule& rule) {
    const auto at = rule.numbers.text.find("variable");
    return at != rule.numbers.text.end() && at->second == name;
  };
  return name == prefer.unless_one || name == prefer.unless_zero ||
         std::any_of(table.gpu.begin(), table.gpu.end(),
                     [&](const auto& each) { return std::any_of(each.second.begin(), each.second.end(), reads); });
}

bool wheel_has(const RuleTable& table, Version cuda, int sm) {
  const WheelBuild* wheel = nullptr;
  for (const WheelBuild& one : table.wheels)
    if (!wheel || one.cuda <= cuda) wheel = &one;
  const auto runs = [&](int built_for) { return built_for / 10 == sm / 10 && built_for <= sm; };
  return !wheel || std::any_of(wheel->sm.begin(), wheel->sm.end(), runs);
}

std::optional<Version> wheel_for(const RuleTable& table, int sm) {
  std::optional<Version> out;
  for (const WheelBuild& one : table.wheels)
    if (wheel_has(table, one.cuda, sm)) out = one.cuda;
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
  const std::string minor = version.substr(0, version.find('.', version.find('.') + 1));
  for (const std::string& name : {version, minor})
    for (const RuleTable& table : tables)
      if (table.version == name) return &table;
  for (const RuleTable& table : tables) add_to_list(known, table.version);
  std::string history;
  for (const TorchEvent& event : torch_history()) history += fmt::format(" {}: {}.", event.version, event.what);
  return Issue{"torch", version, "has no rules here: no source of it was read",
               "Rules are here for " + known + ". For another one, " + ask_torch_itself() +
                   ". What changed when:" + history + " --torch-history has the sources"};
}

// For display. "Read" means its source; which of them were run, each version's table says.
const std::vector<TorchEvent>& torch_history() {
  static const std::vector<TorchEvent> rows = {
      {"2.2", "FLASH is FlashAttention-2 from here on", "pull request 105602"},
      {"2.4", "cuDNN's attention is there, off unless TORCH_CUDNN_SDPA_ENABLED is 1; SM 9.0 is the newest for all",
       "sdp_utils.cpp of 2.4.0, lines 47, 199, 230 and 488"},
      {"2.5", "FlexAttention is new; enable_gqa is new, and FLASH takes it", "torch.nn.attention.flex_attention"},
      {"2.5.0", "cuDNN goes first on Hopper", "pull request 125343"},
      {"2.5.1", "it no longer does", "pull request 138522, issue 139298"},
      {"2.6", "sdpa_kernel takes set_priority", "pull request 140467"},
      {"2.8", "wheels for CUDA 12.8 and newer have no kernels for SM 5.0 and 6.x", "issue 157517"},
      {"2.8", "cuDNN takes d up to 256 on SM 9.0 from cuDNN 9.5.1 on, and refuses one query or one key; it goes last",
       "sdp_utils.cpp of 2.8.0 in ROCm/pytorch at 10b22ea5"},
      {"2.9", "cuDNN goes first on SM 9.0 and 10.0 again; it takes one query, and d above 128 only from cuDNN 9.10 on",
       "sdp_utils.cpp of 2.9.0 in ROCm/pytorch at 10b22ea5; pull requests 162073 and 161210"},
      {"2.10", "its source has cuDNN first only where cuDNN is newer than 9.15, on SM 9.0, 10.0 and 10.3",
       "pull request 171627, issue 169849"},
      {"2.11", "its wheels include such a cuDNN; those for CUDA 12.8 and newer have no kernels for SM 7.0",
       "sdp_utils.cpp at 70d99e99, line 78; issue 172352"},
      {"2.13", "EFFICIENT refuses Q, K and V whose offsets are not aligned to 16 bytes", "pull request 184258"},
      {"2.14", "cuDNN takes d up to 256 on SM 9.0 and 10 above cuDNN 9.22, not below; EFFICIENT takes enable_gqa",
       "sdp_utils.cpp at 001f694, check_cudnn_tensor_shapes and can_use_mem_efficient_attention"},
  };
  return rows;
}

}  // namespace tilewalk
