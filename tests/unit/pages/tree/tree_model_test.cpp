#include "pages/tree/tree_model.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "core/schedules/registry.h"
#include "pages/tree/edge_routes.h"
#include "pages/tree/tree_table.h"
#include "session/document/window_call.h"
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
  CHECK(kTreeWords[int(TreeMember::Ring)] == std::string("ring"));
  CHECK(kTreeWords[int(TreeMember::FlashDecoding)] == std::string("flash-decoding"));
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

TEST_CASE("the chosen member shows all its facts; its line back to the roots and its children are highlighted") {
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
  CHECK(kin ==
        std::set<std::string>{"Online softmax", "Apex FMHA", "FA-1", "Triton tutorial", "FA-2", "FA-4", "FlashMLA"});
  int lines = 0;
  for (const TreeLine& line : m.lines) {
    lines += line.chosen;
    const TreeBox &from = m.boxes[std::size_t(line.from)], &to = m.boxes[std::size_t(line.to)];
    if (line.chosen) CHECK(((from.kin || from.chosen) && (to.kin || to.chosen)));
  }
  CHECK(lines == 8);
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

TEST_CASE("in FA-3 the softmax of one warpgroup runs under the products of the other; FA-2 has no such picture") {
  const TreeOverlap fa3 = build_tree_model(TreeMember::Flash3).overlap;
  CHECK(build_tree_model(TreeMember::Flash2).overlap.rows.empty());
  REQUIRE(fa3.rows.size() == 4);
  for (const std::size_t pair : {0, 2}) {
    const OverlapRow &products = fa3.rows[pair], &softmax = fa3.rows[pair + 1];
    INFO(products.name << ", " << softmax.name);
    CHECK(products.products);
    CHECK_FALSE(softmax.products);
    CHECK(products.name.back() != softmax.name.back());  // of two warpgroups
    double work = 0, shared = 0;
    for (const OverlapBox& box : products.boxes) {
      CHECK((box.label == "QKᵀ" || box.label == "P·V"));
      CHECK((box.x0 >= 0 && box.x0 < box.x1 && box.x1 <= 1));
      work += box.x1 - box.x0;
    }
    for (const OverlapBox& both : shared_times(products, softmax)) shared += both.x1 - both.x0;
    CHECK(work > 0.1);
    CHECK(shared > 0.5 * work);
  }
}

TEST_CASE("every line of the tree has tracks and ports of its own") {
  const TreeModel m = build_tree_model(TreeMember::Flash2);
  REQUIRE(m.edges.routes.size() == m.lines.size());
  std::set<std::pair<int, int>> tracks, channels;
  std::set<std::tuple<int, bool, int>> ports;  // box, left side, port
  for (std::size_t i = 0; i < m.lines.size(); ++i) {
    const EdgeRoute& route = m.edges.routes[i];
    INFO(m.boxes[std::size_t(m.lines[i].from)].name << " to " << m.boxes[std::size_t(m.lines[i].to)].name);
    if (route.kind == RouteKind::Upright) continue;
    CHECK(ports.insert({m.lines[i].from, route.kind == RouteKind::Beside, route.out}).second);
    CHECK(ports.insert({m.lines[i].to, true, route.in}).second);
    if (route.kind == RouteKind::Straight) {
      CHECK(route.out == route.in);
      continue;
    }
    CHECK(tracks.insert({route.gutter, route.track}).second);
    CHECK(route.track < m.edges.tracks[std::size_t(route.gutter)]);
    if (route.kind != RouteKind::Channel) continue;
    CHECK(tracks.insert({route.gutter_in, route.track_in}).second);
    CHECK(channels.insert({route.channel, route.channel_track}).second);
  }
  // A line goes along a row only where no box is in its route.
  const EdgeRoutes through = route_edges({{0, 0}, {1, 0}, {1, 1}, {2, 1}}, {{0, 3}}, 3, 2);
  CHECK(through.routes[0].kind == RouteKind::Channel);
  CHECK(route_edges({{0, 0}, {1, 0}, {2, 1}}, {{0, 2}}, 3, 2).routes[0].kind == RouteKind::Target);
  CHECK(route_edges({{0, 0}, {1, 1}, {2, 1}}, {{0, 2}}, 3, 2).routes[0].kind == RouteKind::Source);
}

TEST_CASE(
    "a member has its recorded factor over naive attention, and the others a figure of their source or their change") {
  Call call = start_call();
  RaceTimes times;
  const auto add = [&](const char* rung, double ms, std::int64_t n) {
    RaceTime time;
    time.rung = rung, time.ms = ms;
    time.n = n, time.d = call.d, time.heads = call.heads, time.batch = call.batch;
    times.times.push_back(time);
  };
  add(contender_row(Contender::Naive).word, 9.0, call.n_q);
  add(contender_row(Contender::FlashV2).word, 3.0, call.n_q);
  add(contender_row(Contender::TorchCudnn).word, 2.0, call.n_q);
  add(contender_row(Contender::FlashV3).word, 2.0, 2 * call.n_q);  // of another call
  const auto factor = [&](const TreeModel& m, TreeMember member) { return m.boxes[std::size_t(member)].factor; };
  const TreeModel m = build_tree_model(TreeMember::Flash2, &times, call, call);
  CHECK(factor(m, TreeMember::Flash2).text == "3.0×");
  CHECK(factor(m, TreeMember::Flash2).share == Approx(2.0 / 3));
  CHECK(factor(m, TreeMember::Cudnn).text == "4.5×");
  CHECK(factor(m, TreeMember::Cudnn).share == 1);
  CHECK(factor(m, TreeMember::Flash3).text == member_row(TreeMember::Flash3).brief);
  CHECK(factor(m, TreeMember::Flash3).times == 0);
  CHECK(factor(m, TreeMember::Ring).text == member_row(TreeMember::Ring).brief);
  CHECK(factor(m, TreeMember::Ring).share == 0);
  CHECK(m.raced.find("N 8,192") != std::string::npos);
  CHECK(m.naive_share == Approx(1 / 4.5));
  // The figure of the paper has its own conditions, and the recorded one those of the recording.
  const auto fact = [](const TreeModel& of, const std::string& title) {
    const auto at = std::find_if(of.facts.begin(), of.facts.end(), [&](const TreeFact& f) { return f.title == title; });
    return at == of.facts.end() ? std::string() : at->text;
  };
  CHECK(fact(m, "published").starts_with("On an A100: "));
  CHECK(fact(m, "recorded here") == "FA-2 by Tilewalk takes 3.00 ms, 3.0× as fast as naive, 9.00 ms.");
  CHECK(m.raced.find("recorded on an H200: N 8,192, d 64, 2 × 32 heads, no mask") != std::string::npos);  // of which
  add(contender_row(Contender::TorchFlash).word, 3.5, call.n_q);
  CHECK(fact(build_tree_model(TreeMember::Flash2, &times, call, call), "recorded here")
            .ends_with(". PyTorch FLASH: 3.50 ms."));
  times.times.pop_back();
  const std::string third = member_row(TreeMember::Flash3).changes;  // as its lanes show
  CHECK(third.find("or three where a Q tile has 192 rows") != std::string::npos);
  CHECK(fact(build_tree_model(TreeMember::Ring, &times, call, call), "recorded here").empty());
  add(contender_row(Contender::FlashV1).word, 18.0, call.n_q);
  CHECK(fact(build_tree_model(TreeMember::Flash2, &times, call, call), "recorded here")
            .ends_with(". 6.0× as fast as FA-1 here, 18.0 ms, where one thread block walks a whole head: 64 for 132 "
                       "SMs."));
  const TreeModel slow = build_tree_model(TreeMember::Flash2, &times, call, call);
  const TreeBox& first = slow.boxes[std::size_t(TreeMember::Flash1)];
  CHECK(first.factor.text == "0.5× here");
  CHECK(first.published == "published 2 to 4× PyTorch");
  CHECK(first.slower == "0.5× here: 64 of 132 SMs busy");
  CHECK(slow.boxes[std::size_t(TreeMember::Flash2)].published.empty());
  times.times.pop_back();
  Call other = call;  // naive attention was not recorded at it
  other.n_q = 777;
  const TreeModel usual = build_tree_model(TreeMember::Flash2, &times, other, call);
  CHECK(factor(usual, TreeMember::Flash2).text == "3.0×");
  CHECK(usual.raced == m.raced);
  CHECK(factor(build_tree_model(TreeMember::Flash2), TreeMember::Flash2).text == member_row(TreeMember::Flash2).brief);
}

TEST_CASE("the brief of each member has only figures of its row, and a published one has its source in the tooltip") {
  const TreeModel m = build_tree_model(TreeMember::Flash2);
  const auto figures_of = [](const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789.,", i), text.size());
      if (end > i && std::isdigit(static_cast<unsigned char>(text[i]))) out.push_back(text.substr(i, end - i));
      i = std::max(end, i + 1);
    }
    for (std::string& each : out)
      while (!std::isdigit(static_cast<unsigned char>(each.back()))) each.pop_back();
    return out;
  };
  for (const MemberRow& row : tree_table()) {
    INFO(row.name);
    CHECK(*row.brief);
    const std::vector<std::string> known = figures_of(std::string(row.result) + " " + row.changes + " " + row.runs_on);
    for (const std::string& figure :
         figures_of(std::string(row.brief).substr(0, std::string(row.brief).find(" FA-")))) {
      INFO(figure);
      CHECK(std::find(known.begin(), known.end(), figure) != known.end());
    }
    const std::string& tip = m.boxes[std::size_t(row.member)].tip;
    CHECK((tip.find(row.source) != std::string::npos) == (*row.result != 0));
  }
}

TEST_CASE("the sketch in a box is the loop of its schedule: which loop is outside, and what is split") {
  const TreeModel m = build_tree_model(TreeMember::Flash2);
  const auto loop = [&](TreeMember member) -> const TreeOrder& {
    return m.loops.at(std::size_t(m.boxes[std::size_t(member)].loop));
  };
  const TreeOrder &first = loop(TreeMember::Flash1), &second = loop(TreeMember::Flash2),
                  &split = loop(TreeMember::FlashDecoding);
  CHECK(first.blocks == 1);
  CHECK(first.time[std::size_t(first.side)] == 2);  // the tile below is next: keys are outside
  CHECK(second.blocks == second.side);
  CHECK(second.time[1] == 2);             // the tile beside it is next: queries are outside
  CHECK(split.blocks == 2 * split.side);  // two thread blocks share the keys of a Q tile
  CHECK(m.boxes[std::size_t(TreeMember::Ring)].loop == -1);
  for (const TreeOrder& each : m.loops) CHECK(each.side > 0);
}
