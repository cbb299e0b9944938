#include "core/predict/published.h"

#include <algorithm>
#include <string_view>

namespace tilewalk {
namespace {

constexpr const char* kFlash1 = "FA-1 as released";
constexpr const char* kFlash2 = "FA-2 as released";
constexpr const char* kFlash4 = "FA-4 as released";
constexpr const char* kCudnn = "cuDNN";
constexpr const char* kPaper2 = "FA-2 paper: 25 to 40 % of an A100's 312 TFLOP/s for FA-1, 50 to 73 % for FA-2";
constexpr const char* kPaper4 = "FA-4 paper: up to 1,613; flash-attention, pull request 2605, two machines";
constexpr const char* kPull2605 = "flash-attention, pull request 2605, two machines";
constexpr const char* kPull2280 = "flash-attention, pull requests 2605 and 2280";
constexpr const char* kCudnn4 =
    "FA-4 paper: FA-4 at up to 1,613 is 1.1 to 1.3 times as fast as cuDNN 9.13, newer ones about equal";

constexpr PublishedOn kA100{80, 312}, kB200{100, 2250};

// The first row that fits is used, of each method.
constexpr PublishedRate kRates[] = {
    {kFlash1, kA100, {}, {}, 512, 0, 78, 125, kPaper2},
    {kFlash2, kA100, {}, {}, 512, 0, 156, 230, kPaper2},
    {kFlash4, kB200, 64, false, 1024, 2047, 619, 784, kPull2605},
    {kFlash4, kB200, 64, false, 2048, 4095, 755, 989, kPull2605},
    {kFlash4, kB200, 64, false, 4096, 8191, 825, 1120, kPull2605},
    {kFlash4, kB200, 64, false, 8192, 16383, 863, 1193, kPull2605},
    {kFlash4, kB200, 64, false, 16384, 0, 879, 1225, kPull2605},
    {kFlash4, kB200, 64, true, 1024, 2047, 384, 463, kPull2605},
    {kFlash4, kB200, 64, true, 2048, 4095, 561, 706, kPull2605},
    {kFlash4, kB200, 64, true, 4096, 8191, 708, 917, kPull2605},
    {kFlash4, kB200, 64, true, 8192, 16383, 797, 1079, kPull2605},
    {kFlash4, kB200, 64, true, 16384, 0, 852, 1176, kPull2605},
    {kFlash4, kB200, 128, false, 4096, 8191, 1256, 1535, kPull2280},
    {kFlash4, kB200, 128, false, 8192, 16383, 1289, 1535, kPull2280},
    {kFlash4, kB200, 128, false, 16384, 0, 1330, 1613, kPaper4},
    {kCudnn, kB200, 64, false, 1024, 0, 980, 1157, kPull2605},
    {kCudnn, kB200, 64, true, 1024, 0, 627, 1115, kPull2605},
    {kCudnn, kB200, 128, false, 4096, 0, 1241, 1613, kCudnn4},
    {kFlash2, kB200, 128, false, 1024, 0, 315, 362, "tritonbench, pull request 171"},
    {kFlash2, kB200, 64, false, 1024, 0, 307, 380, "flash-attention, issue 1589"},
};

bool fits(const PublishedRate& rate, const AttentionCall& call, const DeviceModel& device) {
  return call.square() && device.compute_capability == rate.on.capability && device.matrix16_tflops == rate.on.tflops &&
         (!rate.d || *rate.d == call.d) && (!rate.causal || *rate.causal == call.causal) && call.n >= rate.from_n &&
         (rate.to_n == 0 || call.n <= rate.to_n);
}

}  // namespace

std::vector<PublishedTime> published_times(const AttentionCall& call, const DeviceModel& device) {
  std::vector<PublishedTime> out;
  if (call.dtype == DType::Fp32) return out;
  for (const PublishedRate& rate : kRates) {
    const auto same = [&](const PublishedTime& one) { return std::string_view(one.rate->method) == rate.method; };
    if (!fits(rate, call, device) || std::any_of(out.begin(), out.end(), same)) continue;
    const auto ms = [&](double tflops) { return call.flops() / (tflops * 1e12) * 1e3; };
    out.push_back({&rate, ms(rate.most_tflops), ms(rate.least_tflops)});
  }
  return out;
}

}  // namespace tilewalk
