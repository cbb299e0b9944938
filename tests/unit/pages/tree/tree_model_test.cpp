#include "pages/tree/tree_model.h"

#include <set>

#include "core/schedules/registry.h"
#include "pages/tree/tree_table.h"
#include "session/document/words.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("every member of the family has a row, in order of years, and builds only on earlier ones") {
  const auto& table = tree_table();
  REQUIRE(table.size() == std::size(kTreeWords));
  std::set<std::string> names;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const MemberRow& row = table[i];
    CAPTURE(row.name);
    CHECK(row.member == TreeMember(int(i)));
    if (i > 0) CHECK(row.year >= table[i - 1].year);
    for (const TreeMember old : row.after) CHECK(member_row(old).year <= row.year);
    for (const char* text : {row.name, row.short_name, row.changes, row.runs_on, row.source})
      CHECK(std::string(text) != "");
    CHECK(std::string(row.changes).ends_with("."));
    CHECK(names.insert(row.short_name).second);
  }
  CHECK(!member_row(TreeMember::Sage).exact);
  CHECK(member_row(TreeMember::Flash4).schedule == ScheduleKind::FlashV4);
}

TEST_CASE("each box has its own place, in its lane and its year, and lines go to the right") {
  const TreeModel m = build_tree_model(TreeMember::Flash2);
  std::set<std::pair<int, int>> places;
  for (std::size_t i = 0; i < m.boxes.size(); ++i) {
    const TreeBox& box = m.boxes[i];
    const MemberRow& row = tree_table()[i];
    CAPTURE(box.name);
    CHECK(places.insert({box.column, box.row}).second);
    CHECK(m.columns[std::size_t(box.column)].year == std::to_string(row.year));
    const TreeLane& lane = m.lanes[std::size_t(row.branch)];
    CHECK(lane.title == tree_branches()[std::size_t(row.branch)].title);
    CHECK(box.row >= lane.row);
    CHECK(box.row < lane.row + lane.rows);
  }
  for (const TreeLine& line : m.lines)
    CHECK(m.boxes[std::size_t(line.from)].column <= m.boxes[std::size_t(line.to)].column);
  CHECK(m.columns[1].after_gap);
  CHECK(!m.columns[2].after_gap);
  CHECK(m.rows == 9);
}

TEST_CASE("the chosen member shows all its facts, and its relatives are highlighted") {
  const TreeModel m = build_tree_model(TreeMember::Flash3);
  CHECK(m.name == "FlashAttention-3, 2024");
  CHECK(m.show == "Walk FA-3");
  CHECK(m.commands == std::vector<Command>{SetSchedule{ScheduleKind::FlashV3}, ShowPage{Page::Walk}});
  std::set<std::string> kin, chosen;
  for (const TreeBox& box : m.boxes) {
    if (box.kin) kin.insert(box.name);
    if (box.chosen) chosen.insert(box.name);
  }
  CHECK(chosen == std::set<std::string>{"FA-3"});
  CHECK(kin == std::set<std::string>{"FA-2", "FA-4", "FlashMLA"});
  int lines = 0;
  for (const TreeLine& line : m.lines) lines += line.chosen;
  CHECK(lines == 3);
  const TreeModel sage = build_tree_model(TreeMember::Sage);
  CHECK(sage.show.empty());
  CHECK(sage.commands.empty());
  CHECK(std::any_of(sage.facts.begin(), sage.facts.end(),
                    [](const TreeFact& fact) { return fact.title == "result" && fact.text == "approximate"; }));
}

TEST_CASE("the picture of a change has the orders of visits of a parent and of the member, from their schedules") {
  const TreeModel m = build_tree_model(TreeMember::Flash2);
  REQUIRE(m.orders.size() == 2);
  const TreeOrder &before = m.orders[0], &now = m.orders[1];
  CHECK(before.title == "FA-1");
  CHECK(now.title == "FA-2");
  REQUIRE(now.side == before.side);
  const auto at = [&](const TreeOrder& order, int q, int k) { return std::size_t(q * order.side + k); };
  CHECK(before.blocks == 1);
  CHECK(before.time[at(before, 1, 0)] == 2);  // down a column: keys are outside
  CHECK(now.blocks == now.side);
  CHECK(now.time[at(now, 0, 1)] == 2);  // along a row: queries are outside
  CHECK(now.block[at(now, 1, 0)] == 1);
  CHECK(build_tree_model(TreeMember::Flash3).orders.size() == 1);  // the order is FA-2's
  CHECK(build_tree_model(TreeMember::OnlineSoftmax).orders.empty());
}
