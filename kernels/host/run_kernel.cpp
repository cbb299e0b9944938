// One run of a teaching kernel, the same for every backend: checks that it fits, copies the inputs, poisons the
// outputs, launches the passes in slices, checks the guard bands, and copies the results back.
#include "kernels/host/run_kernel.h"

#include <algorithm>
#include <limits>
#include <new>

#include "base/small_float.h"
#include "base/units.h"
#include "core/schedules/registry.h"
#include "core/values/exact_math.h"
#include "core/walk/schedule.h"
#include "kernels/host/device_buffers.h"
#include "kernels/host/launch_plan.h"
#include "kernels/host/passes.h"
#include "kernels/host/slots.h"
#include "trace/digests.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMaxSliceBlocks = 1 << 24;

class Run {
 public:
  Run(Backend& backend, const Inputs& inputs, std::optional<TraceDetail> detail, const KernelProgress& progress)
      : backend_(backend),
        inputs_(inputs),
        p_(inputs.problem()),
        detail_(detail),
        progress_(progress),
        passes_(passes_of(p_)),
        args_(launch_args_of(p_)),
        buffers_(backend) {}

  KernelOutcome go() {
    if (std::optional<KernelFailure> refused = refusal()) return {std::nullopt, std::move(refused)};
    for (const auto step :
         {&Run::allocate, &Run::place_inputs, &Run::launch_passes, &Run::check_guards, &Run::collect}) {
      const Result<Done> done = (this->*step)();
      if (done) continue;
      using Kind = KernelFailure::Kind;
      return {std::nullopt, KernelFailure{cancelled_ ? Kind::Cancelled : Kind::Failed, text_of(done.issues())}};
    }
    return {std::move(result_), std::nullopt};
  }

 private:
  bool standard() const { return p_.schedule == ScheduleKind::Standard; }
  bool backward() const { return is_backward(p_.schedule); }
  bool state() const { return detail_ == TraceDetail::State; }

  // Why this problem cannot run here; checked before anything is allocated.
  std::optional<KernelFailure> refusal() {
    using Kind = KernelFailure::Kind;
    if (!has_kernel(p_.schedule))
      return KernelFailure{Kind::Failed, std::string("There is no kernel for ") + name_of(p_.schedule) +
                                             " yet. Choose another schedule"};
    for (const PassPlan& pass : passes_) {
      if (pass.shared_bytes() <= backend_.shared_limit_bytes()) continue;
      const bool whole_row = pass.forward && pass.pass == Pass::StandardSoftmax;  // of S, whatever the tiles
      return KernelFailure{Kind::DoesNotFit, "A thread block needs " + sum_text(pass.shared) +
                                                 " of shared memory, and this device gives at most " +
                                                 format_bytes(backend_.shared_limit_bytes()) +
                                                 (whole_row ? ". Make n_kv smaller" : ". Make the tiles smaller")};
    }
    if (state() && full_state_bytes(p_) > kMaxStateBytes)
      return KernelFailure{Kind::DoesNotFit, "A full-state trace would take " + format_bytes(full_state_bytes(p_)) +
                                                 ". Record hashes instead"};
    if (detail_) visits_ = visits_of(p_);
    sizes_ = slots_of(p_, detail_, visits_);
    const Result<std::int64_t> free = backend_.free_bytes();
    if (!free) return KernelFailure{Kind::Failed, text_of(free.issues())};
    if (DeviceBuffers::bytes_of(sizes_) <= *free) return std::nullopt;
    std::vector<SharedPart> parts;
    for (const SlotSize& each : sizes_) parts.push_back({info_of(each.slot).label, each.bytes});
    return KernelFailure{Kind::DoesNotFit, "The kernel needs " + sum_text(parts) + " of device memory, and " +
                                               format_bytes(*free) + " are free"};
  }

  Result<Done> allocate() {
    if (Result<Done> done = buffers_.allocate(sizes_); !done) return done;
    for (const SlotSize& each : sizes_) args_.at(each.slot) = buffers_.data(each.slot);
    // In fp32, the sums between visits are the output itself.
    if (p_.numerics.dtype == DType::Fp32) {
      args_.at(Slot::OSum) = args_.at(Slot::O);
      args_.at(Slot::dQSum) = args_.at(Slot::dQ);
    }
    args_.visits_per_head = visits_.per_head;
    return buffers_.clear_outputs();
  }

