// Recorded decoding calls of an H200, the library before a change beside the one after it: the builds of few rows are
// no slower than what they replaced, and the files were recorded with the builds that are chosen today.
#include <algorithm>
#include <map>

#include "core/problem/build_choice.h"
#include "tests/unit/measured/measurement_samples.h"

using namespace tilewalk;

namespace {

constexpr int kH200Sms = 132;
constexpr double kH200GbPerS = 4800;
constexpr const char* kBulk = "decode_bulk_h200_2026-11-29.csv";
constexpr const char* kFew = "decode_few_rows_h200_2026-11-29.csv";

using Sizes = std::vector<std::string>;  // d, heads, kv_heads, batch, n_q, n_kv, causal

// Medians by call, then by contender.
std::map<Sizes, std::map<std::string, double>> medians_of(const std::string& file) {
  std::map<Sizes, std::map<std::string, double>> out;
  for (const auto& [row, all] :
       test::samples_by_row(file, 12, [](const auto& r) { return r.size() == 12 && r[0] == "forward"; }))
    out[Sizes(row.begin() + 3, row.end())][row[1]] = all[all.size() / 2];
  return out;
}

fast::BuildChoice choice_of(Contender kernel, const Sizes& call) {
  std::vector<std::int64_t> n;
  for (const std::string& each : call) n.push_back(std::stoll(each));
  const std::int64_t group = n[1] / n[2];  // these query heads are rows of one head
  return fast::choose_build(kernel, n[0], {n[2] * n[3], n[4] * group, n[5], false, 0}, kH200Sms, kH200GbPerS);
}

double bytes_of(const Sizes& call) {  // of K and V
  return 4 * std::stod(call[0]) * std::stod(call[2]) * std::stod(call[3]) * std::stod(call[5]);
}

const std::pair<const std::string, double>& own_of(const std::map<std::string, double>& times,
                                                   const std::string& word) {
  return *std::find_if(times.begin(), times.end(), [&](const auto& each) {
    return each.first.starts_with(word) && !each.first.ends_with("before");
  });
}

double torch_of(const std::map<std::string, double>& times) {
  double best = 1e9;
  for (const auto& [who, ms] : times)
    if (who.starts_with("torch")) best = std::min(best, ms);
  return best;
}

// Calls whose recorded workspace is the one of the build that is chosen today; all: of the kernel's rows.
struct Recorded {
  int same = 0, all = 0;
};
Recorded recorded_choices(const std::string& file, const std::string& name, Contender kernel) {
  constexpr std::size_t kWorkCounter = 256;  // bytes, of every fast kernel
  const std::string path = std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/" + file;
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  REQUIRE(text);
  const std::string begin = "# row forward," + name + ",bf16,", end = ": extra_bytes ";
  Recorded out;
  for (std::size_t at = text->find(begin); at != std::string::npos; at = text->find(begin, at + 1)) {
    const std::size_t sizes = at + begin.size(), colon = text->find(end, sizes);
    const Sizes call = csv_fields(std::string_view(*text).substr(sizes, colon - sizes), 7);
    const std::size_t bytes = std::stoull(text->substr(colon + end.size(), 20));
    out.same += choice_of(kernel, call).workspace_bytes() + kWorkCounter == bytes;
    ++out.all;
  }
  return out;
}

}  // namespace

TEST_CASE("FA-3's build of few rows by bulk copies: no call is slower than before", "[unit]") {
  const auto calls = medians_of(kBulk);
  CHECK(calls.size() == 98);
  int behind_torch = 0, bulk = 0;
  std::vector<double> gains;
  for (const auto& [call, times] : calls) {
    INFO("d " << call[0] << ", " << call[1] << " : " << call[2] << " heads, batch " << call[3] << ", keys " << call[5]);
    const double now = own_of(times, "flash_v3").second;
    gains.push_back(times.at("flash_v3 before") / now);
    CHECK(gains.back() > 0.985);
    behind_torch += torch_of(times) / now < 0.995;
    bulk += choice_of(Contender::FlashV3, call).variant == fast::kBulkRowsVariant;
  }
  std::sort(gains.begin(), gains.end());
  CHECK(gains[gains.size() / 2] > 1.08);
  CHECK(behind_torch == 1);  // 1,280 heads of 1,024 keys at d = 64
  CHECK(bulk > 70);
}

