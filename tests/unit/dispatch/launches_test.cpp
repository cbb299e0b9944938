// The answer about a call's kernel compared with the kernels that the call launched on an H200: schedule, tile and
// splitting, wherever both have a value. assets/measurements/launched_kernels_*.csv has a call a row;
// kernel_names_*.csv a kernel a row, with the values of all calls that launched it.
#include <filesystem>
#include <map>
#include <set>

#include "core/schedules/registry.h"
#include "dispatch/entry_points.h"
#include "dispatch/profile/csv_records.h"
#include "tests/unit/dispatch/tables.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

namespace fs = std::filesystem;
using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& path) {
  const auto file = OpenedFile::open(path, 1 << 22);
  REQUIRE(file.ok());
  ByteSource bytes(file->reader(), file->size(), path);
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

std::vector<std::string> measurements(const std::string& start) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements"))
    if (entry.path().filename().string().starts_with(start)) out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> parted(const std::string& text, const std::string& by) {
  std::vector<std::string> out;
  for (std::size_t from = 0; !text.empty() && from <= text.size();) {
    const std::size_t end = std::min(text.find(by, from), text.size());
    out.push_back(text.substr(from, end - from));
    from = end + by.size();
  }
  return out;
}

Call call_of_row(const Row& row) {
  CallWords words{{"device", "h200"}, {"torch", "2.11"}, {"cudnn", "91900"}};
  for (const auto& [column, field] :
       {std::pair("dtype", "dtype"), std::pair("batch", "batch"), std::pair("heads", "heads"),
        std::pair("kv_heads", "kv-heads"), std::pair("n_q", "n-q"), std::pair("n_kv", "n-kv"), std::pair("d", "d"),
        std::pair("d_v", "d-v"), std::pair("attn_mask", "attn-mask"), std::pair("is_causal", "is-causal"),
        std::pair("dropout", "dropout"), std::pair("training", "training")})
    words[field] = row.at(column);
  if (row.at("heads") != row.at("kv_heads")) words["enable-gqa"] = "on";
  const std::string& asked = row.at("asked");
  if (asked == "flex")
    words["via"] = "flex";
  else if (!asked.empty())
    words["enabled"] = asked;
  return call_of(words);
}

KernelSchedule told_of(const Call& call) {
  const EntryPointAnswer way = entry_point_answer(call);
  if (!way.by_sdpa) {
    REQUIRE(way.runs);
    return way.shown;
  }
  const WhichAnswer answer = answer_of(call, table());
  REQUIRE(answer.runs);
  return kernel_schedule(call, table(), *answer.runs);
}

// The combined facts from the names of a call's kernels.
struct Launched {
  DecodedKernel forward;
  bool merges = false;
  std::string grid, block;
};

Launched launched_by(const Row& row) {
  const std::vector<std::string> names = parted(row.at("kernels"), " | "), grids = parted(row.at("grids"), " "),
                                 blocks = parted(row.at("blocks"), " ");
  Launched out;
  for (std::size_t i = names.size(); i-- > 0;) {
    const DecodedKernel kernel = decode_kernel(names[i]);
    if (kernel.pass == KernelPass::Combine) out.merges = true;
    if (kernel.pass != KernelPass::Forward) continue;
    out.forward = kernel;
    if (i < grids.size()) out.grid = grids[i], out.block = blocks[i];
  }
  return out;
}

struct Counts {
  std::size_t calls = 0, schedules = 0, tiles = 0, splits = 0, raised = 0;
};

std::string generation_of(const DecodedKernel& kernel) {
  if (kernel.family != KernelFamily::Cudnn) return "";
  return kernel.sm == 80 ? "FA-2" : kernel.sm == 90 ? "FA-3" : "FA-4";
}

void hold(const Call& call, const Launched& seen, Counts& counts) {
  const KernelSchedule told = told_of(call);
  ++counts.calls;
  REQUIRE(seen.forward.pass == KernelPass::Forward);
  const bool split = seen.merges || seen.forward.split_kv == true;
  if (told.split_kv && seen.forward.family != KernelFamily::Flex) {
    ++counts.splits;
    CHECK(*told.split_kv == split);
  }
  const auto schedule = split ? ScheduleKind::SplitKv : seen.forward.schedule;
  if (told.schedule && schedule) {
    ++counts.schedules;
    CHECK(std::string(name_of(*told.schedule)) == std::string(name_of(*schedule)));
  }
  if (told.br && seen.forward.tile) {
    ++counts.tiles;
    CHECK(*told.br == seen.forward.tile->q_rows);
    CHECK(*told.bc == seen.forward.tile->keys);
  }
  if (!generation_of(seen.forward).empty() && !told.generation.empty())
    CHECK(told.generation == generation_of(seen.forward));
}

std::int64_t first_of(const std::string& grid, std::size_t which) { return std::stoll(parted(grid, "x").at(which)); }

}  // namespace

