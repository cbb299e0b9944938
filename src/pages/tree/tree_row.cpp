// The row of this page: builds its model, without times that a lesson asks for, and lists its texts.
#include <algorithm>

#include "pages/tree/tree_model.h"
#include "pages/tree/tree_table.h"
#include "view/pages.h"

namespace tilewalk {
namespace {

void add_texts(ShownTexts& texts, const TreeModel& m) {
  texts.say("tree", {m.name, m.changes, m.show, m.raced});
  for (const TreeBox& box : m.boxes) texts.say("tree", {box.name, box.tip, box.factor.text, box.published, box.slower});
  for (const TreeFact& fact : m.facts) texts.say("tree", {fact.title, fact.text});
  texts.say("tree", m.overlap.words);
  for (const OverlapRow& row : m.overlap.rows) texts.say("tree", row.name);
  for (const TreeOrder& order : m.orders) texts.say("tree", {order.title, m.orders_note});
}

TreeModel build_tree(const PageSources& of) {
  const Call& call = of.session.call().call;
  const RaceTimes* times = of.session.roofline().recorded(call.device);
  if (!times) times = of.session.roofline().recorded();
  if (of.session.lesson().hides("times")) times = nullptr;
  TreeModel out = build_tree_model(of.session.tree().member(), times, call, start_call());
  out.loop_t = of.session.tree().loop_t();
  return out;
}

// A class sees the chosen member, its parents and its children.
bool shows_approximate(TreeMember chosen) {
  const auto is_approximate = [](TreeMember member) { return !member_row(member).exact; };
  const std::vector<TreeMember>& parents = member_row(chosen).after;
  return is_approximate(chosen) || std::any_of(parents.begin(), parents.end(), is_approximate) ||
         std::any_of(tree_table().begin(), tree_table().end(), [&](const MemberRow& row) {
           return !row.exact && std::find(row.after.begin(), row.after.end(), chosen) != row.after.end();
         });
}

RoomWords words_of_tree_for_room(const Session& session) {
  return {shows_approximate(session.tree().member()) ? "Ask: what did each of them change, and which one is not exact?"
                                                     : "Ask: what did each of them change?",
          "← → go from one to the next"};
}

}  // namespace

PageRow tree_row() {
  return PageOf<TreeModel>{.title = "Tree",
                           .help = "The family of attention kernels: who came when, and what each changed",
                           .turn = Action::ShowTree,
                           .build = build_tree,
                           .add_texts = add_texts,
                           .for_room = words_of_tree_for_room};
}

}  // namespace tilewalk
