// The GPU's race: the kernels of kernels/fast on one NVIDIA GPU, timed by CUDA events. Inputs are random and come in
// sets, used in turn, that together exceed the L2 cache; each turn of short runs begins with an untimed one. Ceilings:
// a copy of 4 GiB (read plus written), and cuBLAS's product of two random 8192 x 8192 matrices in the race's dtype.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "kernels/fast/cublas.h"
#include "kernels/fast/fast_attention.h"
#include "kernels/fast/problem_args.h"
#include "kernels/host/today.h"
#include "kernels/race/gpu_memory.h"
#include "kernels/race/live_race.h"
#include "kernels/race/track.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kSpare = 512ll << 20;  // reserved for the driver and cuBLAS
constexpr std::int64_t kCopyBytes = 4ll << 30;
constexpr int kProduct = 8192, kMostSets = 16, kMostAtOnce = 8;
constexpr std::size_t kSamples = 4096;
constexpr double kLongMs = 50;  // runs as long as this need no untimed one before each turn

class GpuTrack final : public RaceTrack {
 public:
  GpuTrack(const GpuInfo& gpu, std::string driver, const std::string& dtype)
      : gpu_(gpu), driver_(std::move(driver)), bf16_(dtype == "bf16"), dtype_(dtype) {
    for (cudaEvent_t& event : begins_) cudaEventCreate(&event);
    for (cudaEvent_t& event : ends_) cudaEventCreate(&event);
  }
  ~GpuTrack() override {
    for (cudaEvent_t& event : begins_) cudaEventDestroy(event);
    for (cudaEvent_t& event : ends_) cudaEventDestroy(event);
  }

  std::map<std::string, std::string> provenance() override {
    std::map<std::string, std::string> words;
    int khz = 0;
    int device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
    words[kCardKey] = gpu_.name + ", " + driver_ + ", " + std::to_string(khz / 1000) + " MHz";
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    words[kMultiprocessorsKey] = std::to_string(multiprocessors);
    words["cuda"] = std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
    words["date"] = today_utc();
    if (const double tflops = product_tflops(); tflops > 0)
      words[dtype_ + " product 8192^3, TFLOP/s"] = format_fixed(tflops, 0);
    if (const double copy = copy_gb_per_s(); copy > 0) words[kCopyKey] = format_fixed(copy, 0);
    std::string left_out;
    for (const FastRung& rung : fast_rungs())
      if (const std::string why = missing_for(rung, gpu_); !why.empty())
        left_out += (left_out.empty() ? "" : "; ") + std::string(rung.name) + " " + why;
    if (!left_out.empty()) words["left out"] = left_out;
    return words;
  }

  std::vector<TrackEntry> contenders(const RaceCell& cell) const override {
    std::vector<TrackEntry> out;
    if (cell.pass == "backward") {
      for (const ContenderRow& row : kContenders)
        if (row.backward && row.by == RunBy::Tilewalk && runs_here(row.who, cell))
          out.push_back({word_of(row.recorded_as), word_of(row.recorded_as)});
      return out;
    }
    for (const FastRung& rung : fast_rungs())
      if (const char* variant = tilewalk_fast_variant_name(rung.number, 0, int(cell.d));
          variant && missing_for(rung, gpu_).empty())
        out.push_back({rung.name, std::string(rung.name) + " " + variant});
    return out;
  }

