#include "measured/measured_machine.h"

#include <algorithm>

#include "base/shown.h"
#include "base/words.h"
#include "files/table_reader.h"
#include "files/toml_text.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostMachineBytes = 1 << 18;
constexpr double kMostRate = 1e7;
constexpr std::size_t kLongestText = 400, kRoomToCut = 8, kMostRaced = 64, kMostSamples = 64;
constexpr double kLongestMs = 1e9;
constexpr const char* kRungs[] = {word_of(Contender::CpuNaive), word_of(Contender::CpuTiled)};

// Reads a table of the file; texts are bounded, rates are above 0.
class MachineReader {
 public:
  MachineReader(TableReader& reader, const std::string& file, Issues& issues)
      : reader_(reader), file_(file), issues_(issues) {}

  void text(const char* key, std::string& out) {
    reader_.text(key, out);
    if (out.size() > kLongestText || !is_showable(out)) refuse(key, "must be at most 400 letters that show");
  }
  void rate(const char* key, double& out) {
    const std::size_t wrong = issues_.size();
    reader_.number(key, out, 0, kMostRate);
    if (issues_.size() == wrong && !(out > 0)) refuse(key, "must be a number above 0");
  }
  void refuse(const char* key, const char* rule) {
    issues_.push_back({file_ + ", " + reader_.where() + key, "", rule, "Measure again, or delete the file"});
  }

 private:
  TableReader& reader_;
  const std::string& file_;
  Issues& issues_;
};

void read_processor(TableReader& reader, const std::string& file, Issues& issues, Processor& out) {
  const std::size_t wrong = issues.size();
  std::int64_t threads = 0;
  reader.text("name", out.name);
  reader.whole("threads", threads, 1);
  reader.number("read_gb_per_s", out.read_gb_per_s, 0, kMostRate);
  reader.number("fp32_tflops", out.fp32_tflops, 0, kMostRate);
  reader.number("bf16_tflops", out.bf16_tflops, 0, kMostRate);
  reader.whole("cache_bytes", out.cache_bytes, 0);
  out.threads = int(std::min<std::int64_t>(threads, 1 << 20));
  if (issues.size() > wrong) return;  // a value that could not be parsed is missing now
  for (Issue issue : why_no_processor(out)) {
    issue.field = file + ", " + reader.where() + issue.field;
    issues.push_back(std::move(issue));
  }
}

void read_samples(TableReader& reader, std::vector<double>& out) {
  const toml::node* const node = reader.take("ms");
  const toml::array* const all = node ? node->as_array() : nullptr;
  for (std::size_t i = 0; all && i < all->size() && i < kMostSamples; ++i) {
    const auto ms = (*all)[i].is_number() ? (*all)[i].value<double>() : std::nullopt;
    if (ms && *ms > 0 && *ms <= kLongestMs) out.push_back(*ms);
  }
  if (node && (!all || out.empty() || out.size() != all->size()))
    reader.refuse(*node, "ms", "must be 1 to 64 numbers above 0, milliseconds", "Measure again, or delete the file");
}

void read_raced(TableReader& reader, const std::string& file, Issues& issues, std::vector<RaceRow>& out) {
  const toml::node* const node = reader.take("raced");
  if (!node) return;
  if (!node->is_array_of_tables() || node->as_array()->size() > kMostRaced)
    return reader.refuse(*node, "raced", "must be tables, at most 64", "Measure again, or delete the file");
  for (const toml::node& each : *node->as_array()) {
    TableReader part(*each.as_table(), "raced.", file, issues);
    RaceRow& row = out.emplace_back();
    row.contender = row.rung = kRungs[part.choice("rung", kRungs, 0)];
    row.dtype = "fp32";
    row.batch = 1;
    part.whole("n", row.n, 1);
    part.whole("d", row.d, 1);
    part.whole("heads", row.heads, 1);
    row.extra_bytes = 0;
    part.whole("extra_bytes", *row.extra_bytes, 0);
    read_samples(part, row.ms);
    part.refuse_unknown();
    if (row.n < 1 || row.d < 1 || row.heads < 1 || row.ms.empty())
      reader.refuse(each, "raced", "must have n, d, heads and ms", "Measure again, or delete the file");
  }
}

