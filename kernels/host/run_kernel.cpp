// One run of a teaching kernel, the same for every backend: check that it fits, place the inputs, poison the outputs,
// launch the passes in slices, look at the guard bands, and bring the results back.
#include "kernels/host/run_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>

#include "base/small_float.h"
#include "base/units.h"
#include "core/exact_math.h"
#include "core/walk/schedule.h"
#include "kernels/host/launch_plan.h"
#include "trace/digests.h"

namespace tilewalk {
namespace {

constexpr std::size_t kGuardBytes = 256;  // before and after each buffer that a kernel writes
constexpr unsigned char kGuardByte = 0xa5;
constexpr unsigned char kPoisonByte = 0xff;  // NaN in every storage type
constexpr std::int64_t kMaxSliceBlocks = 1 << 24;

struct Buffer {
  std::string name;
  std::size_t bytes = 0;
  unsigned char* base = nullptr;  // guard, data, guard
  unsigned char* data() const { return base + kGuardBytes; }
};

class Run {
 public:
  Run(Backend& backend, const Inputs& inputs, std::optional<TraceDetail> detail, const KernelProgress& progress)
      : backend_(backend),
        inputs_(inputs),
        p_(inputs.problem()),
        detail_(detail),
        progress_(progress),
        a_(attention_of(p_)) {}

  KernelOutcome go() {
    KernelOutcome out;
    if (!(check_fit() && place_inputs() && place_outputs() && launch_passes() && guards_hold() && collect())) {
      out.failure = failure_;
      return out;
    }
    out.result = std::move(result_);
    return out;
  }

 private:
  bool fail(KernelFailure::Kind kind, std::string text) {
    failure_ = {kind, std::move(text)};
    return false;
  }
  bool fail_backend() { return fail(KernelFailure::Kind::Failed, backend_.error()); }

  std::int64_t heads() const { return p_.shape.batch * p_.shape.heads; }
  std::int64_t e() const { return p_.numerics.element_bytes(); }
  bool standard() const { return p_.schedule == ScheduleKind::Standard; }
  // Where m and l leave the chip and L does not: L is made of them afterwards.
  bool keeps_m_and_l() const {
    return standard() || p_.schedule == ScheduleKind::FlashV1 || (backward() && p_.schedule != ScheduleKind::Backward);
  }
  bool row_fits() const { return backward_standard() ? backward_row_fits(p_) : !standard() || standard_row_fits(p_); }
  bool state() const { return detail_ == TraceDetail::State; }
  bool backward() const { return is_backward(p_.schedule); }
  bool backward_standard() const { return p_.schedule == ScheduleKind::BackwardStandard; }

  // All buffers with their sizes; the order is that of the sum in messages.
  std::vector<SharedPart> sizes() const {
    const std::int64_t rows = heads() * p_.shape.n_q, keys = p_.shape.batch * p_.shape.kv_heads * p_.shape.n_kv;
    std::vector<SharedPart> parts = {
        {"Q", rows * p_.shape.d * e()}, {"K", keys * p_.shape.d * e()}, {"V", keys * p_.shape.d * e()}, {"O", rows * p_.shape.d * e()}};
    if (standard() || backward_standard()) {
      parts.push_back({"S", rows * p_.shape.n_kv * 4});
      parts.push_back({"P", rows * p_.shape.n_kv * (backward_standard() || row_fits() ? e() : 4)});
    }
    const bool flash_v1 = p_.schedule == ScheduleKind::FlashV1 || p_.schedule == ScheduleKind::BackwardV1;
    if (flash_v1 && e() < 4) parts.push_back({"O in fp32", rows * p_.shape.d * 4});
    if (p_.schedule == ScheduleKind::SplitKv) {
      parts.push_back({"partial O", rows * p_.tiling.splits * p_.shape.d * 4});
      parts.push_back({"partial L", rows * p_.tiling.splits * 4});
    }
    if (backward()) {
      parts.push_back({"dO", rows * p_.shape.d * e()});
      parts.push_back({"dQ", rows * p_.shape.d * e()});
      parts.push_back({"dK", keys * p_.shape.d * e()});
      parts.push_back({"dV", keys * p_.shape.d * e()});
      if (backward_standard()) {
        parts.push_back({"dP", rows * p_.shape.n_kv * 4});
        parts.push_back({"dS", rows * p_.shape.n_kv * e()});
      } else if (e() < 4) {
        parts.push_back({"dQ in fp32", rows * p_.shape.d * 4});
      }
      if (p_.schedule == ScheduleKind::Backward) parts.push_back({"D", rows * 4});
    }
    for (const char* each : keeps_m_and_l() ? std::vector{"m", "l"} : std::vector{"L"})
      parts.push_back({each, rows * 4});
    if (detail_) {
      const std::int64_t visits = visits_.per_head * heads(), br = a_.br, bc = a_.bc;
      parts.push_back({"visits", std::int64_t(visits_.before.size()) * 8});
      if (!state()) {
        parts.push_back({"hashes", visits * 8});
      } else if (backward()) {
        if (!backward_standard()) parts.push_back({"trace S", visits * br * bc * 4});
        for (const char* each : {"trace P", "trace dP", "trace dS"}) parts.push_back({each, visits * br * bc * 4});
        parts.push_back({"trace dQ", visits * br * p_.shape.d * 4});
        for (const char* each : {"trace dK", "trace dV"}) parts.push_back({each, visits * bc * p_.shape.d * 4});
      } else {
        parts.push_back({"trace m", visits * br * 4});
        parts.push_back({"trace l", visits * br * 4});
        if (!standard()) parts.push_back({"trace alpha", visits * br * 4});
        parts.push_back({"trace S", visits * br * bc * 4});
        parts.push_back({"trace P", visits * br * bc * 4});
        parts.push_back({"trace O", visits * br * p_.shape.d * 4});
      }
    }
    return parts;
  }

