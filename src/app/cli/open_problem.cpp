#include "app/cli/open_problem.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/contains.h"
#include "base/parse.h"
#include "base/units.h"
#include "base/words.h"
#include "core/chip/real_tiles.h"
#include "core/fields/validate.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "session/document/problem_draft.h"
#include "session/document/session_file.h"
#include "session/resources.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kLargest = std::int64_t(1) << 62;

// Adds the presets read on the way to `presets`.
Result<WalkedDocument> starting_document(const ProblemArgs& args, std::vector<Preset>& presets) {
  const auto preset = args.texts.find("preset"), session = args.texts.find("session");
  if (preset != args.texts.end() && session != args.texts.end())
    return Issue{"session", session->second, "cannot be joined with --preset", "Give one of the two"};
  if (session != args.texts.end()) return load_document(session->second);
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  Result<std::vector<Preset>> read = load_presets(*root);
  if (!read) return read.issues();
  presets = std::move(*read);
  const std::string wanted = preset != args.texts.end() ? preset->second : "picture";
  std::string names;
  for (const Preset& p : presets) {
    if (p.name == wanted) return WalkedDocument{p.document, p.schedule};
    add_to_list(names, p.name);
  }
  return Issue{"preset", wanted, "is not one of the presets", "Try one of " + names};
}

Document general_defaults() {
  Document document;
  Problem& p = document.problem;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = device_named(p.machine.device)->sram_per_block_bytes;
  return document;
}

Result<InputEdit> parse_edit(const std::string& text) {
  const Issue wrong{"edit", text, "must be TENSOR:BATCH:HEAD:ROW:COL=VALUE, the tensor Q, K, V or dO",
                    "Such as Q:0:0:3:1=2.5"};
  InputEdit edit;
  const std::string tensor = text.substr(0, text.find(':'));
  const auto named = std::find_if(std::begin(kInputTensors), std::end(kInputTensors),
                                  [&](TensorId id) { return tensor == name_of(id); });
  if (named == std::end(kInputTensors)) return wrong;
  edit.tensor = *named;
  if (tensor.size() == text.size()) return wrong;
  std::string_view rest = std::string_view(text).substr(tensor.size() + 1);
  for (std::int64_t* place : {&edit.batch, &edit.head, &edit.row, &edit.col})
    if (!put(within<std::int64_t>(parse_integer(take_until(rest, place == &edit.col ? '=' : ':')), 0), *place))
      return wrong;
  if (is_out_of_range<float>(rest))
    return Issue{"edit", text, "is outside fp32's range: sizes from 1.4e-45 to 3.4e38, and 0", "Take a number within"};
  if (!put(parse_real<float>(rest), edit.value)) return wrong;
  return edit;
}

// Copies a file's shape and type into the draft, and refuses flags that contradict them.
class FileShapes {
 public:
  FileShapes(const ProblemArgs& args, Draft& draft, Issues& issues) : args_(args), draft_(draft), issues_(issues) {}

  void take(const InputSlot& slot, const InputTensor& input, bool named_by_session) {
    const Tensor& t = input.tensor;
    const std::string tensor = slot.name;
    const bool q = slot.by_query;
    file_must_match_ = named_by_session;
    set(tensor, "batch", std::to_string(t.batch));
    set(tensor, q ? "heads" : "kv-heads", std::to_string(t.heads));
    set(tensor, q ? "n-q" : "n-kv", std::to_string(t.rows));
    set(tensor, "d", std::to_string(t.cols));
    set(tensor, "dtype", name_of(input.dtype));
  }
  bool has(const std::string& field) const { return from_.contains(field); }

 private:
  void set(const std::string& tensor, const std::string& field, const std::string& value) {
    if (const auto before = from_.find(field); before != from_.end()) {
      if (draft_[field] != value)
        issues_.push_back({tensor, field + " " + value,
                           "does not fit " + before->second + ", which has " + field + " " + draft_[field],
                           "Give tensors that belong together"});
      return;
    }
    for (const std::string& flag : std::set<std::string>{field, field.starts_with("n-") ? "n" : field})
      if (const auto given = args_.texts.find(flag); given != args_.texts.end() && given->second != value)
        issues_.push_back({flag, given->second, "disagrees with the file for " + tensor + ", which has " + value,
                           "Leave --" + flag + " out"});
    const bool flag_given = args_.texts.contains(field) || (field.starts_with("n-") && args_.texts.contains("n"));
    if (file_must_match_ && !flag_given && draft_[field] != value)
      issues_.push_back({tensor, field + " " + value, "differs from the session: " + field + " " + draft_[field],
                         "Give the session the shape and type of the file"});
    from_[field] = tensor;
    draft_[field] = value;
  }