TEST_CASE("schedule, tile and splitting match for every call whose kernels were recorded") {
  std::map<std::string, Counts> all;
  std::size_t cudnn_grids = 0, flash_grids = 0, flex_grids = 0;
  for (const std::string& path : measurements("launched_kernels_"))
    for (const Row& row : rows_of(path)) {
      const Call call = call_of_row(row);
      CAPTURE(path, row.at("call"), command_line_of(call), row.at("kernels"));
      Counts& counts = all[row.at("asked")];
      if (!row.at("error").empty()) {
        const WhichAnswer answer = answer_of(call, table());
        CHECK_FALSE(answer.runs);
        CHECK(answer.raised == row.at("error"));
        ++counts.raised;
        continue;
      }
      const Launched seen = launched_by(row);
      hold(call, seen, counts);
      if (seen.grid.empty()) continue;
      const KernelSchedule told = told_of(call);
      if (seen.forward.family == KernelFamily::Flash && told.splits && *told.splits > 1) {
        ++flash_grids;  // [Q tiles, splits, batch x heads]
        CHECK(first_of(seen.grid, 1) == *told.splits);
      }
      if (seen.forward.family == KernelFamily::Cudnn && told.br) {
        ++cudnn_grids;  // one thread block a multiprocessor, or one a Q tile where those are fewer
        const std::int64_t tiles = call.batch * call.heads * ((call.n_q + *told.br - 1) / *told.br);
        CHECK(first_of(seen.grid, 0) == std::min<std::int64_t>(132, tiles));
        CHECK(seen.block == "384x1x1");
      }
      if (seen.forward.family == KernelFamily::Flex && told.splits) {
        ++flex_grids;  // [Q tiles, batch x KV heads, splits]
        CHECK(first_of(seen.grid, 2) == *told.splits);
      }
    }
  CHECK(all["flash"].calls >= 200);
  CHECK(all["flash"].schedules == all["flash"].calls);
  CHECK(all["flash"].tiles == all["flash"].calls);
  CHECK(all["efficient"].calls >= 110);
  CHECK(all["efficient"].schedules == all["efficient"].calls);
  CHECK(all["efficient"].tiles == all["efficient"].calls);
  CHECK(all["cudnn"].calls >= 140);
  CHECK(all["cudnn"].schedules >= 130);
  CHECK(all[""].schedules == 8);  // without sdpa_kernel
  CHECK(all["flex"].calls == 5);
  CHECK(all["efficient"].raised + all["flash"].raised == 4);
  CHECK(flash_grids >= 50);
  CHECK(cudnn_grids >= 100);
  CHECK(flex_grids == 3);
}

TEST_CASE("each forward kernel of the collected names has the tile predicted for a call that launched it") {
  std::size_t checked = 0, alone = 0;
  for (const std::string& path : measurements("kernel_names_"))
    for (const Row& row : rows_of(path)) {
      const DecodedKernel kernel = decode_kernel(row.at("name"));
      const std::string& way = row.at("way");
      if (kernel.pass != KernelPass::Forward || !(way == "flash" || way == "efficient" || way == "cudnn")) continue;
      CAPTURE(row.at("name"));
      // Calls that may have launched it: each combination of the columns' values.
      std::vector<Row> calls(1, Row{{"asked", way}, {"training", "off"}});
      for (const auto& [column, name] :
           {std::pair("dtype", "dtype"), std::pair("d", "d"), std::pair("batch", "batch"), std::pair("heads", "heads"),
            std::pair("kv_heads", "kv_heads"), std::pair("n_q", "n_q"), std::pair("n_kv", "n_kv"),
            std::pair("causal", "is_causal"), std::pair("dropout", "dropout"), std::pair("d_v", "d_v")}) {
        std::vector<Row> more;
        for (const Row& one : calls)
          for (const std::string& value : parted(row.at(column), " ")) {
            more.push_back(one);
            more.back()[name] = std::string(column) == "causal" ? (value == "1" ? "on" : "off") : value;
          }
        calls = std::move(more);
      }
      bool as_told = false;
      for (Row& one : calls) {
        one["attn_mask"] = "none";
        const Call call = call_of_row(one);
        const WhichAnswer answer = answer_of(call, table());
        if (!answer.runs || std::stoll(one["heads"]) % std::stoll(one["kv_heads"])) continue;
        const KernelSchedule told = kernel_schedule(call, table(), *answer.runs);
        const bool tile = !told.br || !kernel.tile || (told.br == kernel.tile->q_rows && told.bc == kernel.tile->keys);
        const bool split = !told.split_kv || !kernel.split_kv || told.split_kv == kernel.split_kv;
        as_told = as_told || (tile && split);
        if (calls.size() > 1) continue;
        ++alone;
        CHECK((tile && split));
      }
      CHECK(as_told);
      ++checked;
    }
  CHECK(checked >= 70);
  CHECK(alone >= 10);
}