  bool check_fit() {
    if (!has_kernel(p_.schedule))
      return fail(KernelFailure::Kind::Failed,
                  std::string("There is no kernel for ") + name_of(p_.schedule) + " yet. Choose another schedule");
    for (const PassPlan& pass : passes_of(p_)) {
      const bool whole_row = pass.forward && pass.pass == Pass::StandardSoftmax;  // of S, whatever the tiles
      if (pass.shared_bytes() > backend_.shared_limit_bytes()) {
        return fail(KernelFailure::Kind::DoesNotFit, "A thread block needs " + sum_text(pass.shared) +
                                                         " of shared memory, and this device gives at most " +
                                                         format_bytes(backend_.shared_limit_bytes()) +
                                                         (whole_row ? ". Make n_kv smaller" : ". Make the tiles smaller"));
      }
    }
    if (detail_ == TraceDetail::State && full_state_bytes(p_) > kMaxStateBytes) {
      return fail(KernelFailure::Kind::DoesNotFit,
                  "A full-state trace would take " + format_bytes(full_state_bytes(p_)) + ". Record hashes instead");
    }
    if (detail_) visits_ = visits_of(p_);
    const std::vector<SharedPart> parts = sizes();
    std::int64_t needed = 0;
    for (const SharedPart& part : parts) needed += part.bytes + std::int64_t(2 * kGuardBytes);
    const std::int64_t free = backend_.free_bytes();
    if (free < 0) return fail_backend();
    if (needed > free) {
      return fail(KernelFailure::Kind::DoesNotFit,
                  "The kernel needs " + sum_text(parts) + " of device memory, and " + format_bytes(free) + " are free");
    }
    for (const SharedPart& part : parts) {
      auto* base = static_cast<unsigned char*>(backend_.allocate(std::size_t(part.bytes) + 2 * kGuardBytes));
      if (!base) return fail_backend();
      buffers_.push_back({part.name, std::size_t(part.bytes), base});
    }
    return true;
  }

  Buffer* find(const std::string& name) {
    for (Buffer& buffer : buffers_) {
      if (buffer.name == name) return &buffer;
    }
    return nullptr;
  }
  template <class T>
  T* pointer(const std::string& name) {
    Buffer* const buffer = find(name);
    return buffer ? reinterpret_cast<T*>(buffer->data()) : nullptr;
  }

  bool place_input(const char* name, TensorId id) {
    const Tensor tensor = inputs_.whole(id);
    Buffer& buffer = *find(name);
    if (p_.numerics.dtype == DType::Fp32) {
      if (!backend_.copy_in(buffer.data(), tensor.values.data(), buffer.bytes)) return fail_backend();
      return true;
    }
    std::vector<std::uint16_t> bits(tensor.values.size());
    std::transform(tensor.values.begin(), tensor.values.end(), bits.begin(),
                   p_.numerics.dtype == DType::Fp16 ? fp16_from_float : bf16_from_float);
    if (!backend_.copy_in(buffer.data(), bits.data(), buffer.bytes)) return fail_backend();
    return true;
  }

  static bool is_input(const std::string& name) {
    return name == "Q" || name == "K" || name == "V" || name == "dO" || name == "visits";
  }

  bool place_inputs() {
    if (backward()) {
      if (!place_input("dO", TensorId::dO)) return false;
      a_.gdO = find("dO")->data();
    }
    if (!(place_input("Q", TensorId::Q) && place_input("K", TensorId::K) && place_input("V", TensorId::V)))
      return false;
    a_.gQ = find("Q")->data();
    a_.gK = find("K")->data();
    a_.gV = find("V")->data();
    return true;
  }

