#include "session/document/session_file.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include "base/shown.h"
#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "files/file_io.h"
#include "files/output_file.h"
#include "files/table_reader.h"
#include "files/toml_text.h"
#include "session/document/problem_draft.h"
#include "session/document/settings.h"
#include "session/document/words.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kFormat = 1;  // of the file; not written until there is a second format

using Lines = std::map<std::string, std::uint32_t>;  // the line of each field

void read_problem(TableReader& reader, Draft& draft, Lines& lines) {
  for (const Field& field : fields()) {
    const toml::node* node = reader.take(field.name);
    if (!node) continue;
    lines[field.name] = node->source().begin.line;
    if (const auto text = node->value_exact<std::string>())
      draft[field.name] = *text;
    else if (const auto whole = node->value_exact<std::int64_t>())
      draft[field.name] = std::to_string(*whole);
    else if (const auto number = node->value_exact<double>())
      draft[field.name] = format_number(*number);
    else
      reader.refuse(*node, field.name, "must be text or a number", field.way_out);
  }
}

void read_edits(TableReader& root, const std::string& file, Issues& issues, Document& document) {
  const toml::node* node = root.take("edit");
  if (!node) return;
  const toml::array* list = node->as_array();
  if (!list || list->size() > kMostEdits)
    return root.refuse(*node, "edit", "must be a list of at most 4096 tables [[edit]]", "Leave some out");
  for (const toml::node& item : *list) {
    if (!item.is_table()) return root.refuse(item, "edit", "must be a list of tables [[edit]]", "Write [[edit]]");
    TableReader reader(*item.as_table(), "edit.", file, issues);
    InputEdit edit;
    const char* const tensors[] = {"Q", "K", "V", "dO"};
    edit.tensor = kInputTensors[reader.choice("tensor", tensors, 0)];
    reader.whole("batch", edit.batch, 0);
    reader.whole("head", edit.head, 0);
    reader.whole("row", edit.row, 0);
    reader.whole("col", edit.col, 0);
    double value = 0;
    reader.number("value", value, -3.4028234663852886e38, 3.4028234663852886e38);
    edit.value = float(value);
    reader.refuse_unknown();
    document.edits.push_back(edit);
  }
}

// Drafts, so that one reading can report every issue.
struct PinnedDraft {
  std::string schedule;
  std::optional<Draft> problem;
  Lines lines;
  bool chip = false;
};

void read_pinned(TableReader& reader, const std::string& file, Issues& issues, PinnedDraft& out) {
  reader.yes_or_no("chip", out.chip);
  reader.text("schedule", out.schedule);
  read_table(reader, "problem", file, issues, [&](TableReader& problem) {
    out.problem = draft_of(Problem{});
    read_problem(problem, *out.problem, out.lines);
  });
}

// A problem's issues, each with the line of its field where it has one.
Issues placed(Issues issues, const std::string& file, const std::string& table, const Lines& lines) {
  for (Issue& issue : issues) {
    const auto at =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return concerns(issue, line.first); });
    issue.field =
        file + (at == lines.end() ? "" : ", line " + std::to_string(at->second)) + ", " + table + "." + issue.field;
  }
  return issues;
}

Issues pin(const PinnedDraft& draft, const std::string& name, Pinned& out) {
  out.chip = draft.chip;
  if (!draft.schedule.empty() && !(out.schedule = schedule_from(draft.schedule)))
    return {{name + ", pinned.schedule", draft.schedule, "is not a schedule", "Such as flash_v1"}};
  if (!draft.problem) return {};
  const Result<Problem> problem = problem_of(*draft.problem);
  if (!problem) return placed(problem.issues(), name, "pinned.problem", draft.lines);
  out.problem = *problem;
  return {};
}

struct Parsed {
  WalkedDocument walked;
  std::int64_t order = 0;
};

