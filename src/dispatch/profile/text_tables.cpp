// Tables of text, with two blanks or more between columns: torch.profiler's key_averages().table() and the tables that
// nsys stats prints. Both shorten long names.
// In torch's table a row is a kernel where it took time on the GPU and none on the CPU, and no row of the same name
// took time on the CPU: a marked region of the program (record_function) has a row for each.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dispatch/profile/profile_readers.h"
#include "dispatch/profile/table_columns.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostRows = 100'000;
constexpr double kNsOfUs = 1e3;

// Line after line, without line ends and the blanks around.
class TextLines {
 public:
  explicit TextLines(ByteSource& bytes) : bytes_(bytes) {}
  // False at the end, and after a line that is too long.
  bool next() {
    line_.clear();
    start_ = before_ + std::int64_t(at_);
    bool any = false;
    while (line_.size() < kLongestRecord) {
      if (at_ == piece_.size()) {
        before_ += std::int64_t(piece_.size());
        piece_ = bytes_.next(), at_ = 0;
        if (piece_.empty()) return any;
      }
      any = true;
      const char c = piece_[at_++];
      if (c == '\n') return true;
      if (c != '\r') line_ += c == '\t' ? ' ' : c;
    }
    too_long_ = true;
    return false;
  }
  std::vector<std::string> fields() const {
    std::vector<std::string> out;
    std::size_t at = line_.find_first_not_of(' ');
    while (at != std::string::npos && out.size() < kMostFields) {
      const std::size_t end = std::min(line_.find("  ", at), line_.size());
      out.push_back(line_.substr(at, end - at));
      while (out.back().ends_with(' ')) out.back().pop_back();
      at = line_.find_first_not_of(' ', end);
    }
    return out;
  }
  bool is_rule() const { return line_.find_first_not_of("- ") == std::string::npos; }  // dashes, or nothing
  bool is_empty() const { return line_.find_first_not_of(' ') == std::string::npos; }
  std::int64_t offset() const { return start_; }
  bool too_long() const { return too_long_; }

 private:
  ByteSource& bytes_;
  std::string_view piece_;
  std::size_t at_ = 0;
  std::int64_t before_ = 0, start_ = 0;
  std::string line_;
  bool too_long_ = false;
};

// PyTorch writes the kind of device into its titles.
struct TorchTable {
  std::size_t name, self_cpu, self_gpu, calls;
};
std::optional<TorchTable> torch_table(const TableColumns& columns) {
  const auto name = columns.find("Name"), cpu = columns.find("Self CPU"), calls = columns.find("# of Calls");
  std::optional<std::size_t> gpu;
  for (const std::string_view kind : {"Self CUDA", "Self HIP", "Self XPU", "Self PrivateUse1", "Self MTIA"})
    if (!gpu) gpu = columns.find(kind);
  if (!name || !cpu || !gpu || !calls) return std::nullopt;
  return TorchTable{*name, *cpu, *gpu, *calls};
}

// "12.345us"
std::optional<double> nanoseconds(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789.,");
  if (digits == std::string::npos) return std::nullopt;
  const auto unit = time_unit(std::string_view(text).substr(digits));
  const auto number = amount(text.substr(0, digits));
  return unit && number ? std::optional(*number * *unit) : std::nullopt;
}

class TextTable {
 public:
  TextTable(ByteSource& bytes, KernelTally& tally) : bytes_(bytes), lines_(bytes), tally_(tally) {}

  Result<ProfileFormat> read() {
    while (lines_.next()) {
      const TableColumns columns(lines_.fields());
      if (const auto torch = torch_table(columns)) {
        read_torch(*torch, columns.size());
        return ended(ProfileFormat::TorchTable);
      }
      if (const auto nsys = nsys_table(columns)) {
        read_nsys(*nsys, columns.size());
        return ended(ProfileFormat::NsightSystems);
      }
    }
    return ended(ProfileFormat::TorchTable);
  }

 private:
  struct Row {
    std::string name;
    KernelTime time;
    bool on_cpu;
  };

