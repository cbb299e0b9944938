// tilewalk replay: one state in full, or the walk step by step.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/text/then.h"
#include "app/cli/text/walk_text.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "app/jobs/thread_pool.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "view/hand/hide.h"
#include "view/scores/inspector_model.h"
#include "view/sentence/sentence.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct ReplayPlace {
  std::int64_t cursor = 0;
  std::int64_t batch = 0, head = 0, q_tile = -1, kv_tile = -1;  // q_tile >= 0: the requested tile is skipped
};

Json index_or_null(std::int64_t index) { return index < 0 ? Json(nullptr) : Json(index); }

Json value_or_null(const std::vector<float>& values, std::size_t i) {
  return i < values.size() ? json_number(values[i]) : Json(nullptr);
}

Json json_of(const Schedule& schedule, const Inputs& inputs, const State& state, const Cost& whole_run) {
  const Problem& p = schedule.problem();
  const Step& step = state.step;
  auto shown = [&](std::vector<float> values) {
    for (float& value : values) value = display_score(p, value);
    return values;
  };
  Json json = {{"schedule", name_of(p.schedule)},
               {"step", state.cursor},
               {"step_count", schedule.step_count()},
               {"phase", state.started ? name_of(step.phase) : "start"},
               {"batch", step.batch},
               {"head", step.head},
               {"q_tile", index_or_null(state.started ? step.q_tile : -1)},
               {"kv_tile", index_or_null(state.started ? step.kv_tile : -1)},
               {"class", name_of(state.started ? step.tile_class : TileClass::Pending)},
               {"sentence", step_sentence(schedule, state)}};
  Json rows = Json::array();
  const std::vector<float> m = shown(state.m), m_old = shown(state.m_old), tile_max = shown(state.tile_max),
                           lse = shown(state.lse);
  for (std::size_t r = 0; state.started && r < std::size_t(step.rows()); ++r)
    rows.push_back({{"row", step.row_begin + std::int64_t(r)},
                    {"m", value_or_null(m, r)},
                    {"alpha", value_or_null(state.alpha, r)},
                    {"l", value_or_null(state.l, r)},
                    {"m_old", value_or_null(m_old, r)},
                    {"tile_max", value_or_null(tile_max, r)},
                    {"l_old", value_or_null(state.l_old, r)},
                    {"lse", value_or_null(lse, r)}});
  json["rows"] = std::move(rows);
  json["o"] = json_rows(state.o, p.shape.d);
  json["s"] = json_rows(shown(state.s), step.cols());
  json["p"] = json_rows(state.p, step.cols());
  const ScheduleRow& row = row_of(p);
  for (const TensorId input : inputs_of(row))
    json[input == TensorId::Q   ? "q"
         : input == TensorId::K ? "k"
         : input == TensorId::V ? "v"
                                : "do"] = json_rows(operand_at(schedule, inputs, state, input).values, p.shape.d);
  if (makes(row, Quantity::D)) json["D"] = json_rows(state.D, 1);
  for (const QuantityRow& each : quantity_ledger()) {  // dP, dS, dQ, dK and dV where the schedule makes them
    const bool cell = each.shape == QuantityShape::Cell,
               by_head = each.shape == QuantityShape::RowByHead || each.shape == QuantityShape::ColByHead;
    if (each.tensor && (cell || by_head) && !json.contains(each.word) && makes(row, each.id))
      json[each.word] = json_rows(state.*each.values, cell ? step.cols() : p.shape.d);
  }
  json["counters"] = json_counters(schedule.totals_before(state.cursor).cost, whole_run);
  return json;
}

Result<std::pair<std::int64_t, std::int64_t>> two_numbers(const std::string& flag, const std::string& text,
                                                          const char* first, std::int64_t first_end, const char* second,
                                                          std::int64_t second_end) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    return Issue{flag, text, fmt::format("must be two numbers with a comma between: {}, {}", first, second),
                 "Such as 2,1"};
  const auto a = whole_number(fmt::format("{}, {}", flag, first), text.substr(0, comma), 0, first_end - 1);
  const auto b = whole_number(fmt::format("{}, {}", flag, second), text.substr(comma + 1), 0, second_end - 1);
  if (!a) return a.issues();
  if (!b) return b.issues();
  return std::pair(*a, *b);
}

