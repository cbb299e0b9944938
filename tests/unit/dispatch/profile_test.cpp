#include "dispatch/profile/profile.h"

#include <zlib.h>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

std::string seed(const std::string& name) {
  return std::string(TILEWALK_SOURCE_DIR) + "/tests/fuzz/seeds/profile/" + name;
}

Result<Profile> of_text(const std::string& text) {
  return read_profile(bytes_in_memory(std::as_bytes(std::span(text))), std::int64_t(text.size()), "x.json");
}

std::string why_no_profile(const std::string& text) {
  const auto profile = of_text(text);
  return profile ? "" : in_one_line(profile.issues());
}

KernelTime time_of(const Profile& profile, KernelFamily family, std::optional<KernelPass> pass) {
  for (const ProfileGroup& group : profile.groups)
    if (group.family == family && group.pass == pass) return group.time;
  return {};
}

std::string packed(const std::string& text) {
  std::string out(text.size() + 100, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = uInt(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string tens(const std::string& text) {
  std::string out;
  for (int i = 0; i < 10; ++i) out += text;
  return out;
}

const std::string kTwo =
    R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"_attn_fwd","ts":1,"dur":2.25},)"
    R"({"dur":0.75,"name":"gemm","cat":"kernel","ph":"X"},{"ph":"X","cat":"gpu_memcpy","name":"Memcpy","dur":1},)"
    R"({"ph":"X","cat":"cpu_op","name":"_attn_fwd","dur":1000},{"ph":"B","cat":"kernel","name":"_attn_fwd"}]})";

}  // namespace

