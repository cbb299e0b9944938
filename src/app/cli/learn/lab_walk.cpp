// tilewalk lab walk: states of a run, by visit or by instruction; tilewalk lab diff: where two kernels part, bit by
// bit.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/cli/learn/lab_words.h"
#include "app/cli/verbs.h"
#include "base/shown.h"
#include "lab/run/bit_difference.h"
#include "lab/run/run_walk.h"
#include "lab/run/variables.h"

namespace tilewalk {
namespace {

struct WholeRun {
  lab::CompiledText compiled;
  std::vector<lab::RunVisit> visits;
  std::vector<lab::Finding> findings;
  std::vector<std::pair<std::string, std::vector<float>>> outputs;
};

lab::Machine machine_of(const LabCall& call, const lab::CompiledText& compiled) {
  return lab::Machine(std::make_shared<const lab::Program>(compiled.program),
                      machine_setup(call.setup, compiled.program, inputs_of(call.setup)));
}

lab::CompiledText compile_or_complain(const LabCall& call, const std::vector<lab::LabTask>& tasks, bool json) {
  lab::CompiledText out = lab::compile(call.text, check_setup(call.setup));
  name_task(out.errors, call, tasks);
  if (json && !out.ok()) print_json({{"errors", json_of_errors(out.errors)}});
  if (!json)
    for (const lab::SourceError& each : out.errors) to_stderr(text_of_error(call.file, call.text, each));
  return out;
}

WholeRun run_whole(const LabCall& call, const std::vector<lab::LabTask>& tasks, bool json) {
  WholeRun out{.compiled = compile_or_complain(call, tasks, json), .visits = {}, .findings = {}, .outputs = {}};
  if (!out.compiled.ok()) return out;
  lab::Machine machine = machine_of(call, out.compiled);
  do {
    for (lab::RunVisit& each : machine.take_visits()) out.visits.push_back(std::move(each));
  } while (machine.run(1'000'000) == lab::RunState::More);
  for (lab::RunVisit& each : machine.take_visits()) out.visits.push_back(std::move(each));
  out.findings = machine.findings();
  for (std::size_t at = 0; at < out.compiled.program.tensors.size(); ++at)
    if (!out.compiled.program.tensors[at].is_const && !out.compiled.program.tensors[at].is_scratch)
      out.outputs.emplace_back(out.compiled.program.tensors[at].name, machine.tensor(at));
  return out;
}

std::string cell(const std::vector<float>& values, std::size_t at) {
  return at < values.size() ? fmt::format("{:.7g}", values[at]) : "-";
}

std::string text_of(float value) { return fmt::format("{:.9g}", value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const lab::PointerValue& value) { return value.null ? "nullptr" : "a pointer"; }

Json json_of(float value) { return json_number(value); }
Json json_of(std::int64_t value) { return value; }
Json json_of(bool value) { return value; }
Json json_of(const lab::PointerValue& value) { return value.null ? Json() : Json("a pointer"); }

constexpr std::int64_t kMostShownRows = 8, kMostShownColumns = 8, kMostJsonElements = 4096;

template <class Use>
void for_each_shared(const lab::Machine& machine, const Use& use) {
  for (const lab::MemoryObject& each : machine.program().kernels[machine.kernel()].objects)
    if (each.space == lab::MemorySpace::Shared) use(each);
}

std::string shared_text(const lab::Machine& machine, const lab::MemoryObject& object, std::int64_t element) {
  if (!machine.shared_written(object, element)) return ".";
  const float value = machine.shared_value(object, element);
  return object.element == lab::BaseType::Float ? fmt::format("{:.6g}", value)
                                                : std::to_string(std::bit_cast<std::int32_t>(value));
}

// The first rows and columns of each shared array of the block. An element that was not written is a point.
std::string text_of_shared(const lab::Machine& machine) {
  std::string out;
  for_each_shared(machine, [&](const lab::MemoryObject& each) {
    const std::int64_t columns = each.dims.back(), rows = each.size / columns;
    out += fmt::format("  {}{}, shared{}\n", each.name, each.sides(),
                       rows > kMostShownRows || columns > kMostShownColumns ? ", its first elements" : "");
    for (std::int64_t row = 0; row < std::min(rows, kMostShownRows); ++row) {
      out += "   ";
      for (std::int64_t column = 0; column < std::min(columns, kMostShownColumns); ++column)
        out += fmt::format(" {:>12}", shared_text(machine, each, row * columns + column));
      out += "\n";
    }
  });
  return out;
}

// Without those that are larger than kMostJsonElements; null for an element that was not written.
Json json_of_shared(const lab::Machine& machine) {
  Json out = Json::object();
  for_each_shared(machine, [&](const lab::MemoryObject& each) {
    if (each.size > kMostJsonElements) return;
    Json values = Json::array();
    for (std::int64_t at = 0; at < each.size; ++at) {
      const float value = machine.shared_value(each, at);
      values.push_back(!machine.shared_written(each, at)      ? Json()
                       : each.element == lab::BaseType::Float ? Json(json_number(value))
                                                              : Json(std::bit_cast<std::int32_t>(value)));
    }
    out[each.name] = {{"dims", each.dims}, {"values", std::move(values)}};
  });
  return out;
}

int walk_to_instruction(const LabCall& call, const lab::CompiledText& compiled, std::int64_t count,
                        std::optional<int> asked, bool json) {
  lab::RunWalk walk(machine_of(call, compiled));
  const lab::Machine& machine = walk.at(std::max<std::int64_t>(count, 1));
  const int thread = asked.value_or(std::max(machine.current_thread(), 0));
  if (machine.threads() == 0 || machine.block() < 0) {
    if (json)
      print_json(
          {{"instruction", machine.steps()}, {"ended", true}, {"kernel", nullptr}, {"variables", Json::object()}});
    else
      say("The run has ended after {} instructions.\n", machine.steps());
    return kExitOk;
  }
  if (thread >= machine.threads())
    return refuse(
        {{"thread", std::to_string(thread), "is not in the block", fmt::format("Try 0 to {}", machine.threads() - 1)}});
  const std::string& kernel = compiled.program.kernels[machine.kernel()].name;
  const lab::SourcePlace place = machine.place_of(thread);
  const std::vector<lab::VariableNow> variables = variables_of(machine, thread);
  if (json) {
    Json values = Json::object();
    for (const lab::VariableNow& each : variables)
      values[each.name] = std::visit([](const auto& value) { return json_of(value); }, each.value);
    print_json({{"instruction", machine.steps()},
                {"ended", machine.state() != lab::RunState::More},
                {"kernel", kernel},
                {"block", machine.block()},
                {"thread", thread},
                {"line", place.line},
                {"variables", std::move(values)},
                {"shared", json_of_shared(machine)}});
    return kExitOk;
  }
  say("Instruction {}{}: {}, block {}, thread {}\n", machine.steps(),
      machine.state() == lab::RunState::More ? "" : ", the end", kernel, machine.block(), thread);
  say("{:>5} | {}\n", place.line, shown(lab::line_of_text(call.text, place.line)));
  for (const lab::VariableNow& each : variables)
    say("  {:<12} {}\n", each.name, std::visit([](const auto& value) { return text_of(value); }, each.value));
  to_stdout(text_of_shared(machine));
  return kExitOk;
}

Result<std::pair<std::int64_t, std::int64_t>> tile_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  const Result<std::int64_t> i = whole_number("visit", text.substr(0, comma), 0, 1 << 30);
  const Result<std::int64_t> j =
      whole_number("visit", comma == std::string::npos ? "" : text.substr(comma + 1), 0, 1 << 30);
  if (!i || !j) return Issue{"visit", text, "is not a Q tile and a KV tile", "Type such as --visit 2,1"};
  return std::pair(*i, *j);
}

void say_visit(const lab::RunVisit& visit, std::size_t index, bool whole) {
  say("visit {:<4} batch {} head {} Q{} x K{}, line {}\n", index + 1, visit.batch, visit.head, visit.q_tile,
      visit.kv_tile, visit.place.line);
  const std::size_t d = visit.rows > 0 ? visit.o.size() / std::size_t(visit.rows) : 0;
  for (std::size_t row = 0; row < std::size_t(visit.rows); ++row) {
    say("  row {:<5} m {:<14} l {:<14} o", visit.first_row + std::int64_t(row), cell(visit.m, row), cell(visit.l, row));
    for (std::size_t x = 0; x < (whole ? d : std::min<std::size_t>(d, 1)); ++x) say(" {}", cell(visit.o, row * d + x));
    say("\n");
  }
}

Json json_of_visit(const lab::RunVisit& visit, std::size_t index) {
  const std::int64_t d = visit.rows > 0 ? std::int64_t(visit.o.size()) / visit.rows : 0;
  const auto numbers = [](const std::vector<float>& values) {
    Json out = Json::array();
    for (const float each : values) out.push_back(json_number(each));
    return out;
  };
  return {{"visit", index + 1},        {"batch", visit.batch},
          {"head", visit.head},        {"q_tile", visit.q_tile},
          {"kv_tile", visit.kv_tile},  {"line", visit.place.line},
          {"instruction", visit.step}, {"first_row", visit.first_row},
          {"rows", visit.rows},        {"m", numbers(visit.m)},
          {"l", numbers(visit.l)},     {"o", json_rows(visit.o, std::max<std::int64_t>(d, 1))}};
}

// Why no visit is shown: those that the run has, or why it has none.
std::string without_visit(const WholeRun& run, const LabCall& call,
                          const std::optional<std::pair<std::int64_t, std::int64_t>>& tile) {
  const bool died = std::any_of(run.findings.begin(), run.findings.end(),
                                [](const lab::Finding& each) { return ends_run(each.kind); });
  if (!run.visits.empty()) {
    std::int64_t last_q = 0, last_kv = 0;
    for (const lab::RunVisit& each : run.visits)
      last_q = std::max(last_q, each.q_tile), last_kv = std::max(last_kv, each.kv_tile);
    return fmt::format("The run has no visit {},{}: it visits Q tiles up to {} and KV tiles up to {}{}.", tile->first,
                       tile->second, last_q, last_kv, died ? ", and ended early" : "");
  }
  if (died) return "The run ended before its first visit.";
  const bool by_visits = !call.task || is_by_visits(call.setup.judging);
  return by_visits ? "The run has no visits: write visit_done behind each tile."
                   : "This task is judged by its results, not visit by visit: its kernel marks none.";
}

// The first visit, row and quantity, or element of an output, whose bits differ; empty: none.
std::string first_part(const WholeRun& a, const WholeRun& b, std::int64_t d) {
  for (std::size_t at = 0; at < std::min(a.visits.size(), b.visits.size()); ++at) {
    const lab::RunVisit &x = a.visits[at], &y = b.visits[at];
    const std::string visit = fmt::format("visit {}, Q{} x K{}", at + 1, x.q_tile, x.kv_tile);
    if (x.q_tile != y.q_tile || x.kv_tile != y.kv_tile || x.first_row != y.first_row || x.head != y.head ||
        x.batch != y.batch)
      return fmt::format("{}: the second is at Q{} x K{} there", visit, y.q_tile, y.kv_tile);
    const auto found = lab::first_difference(state_of(x), state_of(y), d);
    if (!found) continue;
    if (found->in_one_alone) return fmt::format("{}: only one of them shows {}", visit, found->quantity);
    return fmt::format("{}, row {}: {}{} is {:.9g} and {:.9g} (lines {} and {})", visit, x.first_row + found->row,
                       found->quantity, found->column ? fmt::format("[{}]", *found->column) : "", found->first,
                       found->second, x.place.line, y.place.line);
  }
  if (a.visits.size() != b.visits.size())
    return fmt::format("the first has {} visits and the second {}", a.visits.size(), b.visits.size());
  for (std::size_t at = 0; at < std::min(a.outputs.size(), b.outputs.size()); ++at)
    if (const auto each = lab::first_difference(a.outputs[at].second, b.outputs[at].second))
      return fmt::format("at the end, {}[{}] is {:.9g} and {:.9g}", a.outputs[at].first, *each,
                         a.outputs[at].second[*each], b.outputs[at].second[*each]);
  return "";
}

}  // namespace

int lab_walk(const CommandLine& line, const std::vector<lab::LabTask>& tasks) {
  if (line.words.size() != 2) return refuse({{"lab walk", "", "needs one file", "Type tilewalk lab walk my.cu"}});
  const Result<LabCall> call = lab_call(line, tasks, line.words[1]);
  if (!call) return refuse(call.issues());
  const bool json = line.has("json");
  std::optional<int> thread;
  if (const auto typed = line.option("thread")) {
    const Result<std::int64_t> number = whole_number("thread", *typed, 0, lab::kMostThreads - 1);
    if (!number) return refuse(number.issues());
    thread = int(*number);
  }
  if (const auto typed = line.option("instruction")) {
    const Result<std::int64_t> count = whole_number("instruction", *typed, 0, call->setup.most_steps);
    if (!count) return refuse(count.issues());
    const lab::CompiledText compiled = compile_or_complain(*call, tasks, json);
    return compiled.ok() ? walk_to_instruction(*call, compiled, *count, thread, json) : kExitBadInput;
  }
  std::optional<std::pair<std::int64_t, std::int64_t>> tile;
  if (const auto typed = line.option("visit")) {
    const auto parsed = tile_of(*typed);
    if (!parsed) return refuse(parsed.issues());
    tile = *parsed;
  }
  const WholeRun run = run_whole(*call, tasks, json);
  if (!run.compiled.ok()) return kExitBadInput;
  bool found = false;
  Json visits = Json::array();
  for (std::size_t at = 0; at < run.visits.size(); ++at) {
    const lab::RunVisit& each = run.visits[at];
    if (tile && (each.q_tile != tile->first || each.kv_tile != tile->second)) continue;
    found = true;
    if (json)
      visits.push_back(json_of_visit(each, at));
    else
      say_visit(each, at, tile.has_value());
  }
  if (json) {
    Json findings = Json::array();
    for (const lab::Finding& each : run.findings) findings.push_back(json_of_finding(each));
    print_json({{"visits", std::move(visits)}, {"findings", std::move(findings)}});
    return found || !tile ? kExitOk : kExitDivergence;
  }
  for (const lab::Finding& each : run.findings) say("{}\n", text_of(each));
  if (!found)
    to_stdout(without_visit(run, *call, tile) + "\n");
  else if (!tile && call->setup.problem.shape.d > 1 && !run.visits.front().o.empty())
    say("Of o only column 0 is shown. All columns of a visit: --visit {},{}\n", run.visits.front().q_tile,
        run.visits.front().kv_tile);
  return found || !tile ? kExitOk : kExitDivergence;
}

int lab_diff(const CommandLine& line, const std::vector<lab::LabTask>& tasks) {
  if (line.words.size() != 3) return refuse({{"lab diff", "", "needs two files", "Type tilewalk lab diff a.cu b.cu"}});
  const Result<LabCall> first = lab_call(line, tasks, line.words[1]), second = lab_call(line, tasks, line.words[2]);
  if (!first) return refuse(first.issues());
  if (!second) return refuse(second.issues());
  const WholeRun a = run_whole(*first, tasks, line.has("json")), b = run_whole(*second, tasks, line.has("json"));
  if (!a.compiled.ok() || !b.compiled.ok()) return kExitBadInput;
  const std::string where = first_part(a, b, first->setup.problem.shape.d);
  if (line.has("json"))
    print_json({{"equal", where.empty()},
                {"first_difference", where.empty() ? Json() : Json(where)},
                {"visits", a.visits.size()}});
  else
    say("{}\n", where.empty() ? fmt::format("Equal in every bit: {} visits and the results.", a.visits.size())
                              : "They part at " + where + ".");
  return where.empty() ? kExitOk : kExitDivergence;
}

}  // namespace tilewalk