  bool place_outputs() {
    for (const Buffer& buffer : buffers_) {
      if (is_input(buffer.name)) continue;
      const bool starts_at_zero = buffer.name == "hashes" || buffer.name.starts_with("trace ");
      if (!backend_.fill(buffer.base, kGuardByte, buffer.bytes + 2 * kGuardBytes)) return fail_backend();
      if (!backend_.fill(buffer.data(), starts_at_zero ? 0 : kPoisonByte, buffer.bytes)) return fail_backend();
    }
    a_.gO = find("O")->data();
    a_.gL = pointer<float>("L");
    a_.gS = pointer<float>("S");
    a_.gP = pointer<void>("P");
    if (!standard() || detail_ || !row_fits()) a_.gRowSum = pointer<float>("l");
    if (!standard() || detail_) a_.gRowMax = pointer<float>("m");
    a_.gOSum = e() < 4 ? pointer<float>("O in fp32") : pointer<float>("O");
    a_.gOPartial = pointer<float>("partial O");
    a_.gLPartial = pointer<float>("partial L");
    a_.gD = pointer<float>("D");
    a_.gdQ = pointer<void>("dQ");
    a_.gdQSum = e() < 4 && !backward_standard() ? pointer<float>("dQ in fp32") : pointer<float>("dQ");
    a_.gdP = pointer<float>("dP");
    a_.gdS = pointer<void>("dS");
    a_.gdK = pointer<void>("dK");
    a_.gdV = pointer<void>("dV");
    if (detail_) {
      if (!backend_.copy_in(find("visits")->data(), visits_.before.data(), find("visits")->bytes))
        return fail_backend();
      a_.trace = {pointer<float>("trace m"),
                  pointer<float>("trace l"),
                  pointer<float>("trace alpha"),
                  pointer<float>("trace S"),
                  pointer<float>("trace P"),
                  pointer<float>("trace O"),
                  pointer<unsigned long long>("hashes"),
                  pointer<const long long>("visits"),
                  visits_.per_head};
      a_.gradients = {pointer<float>("trace dP"), pointer<float>("trace dS"), pointer<float>("trace dQ"),
                      pointer<float>("trace dK"), pointer<float>("trace dV")};
    }
    return true;
  }

  bool launch(const PassPlan& pass, std::int64_t done, std::int64_t all) {
    const KernelKey key{pass.pass, p_.numerics.dtype, detail_.has_value() && !pass.forward, pass.forward || row_fits()};
    const std::int64_t slice = progress_ ? backend_.slice_blocks() : kMaxSliceBlocks;
    for (std::int64_t first = 0; first < pass.blocks; first += slice) {
      const std::int64_t blocks = std::min(slice, pass.blocks - first);
      a_.first_block = first;
      if (!backend_.launch(key, a_, blocks, std::size_t(pass.shared_bytes()))) return fail_backend();
      if (progress_ && !progress_(double(done + first + blocks) / double(all))) {
        return fail(KernelFailure::Kind::Cancelled, "Cancelled after " + format_count(done + first + blocks) + " of " +
                                                        format_count(all) + " thread blocks");
      }
    }
    return true;
  }

  bool launch_passes() {
    const std::vector<PassPlan> passes = passes_of(p_);
    const bool rows_again = standard() && !a_.gRowMax;
    std::int64_t all = rows_again ? passes[1].blocks : 0, done = 0;
    for (const PassPlan& pass : passes) all += pass.blocks;
    backend_.reset_clock();
    for (const PassPlan& pass : passes) {
      if (!launch(pass, done, all)) return false;
      done += pass.blocks;
      if (pass.forward) backend_.reset_clock();
    }
    result_.milliseconds = backend_.milliseconds();
    if (rows_again) {
      // m and l of the rows, for L: the softmax pass once more, outside the timing, with somewhere to put them. The
      // timed launches move exactly the bytes that the machine model counts.
      a_.gRowMax = pointer<float>("m");
      a_.gRowSum = pointer<float>("l");
      return launch(passes[1], done, all);
    }
    return true;
  }

  bool guards_hold() {
    std::array<unsigned char, kGuardBytes> band{};
    for (const Buffer& buffer : buffers_) {
      if (is_input(buffer.name)) continue;
      for (const unsigned char* at : {buffer.base, buffer.data() + buffer.bytes}) {
        if (!backend_.copy_out(band.data(), at, band.size())) return fail_backend();
        if (std::any_of(band.begin(), band.end(), [](unsigned char byte) { return byte != kGuardByte; })) {
          return fail(KernelFailure::Kind::Failed, "The kernel wrote outside " + buffer.name);
        }
      }
    }
    return true;
  }