Result<ReplayPlace> place_of_tile(const Schedule& schedule, const std::string& text, std::int64_t batch,
                                  std::int64_t head) {
  const Problem& p = schedule.problem();
  const auto numbers = two_numbers("tile", text, "Q tile", p.q_tiles(), "KV tile", p.kv_tiles());
  if (!numbers) return numbers.issues();
  const auto [q_tile, kv_tile] = *numbers;
  const auto tile = [&](std::int64_t i, std::int64_t j) { return TileId{batch, head, i, j}; };
  for (int section = schedule.section_count() - 1; section >= 0; --section)
    if (const std::int64_t end = schedule.end_step_of_visit(section, tile(q_tile, kv_tile)); end >= 0)
      return ReplayPlace{end, batch, head, -1, -1};
  // Skipped: the state is that before the next visits of the walk, or after the last one.
  const int section = schedule.visit_section();
  if (schedule.kv_outside(section)) {
    ReplayPlace place{schedule.first_step_of_group(section, {.batch = batch, .head = head, .group = kv_tile}), batch,
                      head, q_tile, kv_tile};
    for (std::int64_t q = 0; q < q_tile; ++q)
      if (const std::int64_t end = schedule.end_step_of_visit(section, tile(q, kv_tile)); end >= 0) place.cursor = end;
    return place;
  }
  ReplayPlace place{
      schedule.end_step_of_group(section, {.batch = batch, .head = head, .group = q_tile * p.tiling.splits}), batch,
      head, q_tile, kv_tile};
  const TileRange visited = schedule.visited(q_tile);
  if (visited.count() > 0) {
    const bool reverse = p.tiling.order == KvOrder::Reverse;
    const std::int64_t first = reverse ? visited.end - 1 : visited.begin,
                       last = reverse ? visited.begin : visited.end - 1;
    const bool comes_first = reverse ? kv_tile >= visited.end : kv_tile < visited.begin;
    place.cursor = comes_first ? schedule.first_step_of_visit(section, tile(q_tile, first))
                               : schedule.end_step_of_visit(section, tile(q_tile, last));
  }
  return place;
}

// The text of one step of the walk; after the last step of a visit, also its resulting numbers.
std::string step_text(const Schedule& schedule, const State& state) {
  const Problem& p = schedule.problem();
  const Step& step = state.step;
  std::string out;
  const bool loads_q = schedule.cost_of(step).of(TensorId::Q).read_bytes > 0;
  if (step.in_visit() ? step.visit == 0 && step.phase_in_visit == 0 && step.phases_in_visit > 0
                      : step.phase_in_visit == 0 && (loads_q || schedule.kv_outside(step.section))) {
    if (!step.in_visit() || row_of(p).walk.softmax == SoftmaxKind::WholeRows) {
      if (step.q_tile < 0)
        out += fmt::format("\n== KV tile {}, columns {} to {}", step.kv_tile, step.col_begin, step.col_end - 1);
      else
        out += fmt::format("\n== Q tile {}, rows {} to {}", step.q_tile, step.row_begin, step.row_end - 1);
      if (p.shape.batch * p.shape.heads > 1) out += fmt::format(", batch {}, head {}", step.batch, step.head);
      if (schedule.section_count() > 1)
        out += fmt::format(", pass {} of {}", step.section + 1, schedule.section_count());
      out += "\n";
      if (step.section == schedule.visit_section()) out += tile_map_text(schedule, state);
    }
  }
  if (step.in_visit() && step.phase_in_visit == 0)
    out += fmt::format("-- Q{} meets K{} and V{}: {} tile, visit {} of {} for this {} tile\n", step.q_tile,
                       step.kv_tile, step.kv_tile, name_of(step.tile_class), step.visit + 1, step.visits_in_group,
                       schedule.kv_outside(step.section) ? "KV" : "Q");
  out += fmt::format("{:>6}  {:<12}  {}\n{:>22}{}\n", state.cursor, name_of(step.phase), step_sentence(schedule, state),
                     "", step_cost_text(schedule, state));
  const bool visit_over = step.in_visit() && step.phase_in_visit + 1 == step.phases_in_visit;
  const std::vector<Made>& made = made_by(row_of(p), step.section_name, step.phase);
  const bool divided = std::any_of(made.begin(), made.end(), [](const Made& each) { return each.reads(Quantity::L); });
  if (visit_over || (!step.in_visit() && divided)) out += softmax_text(schedule, state) + o_tile_text(schedule, state);
  return out;
}