  const ProblemArgs& args_;
  Draft& draft_;
  Issues& issues_;
  std::map<std::string, std::string> from_;  // field -> tensor that decided it
  bool file_must_match_ = false;             // the draft says what the file must contain
};

// 64 x 64, halved until the working set fits; a side given by a flag stays.
void fit_tiles(Problem& p, bool br_given, bool bc_given) {
  if (br_given && bc_given) return;
  if (!br_given && !bc_given) return choose_default_tiles(p);
  std::int64_t& side = br_given ? p.tiling.bc : p.tiling.br;
  for (side = 64; side > 1 && peak_bytes(p) > p.machine.sram_bytes;) side /= 2;
}

// The problem of a draft, whether its tiles fit on chip or not.
Result<Problem> problem_with_any_tiles(Draft draft) {
  constexpr std::int64_t kRoomy = std::int64_t(1) << 40;
  const std::string asked = std::exchange(draft["sram"], std::to_string(kRoomy));
  Result<Problem> problem = problem_of(draft);
  if (!problem) return problem;
  const Result<std::int64_t> sram = whole_number("sram", asked, 1, kRoomy);
  if (!sram) return sram.issues();
  problem->machine.sram_bytes = *sram;
  return problem;
}

Issues take_layout(const ProblemArgs& args, InputPaths& paths) {
  const auto layout = args.texts.find("layout");
  if (layout == args.texts.end()) return {};
  const bool rows_first = layout->second == kLayoutWords[1];
  if (!rows_first && layout->second != kLayoutWords[0])
    return {
        {"layout", layout->second, "must be bhsd or bshd", "bshd is [batch, rows, heads, d], as flash-attn has it"}};
  if (!paths.any()) return {{"layout", layout->second, "is of files, and there are none", "Give --q, --k and --v"}};
  paths.rows_first = rows_first;
  return {};
}

// Br and Bc of a released kernel or of the paper; changes nothing else and does not check whether they fit.
Issues take_named_tiles(const std::string& name, bool whole_device, Draft& draft) {
  const std::optional<DeviceModel> device = device_named(draft["device"]);
  if (whole_device && device) draft["sram"] = std::to_string(device->sram_per_block_bytes);
  const Result<Problem> problem = problem_with_any_tiles(draft);
  if (!problem) return problem.issues();
  const Result<RealTile> tile = tile_named(*problem, name);
  if (!tile) return tile.issues();
  draft["br"] = std::to_string(tile->br);
  draft["bc"] = std::to_string(tile->bc);
  return {};
}

// The problem with its flags applied. `fresh`: started from the general defaults.
Result<Problem> problem_from(const ProblemArgs& args, Draft draft, const FileShapes& shapes, bool fresh) {
  auto given = [&](const char* flag) { return args.texts.contains(flag); };
  const bool heads_tied = fresh || draft["heads"] == draft["kv-heads"];
  if (given("n")) {
    if (!shapes.has("n-q")) draft["n-q"] = args.texts.at("n");
    if (!shapes.has("n-kv")) draft["n-kv"] = args.texts.at("n");
  }
  for (const Field& field : fields())
    if (given(field.name)) draft[field.name] = args.texts.at(field.name);
  const bool splits_open = given("schedule") && !given("splits");
  const std::optional<ScheduleKind> kind = schedule_from(draft["schedule"]);
  if (splits_open && !(kind && schedule_row(*kind).settings.splits)) draft["splits"] = "1";
  if (given("schedule") && !given("narrow-scores") && kind && !schedule_row(*kind).settings.narrow_scores)
    draft["narrow-scores"] = "off";
  auto known = [&](const char* field) { return given(field) || given("n") || shapes.has(field); };
  if (fresh && !known("n-q") && known("n-kv")) draft["n-q"] = draft["n-kv"];
  if (fresh && !known("n-kv") && known("n-q")) draft["n-kv"] = draft["n-q"];
  auto head_known = [&](const char* field) { return given(field) || shapes.has(field); };
  if (heads_tied && head_known("heads") && !head_known("kv-heads")) draft["kv-heads"] = draft["heads"];
  if (heads_tied && !head_known("heads") && head_known("kv-heads")) draft["heads"] = draft["kv-heads"];
  if (given("tiles")) {
    if (given("br") || given("bc"))
      return Issue{"tiles", args.texts.at("tiles"), "cannot be joined with --br or --bc", "Give one of the two"};
    if (const Issues issues = take_named_tiles(args.texts.at("tiles"), fresh && !given("sram"), draft); !issues.empty())
      return issues;
  }
  const auto settled = [splits_open](Result<Problem> problem) {
    if (problem && splits_open) choose_default_splits(*problem);
    return problem;
  };
  if (!fresh) return settled(problem_of(draft));

  const std::optional<DeviceModel> device = device_named(draft["device"]);
  if (!given("sram") && device) draft["sram"] = std::to_string(device->sram_per_block_bytes);
  Result<Problem> problem = problem_with_any_tiles(draft);
  if (!problem) return problem;
  fit_tiles(*problem, given("br") || given("tiles"), given("bc") || given("tiles"));
  problem = settled(std::move(problem));
  if (Issues issues = validate(*problem); !issues.empty()) return issues;
  return problem;
}

