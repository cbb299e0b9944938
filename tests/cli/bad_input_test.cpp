// Wrong user input: the exit code is 2, stdout stays empty, and the message names field, value and rule.
#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;

namespace {

void refused(const std::string& words, const std::string& part) {
  const test::Said said = tilewalk_says(words);
  CAPTURE(words, said.err);
  CHECK(said.exit == 2);
  CHECK(said.out.empty());
  CHECK(said.err.find(part) != std::string::npos);
  CHECK(said.err.size() < 2000);
}

}  // namespace

TEST_CASE("negative numbers are refused everywhere and never become large ones") {
  for (const char* flag : {"n", "n-q", "n-kv", "d", "br", "bc", "batch", "heads", "kv-heads", "sram", "seed"}) {
    refused("replay --" + std::string(flag) + " -1", "-1");
    refused("counters --" + std::string(flag) + "=-1", "-1");
  }
  refused("replay --step -1", "step = -1");
  refused("counters --at -5", "at = -5");
  refused("replay --tile -1,0", "tile");
  refused("replay --walk --at-head -1", "at-head = -1");
}

TEST_CASE("numbers too large, with tails or without digits are refused") {
  refused("replay --heads 1000000000", "heads = 1000000000");
  refused("replay --n 99999999999999999999999", "whole number");
  refused("replay --n 16x", "16x");
  refused("replay --n ''", "whole number");
  refused("replay --n 1e3", "1e3");
  refused("replay --scale nan", "scale");
  refused("replay --scale 1,5", "scale");
  refused("counters --n 4294967296 --d 256 --heads 1048576 --batch 1048576 --br 4096 --bc 4096", "2^63");
  refused("replay --step 93", "to 92");
}

TEST_CASE("unknown names are refused with the known ones") {
  refused("replay --schedule flash_v9", "flash_v2");
  refused("replay --mask causul", "causal");
  refused("replay --mask window:1", "window");
  refused("replay --mask window:-1:0", "window");
  refused("replay --dtype fp8", "bf16");
  refused("replay --base 10", "e or 2");
  refused("replay --order sideways", "forward");
  refused("replay --distribution poisson", "normal");
  refused("replay --device gtx9", "h200");
  refused("replay --fault none-such", "fault");
  refused("replay --preset nope", "picture");
  refused("bench nope", "replay");
  refused("which --dtype fp8", "bf16");
  refused("which --device gtx", "h200");
  refused("which --torch 1.13", "2.11");
  refused("which --enabled fast", "cudnn");
  refused("which --n-q -1", "n-q = -1");
  refused("which --env HOME=1", "TORCH_CUDNN_SDPA_DEPRIORITIZED");
  refused("which --via elsewhere", "flash-attn:VERSION");
  refused("which --layout ''", "layout");
  refused("frobnicate", "verb = frobnicate: is not one of replay, ");
  refused("frobnicate --n 4", "verb = frobnicate");
  refused("predct --help", "nearest is predict");
  refused("replay --frobnicate", "--frobnicate");
}

TEST_CASE("flags that contradict each other are refused") {
  refused("replay --step 1 --walk", "one of");
  refused("verify --cpu --live", "one of");
  refused("replay --preset picture --session x.toml", "one of the two");
  refused("--n 5 replay", "after the verb");
  refused("replay --n 4 --n 5", "--n");
  refused("replay --heads 3 --kv-heads 2", "kv-heads");
  refused("replay --step 3 --at-head 1 --heads 2 --n 8", "lies in");
  refused("replay --edit Q:0:0:99:0=1", "outside");
  refused("replay --edit Q:0:0:0:0=inf", "finite");
  refused("replay --edit X:0:0:0:0=1", "edit");
  refused("replay --schedule standard --fault forget-rescale-o", "fault");
}

TEST_CASE("tiles that do not fit are refused with the sum that shows why") {
  refused("replay --sram 100", "= 352 bytes");
  refused("replay --n 1024 --d 256 --br 128 --bc 128", "bytes on chip");
}

TEST_CASE("values that the dtype makes infinite are refused, whether typed, saved or in a window's command") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("s.toml"), "[problem]\ndtype = \"fp16\"\n[[edit]]\nrow = 3\ncol = 1\nvalue = 7e4\n");
  for (const std::string& verb :
       {"run --out " + folder.file("o.npy") + " ", std::string("replay "), std::string("verify ")})
    refused(verb + "--dtype fp16 --edit Q:0:0:3:1=70000", "Q[0, 0, 3, 1] = 70000");
  refused("replay --session " + folder.file("s.toml"), "in fp16 it is infinite");
  refused("replay --edit Q:0:0:3:1=70000 --then 'set-field dtype fp16; apply-edit'", "in fp16 it is infinite");
  refused("replay --dtype fp16 --then 'set-value Q 3 1 70000'", "in fp16 it is infinite");
  refused("replay --dtype bf16 --edit Q:0:0:3:1=3.4e38", "in bf16 it is infinite");
}

TEST_CASE("a flag of a file without its name is refused") {
  for (const char* words : {"replay --q ''", "replay --session ''", "run --out ''", "run --out /tmp/never.npy --lse ''",
                            "race --csv ''", "render --out ''", "record --into ''", "--session ''"})
    refused(words, "= nothing: must be the name of a");
}