std::string line_of(const char* key, const std::string& value) { return std::string(key) + " = " + value + "\n"; }

std::string text_of_raced(const RaceRow& row) {
  std::string samples;
  for (const double ms : row.ms) add_to_list(samples, toml_number(ms));
  return "[[raced]]\n" + line_of("rung", toml_text(row.rung)) + line_of("n", std::to_string(row.n)) +
         line_of("d", std::to_string(row.d)) + line_of("heads", std::to_string(row.heads)) +
         line_of("extra_bytes", std::to_string(row.extra_bytes.value_or(0))) + line_of("ms", "[" + samples + "]");
}

}  // namespace

std::string machine_path() { return user_file_path("XDG_STATE_HOME", ".local/state", "machine.toml"); }

Result<MeasuredMachine> parse_machine(std::string_view text, const std::string& name) {
  const auto read = [&](TableReader& reader, const toml::table&, Issues& issues, MeasuredMachine& out) {
    MachineReader top(reader, name, issues);
    top.text("date", out.date);
    top.text("no_processor", out.no_processor);
    top.text("no_card", out.no_card);
    read_table(reader, "processor", name, issues,
               [&](TableReader& part) { read_processor(part, name, issues, out.processor.emplace()); });
    read_raced(reader, name, issues, out.raced);
    read_table(reader, "card", name, issues, [&](TableReader& part) {
      MachineReader card(part, name, issues);
      out.card.emplace();
      card.text("name", out.card->name);
      card.rate("copy_gb_per_s", out.card->copy_gb_per_s);
      card.rate("product_tflops", out.card->product_tflops);
    });
  };
  return read_tables<MeasuredMachine>(text, name, read);
}

Result<MeasuredMachine> load_machine(const std::string& path) {
  return load_user_file(path, kMostMachineBytes, parse_machine);
}

std::string machine_text(const MeasuredMachine& machine) {
  const auto words = [](const std::string& reason) {
    const bool readable = reason.size() <= kLongestText && is_showable(reason);
    return toml_text(readable ? reason : shown(reason, kLongestText - kRoomToCut));
  };
  std::string text = line_of("date", words(machine.date));
  if (!machine.no_processor.empty()) text += line_of("no_processor", words(machine.no_processor));
  if (!machine.no_card.empty()) text += line_of("no_card", words(machine.no_card));
  if (const auto& p = machine.processor)
    text += "[processor]\n" + line_of("name", words(p->name)) + line_of("threads", std::to_string(p->threads)) +
            line_of("read_gb_per_s", toml_number(p->read_gb_per_s)) +
            line_of("fp32_tflops", toml_number(p->fp32_tflops)) + line_of("bf16_tflops", toml_number(p->bf16_tflops)) +
            line_of("cache_bytes", std::to_string(p->cache_bytes));
  if (const auto& c = machine.card)
    text += "[card]\n" + line_of("name", words(c->name)) + line_of("copy_gb_per_s", toml_number(c->copy_gb_per_s)) +
            line_of("product_tflops", toml_number(c->product_tflops));
  for (const RaceRow& row : machine.raced) text += text_of_raced(row);
  return text;
}

Result<KeptFile> save_machine(const MeasuredMachine& machine, OutputFile file) {
  const std::string path = file.path();
  return change_user_file(std::move(file), kMostMachineBytes, [&](std::string_view text) -> Result<std::string> {
    if (const Result<MeasuredMachine> there = parse_machine(text, path); !there) return there.issues();
    return machine_text(machine);
  });
}

}  // namespace tilewalk
