// The kernels that ran on an H200, with the calls that launched them: facts decoded from a name must be true of its
// calls.
#include <map>
#include <set>

#include "dispatch/kernel/kernel_name.h"
#include "dispatch/profile/csv_records.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> collected() {
  const auto file = OpenedFile::open(
      std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/kernel_names_h200_2026-11-22.csv", 1 << 22);
  REQUIRE(file.ok());
  ByteSource bytes(file->reader(), file->size(), "kernel names");
  CsvRecords records(bytes);
  std::vector<std::string> heads;
  std::vector<Row> out;
  while (records.next()) {
    const auto& fields = records.fields();
    if (fields[0].starts_with("# ")) continue;
    if (heads.empty()) {
      heads = fields;
      continue;
    }
    REQUIRE(fields.size() == heads.size());
    Row row;
    for (std::size_t i = 0; i < fields.size(); ++i) row[heads[i]] = fields[i];
    out.push_back(std::move(row));
  }
  REQUIRE(!records.failed());
  return out;
}

std::set<std::string> values(const std::string& text) {
  std::set<std::string> out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    out.insert(std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

int largest(const std::string& text) {
  int out = 0;
  for (const std::string& value : values(text)) out = std::max(out, std::stoi(value));
  return out;
}

}  // namespace

TEST_CASE("every kernel collected on an H200 is decoded to the call that launched it") {
  std::map<std::string, std::set<std::string>> attention;  // by entry point, the family and pass of its kernels
  const std::vector<Row> rows = collected();
  CHECK(rows.size() > 300);
  for (const Row& row : rows) {
    CAPTURE(row.at("name"), row.at("way"), row.at("pass"));
    // A softmax's name does not say that it is attention's; these are, by the calls that launched them.
    const DecodedKernel kernel = hint_of(row.at("name")) == NameHint::Softmax
                                     ? as_part_of_attention(row.at("name")).value_or(DecodedKernel{})
                                     : decode_kernel(row.at("name"));
    if (!kernel.is_attention()) continue;
    const std::string family = name_of(kernel.family);
    REQUIRE(kernel.pass.has_value());
    for (const std::string& way : values(row.at("way"))) {
      const std::string first = way.substr(0, way.find('-'));
      CHECK((family == first || (family == "math" && first == "eager")));
      attention[first].insert(name_of(*kernel.pass));
    }
    if (kernel.pass == KernelPass::Forward || kernel.pass == KernelPass::Backward)
      CHECK(row.at("pass") == name_of(*kernel.pass));
    if (kernel.pass == KernelPass::Combine) CHECK(row.at("pass") == "forward");
    if (kernel.d) CHECK(largest(row.at("d")) <= *kernel.d);
    if (kernel.d && kernel.family == KernelFamily::Flash) CHECK(largest(row.at("d")) > *kernel.d / 2);
    if (kernel.dtype && kernel.family != KernelFamily::Math)
      CHECK(values(row.at("dtype")) == std::set<std::string>{*kernel.dtype});
    if (kernel.sm) CHECK(*kernel.sm <= 90);
  }
  const std::set<std::string> both{"forward", "backward"}, helped{"forward", "backward", "combine", "helper"};
  CHECK(attention["flash"] == helped);
  CHECK(attention["cudnn"] == helped);
  CHECK(attention["efficient"] == both);
  CHECK(attention["flex"] == std::set<std::string>{"forward", "backward", "helper"});
  CHECK(attention["math"] == both);
  CHECK(attention["eager"] == both);
}

TEST_CASE("kernel names of a call with split keys say so, and those of long rows do not") {
  int split = 0, whole = 0;
  for (const Row& row : collected()) {
    const DecodedKernel kernel = decode_kernel(row.at("name"));
    if (kernel.family != KernelFamily::Flash || kernel.pass != KernelPass::Forward) continue;
    CAPTURE(row.at("name"));
    REQUIRE(kernel.split_kv.has_value());
    REQUIRE(kernel.tile.has_value());
    (*kernel.split_kv ? split : whole) += 1;
    if (*kernel.split_kv) CHECK(kernel.tile->q_rows == 64);
  }
  CHECK(split > 10);
  CHECK(whole > 30);
}