int walk(const Opening& opened, Replay& replay, std::int64_t begin, std::int64_t end, bool json) {
  const Schedule& schedule = *opened.schedule;
  const Cost whole_run = schedule.totals_before(schedule.step_count()).cost;
  if (json)
    say("{{\n\"schedule\": \"{}\",\n\"step_count\": {},\n\"steps\": [\n", name_of(schedule.problem().schedule),
        schedule.step_count());
  else
    say("{}{} steps, {} tile visits. Each line: step, phase, what it did, what it cost.\n", heading_text(schedule),
        end - begin, schedule.visit_counts().visited());
  for (std::int64_t k = begin + 1; k <= end && !interrupted(); ++k) {
    const State& state = replay.at(k);
    if (json)
      say("{}{}", json_of(schedule, replay.inputs(), state, whole_run).dump(), k < end ? ",\n" : "\n");
    else
      say("{}", step_text(schedule, state));
  }
  if (interrupted()) return interrupted_exit();
  if (json)
    say("]\n}}\n");
  else
    say("\n{}\nNothing was compared with a GPU here: tilewalk verify --recorded does that.\n",
        traffic_text(schedule, end));
  return kExitOk;
}

Json skipped_json(Json json, const ReplayPlace& place, const std::string& sentence) {
  json["q_tile"] = place.q_tile;
  json["kv_tile"] = place.kv_tile;
  json["class"] = name_of(TileClass::Skipped);
  json["sentence"] = sentence;
  return json;
}

// Begins at --step, or at the document's cursor.
Result<std::unique_ptr<Session>> after_commands(Opening opened, const CommandLine& line,
                                                const std::vector<Command>& commands) {
  if (line.option("tile") || line.has("walk") || line.option("at-batch") || line.option("at-head"))
    return Issue{"then", "", "prints the state after the commands",
                 "Leave --tile, --walk, --at-batch and --at-head out"};
  if (const Result<Done> put = put_at_step(opened, line.option("step")); !put) return put.issues();
  return carried_out(std::move(opened), commands);
}

// The requests of the flags: the place, the head, and the cell to write out.
struct ReplayRequest {
  ReplayPlace place;
  std::int64_t batch = 0, head = 0;
  bool one_head = false;  // the flags name it
  std::optional<std::pair<std::int64_t, std::int64_t>> cell{};
};

Issues clashes_of(const CommandLine& line, bool one_head) {
  Issues issues;
  if (int(line.option("step").has_value()) + int(line.option("tile").has_value()) + int(line.has("walk")) > 1)
    issues.push_back({"replay", "", "takes one of --step, --tile and --walk", ""});
  if (one_head && !line.option("step") && !line.option("tile") && !line.has("walk"))
    issues.push_back({line.option("at-head") ? "at-head" : "at-batch", "", "selects the head of --tile or --walk",
                      "Give --tile or --walk"});
  return issues;
}

Result<ReplayRequest> request_of(const CommandLine& line, const Opening& opened) {
  const Schedule& schedule = *opened.schedule;
  const Problem& p = schedule.problem();
  ReplayRequest request{.place = {opened.document.cursor},
                        .one_head = line.option("at-batch") || line.option("at-head")};
  Issues issues = clashes_of(line, request.one_head);
  read_whole(line, "at-batch", 0, p.shape.batch - 1, request.batch, issues);
  read_whole(line, "at-head", 0, p.shape.heads - 1, request.head, issues);
  if (!line.option("then")) {
    const std::int64_t steps = schedule.step_count();
    if (request.place.cursor <= 0) request.place.cursor = steps;
    read_whole(line, "step", 0, steps, request.place.cursor, issues);
  }
  if (line.option("tile") && issues.empty())
    put(place_of_tile(schedule, *line.option("tile"), request.batch, request.head), request.place, issues);
  if (line.option("step") && !line.option("then") && request.one_head && request.place.cursor > 0 && issues.empty()) {
    const Step step = schedule.step(request.place.cursor - 1);
    if (step.batch != request.batch || step.head != request.head)
      issues.push_back({"step", std::to_string(request.place.cursor),
                        fmt::format("lies in batch {}, head {}", step.batch, step.head),
                        "Leave --at-batch and --at-head out, or use --tile"});
  }
  if (const auto asked = line.option("cell")) {
    const auto found = two_numbers("cell", *asked, "row", p.shape.n_q, "column", p.shape.n_kv);
    if (!found)
      append(issues, found.issues());
    else if (line.has("walk"))
      issues.push_back({"cell", *asked, "is for one state, not for a walk", "Give --step or --tile"});
    else
      request.cell = *found;
  }
  if (!issues.empty()) return issues;
  return request;
}

