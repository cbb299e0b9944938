// tilewalk tree: the family of attention kernels, oldest first.

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "core/schedules/registry.h"
#include "pages/tree/tree_model.h"
#include "pages/tree/tree_table.h"

namespace tilewalk {
namespace {

Json json_of(const MemberRow& row) {
  Json after = Json::array();
  for (const TreeMember each : row.after) after.push_back(member_row(each).name);
  return {{"name", row.name},
          {"year", row.year},
          {"branch", tree_branches()[std::size_t(row.branch)].title},
          {"changes", row.changes},
          {"measured", row.result},
          {"exact", row.exact},
          {"runs_on", row.runs_on},
          {"schedule", row.schedule ? Json(name_of(*row.schedule)) : Json()},
          {"after", std::move(after)},
          {"source", row.source}};
}

void print(const MemberRow& row) {
  const TreeModel model = build_tree_model(row.member);
  say("{}\n{}", model.name, wrapped(std::string(model.changes), "    "));
  for (const TreeFact& fact : model.facts) say("    {}: {}\n", fact.title, fact.text);
  if (row.schedule) say("    shown here: tilewalk --schedule {}\n", name_of(*row.schedule));
  say("\n");
}

}  // namespace

int tree_verb(const CommandLine& line) {
  Json members = Json::array();
  for (const MemberRow& row : tree_table()) {
    if (line.has("json"))
      members.push_back(json_of(row));
    else
      print(row);
  }
  if (line.has("json")) print_json({{"members", std::move(members)}});
  return kExitOk;
}

}  // namespace tilewalk