  Readiness open(const RaceCell& cell) override {
    sets_.clear(), work_.clear(), gradients_.clear();
    forward_done_ = false;
    cell_ = cell;
    rungs_.clear();
    last_ms_.assign(contenders(cell).size(), 0.0);
    for (std::size_t i = 0; i < contenders(cell).size(); ++i) rungs_.push_back(rung_of(i));
    backward_ = cell.pass == "backward";
    const std::int64_t rows = cell.batch * cell.heads * cell.n, elements = rows * cell.d;
    const std::int64_t set_bytes = elements * 2 * 4 + rows * 4;
    int device = 0, l2 = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device);
    // Sets are used in turn: the data between two uses of one is larger than the cache.
    const int wanted = int(std::clamp<std::int64_t>(1 + (l2 + elements * 6 - 1) / (elements * 6), 2, kMostSets));
    if (wanted * set_bytes + kSpare > free_on_card()) return no_room(wanted * set_bytes, "the inputs and outputs");
    for (int s = 0; s < wanted; ++s) {
      auto& set = sets_.emplace_back(std::make_unique<Set>());
      GpuMemory* const inputs[] = {&set->q, &set->k, &set->v};
      for (GpuMemory* memory : inputs)
        if (!memory->take(elements * 2)) return no_room(elements * 2, "the inputs");
      if (!set->o.take(elements * 2) || !set->lse.take(rows * 4)) return no_room(elements * 2, "the outputs");
      for (int tensor = 0; tensor < 3; ++tensor) fill(inputs[tensor]->at(), elements, 3 * s + tensor);
      cudaMemset(set->o.at(), 0xff, std::size_t(elements) * 2);
    }
    return failure_now();
  }

  Readiness prepare(std::size_t contender) override {
    if (backward_) return prepare_backward(contender);
    const int rung = rungs_[contender];
    const TilewalkFastProblem shape = told(0, nullptr);
    Readiness ready;
    ready.extra_bytes = std::int64_t(tilewalk_fast_workspace_bytes(rung, &shape));
    if (!take_work(contender, ready.extra_bytes))
      return no_room(ready.extra_bytes, rung == 1 ? "its scores" : "its work space");
    const Readiness state = failure_now();
    return state.outcome == RaceOutcome::Measured ? ready : state;
  }

  Result<std::vector<double>> time(std::size_t contender, int runs) override {
    runs = std::min(runs, kMostAtOnce);
    const int first = last_ms_[contender] < kLongMs ? -1 : 0;
    const std::string name = contenders(cell_)[contender].rung;
    for (int run = first; run < runs; ++run) {
      last_set_ = std::size_t(run + 1) % sets_.size();
      if (run >= 0) cudaEventRecord(begins_[run]);
      if (const std::string wrong = launch(contender); !wrong.empty()) return Issue{name, "", wrong, ""};
      if (run >= 0) cudaEventRecord(ends_[run]);
    }
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
      return Issue{name, "", cudaGetErrorString(error), ""};
    std::vector<double> ms;
    for (int run = 0; run < runs; ++run) {
      float each = 0;
      cudaEventElapsedTime(&each, begins_[run], ends_[run]);
      ms.push_back(each);
    }
    last_ms_[contender] = ms.empty() ? 0 : ms.back();
    return ms;
  }

  // From the set of the last run: the same set for every contender with as many runs.
  std::vector<float> sample() override {
    const std::int64_t elements = cell_.batch * cell_.heads * cell_.n * cell_.d;
    const std::int64_t count = std::min<std::int64_t>(std::int64_t(kSamples), elements);
    void* const result = backward_ ? gradients_[1]->at() : sets_[last_set_]->o.at();
    std::vector<float> out(std::size_t(count), NAN);
    GpuMemory picked;
    if (!picked.take(count * 4)) return out;
    const unsigned blocks = unsigned((count + 255) / 256);
    if (bf16_)
      pick_samples<<<blocks, 256>>>((const __nv_bfloat16*)result, elements, (float*)picked.at(), count);
    else
      pick_samples<<<blocks, 256>>>((const __half*)result, elements, (float*)picked.at(), count);
    if (cudaMemcpy(out.data(), picked.at(), std::size_t(count) * 4, cudaMemcpyDeviceToHost) != cudaSuccess)
      std::fill(out.begin(), out.end(), NAN);
    cudaMemset(result, 0xff, std::size_t(elements) * 2);  // NaN, until the next run
    return out;
  }

 private:
  struct Set {
    GpuMemory q, k, v, o, lse;
  };

  int rung_of(std::size_t contender) const {
    const std::string name = contenders(cell_)[contender].rung;
    for (const FastRung& rung : fast_rungs())
      if (name == rung.name) return rung.number;
    return 0;
  }

  TilewalkFastProblem told(std::size_t set, void* workspace) const {
    const Set& s = *sets_[set];
    TilewalkFastProblem p{};
    p.q = s.q.at(), p.k = s.k.at(), p.v = s.v.at(), p.o = s.o.at();
    p.lse = (float*)s.lse.at();
    p.workspace = workspace;
    p.batch = cell_.batch, p.heads = p.kv_heads = cell_.heads;
    p.n_q = p.n_kv = cell_.n, p.d = cell_.d;
    p.dtype = bf16_ ? TILEWALK_FAST_BF16 : TILEWALK_FAST_FP16;
    p.mask = cell_.causal ? TILEWALK_FAST_CAUSAL_TOP_LEFT : TILEWALK_FAST_NO_MASK;
    p.scale = float(1 / std::sqrt(double(cell_.d)));
    return p;
  }

  std::string launch(std::size_t contender) {
    const TilewalkFastProblem p = told(last_set_, work_[contender]->at());
    const char* wrong = nullptr;
    if (backward_) {
      const TilewalkFastGradients g = gradients_told();
      wrong = tilewalk_fast_backward(rungs_[contender], &p, &g, nullptr);
    } else {
      wrong = tilewalk_fast_forward(rungs_[contender], 0, &p, nullptr);
    }
    return wrong ? wrong : "";
  }

  TilewalkFastGradients gradients_told() const {
    TilewalkFastGradients g{};
    g.d_o = gradients_[0]->at(), g.d_q = gradients_[1]->at(), g.d_k = gradients_[2]->at(), g.d_v = gradients_[3]->at();
    if (gradients_.size() > 4) g.row_dot = (float*)gradients_[4]->at(), g.dq_sum = (float*)gradients_[5]->at();
    return g;
  }

  bool runs_here(Contender kernel, const RaceCell& cell) const {
    return why_no_fast_kernel(kernel, cell.d, cell.causal, gpu_.sm_major * 10 + gpu_.sm_minor,
                              gpu_.shared_per_block_bytes, gpu_.name)
        .empty();
  }

  // A contender's work space, its work counter 0.
  bool take_work(std::size_t contender, std::int64_t bytes) {
    work_.resize(std::max(work_.size(), contender + 1));
    work_[contender] = std::make_unique<GpuMemory>();
    if (bytes + kSpare > free_on_card() || !work_[contender]->take(bytes)) return false;
    cudaMemset(work_[contender]->at(), 0, std::size_t(std::min<std::int64_t>(bytes, 4096)));
    return true;
  }

  // The contenders share dO and the gradients; flash_v2's sums come after them. The backward pass reads a forward
  // pass's results, of every set.
  Readiness prepare_backward(std::size_t contender) {
    const int rung = rungs_[contender];
    const std::int64_t rows = cell_.batch * cell_.heads * cell_.n, elements = rows * cell_.d;
    const std::int64_t sums = rows * fast::padded_d(cell_.d);
    std::vector<std::int64_t> tensors(4, elements * 2);
    if (rung == TILEWALK_FAST_FLASH_V2) tensors.insert(tensors.end(), {rows * 4, sums * 4});
    for (std::size_t i = gradients_.size(); i < tensors.size(); ++i) {
      gradients_.push_back(std::make_unique<GpuMemory>());
      if (tensors[i] + kSpare > free_on_card() || !gradients_[i]->take(tensors[i]))
        return no_room(tensors[i], "the gradients");
      if (i == 0) fill(gradients_[0]->at(), elements, 99);
    }
    const TilewalkFastProblem shape = told(0, nullptr);
    const std::int64_t own = std::int64_t(tilewalk_fast_backward_workspace_bytes(rung, &shape));
    const std::int64_t work =
        std::max(std::int64_t(tilewalk_fast_workspace_bytes(TILEWALK_FAST_FLASH_V2, &shape)), own);
    if (!take_work(contender, work)) return no_room(work, "its work space");
    for (std::size_t set = 0; set < sets_.size() && !forward_done_; ++set) {
      const TilewalkFastProblem p = told(set, work_[contender]->at());
      if (const char* wrong = tilewalk_fast_forward(TILEWALK_FAST_FLASH_V2, 0, &p, nullptr))
        return {RaceOutcome::Refused, wrong, 0};
    }
    Readiness ready = failure_now();
    forward_done_ = ready.outcome == RaceOutcome::Measured;
    ready.extra_bytes = own + (rung == TILEWALK_FAST_FLASH_V2 ? rows * 4 + sums * 4 : 0);
    return ready;
  }

  void fill(void* to, std::int64_t count, int seed) const {
    const auto mixed = 0x5851f42d4c957f2dull * (unsigned long long)(seed + 1);
    if (bf16_)
      fill_random<<<2048, 256>>>((__nv_bfloat16*)to, count, mixed);
    else
      fill_random<<<2048, 256>>>((__half*)to, count, mixed);
  }

  static Readiness no_room(std::int64_t bytes, const char* what) {
    return {RaceOutcome::OutOfMemory,
            std::string("out of memory: ") + what + " want " + format_bytes(bytes) + " of the " +
                format_bytes(free_on_card()) + " that are free",
            bytes};
  }

  static Readiness failure_now() {
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) return {};
    return {RaceOutcome::Refused, std::string("the GPU failed: ") + cudaGetErrorString(error), 0};
  }

  template <class Work>
  double median_ms(int runs, const Work& work) {
    std::vector<double> ms;
    for (int run = -2; run < runs; ++run) {
      cudaEventRecord(begins_[0]);
      if (!work()) return 0;
      cudaEventRecord(ends_[0]);
      float each = 0;
      if (cudaEventSynchronize(ends_[0]) != cudaSuccess) return 0;
      cudaEventElapsedTime(&each, begins_[0], ends_[0]);
      if (run >= 0) ms.push_back(each);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
  }

  double copy_gb_per_s() {
    GpuMemory from, to;
    if (2 * kCopyBytes + kSpare > free_on_card() || !from.take(kCopyBytes) || !to.take(kCopyBytes)) return 0;
    fill(from.at(), kCopyBytes / 2, 1);
    const double ms = median_ms(7, [&] {
      return cudaMemcpyAsync(to.at(), from.at(), std::size_t(kCopyBytes), cudaMemcpyDeviceToDevice) == cudaSuccess;
    });
    return ms > 0 ? 2.0 * double(kCopyBytes) / (ms * 1e6) : 0;
  }

  double product_tflops() {
    const fast::Cublas cublas;
    const std::int64_t each = std::int64_t(kProduct) * kProduct;
    GpuMemory a, b, c;
    if (!cublas.handle || 6 * each + kSpare > free_on_card() || !a.take(2 * each) || !b.take(2 * each) ||
        !c.take(2 * each))
      return 0;
    fill(a.at(), each, 1), fill(b.at(), each, 2);
    cublas.set_stream(cublas.handle, nullptr);
    const cudaDataType type = bf16_ ? CUDA_R_16BF : CUDA_R_16F;
    const float one = 1, zero = 0;
    const double ms = median_ms(20, [&] {
      return cublas.multiply(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, kProduct, kProduct, kProduct, &one, a.at(), type,
                             kProduct, 0, b.at(), type, kProduct, 0, &zero, c.at(), type, kProduct, 0, 1,
                             CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
    });
    return ms > 0 ? 2.0 * kProduct * double(each) / (ms * 1e9) : 0;
  }

  GpuInfo gpu_;
  std::string driver_;
  bool bf16_, backward_ = false, forward_done_ = false;
  std::string dtype_;
  RaceCell cell_;
  std::vector<std::unique_ptr<Set>> sets_;
  std::vector<std::unique_ptr<GpuMemory>> work_,
      gradients_;                // a contender's work space; d_o, d_q, d_k, d_v, D, dQ sums
  std::vector<int> rungs_;       // of the cell's contenders, numbered as in fast_attention.h
  std::vector<double> last_ms_;  // of each contender's last run in this cell
  std::size_t last_set_ = 0;
  cudaEvent_t begins_[kMostAtOnce] = {}, ends_[kMostAtOnce] = {};
};

// The first GPU that runs a fast kernel.
int usable_gpu(const DeviceReport& report) {
  for (std::size_t i = 0; i < report.gpus.size(); ++i)
    for (const FastRung& rung : fast_rungs())
      if (missing_for(rung, report.gpus[i]).empty()) return int(i);
  return -1;
}

}  // namespace

std::string no_gpu_race_reason() {
  const DeviceReport report = probe_devices();
  if (!report.reason.empty()) return report.reason;
  if (usable_gpu(report) >= 0) return "";
  return "The fast kernels need sm_80 or later, and " + report.gpus.front().name + " is sm_" +
         std::to_string(report.gpus.front().sm_major * 10 + report.gpus.front().sm_minor);
}

Result<std::unique_ptr<RaceTrack>> make_gpu_track(const std::string& dtype) {
  if (const std::string why = no_gpu_race_reason(); !why.empty()) return no_gpu_issue(why);
  const DeviceReport report = probe_devices();
  const int device = usable_gpu(report);
  if (const cudaError_t error = cudaSetDevice(device); error != cudaSuccess)
    return no_gpu_issue(std::string("The GPU cannot be used: ") + cudaGetErrorString(error));
  return std::unique_ptr<RaceTrack>(std::make_unique<GpuTrack>(report.gpus[std::size_t(device)], report.driver, dtype));
}

}  // namespace tilewalk