// Flags that only a backward pass reads.
Issues unused_by_forward(const ProblemArgs& args, const Problem& problem) {
  Issues issues;
  if (has_input(row_of(problem), TensorId::dO)) return issues;
  const auto refuse = [&](const char* flag, const std::string& value) {
    issues.push_back({flag, value, "is of a backward pass, and this schedule is a forward one",
                      "Leave it out, or try --schedule backward"});
  };
  if (const auto file = args.texts.find("do"); file != args.texts.end()) refuse("do", file->second);
  for (const std::string& edit : args.edits)
    if (edit.starts_with("dO:")) refuse("edit", edit);
  return issues;
}

}  // namespace

Result<std::int64_t> whole_number(const std::string& field, const std::string& text, std::int64_t low,
                                  std::int64_t high) {
  if (const auto value = within(parse_integer(text), low, high)) return *value;
  return Issue{
      field, text.empty() ? "nothing" : text,
      "must be a whole number from " + format_count(low) + (high == kLargest ? " up" : " to " + format_count(high)),
      ""};
}

Result<std::vector<std::int64_t>> whole_numbers(const std::string& field, const std::string& text, std::int64_t low,
                                                std::int64_t high) {
  std::vector<std::int64_t> out;
  Issues issues;
  std::stringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    const Result<std::int64_t> number = whole_number(field, part, low, high);
    if (!number)
      append(issues, number.issues());
    else if (!contains(out, *number))
      out.push_back(*number);
  }
  if (!issues.empty()) return issues;
  return out;
}

Result<Opening> open_problem(const ProblemArgs& args) {
  auto given = [&](const char* flag) { return args.texts.contains(flag); };
  const bool from_document = given("preset") || given("session");
  const bool fresh = !from_document && (given("n") || given("n-q") || given("n-kv") || given("d") || given("q") ||
                                        given("k") || given("v") || given("do"));
  const auto session = args.texts.find("session");
  ReadFile file;
  if (session != args.texts.end()) file = {session->second, identity_of(session->second)};
  Opening opened;
  const Result<WalkedDocument> start =
      fresh ? WalkedDocument{general_defaults(), nullptr} : starting_document(args, opened.presets);
  if (!start) return start.issues();
  opened.document = start->document;
  opened.schedule = start->schedule;
  opened.session = file;
  Document& document = opened.document;

  Issues issues;
  Draft draft = draft_of(document.problem);
  FileShapes shapes(args, draft, issues);
  for (const InputSlot& slot : kInputSlots)
    if (given(slot.name)) document.paths.*slot.path = args.texts.at(slot.name);
  if (const Issues wrong = take_layout(args, document.paths); !wrong.empty()) return wrong;
  opened.read = read_inputs(document.paths, issues, [&](const InputSlot& slot, const InputTensor& input) {
    shapes.take(slot, input, from_document && !given(slot.name));
  });
  for (const std::string& text : args.edits) add(parse_edit(text), document.edits, issues);
  if (!issues.empty()) return issues;

  Result<Problem> problem = problem_from(args, draft, shapes, fresh);
  if (!problem) return problem.issues();
  if (issues = unused_by_forward(args, *problem); !issues.empty()) return issues;
  if (!(*problem == document.problem)) {
    document.problem = *problem;
    opened.schedule = nullptr;
    document.cursor = 0;
    document.view.batch = document.view.head = 0;
  }
  if (!opened.schedule) opened.schedule = make_schedule(document.problem);
  append(issues, check_document(document, *opened.schedule, "command line"));
  append(issues, check_input_values(opened.read.tensors, document.edits, document.problem.numerics.dtype));
  if (!issues.empty()) return issues;
  return opened;
}

Result<Done> put_at_step(Opening& opened, const std::optional<std::string>& step) {
  if (!step) return Done{};
  const Result<std::int64_t> cursor = whole_number("step", *step, 0, opened.schedule->step_count());
  if (!cursor) return cursor.issues();
  opened.document.cursor = *cursor;
  return Done{};
}

}  // namespace tilewalk