  Result<ProfileFormat> ended(ProfileFormat format) {
    if (lines_.too_long()) refuse("a line that is too long");
    if (!issues_.empty()) return issues_;
    if (!bytes_.issues().empty()) return bytes_.issues();
    return format;
  }
  void refuse(std::string rule) {
    if (issues_.empty())
      issues_.push_back({fmt::format("{}, byte {}", bytes_.name(), lines_.offset()), "", std::move(rule), ""});
  }
  // A row's fields; empty at the table's end.
  std::vector<std::string> next_row(std::size_t columns, std::size_t& rows) {
    while (lines_.next()) {
      if (lines_.is_empty() && rows > 0) return {};
      if (lines_.is_rule()) {
        if (rows > 0) return {};
        continue;
      }
      std::vector<std::string> fields = lines_.fields();
      if (fields.size() != columns) {
        if (rows > 0 && fields.size() < 3) return {};
        refuse(fmt::format("{} fields in a line of a table of {} columns", fields.size(), columns));
        return {};
      }
      if (++rows > kMostRows) refuse(fmt::format("more than {} rows in a table", kMostRows));
      return issues_.empty() ? fields : std::vector<std::string>{};
    }
    return {};
  }

  void read_torch(const TorchTable& table, std::size_t columns) {
    std::vector<Row> rows;
    std::set<std::string> of_cpu;
    std::size_t count = 0;
    for (auto fields = next_row(columns, count); !fields.empty(); fields = next_row(columns, count)) {
      const auto cpu = nanoseconds(fields[table.self_cpu]), gpu = nanoseconds(fields[table.self_gpu]);
      const auto calls = amount(fields[table.calls]);
      if (!cpu || !gpu || !time_of(calls, gpu, 1)) return refuse("a row without its times or calls");
      Row row{fields[table.name], *time_of(calls, gpu, 1), *cpu > 0};
      if (row.on_cpu) of_cpu.insert(row.name), tally_.add_operator(row.name, row.time.calls);
      rows.push_back(std::move(row));
    }
    for (const Row& row : rows) {
      const bool is_kernel = !row.on_cpu && row.time.ns > 0 && row.time.calls > 0 && !of_cpu.contains(row.name) &&
                             !row.name.starts_with("aten::") && !row.name.starts_with("ProfilerStep");
      if (is_kernel && !(is_copy_name(row.name) ? tally_.add_copy(row.time) : tally_.add_kernel(row.name, row.time)))
        return refuse("more time than can be");
    }
  }

  void read_nsys(const TimesTable& table, std::size_t columns) {
    std::size_t count = 0;
    for (auto fields = next_row(columns, count); !fields.empty(); fields = next_row(columns, count)) {
      const std::string& name = fields[table.name];
      const auto calls = table.calls ? amount(fields[*table.calls]) : std::optional(1.0);
      const auto time = time_of(calls, amount(fields[table.time]), table.unit);
      if (!time) return refuse("a kernel without a time");
      const bool is_copy = is_copy_name(name) || (table.category && fields[*table.category] == "MEMORY_OPER");
      if (!(is_copy ? tally_.add_copy(*time) : tally_.add_kernel(name, *time))) return refuse("more time than can be");
    }
  }

  ByteSource& bytes_;
  TextLines lines_;
  KernelTally& tally_;
  Issues issues_;
};

}  // namespace

bool begins_text_table(ByteSource& bytes) {
  TextLines lines(bytes);
  for (std::size_t line = 0; line < kMostLinesBefore && lines.next(); ++line) {
    const std::vector<std::string> fields = lines.fields();
    if (fields.size() < 3) continue;  // a line of a CSV has no wide blanks
    const TableColumns columns(fields);
    if (torch_table(columns) || nsys_table(columns)) return true;
  }
  return false;
}

Result<ProfileFormat> read_text_table(ByteSource& bytes, KernelTally& tally) { return TextTable(bytes, tally).read(); }

}  // namespace tilewalk
