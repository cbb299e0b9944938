// The cost of reading an unknown file, counted and not timed: executed edges of code, linear in its size, and memory,
// at most its size and 64 MiB. Each file here is expensive for its size, and is made at several sizes up to the
// reader's limits.
#include <cstring>

#include "dispatch/profile/profile.h"
#include "files/npy.h"
#include "files/safetensors.h"
#include "files/tensor_files.h"
#include "measured/chip_timeline.h"
#include "measured/hardware_traffic.h"
#include "measured/recorded_race.h"
#include "session/document/session_file.h"
#include "tests/cost/counted.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tensor_file_helpers.h"
#include "trace/problem_json.h"

using namespace tilewalk;
using test::parse_safetensors;
using test::save_tensor;

namespace {

constexpr std::size_t kRoom = std::size_t(64) << 20;

std::string repeated(std::size_t times, const std::function<std::string(std::size_t)>& piece) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece(i);
  return out;
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string safetensors(const std::string& header, std::size_t data = 0) {
  std::string out(8, '\0');
  for (int i = 0; i < 8; ++i) out[std::size_t(i)] = char(header.size() >> (8 * i));
  return out + header + std::string(data, '\0');
}

using Make = std::function<std::string(std::size_t)>;
using Read = std::function<void(const std::string&)>;

// Eight times the size may need little more than eight times the work, and each stays within its memory limit.
void is_linear(const char* what, std::size_t small, const Make& make, const Read& read) {
  double each = 0;
  for (const std::size_t size : {small, 8 * small}) {
    const std::string text = make(size);
    const test::Cost cost = test::cost_of([&] { read(text); });
    const double now = double(cost.edges) / double(text.size());
    CAPTURE(what, text.size(), cost.edges, cost.bytes, now, each);
    REQUIRE(cost.edges > 0);
    CHECK(cost.bytes <= text.size() + kRoom);
    if (each > 0) CHECK(now < 1.7 * each + 1);
    each = now;
  }
}

const Read read_session = [](const std::string& text) { (void)parse_document(text, "x.toml"); };
const Read read_race = [](const std::string& text) { (void)parse_recorded_race(text, "x.csv"); };
const Read read_traffic = [](const std::string& text) { (void)parse_hardware_traffic(text, "x.csv"); };
const Read read_stamps = [](const std::string& text) { (void)parse_chip_timelines(text, "x.csv"); };
const Read read_safetensors = [](const std::string& text) { (void)parse_safetensors(bytes_of(text), "x"); };

const Read read_any_profile = [](const std::string& text) {
  (void)read_profile(bytes_in_memory(bytes_of(text)), std::int64_t(text.size()), "x");
};

constexpr const char* kRaceHead = "pass,contender,dtype,d,heads,batch,n,causal,sample,ms\n";

}  // namespace

