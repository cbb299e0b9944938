#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/fields/fields.h"
#include "core/schedules/registry.h"
#include "files/file_io.h"
#include "files/folder.h"
#include "files/toml_text.h"
#include "lab/tasks/task.h"

namespace tilewalk::lab {
namespace {

constexpr std::int64_t kMostTaskBytes = 256 * 1024;

Issue bad(const std::string& path, std::string rule, std::string way_out) {
  return {path, "", std::move(rule), std::move(way_out)};
}

std::string text_in(const toml::table& table, const char* key) { return table[key].value<std::string>().value_or(""); }

Result<LabJudging> judging_from(const std::string& word, const std::string& path) {
  constexpr std::pair<const char*, LabJudging> kWords[] = {
      {"visits", LabJudging::Visits}, {"results", LabJudging::Results}, {"sums", LabJudging::Sums},
      {"scores", LabJudging::Scores}, {"weights", LabJudging::Weights}, {"gradients", LabJudging::Gradients}};
  for (const auto& [name, is] : kWords)
    if (word == name) return is;
  return bad(path, "judge is visits, results, sums, scores, weights or gradients", "");
}

// The text between ```task and ```; the rest goes to `prose`.
Result<std::string> block_of(const std::string& text, const std::string& path, std::string& prose) {
  const std::size_t open = text.find("```task\n");
  const std::size_t close = open == std::string::npos ? open : text.find("\n```", open + 7);
  if (close == std::string::npos) return bad(path, "has no task block", "Write ```task, its keys, and ```");
  prose = text.substr(0, open) + text.substr(std::min(close + 5, text.size()));
  return text.substr(open + 8, close - open - 7);
}

std::string sizes_sentence(const LabSetup& setup, bool others) {
  const Shape& s = setup.problem.shape;
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  return "\nIt runs with N_Q = " + text(s.n_q) + ", N_KV = " + text(s.n_kv) + ", D = " + text(s.d) +
         ", BR = " + text(setup.problem.tiling.br) + ", BC = " + text(setup.problem.tiling.bc) +
         ", THREADS = " + text(setup.threads) + (s.mask.kind == MaskKind::Causal ? " and a causal mask" : "") +
         (others ? ", then with others.\n" : ".\n");
}

Result<LabTask> load_task(const std::string& folder) {
  LabTask out;
  out.folder = folder;
  const std::string path = folder + "/task.md";
  const Result<std::string> text = read_text_file(path, kMostTaskBytes);
  if (!text) return text.issues();
  const Result<std::string> block = block_of(*text, path, out.prose);
  if (!block) return block.issues();
  Result<toml::table> table = parse_toml(*block, path);
  if (!table) return table.issues();
  out.number = int(std::clamp<std::int64_t>((*table)["number"].value_or<std::int64_t>(0), 0, 99));
  out.minutes = int(std::clamp<std::int64_t>((*table)["minutes"].value_or<std::int64_t>(0), 0, 600));
  const std::string name = std::filesystem::path(folder).filename().string();
  out.name = name.size() > 3 ? name.substr(3) : name;
  if (out.number == 0 || out.minutes == 0) return bad(path, "needs number and minutes", "");
  const std::size_t title = out.prose.find("# ");
  if (title != 0) return bad(path, "begins with # and its title", "");
  out.title = out.prose.substr(2, out.prose.find('\n') - 2);
  out.setup.threads = std::clamp<std::int64_t>((*table)["threads"].value_or<std::int64_t>(32), 1, kMostThreads);
  const Result<LabJudging> judging = judging_from(text_in(*table, "judge"), path);
  if (!judging) return judging.issues();
  out.setup.judging = *judging;
  const Result<Problem> problem = with_fields({}, text_in(*table, "problem"), path);
  if (!problem) return problem.issues();
  out.setup.problem = *problem;
  const std::string follows = text_in(*table, "follows"), ledger = text_in(*table, "ledger");
  if (!follows.empty() && !(out.setup.follows = schedule_from(follows))) return bad(path, "follows no schedule", "");
  if (!ledger.empty() && !(out.setup.ledger = schedule_from(ledger))) return bad(path, "names no schedule", "");
  if (!out.setup.ledger) out.setup.ledger = out.setup.follows;
  out.setup.bytes_judged = (*table)["bytes-judged"].value_or(false);
  out.setup.conflicts_judged = (*table)["conflicts-judged"].value_or(false);
  out.goal = text_in(*table, "goal");
  out.start_says = text_in(*table, "start-says");
  const auto texts = [&](const char* key, std::vector<std::string>& to) {
    if (const toml::array* list = (*table)[key].as_array())
      for (const toml::node& each : *list) to.push_back(each.value<std::string>().value_or(""));
  };
  texts("hints", out.hints);
  texts("also", out.also);
  out.prose += sizes_sentence(out.setup, !out.also.empty());
  for (const std::string& each : out.also)
    if (const Result<Problem> other = with_fields(out.setup.problem, each, path); !other) return other.issues();
  for (auto& [file, to] : {std::pair{"/start.cu", &out.start}, std::pair{"/solution.cu", &out.solution}}) {
    Result<std::string> code = read_text_file(folder + file, kMostTaskBytes);
    if (!code) return code.issues();
    *to = *code;
  }
  if (const toml::array* list = (*table)["wrong"].as_array())
    for (const toml::node& each : *list) {
      if (!each.is_table()) return bad(path, "wrong is a list of tables", "");
      WrongVersion wrong{text_in(*each.as_table(), "name"), "", text_in(*each.as_table(), "says")};
      if (wrong.name.empty() || wrong.name.find('/') != std::string::npos || wrong.says.empty())
        return bad(path, "a wrong version has name and says", "");
      Result<std::string> code = read_text_file(folder + "/wrong/" + wrong.name + ".cu", kMostTaskBytes);
      if (!code) return code.issues();
      wrong.text = *code;
      out.wrong.push_back(std::move(wrong));
    }
  return out;
}

}  // namespace

Result<Problem> with_fields(Problem problem, const std::string& words, const std::string& from) {
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    const std::size_t equals = word.find('=');
    const Field* field = equals == std::string::npos ? nullptr : find_field(word.substr(0, equals));
    if (!field) return bad(from, "\"" + word + "\" is no field of a problem", "Write such as n-q=16");
    const Result<Done> set = field->set(problem, word.substr(equals + 1));
    if (!set) return set.issues();
    if (!field->in_range(problem)) return bad(from, "\"" + word + "\" is out of range", "");
  }
  return problem;
}

Result<std::vector<LabTask>> load_tasks(const std::string& folder) {
  const Result<FolderListing> listing = list_folder(folder, {});
  if (!listing) return listing.issues();
  std::vector<LabTask> out;
  for (const FolderEntry& each : listing->entries) {
    const bool numbered =
        each.folder && each.name.size() > 3 && each.name[2] == '-' && each.name[0] >= '0' && each.name[0] <= '9';
    if (!numbered) continue;
    Result<LabTask> task = load_task(folder + "/" + each.name);
    if (!task) return task.issues();
    out.push_back(std::move(*task));
  }
  std::sort(out.begin(), out.end(), [](const LabTask& a, const LabTask& b) { return a.number < b.number; });
  return out;
}

}  // namespace tilewalk::lab
