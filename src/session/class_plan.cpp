#include "session/class_plan.h"

#include <algorithm>
#include <filesystem>

#include "base/contains.h"
#include "base/words.h"
#include "files/file_io.h"
#include "files/table_reader.h"
#include "files/toml_text.h"

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPlanBytes = 1 << 16;

std::vector<std::string> read_list(TableReader& reader, const std::string& key) {
  std::vector<std::string> out;
  const toml::node* const node = reader.take(key);
  if (!node) return out;
  const toml::array* const all = node->as_array();
  if (all && all->is_homogeneous<std::string>())
    for (const toml::node& each : *all) out.push_back(*each.value_exact<std::string>());
  else
    reader.refuse(*node, key, "must be a list of texts", "Such as " + key + " = [\"text\"]");
  return out;
}

template <class Take>
void each_table(TableReader& reader, const toml::table& table, const char* key, const std::string& name, Issues& issues,
                Take take) {
  reader.take(key);
  if (const toml::array* const all = table[key].as_array())
    for (const toml::node& node : *all) {
      if (!node.is_table()) return reader.refuse(node, key, "must be tables", std::string("Such as [[") + key + "]]");
      TableReader each(*node.as_table(), std::string(key) + ".", name, issues);
      take(each);
      each.refuse_unknown();
    }
}

void read_part(TableReader& reader, ClassPlan& plan) {
  ClassPart part;
  reader.whole("minutes", part.minutes, 1);
  reader.whole("lesson", part.lesson, 1);
  reader.text("do", part.deed);
  part.ask = read_list(reader, "ask");
  reader.text("print", part.print);
  plan.parts.push_back(std::move(part));
}

void read_print(TableReader& reader, ClassPlan& plan) {
  static const char* const kSheets[] = {"hand", "roofline", "lesson"};
  ClassPrint print;
  reader.text("name", print.name);
  print.sheet = ClassSheet(reader.choice("sheet", kSheets, 0));
  reader.text("preset", print.preset);
  reader.text("device", print.device);
  reader.whole("lesson", print.lesson, 1);
  std::int64_t seed = 1;
  reader.whole("seed", seed, 0);
  print.seed = std::uint64_t(seed);
  reader.text("copies", print.copies);
  plan.prints.push_back(std::move(print));
}

void check_plan(const ClassPlan& plan, const std::string& name, Issues& issues) {
  std::int64_t sum = 0;
  std::vector<std::string> needed, there;
  for (const ClassPart& part : plan.parts) {
    sum += part.minutes;
    if (!part.print.empty() && !contains(needed, part.print)) needed.push_back(part.print);
  }
  for (const ClassPrint& print : plan.prints) there.push_back(print.name);
  if (sum != plan.minutes)
    issues.push_back({name + ", minutes", std::to_string(plan.minutes),
                      "is not the sum of the parts: " + std::to_string(sum), "Make the two equal"});
  if (needed != there)
    issues.push_back(
        {name + ", print", "", "must list the print-outs of the parts, in their order", "Name them A, B, …"});
}

}  // namespace

Result<ClassPlan> parse_class_plan(std::string_view text, const std::string& name) {
  const auto read = [&](TableReader& reader, const toml::table& table, Issues& issues, ClassPlan& plan) {
    reader.text("title", plan.title);
    reader.text("goal", plan.goal);
    reader.whole("minutes", plan.minutes, 1);
    plan.before = read_list(reader, "before");
    plan.after = read_list(reader, "after");
    each_table(reader, table, "part", name, issues, [&](TableReader& each) { read_part(each, plan); });
    each_table(reader, table, "print", name, issues, [&](TableReader& each) { read_print(each, plan); });
    check_plan(plan, name, issues);
  };
  return read_tables<ClassPlan>(text, name, read);
}

Result<ClassPlan> load_class_plan(const std::string& root, const std::string& minutes) {
  std::vector<std::string> there;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root + "/assets/classes", error))
    if (entry.path().extension() == ".toml") there.push_back(entry.path().stem().string());
  std::sort(there.begin(), there.end());
  if (!contains(there, minutes)) {
    std::string names;
    for (const std::string& each : there) add_to_list(names, each);
    return Issue{"class", minutes, "is not a plan", "There are plans of " + names + " minutes"};
  }
  const std::string path = root + "/assets/classes/" + minutes + ".toml";
  const Result<std::string> text = read_text_file(path, kMostPlanBytes);
  if (!text) return text.issues();
  return parse_class_plan(*text, path);
}

}  // namespace tilewalk