TEST_CASE("FA-3's build of few rows by bulk copies above d = 64: beside the builds before", "[unit]") {
  const auto calls = medians_of("decode_wide_h200_2026-11-30.csv");
  CHECK(calls.size() == 60);
  int behind_torch = 0;
  std::vector<double> gains;
  for (const auto& [call, times] : calls) {
    INFO("d " << call[0] << ", " << call[1] << " : " << call[2] << " heads, batch " << call[3] << ", keys " << call[5]);
    const double now = own_of(times, "flash_v3").second, gain = times.at("flash_v3 before") / now;
    CHECK(gain > 0.955);
    behind_torch += torch_of(times) / now < 0.985;
    if (bytes_of(call) >= 30e6) gains.push_back(gain);  // the others did not run that build then
  }
  CHECK(gains.size() == 49);
  std::sort(gains.begin(), gains.end());
  CHECK(gains[gains.size() / 2] > 1.035);
  CHECK(behind_torch == 7);
}

TEST_CASE("FA-3's parts above d = 64 by the estimate of today: beside those before", "[unit]") {
  const auto calls = medians_of("decode_parts_h200_2026-11-30.csv");
  CHECK(calls.size() == 69);
  int behind_torch = 0, was_behind = 0;
  double best = 0;
  for (const auto& [call, times] : calls) {
    INFO("d " << call[0] << ", " << call[1] << " : " << call[2] << " heads, batch " << call[3] << ", keys " << call[5]);
    const double now = own_of(times, "flash_v3").second, before = times.at("flash_v3 before");
    CHECK(before / now > 0.94);
    best = std::max(best, before / now);
    behind_torch += torch_of(times) / now < 0.985;
    was_behind += torch_of(times) / before < 0.985;
  }
  CHECK(best > 1.25);
  CHECK(behind_torch == 4);
  CHECK(was_behind == 10);
}

bool in_stretches(const Sizes& call) { return choice_of(Contender::FlashV3, call).plan.in_stretches(); }

TEST_CASE("equal stretches of all heads' keys, forced: where they are chosen they are faster", "[unit]") {
  int chosen = 0, slower = 0, behind_torch = 0, was_behind = 0;
  std::vector<double> gains;
  for (const auto& [call, times] : medians_of("decode_stretches_tries_h200_2026-11-30.csv")) {
    const auto now = times.find(call[0] == "64" ? "flash_v3 stretches 2" : "flash_v3 stretches 1");
    if (now == times.end() || !in_stretches(call)) continue;
    ++chosen;
    const double before = times.at("flash_v3 before"), torch = torch_of(times);
    gains.push_back(before / now->second);
    slower += gains.back() < 0.98;
    behind_torch += torch / now->second < 0.985;
    was_behind += torch / before < 0.985;
  }
  std::sort(gains.begin(), gains.end());
  INFO(chosen << " calls, " << slower << " slower, median " << gains[gains.size() / 2] << ", least " << gains[0]
              << "; behind PyTorch " << behind_torch << ", before " << was_behind);
  CHECK(chosen > 35);
  CHECK(gains[gains.size() / 2] > 1.05);
  CHECK(gains[0] > 0.97);
  CHECK(slower <= 1);
  CHECK(behind_torch < was_behind / 2);
}

TEST_CASE("stretches chosen by the library, beside the library before", "[unit]") {
  const auto calls = medians_of("decode_stretches_h200_2026-11-30.csv");
  CHECK(calls.size() == 54);
  int chosen = 0, ahead = 0;
  for (const auto& [call, times] : calls) {
    if (!in_stretches(call)) continue;
    INFO("d " << call[0] << ", " << call[1] << " heads, keys " << call[5]);
    const double now = own_of(times, "flash_v3").second;
    CHECK(times.at("flash_v3 before") / now > 0.97);
    ++chosen, ahead += torch_of(times) / now > 1;
  }
  INFO(chosen << " chosen, " << ahead << " ahead of PyTorch");
  CHECK(chosen > 15);
  CHECK(ahead >= 12);
}

// The number of parts of "flash_v3 8 parts joined by blocks"; 0: no number.
int forced_parts(const std::string& contender) {
  const std::string begin = "flash_v3 ";
  return contender.starts_with(begin) ? std::atoi(contender.c_str() + begin.size()) : 0;
}

TEST_CASE("the number of parts above d = 64 is one of the fastest that were forced", "[unit]") {
  int compared = 0, slow = 0;
  double ratios = 0;
  for (const auto& [call, times] : medians_of("decode_forced_parts_h200_2026-11-30.csv")) {
    const fast::BuildChoice choice = choice_of(Contender::FlashV3, call);
    if (std::stoi(call[0]) <= 64 || choice.variant != fast::kBulkRowsVariant || choice.plan.blocks > 0) continue;
    double fastest = 1e9, chosen = 1e9;
    for (const auto& [contender, ms] : times) {
      const int parts = forced_parts(contender);
      // Of 4 to 8 parts only those joined as today: joining took another kernel before.
      if (parts == 0 || (parts >= 4 && parts <= 8 && !contender.ends_with("blocks"))) continue;
      fastest = std::min(fastest, ms);
      if (parts == choice.plan.each) chosen = std::min(chosen, ms);
    }
    if (chosen == 1e9) continue;  // this number was not forced
    ++compared;
    ratios += chosen / fastest;
    slow += chosen / fastest > 1.06;
  }
  CHECK(compared > 60);
  CHECK(ratios / compared < 1.015);
  CHECK(slow <= 4);
}