  Result<Done> place_tensor(Slot slot, TensorId id) {
    const Tensor tensor = inputs_.whole(id);
    if (p_.numerics.dtype == DType::Fp32)
      return buffers_.place(slot, tensor.values.data(), tensor.values.size() * sizeof(float));
    std::vector<std::uint16_t> bits(tensor.values.size());
    std::transform(tensor.values.begin(), tensor.values.end(), bits.begin(),
                   p_.numerics.dtype == DType::Fp16 ? fp16_from_float : bf16_from_float);
    return buffers_.place(slot, bits.data(), bits.size() * sizeof(std::uint16_t));
  }

  Result<Done> place_inputs() {
    if (backward()) {
      if (Result<Done> done = place_tensor(Slot::dO, TensorId::dO); !done) return done;
    }
    if (Result<Done> done = place_tensor(Slot::Q, TensorId::Q); !done) return done;
    if (Result<Done> done = place_tensor(Slot::K, TensorId::K); !done) return done;
    if (Result<Done> done = place_tensor(Slot::V, TensorId::V); !done) return done;
    if (!detail_) return Done{};
    return buffers_.place(Slot::Visits, visits_.before.data(), visits_.before.size() * sizeof(long long));
  }

  Result<Done> launch(const PassPlan& pass, const LaunchArgs& common_args, std::int64_t done, std::int64_t all) {
    const KernelKey key{.pass = pass.pass,
                        .dtype = p_.numerics.dtype,
                        .traced = detail_.has_value() && !pass.forward,
                        .row_fits = pass.forward || row_fits(p_),
                        .narrow_scores = p_.numerics.narrow_scores};
    const std::int64_t slice = progress_ ? backend_.slice_blocks() : kMaxSliceBlocks;
    LaunchArgs args = common_args;
    for (std::int64_t first = 0; first < pass.blocks; first += slice) {
      const std::int64_t blocks = std::min(slice, pass.blocks - first);
      args.problem.first_block = first;
      Result<Done> launched = backend_.launch(key, args, blocks, std::size_t(pass.shared_bytes()));
      if (!launched) return launched;
      cancelled_ = progress_ && !progress_(double(done + first + blocks) / double(all));
      if (cancelled_)
        return sentence("Cancelled after " + format_count(done + first + blocks) + " of " + format_count(all) +
                        " thread blocks");
    }
    return Done{};
  }

  // `standard` writes m and l to HBM only where they are needed: l for a row that does not fit, both for a recording.
  // So the timed launches move exactly the bytes that the machine model counts. For L, the softmax pass runs once more,
  // outside the timing, with buffers for m and l.
  Result<Done> launch_passes() {
    LaunchArgs timed = args_;
    const bool rows_again = standard() && !detail_;
    if (rows_again) timed.at(Slot::M) = nullptr;
    if (rows_again && row_fits(p_)) timed.at(Slot::Sum) = nullptr;
    std::int64_t all = rows_again ? passes_[1].blocks : 0, done = 0;
    for (const PassPlan& pass : passes_) all += pass.blocks;
    backend_.reset_clock();
    for (const PassPlan& pass : passes_) {
      if (Result<Done> launched = launch(pass, timed, done, all); !launched) return launched;
      done += pass.blocks;
      if (pass.forward) backend_.reset_clock();
    }
    result_.milliseconds = backend_.milliseconds();
    return rows_again ? launch(passes_[1], args_, done, all) : Result<Done>(Done{});
  }

  Result<Done> check_guards() { return buffers_.check_guards(); }

  // Copies into `to`; does nothing where the run has no such buffer.
  template <class T>
  Result<Done> fetch_trace(Slot slot, std::vector<T>& to) {
    Result<std::vector<T>> values = buffers_.fetch_if_any<T>(slot);
    if (!values) return values.issues();
    to = std::move(*values);
    return Done{};
  }

  // A tensor in the storage type, widened.
  Result<Done> fetch_tensor(Slot slot, std::int64_t heads, std::int64_t rows, Tensor& to) {
    to = {p_.shape.batch, heads, rows, p_.shape.d, {}};
    if (p_.numerics.dtype == DType::Fp32) {
      Result<std::vector<float>> values = buffers_.fetch<float>(slot);
      if (!values) return values.issues();
      to.values = std::move(*values);
      return Done{};
    }
    const Result<std::vector<std::uint16_t>> bits = buffers_.fetch<std::uint16_t>(slot);
    if (!bits) return bits.issues();
    to.values.resize(bits->size());
    std::transform(bits->begin(), bits->end(), to.values.begin(),
                   p_.numerics.dtype == DType::Fp16 ? float_from_fp16 : float_from_bf16);
    return Done{};
  }