TEST_CASE("numbers are quoted as typed, and help and refusal name the same limits") {
  refused("replay --scale 1e-31", "scale = 1e-31");
  refused("replay --schedule flash_v4 --threshold 1e-9x", "1e-9x");
  refused("render --out /tmp/never.png --ui-scale 0.4", "ui-scale = 0.4: must be from 0.5 to 8");
  CHECK(tilewalk_says("render --help").out.find("0.5 to 8") != std::string::npos);
}

TEST_CASE(
    "text from a file or a command line reaches the terminal as one line of visible characters, ten errors at most") {
  test::TemporaryFolder folder;
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "key" + std::to_string(i) + " = 1\n";
  test::write_text(folder.file("many.toml"), many);
  test::write_text(folder.file("colour.toml"), "[view]\ntheme = \"\\u001b[2J\\nexit 0: all is well\"\n");
  const auto told = [](const std::string& words) {
    const test::Said said = tilewalk_says(words);
    CAPTURE(words, said.err);
    CHECK(said.exit == 2);
    const auto hidden = [](char c) { return (unsigned char)c < 0x20 && c != '\n'; };
    CHECK(std::none_of(said.err.begin(), said.err.end(), hidden));
    return std::count(said.err.begin(), said.err.end(), '\n');
  };
  CHECK(told("replay --session " + folder.file("many.toml")) == 11);
  CHECK(tilewalk_says("replay --session " + folder.file("many.toml")).err.find("and 9,990 more") != std::string::npos);
  CHECK(told("replay --session " + folder.file("colour.toml")) == 1);
  CHECK(told("replay --q \"$(printf 'a\\nb\\033[2J.npy')\"") == 1);
  CHECK(told("replay --mask \"$(printf 'a\\nb')\"") == 1);
  CHECK(told("replay \"$(printf -- '--a\\nb')\"") == 1);
  CHECK(told("\"$(printf 'a\\nb')\"") == 1);
  CHECK(told("replay --then \"$(printf 'open-file \\042a\\nb\\042')\"") == 1);
  CHECK(told("replay --then 'set-field br 0; set-field bc 0; apply-edit'") == 1);
}

TEST_CASE("a session whose key has thousands of parts is refused") {
  test::TemporaryFolder folder;
  std::string key;
  for (int i = 0; i < 35'000; ++i) key += "a.";
  test::write_text(folder.file("key.toml"), key + "a = 1\n");
  test::write_text(folder.file("table.toml"), "[" + key + "a]\n");
  refused("replay --session " + folder.file("key.toml"), "deeper than 16 levels");
  refused("replay --session " + folder.file("table.toml"), "deeper than 16 levels");
}

TEST_CASE("missing files, folders, foreign files and wrong shapes are refused") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("junk.npy"), "junk, and more than ten bytes of it");
  test::write_text(folder.file("junk.safetensors"), std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10));
  refused("replay --q " + folder.file("none.npy"), "no such file");
  refused("replay --q " + folder.path(), "must end in");
  std::filesystem::create_directory(folder.file("folder.npy"));
  refused("replay --q " + folder.file("folder.npy"), "folder");
  refused("replay --q " + folder.file("junk.npy"), "byte 0");
  refused("replay --k " + folder.file("junk.safetensors"), "byte 0");
  refused("replay --session " + folder.path(), "folder");
  refused("replay --session " + folder.file("none.toml"), "no such file");
  refused("replay --session " + folder.file("junk.npy"), "line 1");
}

TEST_CASE("outputs that cannot be written are refused before the work") {
  test::TemporaryFolder folder;
  refused("run", "out");
  refused("run --out " + folder.path(), "must end in");
  refused("run --out " + folder.file("none/o.npy"), "folder");
  refused("run --out " + folder.file("o.txt"), "must end in");
  refused("run --dtype bf16 --out " + folder.file("o.npy"), ".safetensors");
  std::filesystem::create_directory(folder.file("folder.npy"));
  refused("run --out " + folder.file("folder.npy"), "folder");
  refused("record --out x.txt", ".safetensors");
}

TEST_CASE("a verb that needs a GPU says so and exits 3 where there is none") {
  const test::Said said = tilewalk_says("verify --live");
  if (said.exit == 0) return test::skip("there is a GPU here");
  CHECK(said.exit == 3);
  CHECK(said.out.empty());
  CHECK(said.err.size() > 10);
  CHECK(tilewalk_says("record --out /tmp/never.safetensors").exit == 3);
  CHECK_FALSE(std::filesystem::exists("/tmp/never.safetensors"));
}

TEST_CASE("a problem without a recording exits 3 with a sentence") {
  const test::Said said = tilewalk_says("verify --recorded --n 17 --d 3 --seed 12345");
  CHECK(said.exit == 3);
  CHECK(said.err.find("no recording") != std::string::npos);
}

TEST_CASE("a wrong resource root is named") {
  const test::Said said = tilewalk_says("replay", "TILEWALK_ROOT=/nonexistent");
  CHECK(said.exit == 2);
  CHECK(said.err.find("TILEWALK_ROOT") != std::string::npos);
}

TEST_CASE("a word missing in the glossary is refused with its nearest") {
  refused("glossary srma", "tilewalk glossary 'SRAM'");
  refused("glossary thread blok", "tilewalk glossary 'thread block'");
  refused("glossary ''", "glossary");
}