Result<Parsed> parse(std::string_view text, const std::string& name) {
  if (text.size() > kMaxSessionBytes)
    return Issue{name, format_bytes(std::int64_t(text.size())),
                 "is too large for a session file: at most " + format_bytes(std::int64_t(kMaxSessionBytes)),
                 "Check that this is the file you mean"};
  const Result<toml::table> table = parse_toml(text, name);
  if (!table) return table.issues();
  Issues issues;
  Parsed parsed;
  Document& document = parsed.walked.document;
  Draft draft = draft_of(document.problem);
  Lines lines;
  TableReader root(*table, "", name, issues);
  std::int64_t format = kFormat;
  root.whole("format", format, 1);
  if (format > kFormat)
    return Issue{name + ", format", std::to_string(format), "was saved by a newer Tilewalk; this one reads format 1",
                 "Open it with the Tilewalk that saved it"};
  root.text("title", document.title);
  root.text("about", document.about);
  root.whole("order", parsed.order, 0);
  read_table(root, "problem", name, issues, [&](TableReader& reader) { read_problem(reader, draft, lines); });
  read_table(root, "inputs", name, issues, [&](TableReader& reader) {
    for (const InputSlot& slot : kInputSlots) reader.text(slot.name, document.paths.*slot.path);
    document.paths.rows_first = reader.choice("layout", kLayoutWords, 0) == 1;
  });
  read_table(root, "view", name, issues, [&](TableReader& reader) {
    ViewSettings& view = document.view;
    reader.whole("cursor", document.cursor, 0);
    reader.whole("batch", view.batch, 0);
    reader.whole("head", view.head, 0);
    view.pace = Pace(reader.choice("in-step-by", kPaceWords, int(view.pace)));
    Settings settings = settings_of(view);
    read_settings(reader, settings);
    put_settings(settings, view);
    view.page = Page(reader.choice("page", kPageWords, int(view.page)));
    view.filling = Filling(reader.choice("filling", kFillingWords, int(view.filling)));
    view.compared = Compared(reader.choice("compared", kComparedWords, int(view.compared)));
  });
  PinnedDraft pinned;
  read_table(root, "pinned", name, issues, [&](TableReader& reader) { read_pinned(reader, name, issues, pinned); });
  read_edits(root, name, issues, document);
  root.refuse_unknown();
  if (!issues.empty()) return issues;
  Result<Problem> problem = problem_of(draft);
  if (!problem) return placed(problem.issues(), name, "problem", lines);
  document.problem = *problem;
  if (issues = pin(pinned, name, document.pinned); !issues.empty()) return issues;
  parsed.walked.schedule = make_schedule(document.problem);
  if (issues = check_document(document, *parsed.walked.schedule, name); !issues.empty()) return issues;
  if (!table->contains("problem"))
    return Issue{name, "", "is not a session, or is incomplete: it has no [problem]",
                 "Check that this is the file you mean"};
  return parsed;
}

Result<Parsed> load(const std::string& path) {
  const Result<std::string> text = read_text_file(path, std::int64_t(kMaxSessionBytes));
  if (!text) return text.issues();
  return parse(*text, path);
}

bool is_whole(const std::string& text) {
  return !text.empty() && text.size() < 19 && std::all_of(text.begin(), text.end(), is_digit);
}

std::string problem_lines(const Problem& problem) {
  std::string out;
  for (const Field* field : editor_fields()) {
    if (field->sparse && field->same(problem, {})) continue;
    const std::string text = field->text(problem);
    const auto* scale = std::get_if<FieldAt<std::optional<double>>>(&field->place);
    const std::optional<double> number = scale ? scale->of(problem) : std::nullopt;
    const bool is_text = !is_whole(text) || !field->choices.empty();
    out += std::string(field->name) + " = " + (number ? toml_number(*number) : is_text ? toml_text(text) : text) + "\n";
  }
  return out;
}

// Replaces every non-empty path of the document by `change` of it.
void change_paths(Document& document,
                  const std::function<std::filesystem::path(const std::filesystem::path&)>& change) {
  for (const InputSlot& slot : kInputSlots)
    if (std::string& path = document.paths.*slot.path; !path.empty()) path = change(path).string();
}

}  // namespace

Issues check_document(const Document& document, const Schedule& schedule, const std::string& name) {
  Issues issues;
  const Problem& p = document.problem;
  for (const InputEdit& edit : document.edits) {
    const bool is_q = edit.tensor == TensorId::Q || edit.tensor == TensorId::dO;
    if (edit.batch >= p.shape.batch || edit.head >= (is_q ? p.shape.heads : p.shape.kv_heads) ||
        edit.row >= (is_q ? p.shape.n_q : p.shape.n_kv) || edit.col >= p.shape.d)
      issues.push_back({name + ", edit of " + name_of(edit.tensor),
                        "[" + std::to_string(edit.batch) + ", " + std::to_string(edit.head) + ", " +
                            std::to_string(edit.row) + ", " + std::to_string(edit.col) + "]",
                        "lies outside the tensor", "Batch, head, row and column count from 0"});
  }
  const std::int64_t steps = schedule.step_count();
  if (document.cursor > steps)
    issues.push_back({name + ", view.cursor", std::to_string(document.cursor),
                      "is past the last step, " + std::to_string(steps), "Try " + std::to_string(steps)});
  if (document.view.batch >= p.shape.batch || document.view.head >= p.shape.heads)
    issues.push_back({name + ", view",
                      "batch " + std::to_string(document.view.batch) + ", head " + std::to_string(document.view.head),
                      "is not one of the problem's", "Both count from 0"});
  return issues;
}

