#include "dispatch/recorded_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "core/problem/device_model.h"
#include "files/csv.h"

namespace tilewalk {
namespace {

// The columns that are fields of a call, and the names of those fields here.
constexpr std::pair<const char*, const char*> kFields[] = {{"device", "on"},
                                                           {"dtype", "dtype"},
                                                           {"batch", "batch"},
                                                           {"heads", "heads"},
                                                           {"kv_heads", "kv-heads"},
                                                           {"enable_gqa", "enable-gqa"},
                                                           {"n_q", "n-q"},
                                                           {"n_kv", "n-kv"},
                                                           {"d", "d"},
                                                           {"d_v", "d-v"},
                                                           {"attn_mask", "attn-mask"},
                                                           {"mask_dims", "mask-dims"},
                                                           {"is_causal", "is-causal"},
                                                           {"dropout", "dropout"},
                                                           {"training", "training"},
                                                           {"layout", "layout"},
                                                           {"deterministic", "deterministic"},
                                                           {"enabled", "enabled"},
                                                           {"set_priority", "set-priority"},
                                                           {"env", "env"}};

// The versions and the card, from "torch: 2.11.0+cu130", "cuda", "cudnn: 91900", "card, driver: NVIDIA H200, …".
CallWords words_of_head(const std::map<std::string, std::string>& head) {
  CallWords out;
  const auto take = [&](const char* key, const char* field, char stop) {
    if (const auto at = head.find(key); at != head.end()) out[field] = at->second.substr(0, at->second.find(stop));
  };
  take("torch", "torch", '+');
  take("cuda", "cuda", ' ');
  take("cudnn", "cudnn", ' ');
  if (const auto at = head.find("card, driver"); at != head.end())
    if (const DeviceModel* const card = device_like(at->second.substr(0, at->second.find(','))))
      out["device"] = card->name;
  return out;
}

class Row {
 public:
  Row(const std::map<std::string, std::size_t>& columns, const std::vector<std::string>& fields)
      : columns_(columns), fields_(fields) {}
  std::string operator[](const std::string& column) const {
    const auto at = columns_.find(column);
    return at == columns_.end() || at->second >= fields_.size() ? "" : fields_[at->second];
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const std::vector<std::string>& fields_;
};

}  // namespace

Result<RecordedCalls> parse_recorded_calls(std::string_view text, const std::string& name) {
  RecordedCalls out;
  Issues issues;
  std::map<std::string, std::size_t> columns;
  CsvLines lines(text);
  while (lines.next() && issues.size() < 20) {
    const std::string where = fmt::format("{}, line {}", name, lines.number());
    if (!lines.shows())
      return Issue{where, "", "contains characters that are not printable", "It is not a table of calls"};
    std::string_view line = lines.line();
    if (line.starts_with("# ")) {
      line.remove_prefix(2);
      const std::string key(take_until(line, ':'));
      while (line.starts_with(' ')) line.remove_prefix(1);
      if (out.provenance.size() < kMaxCsvRemarks) out.provenance[key] = line;
      continue;
    }
    const std::vector<std::string> fields = csv_fields(line);
    if (columns.empty()) {
      for (std::size_t i = 0; i < fields.size(); ++i) columns[fields[i]] = i;
      for (const char* needed : {"call", "dtype", "choice", "ran", "can_flash", "can_efficient", "can_cudnn"})
        if (!columns.contains(needed))
          return Issue{where, needed, "is a column that is missing", "draw_dispatch.py writes it"};
      continue;
    }
    if (fields.size() != columns.size())
      return Issue{where, std::to_string(fields.size()), fmt::format("is not {} fields", columns.size()), ""};
    const Row row(columns, fields);
    CallWords words = words_of_head(out.provenance);
    for (const auto& [column, field] : kFields)
      if (const std::string value = row[column]; !value.empty()) words[field] = value;
    const Result<Call> call = call_from(words);
    if (!call) {
      for (Issue issue : call.issues()) {
        issue.field = where + ", " + issue.field;
        issues.push_back(std::move(issue));
      }
      continue;
    }
    RecordedCall& kept = out.calls.emplace_back();
    kept.number = parse_integer(row["call"]).value_or(0);
    kept.call = *call;
    kept.choice = row["choice"];
    kept.ran = row["ran"];
    kept.error = row["choice_error"].empty() ? row["run_error"] : row["choice_error"];
    for (const SdpaBackend backend : {SdpaBackend::Flash, SdpaBackend::Efficient, SdpaBackend::Cudnn}) {
      kept.can_use[backend] = row[std::string("can_") + name_of(backend)];
      kept.why[backend] = row[std::string("why_") + name_of(backend)];
    }
  }
  if (!issues.empty()) return issues;
  return out;
}

}  // namespace tilewalk