// The whole walk, or the requested head's.
int walk_requested(const Opening& opened, Replay& replay, const ReplayRequest& request, bool json) {
  const Schedule& schedule = *opened.schedule;
  const Problem& p = schedule.problem();
  if (!request.one_head || p.shape.batch * p.shape.heads == 1)
    return walk(opened, replay, 0, schedule.step_count(), json);
  if (schedule.section_count() > 1)
    return refuse({{"at-head", std::to_string(request.head),
                    "has no walk of its own in this schedule, whose passes go over all heads", "Leave it out"}});
  return walk(
      opened, replay, schedule.first_step_of_group(0, {.batch = request.batch, .head = request.head, .group = 0}),
      schedule.end_step_of_group(0, {.batch = request.batch, .head = request.head, .group = p.q_tiles() - 1}), json);
}

// A cell of the state, and O of its row, term by term. With `hiding`, hides the session's open answers.
InspectorModel written_out(const Replay& replay, std::int64_t row, std::int64_t col, const Session* hiding) {
  const State& state = replay.state();
  const Quantity shown = quantity_shown(state, std::nullopt).value_or(Quantity::S);
  if (hiding) return inspected_cell(*hiding, row, col, shown);
  InspectorModel cell = build_inspector_model(replay.schedule(), replay.inputs(), state, row, col, shown);
  for (std::int64_t x = 0; x < replay.schedule().problem().shape.d; ++x) {
    const Working element = working_of_output(replay.schedule(), replay.inputs(), state, row, x);
    if (!element.empty()) cell.working.push_back(fmt::format("O[{}][{}]", row, x));
    cell.working.insert(cell.working.end(), element.begin(), element.end());
  }
  return cell;
}

}  // namespace

int replay_verb(const CommandLine& line) {
  const Result<std::vector<Command>> commands = commands_of_then(line);
  if (!commands) return refuse(commands.issues());
  Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  std::unique_ptr<Session> session;  // after the commands
  if (line.option("then")) {
    auto after = after_commands(std::move(*opened), line, *commands);
    if (!after) return refuse(after.issues());
    session = std::move(*after);
    opened = session->opening();
  }
  const Result<ReplayRequest> request = request_of(line, *opened);
  if (!request) return refuse(request.issues());

  catch_interrupts();
  Replay replay(opened->schedule, opened->inputs(), make_thread_pool());
  if (line.has("walk")) return walk_requested(*opened, replay, *request, line.has("json"));
  const ReplayPlace& place = request->place;
  {
    Progress progress("Replaying");
    replay.begin(place.cursor);
    while (!replay.work(256))
      if (!progress.update(replay.progress())) return interrupted_exit();
  }
  const std::string skipped = place.q_tile < 0 ? ""
                                               : fmt::format(
                                                     "Q tile {} never visits KV tile {}: the mask hides all of it, so "
                                                     "it is skipped and nothing is loaded. The state stays as it was.",
                                                     place.q_tile, place.kv_tile);
  const Session* hiding = session && session->hand().hides() && !line.has("json") ? session.get() : nullptr;
  std::optional<InspectorModel> inspected;
  if (request->cell) inspected = written_out(replay, request->cell->first, request->cell->second, hiding);
  const Schedule& schedule = *opened->schedule;
  if (line.has("json")) {
    Json json = json_of(schedule, replay.inputs(), replay.state(), schedule.totals_before(schedule.step_count()).cost);
    if (inspected)
      json["cell"] = {{"row", request->cell->first},
                      {"column", request->cell->second},
                      {"value", inspected->value},
                      {"working", inspected->working}};
    print_json(skipped.empty() ? json : skipped_json(std::move(json), place, skipped));
  } else {
    say("{}{}{}", skipped.empty() ? "" : skipped + "\n\n",
        state_text(schedule, replay.inputs(), hiding ? session->hand().seen() : SeenState(replay.state())),
        inspected ? "\n" + inspector_text(*inspected) + "\n" : "");
  }
  return kExitOk;
}

}  // namespace tilewalk