Result<Document> parse_document(std::string_view text, const std::string& name) {
  Result<Parsed> parsed = parse(text, name);
  if (!parsed) return parsed.issues();
  return std::move(parsed->walked.document);
}

std::string document_text(const Document& document) {
  std::string out;
  auto line = [&](const std::string& key, const std::string& value) { out += key + " = " + value + "\n"; };
  if (!document.title.empty()) line("title", toml_text(document.title));
  if (!document.about.empty()) line("about", toml_text(document.about));
  out += "\n[problem]\n" + problem_lines(document.problem);
  if (document.paths.any()) {
    out += "\n[inputs]\n";
    for (const InputSlot& slot : kInputSlots)
      if (const std::string& path = document.paths.*slot.path; !path.empty()) line(slot.name, toml_text(path));
    if (document.paths.rows_first) line("layout", toml_text(kLayoutWords[1]));
  }
  const ViewSettings& view = document.view;
  out += "\n[view]\n";
  line("cursor", std::to_string(document.cursor));
  line("batch", std::to_string(view.batch));
  line("head", std::to_string(view.head));
  line("in-step-by", toml_text(kPaceWords[int(view.pace)]));
  out += settings_lines(settings_of(view));
  // Default values are not written, so that programs older than these keys still read the file.
  if (view.page != Page::Walk) line("page", toml_text(kPageWords[int(view.page)]));
  if (view.filling != Filling::Sms) line("filling", toml_text(kFillingWords[int(view.filling)]));
  if (view.compared != Compared::Walk) line("compared", toml_text(kComparedWords[int(view.compared)]));
  const Pinned& pinned = document.pinned;
  if (pinned != Pinned{}) out += "\n[pinned]\n";
  if (pinned.chip) line("chip", "true");
  if (pinned.schedule) line("schedule", toml_text(name_of(*pinned.schedule)));
  if (pinned.problem) out += "\n[pinned.problem]\n" + problem_lines(*pinned.problem);
  for (const InputEdit& edit : document.edits) {
    out += "\n[[edit]]\n";
    line("tensor", toml_text(name_of(edit.tensor)));
    line("batch", std::to_string(edit.batch));
    line("head", std::to_string(edit.head));
    line("row", std::to_string(edit.row));
    line("col", std::to_string(edit.col));
    line("value", toml_number(double(edit.value)));
  }
  return out;
}

// Paths in a file are relative to the file's folder, so that a folder with its tensors can be moved.
Result<WalkedDocument> load_document(const std::string& path) {
  Result<Parsed> parsed = load(path);
  if (!parsed) return parsed.issues();
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  change_paths(parsed->walked.document,
               [&](const std::filesystem::path& p) { return (folder / p).lexically_normal(); });
  return std::move(parsed->walked);
}

Result<Done> save_document(const Document& document, const std::string& path) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
  const bool linked = std::filesystem::is_symlink(path, error);  // the file may be opened from two folders
  Document saved = document;
  change_paths(saved, [&](const std::filesystem::path& p) {
    const std::filesystem::path whole = std::filesystem::absolute(p, error).lexically_normal();
    const std::filesystem::path relative = whole.lexically_relative(folder);
    return linked || relative.empty() || *relative.begin() == ".." ? whole : relative;
  });
  for (const InputSlot& slot : kInputSlots)
    if (const std::string& name = saved.paths.*slot.path; !is_utf8(name))
      return Issue{slot.name, name, "has a name that is not UTF-8, which a session file cannot contain",
                   "Rename that file, and open it again"};
  const std::string text = document_text(saved);
  return write_file({.field = "", .path = path, .endings = {".toml"}}, std::as_bytes(std::span(text)));
}

Result<std::vector<Preset>> load_presets(const std::string& root) {
  const std::filesystem::path folder = std::filesystem::path(root) / "assets" / "presets";
  std::error_code error;
  std::vector<std::pair<std::int64_t, Preset>> found;
  Issues issues;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".toml") continue;
    Result<Parsed> parsed = load(entry.path().string());
    if (parsed)
      found.push_back(
          {parsed->order, {entry.path().stem().string(), parsed->walked.document, parsed->walked.schedule}});
    else
      append(issues, parsed.issues());
  }
  if (error)
    return Issue{folder.string(), "", "cannot be listed: " + error.message(),
                 "Set TILEWALK_ROOT to the folder that contains assets/"};
  if (!issues.empty()) return issues;
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.name) < std::tie(b.first, b.second.name);
  });
  std::vector<Preset> presets;
  for (auto& [order, preset] : found) presets.push_back(std::move(preset));
  return presets;
}

}  // namespace tilewalk