TEST_CASE("the build of few rows, FA-2: no call is slower than before", "[unit]") {
  const auto calls = medians_of(kFew);
  CHECK(calls.size() == 56);
  int few = 0;
  for (const auto& [call, times] : calls) {
    INFO("d " << call[0] << ", " << call[1] << " : " << call[2] << " heads, batch " << call[3] << ", keys " << call[5]);
    if (choice_of(Contender::FlashV2, call).variant != fast::kFewRowsVariant) continue;
    ++few;
    CHECK(times.at("flash_v2 before") / own_of(times, "flash_v2").second > 0.98);
  }
  CHECK(few > 30);
}

TEST_CASE("the build of few rows took as long when it was timed again from the library's own source", "[unit]") {
  const auto first = medians_of(kFew);
  int compared = 0;
  for (const auto& [call, times] : medians_of("decode_few_rows_again_h200_2026-11-29.csv")) {
    const auto before = first.find(call);
    if (before == first.end() || call[0] == "48" || call[0] == "64") continue;
    for (const std::string kernel : {"flash_v2", "flash_v3"}) {
      INFO(kernel << " d " << call[0]);
      CHECK(own_of(times, kernel).second == Approx(own_of(before->second, kernel).second).epsilon(0.02));
      ++compared;
    }
  }
  CHECK(compared == 6);
}

TEST_CASE("decoding many heads one after another is no slower than before, and 1,280 heads lead", "[unit]") {
  const auto calls = medians_of("decode_many_heads_h200_2026-11-30.csv");
  CHECK(calls.size() == 67);
  std::vector<double> gains;
  for (const auto& [call, times] : calls) {
    const fast::PartsPlan plan = choice_of(Contender::FlashV3, call).plan;
    if (plan.blocks == 0 || plan.divided()) continue;
    INFO(call[1] << " : " << call[2] << " heads, batch " << call[3] << ", keys " << call[5]);
    const double now = own_of(times, "flash_v3").second;
    gains.push_back(times.at("flash_v3 before") / now);
    CHECK(gains.back() > 0.98);
    if (call == Sizes{"64", "80", "80", "16", "1", "1024", "0"}) CHECK(now < torch_of(times));
  }
  std::sort(gains.begin(), gains.end());
  CHECK(gains.size() > 35);
  CHECK(gains[gains.size() / 2] > 1.02);
  CHECK(gains.back() > 1.15);
  const auto again = medians_of("decode_many_heads_again_h200_2026-11-30.csv");  // PyTorch beside
  CHECK(again.size() == 8);
  for (const auto& [call, times] : again) {
    INFO(call[1] << " : " << call[2] << " heads, batch " << call[3] << ", keys " << call[5]);
    CHECK(torch_of(times) / own_of(times, "flash_v3").second > 0.97);
  }
}

TEST_CASE("a block for each head: no number of blocks of a multiprocessor is best for all calls", "[unit]") {
  const auto calls = medians_of("decode_blocks_h200_2026-11-29.csv");
  CHECK(calls.size() == 12);
  int four_best = 0;
  for (const auto& [call, times] : calls) {
    const double four = times.at("flash_v3 4 blocks");
    const double fewer = std::min(times.at("flash_v3 2 blocks"), times.at("flash_v3 3 blocks"));
    four_best += four < 1.01 * fewer;
    CHECK(four < 1.05 * fewer);
  }
  CHECK(four_best == 11);
  const auto& lagging = calls.at({"64", "32", "32", "40", "1", "1024", "0"});  // two blocks, and still not level
  CHECK(lagging.at("flash_v3 2 blocks") < 0.97 * lagging.at("flash_v3 4 blocks"));
  CHECK(lagging.at("flash_v3 2 blocks") > torch_of(lagging));
}

TEST_CASE("recorded decoding calls ran the builds and parts that are chosen today", "[unit]") {
  const Recorded bulk = recorded_choices(kBulk, "flash_v3 192x128", Contender::FlashV3);
  CHECK(bulk.all == 98);
  CHECK(bulk.same == bulk.all - 1);  // the heads of one call are taken one after another since
  const Recorded few = recorded_choices(kFew, "flash_v2 128x64", Contender::FlashV2);
  CHECK(few.all > 20);
  CHECK(few.same == few.all - 4);  // in tiles of 64 rows since
}