  template <class T>
  bool fetch(const std::string& name, std::vector<T>& to) {
    Buffer* const buffer = find(name);
    if (!buffer) return true;
    to.resize(buffer->bytes / sizeof(T));
    if (!backend_.copy_out(to.data(), buffer->data(), buffer->bytes)) return fail_backend();
    return true;
  }

  // A tensor in the storage type, widened.
  bool fetch_tensor(const std::string& name, std::int64_t heads, std::int64_t rows, Tensor& to) {
    to = {p_.shape.batch, heads, rows, p_.shape.d, {}};
    if (p_.numerics.dtype == DType::Fp32) return fetch(name, to.values);
    std::vector<std::uint16_t> bits;
    if (!fetch(name, bits)) return false;
    to.values.resize(bits.size());
    std::transform(bits.begin(), bits.end(), to.values.begin(),
                   p_.numerics.dtype == DType::Fp16 ? float_from_fp16 : float_from_bf16);
    return true;
  }

  bool fetch_outputs() {
    if (!fetch_tensor("O", p_.shape.heads, p_.shape.n_q, result_.o)) return false;
    return !backward() || (fetch_tensor("dQ", p_.shape.heads, p_.shape.n_q, result_.dq) &&
                           fetch_tensor("dK", p_.shape.kv_heads, p_.shape.n_kv, result_.dk) &&
                           fetch_tensor("dV", p_.shape.kv_heads, p_.shape.n_kv, result_.dv));
  }

  bool fetch_lse() {
    result_.lse = {p_.shape.batch, p_.shape.heads, p_.shape.n_q, 1, {}};
    if (!keeps_m_and_l()) return fetch("L", result_.lse.values);
    std::vector<float> m;
    if (!fetch("m", m) || !fetch("l", result_.lse.values)) return false;
    for (std::size_t row = 0; row < m.size(); ++row) {
      float& l = result_.lse.values[row];
      l = l == 0.0f ? std::numeric_limits<float>::infinity() : m[row] + exact::log2f_exact(l);
    }
    return true;
  }

  bool collect() {
    if (!fetch_outputs() || !fetch_lse()) return false;
    if (!detail_) return true;
    Trace trace;
    trace.problem = p_;
    trace.problem.fault = Fault::None;  // kernels make no mistakes on purpose
    trace.provenance = backend_.provenance();
    trace.provenance.kernel_file = rung_for(p_.schedule).file;
    trace.provenance.kernel_digest = rung_for(p_.schedule).digest;
    trace.detail = *detail_;
    trace.visit_count = visits_.per_head * heads();
    trace.inputs_digest = digest_of_inputs(inputs_);
    if (!(fetch("trace m", trace.m) && fetch("trace l", trace.l) && fetch("trace alpha", trace.alpha) &&
          fetch("trace S", trace.s) && fetch("trace P", trace.p) && fetch("trace O", trace.o) &&
          fetch("hashes", trace.hashes) &&
          fetch("trace dP", trace.dp) && fetch("trace dS", trace.ds) && fetch("trace dQ", trace.dq) &&
          fetch("trace dK", trace.dk) && fetch("trace dV", trace.dv))) {
      return false;
    }
    if (backward()) {
      if (state()) {
        trace.out_dq = result_.dq.values;
        trace.out_dk = result_.dk.values;
        trace.out_dv = result_.dv.values;
      } else {
        trace.out_hashes = digests_of_q_gradients(p_, result_.dq.values);
        trace.kv_hashes = digests_of_kv_gradients(p_, result_.dk.values, result_.dv.values);
      }
    } else if (state()) {
      trace.out = result_.o.values;
      if (!standard()) trace.lse = result_.lse.values;
    } else {
      trace.out_hashes =
          digests_of_outputs(p_, result_.o.values, standard() ? std::vector<float>{} : result_.lse.values);
    }
    result_.trace = std::move(trace);
    return true;
  }

  Backend& backend_;
  const Inputs& inputs_;
  const Problem& p_;
  std::optional<TraceDetail> detail_;
  const KernelProgress& progress_;
  StandardBackwardAttention a_;
  VisitPlan visits_;
  std::vector<Buffer> buffers_;
  KernelResult result_;
  KernelFailure failure_;
};

}  // namespace

KernelOutcome run_on(Backend& backend, const Inputs& inputs, std::optional<TraceDetail> detail,
                     const KernelProgress& progress) {
  KernelOutcome out;
  try {
    return Run(backend, inputs, detail, progress).go();
  } catch (const std::bad_alloc&) {
    out.failure = {KernelFailure::Kind::DoesNotFit,
                   "This machine's memory does not hold the problem's inputs and results"};
  }
  return out;
}

}  // namespace tilewalk