TEST_CASE("a split depends on the number of multiprocessors, and is unknown without it") {
  const auto told = [](CallWords words) {
    words["enabled"] = "flash";
    return told_of(call_of(words));
  };
  CHECK(told({}).splits == 4);
  CHECK(told({}).schedule == ScheduleKind::SplitKv);
  CHECK(told({{"device", "a100"}}).schedule == ScheduleKind::FlashV2);  // 192 thread blocks for 108 multiprocessors
  CHECK_FALSE(told({{"device", "sm_90"}}).schedule);
  CHECK_FALSE(told({{"device", "sm_90"}}).br);
  CHECK_FALSE(told({{"device", "sm_90"}}).unknown.empty());
  CHECK(told({{"device", "sm_90"}, {"batch", "8"}}).schedule == ScheduleKind::FlashV2);   // enough for any card
  CHECK(told({{"device", "sm_90"}, {"n-kv", "256"}}).schedule == ScheduleKind::FlashV2);  // one tile of keys
  CHECK(told({{"dropout", "0.1"}}).split_kv == false);
  CHECK(told({{"dropout", "0.1"}, {"d", "128"}}).bc == 32);
  // One row of 8 heads that share a KV head is 8 rows of one head.
  CHECK(told({{"n-q", "1"}, {"n-kv", "4096"}, {"heads", "64"}, {"kv-heads", "8"}, {"enable-gqa", "on"}}).splits == 16);
}

TEST_CASE("tiles follow the launch's queries of the card") {
  const auto tile = [](const char* device, const char* d, const char* causal) {
    const KernelSchedule told =
        told_of(call_of({{"device", device}, {"d", d}, {"is-causal", causal}, {"batch", "64"}, {"enabled", "flash"}}));
    return told.br ? std::pair(*told.br, *told.bc) : std::pair(std::int64_t(0), std::int64_t(0));
  };
  using Tile = std::pair<std::int64_t, std::int64_t>;
  CHECK(tile("rtx4090", "128", "on") == Tile{64, 64});
  CHECK(tile("rtx4090", "128", "off") == Tile{128, 32});
  CHECK(tile("rtx5090", "128", "off") == Tile{128, 64});  // no rule for SM 12: as on an A100
  CHECK(tile("rtx5090", "256", "off") == Tile{64, 64});
  CHECK(tile("a100", "256", "off") == Tile{128, 64});
  CHECK(tile("sm_87", "256", "off") == Tile{0, 0});  // the size of its shared memory is not known
  const auto cutlass = [](const char* device, const char* d, const char* dtype) {
    const KernelSchedule told =
        told_of(call_of({{"device", device}, {"d", d}, {"dtype", dtype}, {"enabled", "efficient"}}));
    return told.br ? std::pair(*told.br, *told.bc) : std::pair(std::int64_t(0), std::int64_t(0));
  };
  CHECK(cutlass("t4", "128", "fp16") == Tile{32, 128});
  CHECK(cutlass("a100", "128", "fp16") == Tile{64, 128});
  CHECK(cutlass("a100", "512", "fp32") == Tile{32, 128});
  CHECK(cutlass("rtx4090", "128", "fp32") == Tile{0, 0});
}

TEST_CASE("answers about cuDNN contain only recorded facts") {
  const auto told = [](CallWords words) {
    words["enabled"] = "cudnn";
    return told_of(call_of(words));
  };
  CHECK(told({}).br == 128);
  CHECK_FALSE(told({{"cudnn", "9.16"}}).br);
  CHECK(told({{"cudnn", "9.16"}}).generation == "FA-3");
  CHECK(told({{"n-q", "1"}, {"n-kv", "8192"}}).schedule == ScheduleKind::SplitKv);
  CHECK(told({{"n-q", "1"}, {"n-kv", "8192"}}).generation == "FA-2");
  CHECK_FALSE(told({{"n-q", "1"}, {"n-kv", "8192"}, {"batch", "16"}}).schedule);  // both were observed
  CHECK(told({{"n-q", "1"}, {"n-kv", "128"}}).schedule == ScheduleKind::FlashV2);
  CHECK_FALSE(told({{"n-q", "1"}, {"n-kv", "8192"}, {"device", "b200"}}).schedule);
  CHECK(told({{"n-q", "1"}, {"n-kv", "8192"}, {"device", "b200"}}).generation.empty());
  CHECK(told({{"device", "rtx5090"}}).generation.empty());
}