  Result<Done> fetch_lse() {
    Result<std::vector<float>> values = buffers_.fetch<float>(keeps_m_and_l(p_) ? Slot::Sum : Slot::Lse);
    if (!values) return values.issues();
    result_.lse = {p_.shape.batch, p_.shape.heads, p_.shape.n_q, 1, std::move(*values)};
    if (!keeps_m_and_l(p_)) return Done{};
    const Result<std::vector<float>> m = buffers_.fetch<float>(Slot::M);
    if (!m) return m.issues();
    for (std::size_t row = 0; row < m->size(); ++row) {
      float& l = result_.lse.values[row];
      l = l == 0.0f ? std::numeric_limits<float>::infinity() : (*m)[row] + exact::log2f_exact(l);
    }
    return Done{};
  }

  Result<Done> fetch_gradients() {
    if (Result<Done> done = fetch_tensor(Slot::dQ, p_.shape.heads, p_.shape.n_q, result_.dq); !done) return done;
    if (Result<Done> done = fetch_tensor(Slot::dK, p_.shape.kv_heads, p_.shape.n_kv, result_.dk); !done) return done;
    return fetch_tensor(Slot::dV, p_.shape.kv_heads, p_.shape.n_kv, result_.dv);
  }

  Result<Done> collect() {
    if (Result<Done> done = fetch_tensor(Slot::O, p_.shape.heads, p_.shape.n_q, result_.o); !done) return done;
    if (backward()) {
      if (Result<Done> done = fetch_gradients(); !done) return done;
    }
    if (Result<Done> done = fetch_lse(); !done) return done;
    return detail_ ? collect_trace() : Result<Done>(Done{});
  }

  Result<Done> collect_trace() {
    Trace trace;
    trace.problem = p_;
    trace.problem.fault = Fault::None;  // kernels have no faults
    trace.provenance = backend_.provenance();
    trace.provenance.kernel_file = rung_for(p_.schedule).file;
    trace.provenance.kernel_digest = rung_for(p_.schedule).digest;
    trace.detail = *detail_;
    trace.visit_count = visits_.per_head * p_.shape.batch * p_.shape.heads;
    trace.inputs_digest = digest_of_inputs(inputs_);
    if (Result<Done> done = fetch_trace(Slot::Hashes, trace.hashes); !done) return done;
    const std::pair<Slot, std::vector<float>*> arrays[] = {
        {Slot::TraceM, &trace.m},   {Slot::TraceL, &trace.l},   {Slot::TraceAlpha, &trace.alpha},
        {Slot::TraceS, &trace.s},   {Slot::TraceP, &trace.p},   {Slot::TraceO, &trace.o},
        {Slot::TraceDP, &trace.dp}, {Slot::TraceDS, &trace.ds}, {Slot::TraceDQ, &trace.dq},
        {Slot::TraceDK, &trace.dk}, {Slot::TraceDV, &trace.dv}};
    for (const auto& [slot, array] : arrays) {
      if (Result<Done> done = fetch_trace(slot, *array); !done) return done;
    }
    add_outputs(trace);
    result_.trace = std::move(trace);
    return Done{};
  }

  void add_outputs(Trace& trace) const {
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
  }

  Backend& backend_;
  const Inputs& inputs_;
  const Problem& p_;
  std::optional<TraceDetail> detail_;
  const KernelProgress& progress_;
  std::vector<PassPlan> passes_;
  LaunchArgs args_;
  VisitPlan visits_;
  std::vector<SlotSize> sizes_;
  DeviceBuffers buffers_;
  KernelResult result_;
  bool cancelled_ = false;
};

}  // namespace

KernelOutcome run_on(Backend& backend, const Inputs& inputs, std::optional<TraceDetail> detail,
                     const KernelProgress& progress) {
  KernelOutcome out;
  try {
    return Run(backend, inputs, detail, progress).go();
  } catch (const std::bad_alloc&) {
    out.failure = {KernelFailure::Kind::DoesNotFit,
                   "This machine's memory is too small for the problem's inputs and results"};
  }
  return out;
}

}  // namespace tilewalk