TEST_CASE("reading safetensors headers needs time linear in their size and little memory") {
  const auto tensor = [](std::size_t i) {
    return "\"" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)";
  };
  const auto object = [](std::string inside) {
    if (inside.ends_with(',')) inside.pop_back();
    return safetensors("{" + inside + "}");
  };
  is_linear(
      "tensors", 8'000, [&](std::size_t n) { return object(repeated(n, tensor)); }, read_safetensors);
  is_linear(
      "tensors that are wrong", 8'000,
      [&](std::size_t n) {
        return object(repeated(n, [](std::size_t i) { return "\"" + std::to_string(i) + "\":3,"; }));
      },
      read_safetensors);
  is_linear(
      "metadata", 8'000,
      [&](std::size_t n) {
        const std::string words = repeated(n, [](std::size_t i) { return "\"" + std::to_string(i) + "\":\"\","; });
        return object("\"__metadata__\":{" + words.substr(0, words.size() - 1) + "}");
      },
      read_safetensors);
  is_linear(
      "one long name", 300'000, [&](std::size_t n) { return object("\"" + std::string(n, 'a') + "\":{}"); },
      read_safetensors);
  is_linear(
      "lists", 200'000, [&](std::size_t n) { return object("\"a\":" + std::string(n, '[')); }, read_safetensors);
}

TEST_CASE("reading sessions needs time linear in their size and little memory") {
  is_linear(
      "keys", 5'000,
      [](std::size_t n) { return repeated(n, [](std::size_t i) { return "a" + std::to_string(i) + "=1\n"; }); },
      read_session);
  is_linear(
      "dotted keys", 3'000,
      [](std::size_t n) { return repeated(n, [](std::size_t i) { return "a" + std::to_string(i) + ".b=1\n"; }); },
      read_session);
  is_linear(
      "deep keys", 400,
      [](std::size_t n) {
        return repeated(n, [](std::size_t i) { return "a" + std::to_string(i) + ".b.b.b.b.b.b.b.b.b.b.b.b.b=1\n"; });
      },
      read_session);
  is_linear(
      "edits", 500, [](std::size_t n) { return repeated(n, [](std::size_t) { return "[[edit]]\nrow=99\ncol=99\n"; }); },
      read_session);
  is_linear(
      "a list", 6'000, [](std::size_t n) { return "a=[" + repeated(n, [](std::size_t) { return "{},"; }) + "]"; },
      read_session);
  is_linear(
      "text", 100'000, [](std::size_t n) { return "title = \"" + std::string(n, '.') + "\"\n"; }, read_session);
  is_linear(
      "comments", 20'000, [](std::size_t n) { return repeated(n, [](std::size_t) { return "#\n"; }); }, read_session);
}

TEST_CASE("reading measurements needs time linear in their size and little memory") {
  is_linear(
      "rows of a race", 500,
      [](std::size_t n) {
        return kRaceHead +
               repeated(n, [](std::size_t i) { return "f,a,b,1,1,1," + std::to_string(i + 1) + ",1,0,2\n"; });
      },
      read_race);
  is_linear(
      "samples", 4'000,
      [](std::size_t n) { return kRaceHead + repeated(n, [](std::size_t) { return "f,a,b,1,1,1,1,1,0,2\n"; }); },
      read_race);
  is_linear(
      "shares", 60'000,
      [](std::size_t n) {
        return "# row f,a,b,1,1,1,1,1: own-share " + repeated(n, [](std::size_t) { return "0 "; }) + "\n" + kRaceHead +
               "f,a,b,1,1,1,1,1,0,2\n";
      },
      read_race);
  is_linear(
      "commas", 150'000, [](std::size_t n) { return kRaceHead + std::string(n, ','); }, read_race);
  const std::string head =
      "# gpu,G\n# date,D\n"
      "schedule,launch,batch,heads,kv_heads,n_q,n_kv,d,mask,br,bc,dtype,splits,read_bytes,write_bytes,l2_bytes,dram_"
      "read_"
      "bytes,end_write_bytes,flush_write_bytes,shared_bytes,time_ns\n";
  is_linear(
      "launches", 300,
      [&](std::size_t n) {
        return head + repeated(n, [](std::size_t i) {
                 return "flash_v2,0,1,1,1," + std::to_string(i % 9 + 1) + ",9,4,none,4,4,fp32,1,0,0,0,0,0,0,0,0\n";
               });
      },
      read_traffic);
  is_linear(
      "columns", 150'000, [](std::size_t n) { return std::string(n, ','); }, read_traffic);
  const std::string heads =
      "run,variant,name,d,heads,batch,n,causal,ms_plain,ms_silent,ghz_silent,ms_traced\n"
      "lane,variant,d,n,causal,block,sm,ghz,block_cycles,role,stamps\nrun,0,128x128,128,1,1,1024,0,1,1,1,1\n";
  is_linear(
      "stamps", 40'000,
      [&](std::size_t n) {
        return heads + "lane,0,128,1024,0,0,0,1,9,consumer 0," + repeated(n, [](std::size_t) { return "b0+0 "; });
      },
      read_stamps);
  is_linear(
      "lanes", 3'000,
      [&](std::size_t n) {
        return heads +
               repeated(n, [](std::size_t i) { return "lane,0,128,1024,0," + std::to_string(i) + ",0,1,9,p,b0+0\n"; });
      },
      read_stamps);
}

TEST_CASE("reading the problem of a recording needs time linear in its size") {
  is_linear(
      "keys", 700,
      [](std::size_t n) {
        return "{" + repeated(n, [](std::size_t i) { return "\"" + std::to_string(i) + "\":1,"; }) + "\"d\":1}";
      },
      [](const std::string& text) { (void)parse_problem_json(text, "x"); });
}

TEST_CASE("a file of 4 GiB without the requested tensor costs almost nothing") {
  test::TemporaryFolder folder;
  const std::string header = R"({"k":{"dtype":"F32","shape":[1,1073741824],"data_offsets":[0,4294967296]}})";
  const std::string begun = "\x93NUMPY\x01";
  for (const auto& [name, begin] : {std::pair<const char*, std::string>{"zeros.npy", ""},
                                    {"zeros.safetensors", ""},
                                    {"begun.npy", begun},
                                    {"another.safetensors", safetensors(header)}}) {
    const std::string path = folder.file(name);
    test::write_text(path, begin);
    std::filesystem::resize_file(path, std::max<std::size_t>(begin.size(), 0) + (std::uint64_t(4) << 30));
    const test::Cost cost = test::cost_of([&] { CHECK_FALSE(load_input_tensor(path, "q").ok()); });
    CAPTURE(name, cost.bytes);
    CHECK(cost.bytes < std::size_t(2) << 20);
  }
}

TEST_CASE("an input needs the memory of its values, and no more") {
  test::TemporaryFolder folder;
  const std::vector<float> values(std::size_t(4) << 20);
  for (const char* name : {"q.npy", "q.safetensors"}) {
    REQUIRE(save_tensor(folder.file(name), "q", values, {1, 1, 4096, 1024}, DType::Fp16).ok());
    const test::Cost cost = test::cost_of([&] { CHECK(load_input_tensor(folder.file(name), "q").ok()); });
    CAPTURE(name, cost.bytes);
    CHECK(cost.bytes < values.size() * sizeof(float) + (std::size_t(3) << 20));
  }
}

TEST_CASE("reading profiles and names of kernels needs time linear in their size and little memory") {
  const auto event = [](const std::string& name) {
    return R"({"ph":"X","cat":"kernel","dur":1,"name":")" + name + "\"},";
  };
  is_linear(
      "kernels of ever new names", 3'000,
      [&](std::size_t n) {
        return "[" + repeated(n, [&](std::size_t i) { return event("flash_fwd_kernel<" + std::to_string(i)); });
      },
      read_any_profile);
  is_linear(
      "long names", 20,
      [&](std::size_t n) {
        return "[" + repeated(n, [&](std::size_t i) {
                 return event(std::to_string(i) + "a<" + repeated(2'000, [](std::size_t) { return "b<c,"; }));
               });
      },
      read_any_profile);
  is_linear(
      "mangled names that double with every word", 40,
      [&](std::size_t n) {
        return "[" + repeated(n, [&](std::size_t i) {
                 std::string name = "_ZN1a1b" + std::to_string(1 + i % 9) + "ccccccccc";
                 for (int k = 0; k < 30; ++k) name += "I1pIS" + std::string(1, char('0' + k % 10)) + "_S_EE";
                 return event(name);
               });
      },
      read_any_profile);
  is_linear(
      "one long text", 300'000, [](std::size_t n) { return "[\"" + std::string(n, 'a') + "\""; }, read_any_profile);
  is_linear(
      "numbers", 100'000, [](std::size_t n) { return "[" + repeated(n, [](std::size_t) { return "1,"; }); },
      read_any_profile);
  is_linear(
      "lists", 200'000, [](std::size_t n) { return std::string(n, '['); }, read_any_profile);
  is_linear(
      "lines of a table", 5'000,
      [](std::size_t n) {
        return "Start (ns),Duration (ns),Name\n" +
               repeated(n, [](std::size_t i) { return "1,1,k" + std::to_string(i) + "\n"; });
      },
      read_any_profile);
}