TEST_CASE("a training step's trace on an H200 gives the times of its own events") {
  const auto profile = read_profile(seed("training_step.json.gz"));
  REQUIRE(profile.ok());
  CHECK(profile->format == ProfileFormat::ChromeTrace);
  CHECK(profile->attention.calls + profile->others.calls == 104);
  CHECK(profile->copies == KernelTime{12, 10'017});
  CHECK(profile->gpu_ns() == 696'228);
  CHECK(profile->attention == KernelTime{13, 173'184});
  CHECK(time_of(*profile, KernelFamily::Flash, KernelPass::Forward) == KernelTime{1, 7'872});
  CHECK(time_of(*profile, KernelFamily::Flash, KernelPass::Combine) == KernelTime{1, 5'153});
  CHECK(profile->groups.front().family == KernelFamily::Efficient);
  CHECK(profile->kernels.size() == 13);
  CHECK(std::abs(*profile->share(profile->attention.ns) - 0.2488) < 1e-4);
  CHECK(profile->operators == SdpaCalls{1, 1, 1, 1, 0});  // one call of each backend
  CHECK(time_of(*profile, KernelFamily::Math, KernelPass::Forward).calls == 1);
  CHECK(profile->lone_softmax.calls == 0);
}

TEST_CASE("softmaxes count as attention only where PyTorch's own record explains all of them") {
  const auto step = [](int math, int softmaxes) {
    std::string events;
    for (int i = 0; i < math; ++i)
      events += R"({"ph":"X","cat":"cpu_op","name":"aten::_scaled_dot_product_attention_math","dur":5},)";
    for (int i = 0; i < softmaxes; ++i)
      events += R"({"ph":"X","cat":"kernel","name":"void softmax_warp_forward<float, float, float, 9, false, false>",)"
                R"("dur":1},)";
    return of_text(R"({"traceEvents":[)" + events + R"({"ph":"X","cat":"kernel","name":"gemm","dur":3}]})");
  };
  const auto all = step(2, 2), more = step(1, 2), none = step(0, 1);
  REQUIRE((all.ok() && more.ok() && none.ok()));
  CHECK(all->attention == KernelTime{2, 2'000});
  CHECK(all->lone_softmax.calls == 0);
  CHECK(all->kernels.size() == 1);
  CHECK(more->attention.calls == 0);
  CHECK(more->lone_softmax == KernelTime{2, 2'000});
  CHECK(more->others == KernelTime{3, 5'000});
  CHECK(more->kernels.empty());
  CHECK(none->lone_softmax.calls == 1);
}

TEST_CASE("unknown kernels that mention attention are listed apart, and keep their share of all time") {
  const auto profile = of_text(
      R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"my_attention_kernel","dur":6},)"
      R"({"ph":"X","cat":"kernel","name":"_attn_fwd","dur":2},{"ph":"X","cat":"kernel","name":"gemm","dur":2}]})");
  REQUIRE(profile.ok());
  CHECK(profile->attention == KernelTime{1, 2'000});
  CHECK(profile->others == KernelTime{1, 2'000});
  CHECK(profile->unknown == KernelTime{1, 6'000});
  REQUIRE(profile->unknown_kernels.size() == 1);
  CHECK(profile->unknown_kernels.front().name == "my_attention_kernel");
  CHECK(profile->gpu_ns() == 10'000);
}

TEST_CASE("Nsight Compute's list of the same step has the same kernels") {
  const auto profile = read_profile(seed("training_step_ncu.csv"));
  REQUIRE(profile.ok());
  CHECK(profile->format == ProfileFormat::NsightCompute);
  CHECK(profile->attention.calls == 11);
  CHECK(profile->lone_softmax.calls == 2);  // MATH's, forward and backward; this list does not say whose
  CHECK(profile->attention.calls + profile->others.calls == 104);
  CHECK(time_of(*profile, KernelFamily::Flash, KernelPass::Forward) == KernelTime{1, 9'120});
  CHECK(profile->is_timed);
}

TEST_CASE("a raw page of Nsight Compute and the tables of Nsight Systems are read in their units") {
  const auto raw = read_profile(seed("ncu_raw.csv"));
  REQUIRE(raw.ok());
  CHECK(raw->attention == KernelTime{1, 12'500});
  CHECK(raw->others == KernelTime{1, 2'500});
  const auto sums = read_profile(seed("nsys_kern_sum.csv"));
  REQUIRE(sums.ok());
  CHECK(sums->format == ProfileFormat::NsightSystems);
  CHECK(sums->attention == KernelTime{16, 1'048'576});
  CHECK(sums->others == KernelTime{32, 1'000'000});
  const auto trace = read_profile(seed("nsys_trace.csv"));
  REQUIRE(trace.ok());
  CHECK(trace->attention == KernelTime{1, 7'250});
  CHECK(trace->others == KernelTime{1, 1'000});
  CHECK(trace->copies == KernelTime{1, 2'500});
  const auto mixed = of_text(
      "\"Time (%)\",\"Total Time (ms)\",\"Instances\",\"Category\",\"Operation\"\r\n"
      "50,\"1,000.5\",3,CUDA_KERNEL,\"a<1, \"\"2\"\">\"\r\n50,2,1,MEMORY_OPER,[CUDA memset]\r\n\r\nwords of another "
      "kind\r\n");
  REQUIRE(mixed.ok());
  CHECK(mixed->others == KernelTime{3, 1'000'500'000});
  CHECK(mixed->copies == KernelTime{1, 2'000'000});
}

TEST_CASE("a list without times counts calls and gives no share") {
  const auto profile = of_text(
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "0,1,_attn_fwd,sm__cycles,cycle,5\n0,1,_attn_fwd,dram__bytes,byte,5\n1,1,_attn_fwd,sm__cycles,cycle,5\n"
      "1,2,_attn_fwd,sm__cycles,cycle,5\n");
  REQUIRE(profile.ok());
  CHECK(!profile->is_timed);
  CHECK(profile->attention.calls == 3);
  CHECK(!profile->share(0));
}

TEST_CASE("only kernels count, in any order of their fields, packed or not, and as a bare list") {
  const std::string list = kTwo.substr(kTwo.find('['), kTwo.rfind(']') - kTwo.find('[') + 1);
  for (const std::string& text :
       {kTwo, packed(kTwo), packed(kTwo.substr(0, 99)) + packed(kTwo.substr(99)), packed(kTwo) + std::string(1, '\0'),
        packed(kTwo) + std::string(600'000, '\0'),
        packed(kTwo.substr(0, 99)) + std::string(7, '\0') + packed(kTwo.substr(99)), list, "\xef\xbb\xbf \n" + kTwo,
        R"({"more":[{"ph":1}],"traceEvents":)" + list + R"(,"x":1})"}) {
    const auto profile = of_text(text);
    REQUIRE(profile.ok());
    CHECK(profile->attention == KernelTime{1, 2'250});
    CHECK(profile->others == KernelTime{1, 750});
    CHECK(profile->copies == KernelTime{1, 1'000});
  }
}

TEST_CASE("a foreign, hostile or truncated profile is refused with its file and byte") {
  CHECK(why_no_profile("").find("is empty") != std::string::npos);
  CHECK(why_no_profile(R"({"a":1})").find("without traceEvents") != std::string::npos);
  CHECK(why_no_profile(R"({"traceEvents":[]})").find("no GPU kernels") != std::string::npos);
  CHECK(why_no_profile("name,value\na,1\n").find("no table of kernels") != std::string::npos);
  CHECK(why_no_profile(kTwo.substr(0, 50)) ==
        "x.json, byte 50: the file ends in the middle. Record the profile again, or give another one");
  CHECK(why_no_profile(kTwo + "}").find("something follows") != std::string::npos);
  CHECK(why_no_profile(packed(kTwo).substr(0, 60)).find("ends in the middle") != std::string::npos);
  CHECK(why_no_profile(packed(kTwo) + "rubbish").find("is not gzip data") != std::string::npos);
  CHECK(why_no_profile(packed(kTwo) + std::string(9, '\0') + "rubbish").find("is not gzip data") != std::string::npos);
  std::string damaged = packed(kTwo);
  damaged[damaged.size() - 6] ^= 1;  // its checksum
  CHECK(why_no_profile(damaged).find("is not gzip data") != std::string::npos);
  CHECK(why_no_profile(std::string("SQLite format 3\0\1", 17)).find("control character") != std::string::npos);
  const std::string event = R"([{"ph":"X","cat":"kernel","name":"a","dur":)";
  CHECK(why_no_profile(event + "-1}]").find("x.json, byte 1 = -1: the event that begins here has no time") !=
        std::string::npos);
  CHECK(why_no_profile(event + "1e300}]").find("no time") != std::string::npos);
  CHECK(why_no_profile(event + "\"1\"}]").find("no time") != std::string::npos);
  CHECK(why_no_profile(R"([{"ph":"X","cat":"kernel","dur":1}])").find("has no name") != std::string::npos);
  CHECK(why_no_profile("[" + std::string(200, '{')).find("text in quotes") != std::string::npos);
  const std::string head = "Start (ns),Duration (ns),Name\n";
  CHECK(why_no_profile(head + "1,x,a\n").find("x.json, byte 30: a kernel without a time") != std::string::npos);
  CHECK(why_no_profile(head + "1,2").find("2 fields in a line of a table of 3 columns") != std::string::npos);
  CHECK(why_no_profile(head + "1,2,\"a").find("ends inside quotes") != std::string::npos);
  CHECK(why_no_profile(head + std::string(1 << 20, 'a')).find("a line of more than 256 KiB") != std::string::npos);
  CHECK(why_no_profile("Total Time (s),Instances,Name\n" + tens("1e9,1,a\n")).find("more time than can be") !=
        std::string::npos);
}

TEST_CASE("ever new names are counted in their groups, with bounded memory") {
  std::string text = "[";
  constexpr int names = 25'000;
  for (int i = 0; i < names; ++i)
    text += std::string(i ? "," : "") + R"({"ph":"X","cat":"kernel","dur":1,"name":"flash_fwd_kernel<)" +
            std::to_string(i) + ">\"}";
  const auto profile = of_text(text + "]");
  REQUIRE(profile.ok());
  CHECK(profile->attention == KernelTime{names, names * 1000});
  CHECK(profile->kernels.size() == kMostProfileKernels);
}
