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

TEST_CASE("the table that PyTorch prints is read: kernels are rows that took time on the GPU alone") {
  const std::string rule = std::string(40, '-') + "  " + std::string(12, '-') + "  ------------\n";
  const std::string table =
      "Some words of a log, with a table after them\n" + rule +
      "                                                   Name    Self CPU %      Self CPU   CPU total %     CPU total "
      " "
      "CPU time avg     Self CUDA   Self CUDA %    CUDA total  CUDA time avg    # of Calls  \n" +
      rule +
      "                   aten::_scaled_dot_product_flash_attention         2.00%      20.000us         4.00%      "
      "40.000us      20.000us       0.000us         0.00%       2.000ms       1.000ms             2  \n"
      "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kern...         0.00%       0.000us         0.00%       0.000us  "
      "     0.000us       2.000ms        50.00%       2.000ms       1.000ms             2  \n"
      "                                            Annotation        10.00%     100.000us        10.00%     100.000us  "
      "   100.000us       0.000us         0.00%       0.000us       0.000us             1  \n"
      "                                            Annotation         0.00%       0.000us         0.00%       0.000us  "
      "     0.000us       9.000ms        90.00%       9.000ms       9.000ms             1  \n"
      "                       Memcpy HtoD (Pageable -> Device)         0.00%       0.000us         0.00%       0.000us "
      " "
      "     0.000us     500.000us        12.50%     500.000us     500.000us             1  \n"
      "                                  ampere_sgemm_128x64_tn         0.00%       0.000us         0.00%       0.000us"
      "       0.000us       1.500ms        37.50%       1.500ms     750.000us             2  \n" +
      rule + "Self CPU time total: 1.000ms\nSelf CUDA time total: 4.000ms\n";
  const auto profile = of_text(table);
  REQUIRE(profile.ok());
  CHECK(std::string(name_of(profile->format)) == "torch.profiler table");
  CHECK(profile->attention == KernelTime{2, 2'000'000});
  CHECK(time_of(*profile, KernelFamily::Flash, KernelPass::Forward) == KernelTime{2, 2'000'000});
  CHECK(profile->others == KernelTime{2, 1'500'000});
  CHECK(profile->copies == KernelTime{1, 500'000});
  CHECK(profile->operators == SdpaCalls{2, 0, 0, 0, 0});
  CHECK(why_no_profile(rule + "Name  Self CPU  Self CUDA  # of Calls\nx  1us  1us\ny  1us  1us  1\n")
            .find("3 fields in a line of a table of 4 columns") != std::string::npos);
}

TEST_CASE("a table of text from Nsight Systems is read as its CSV is") {
  const auto profile = of_text(
      "\n ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n"
      " Time (%)  Total Time (ns)  Instances  Avg (ns)  Name                                  \n"
      " --------  ---------------  ---------  --------  --------------------------------------\n"
      "     75.0        3,000,000         10  300000.0  void cutlass::device_kernel<flash::enable_sm90_or_later<flash"
      "::FlashAttnFwdSm90<flash::CollectiveMai…\n"
      "     25.0        1,000,000          4  250000.0  gemm<int, float>                      \n\n"
      " ** CUDA GPU MemOps Summary (by Time)\n");
  REQUIRE(profile.ok());
  CHECK(profile->format == ProfileFormat::NsightSystems);
  CHECK(time_of(*profile, KernelFamily::Flash3, KernelPass::Forward) == KernelTime{10, 3'000'000});
  CHECK(profile->others == KernelTime{4, 1'000'000});
}

TEST_CASE("rocprof's tables of kernels are read, and its tables of calls are not") {
  const auto sums = of_text(
      "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"\n"
      "\"void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<int> >(int)\",3,3000,1000.0,75.0,900,1100,10\n"
      "\"Cijk_Ailk_Bljk\",1,1000,1000.0,25.0,1000,1000,0\n");
  REQUIRE(sums.ok());
  CHECK(std::string(name_of(sums->format)) == "rocprof table");
  CHECK(sums->attention == KernelTime{3, 3'000});
  CHECK(sums->others == KernelTime{1, 1'000});
  const auto launches = of_text(
      "\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
      "\"KERNEL_DISPATCH\",1,\"attn_fwd\",7,1000,1500\n\"KERNEL_DISPATCH\",1,\"other\",8,2000,2100\n");
  REQUIRE(launches.ok());
  CHECK(launches->attention == KernelTime{1, 500});
  CHECK(launches->others == KernelTime{1, 100});
  CHECK(why_no_profile("Name,Calls,TotalDurationNs\nhipLaunchKernel,3,100\n").find("no GPU kernels") !=
        std::string::npos);
  CHECK(why_no_profile("Kernel_Name,Start_Timestamp,End_Timestamp\na,5,4\n").find("without a time") !=
        std::string::npos);
}

TEST_CASE("a trace of JAX is read: what ran on a GPU's streams, by the names of process and thread") {
  const std::string names =
      R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},)"
      R"x({"ph":"M","pid":1,"tid":13,"name":"thread_name","args":{"name":"Stream #13(Compute,MemcpyD2D)"}},)x"
      R"({"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"XLA Ops"}},)"
      R"({"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}})";
  const std::string events =
      R"({"ph":"X","pid":1,"tid":13,"ts":1,"dur":2.5,"name":"_attn_fwd","args":{"name":"x","hlo_op":"y"}},)"
      R"({"ph":"X","pid":1,"tid":13,"ts":5,"dur":1,"name":"loop_fusion_3"},)"
      R"({"ph":"X","pid":1,"tid":13,"ts":5,"dur":0.5,"name":"MemcpyD2D"},)"
      R"({"ph":"X","pid":1,"tid":2,"ts":5,"dur":99,"name":"custom-call.4"},)"
      R"({"ph":"X","pid":701,"tid":13,"ts":5,"dur":99,"name":"_attn_fwd"})";
  for (const std::string& text : {names + "," + events, events + "," + names}) {
    const auto profile = of_text(R"({"displayTimeUnit":"ns","traceEvents":[)" + text + "]}");
    REQUIRE(profile.ok());
    CHECK(std::string(name_of(profile->format)) == "JAX trace");
    CHECK(profile->attention == KernelTime{1, 2'500});
    CHECK(profile->others == KernelTime{1, 1'000});
    CHECK(profile->copies == KernelTime{1, 500});
  }
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
