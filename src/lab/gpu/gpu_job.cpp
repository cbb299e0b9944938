#include "lab/gpu/gpu_job.h"

#include <cstring>
#include <type_traits>

namespace tilewalk::lab {
namespace {

constexpr std::uint64_t kJobMark = 0x31626f6a6c7774ull, kRunMark = 0x316e75726c7774ull;  // "twljob1", "twlrun1"

// One list of fields serves both directions: each function below names a type's fields once.
struct Writer {
  std::vector<std::byte> out;

  template <class T>
  void number(const T& x) {
    const auto* const from = reinterpret_cast<const std::byte*>(&x);
    out.insert(out.end(), from, from + sizeof(T));
  }
  template <class T>
  std::size_t count(const T& list) {
    number(std::uint64_t(list.size()));
    return list.size();
  }
  void floats(const std::vector<float>& list) {
    const std::size_t size = count(list);
    const auto* const from = reinterpret_cast<const std::byte*>(list.data());
    out.insert(out.end(), from, from + size * sizeof(float));
  }
  void text(const std::string& list) {
    const std::size_t size = count(list);
    const auto* const from = reinterpret_cast<const std::byte*>(list.data());
    out.insert(out.end(), from, from + size);
  }
};

struct Reader {
  std::span<const std::byte> in;
  bool failed = false;

  const std::byte* take(std::size_t bytes) {
    if (failed || bytes > in.size()) {
      failed = true;
      return nullptr;
    }
    const std::byte* const out = in.data();
    in = in.subspan(bytes);
    return out;
  }
  template <class T>
  void number(T& x) {
    if (const std::byte* from = take(sizeof(T))) std::memcpy(&x, from, sizeof(T));
  }
  // Each element takes a byte at least, so that a wrong count allocates no more than the file's size.
  template <class T>
  std::size_t count(T& list) {
    std::uint64_t size = 0;
    number(size);
    if (size > in.size()) failed = true;
    list.resize(failed ? 0 : std::size_t(size));
    return list.size();
  }
  void floats(std::vector<float>& list) {
    std::uint64_t size = 0;
    number(size);
    if (size > in.size() / sizeof(float)) failed = true;
    list.resize(failed ? 0 : std::size_t(size));
    const std::byte* const from = take(list.size() * sizeof(float));
    if (from && !list.empty()) std::memcpy(list.data(), from, list.size() * sizeof(float));
  }
  void text(std::string& list) {
    const std::size_t size = count(list);
    if (const std::byte* from = take(size)) list.assign(reinterpret_cast<const char*>(from), size);
  }
};

template <class Io, class T>
void fields_of_tensor(Io& io, T& each) {
  io.text(each.name);
  io.number(each.size);
  io.number(each.is_scratch);
  io.number(each.is_const);
  io.floats(each.values);
}

template <class Io, class T>
void fields_of_launch(Io& io, T& each) {
  io.number(each.grid);
  io.number(each.block);
  io.count(each.tensors);
  for (auto& tensor : each.tensors) io.number(tensor);
  io.number(each.most_visits);
  io.number(each.most_rows);
}

template <class Io, class T>
void fields_of_job(Io& io, T& job) {
  io.text(job.text);
  io.count(job.tensors);
  for (auto& each : job.tensors) fields_of_tensor(io, each);
  io.count(job.launches);
  for (auto& each : job.launches) fields_of_launch(io, each);
  io.number(job.shape);
  io.text(job.cache_folder);
  io.number(job.deadline_ms);
}

template <class Io, class T>
void fields_of_visit(Io& io, T& each) {
  for (auto* number :
       {&each.thread_block, &each.batch, &each.head, &each.q_tile, &each.kv_tile, &each.first_row, &each.rows})
    io.number(*number);
  io.number(each.of_row);
  for (auto* list : {&each.m, &each.l, &each.o}) io.floats(*list);
  io.number(each.place.line);
}

template <class Io, class T>
void fields_of_run(Io& io, T& run) {
  io.number(run.end);
  for (auto* text : {&run.why, &run.device, &run.driver, &run.compiler}) io.text(*text);
  io.number(run.from_cache);
  io.count(run.visits);
  for (auto& each : run.visits) fields_of_visit(io, each);
  io.count(run.damage);
  for (auto& each : run.damage) io.text(each);
  io.count(run.outputs);
  for (auto& each : run.outputs) io.floats(each);
  io.number(run.dropped);
}

static_assert(std::is_trivially_copyable_v<MarkShape>);

Issue cut_off(const char* what) { return {what, "", "is not whole", ""}; }

}  // namespace

std::vector<std::byte> bytes_of(const GpuJob& job) {
  Writer io;
  io.number(kJobMark);
  fields_of_job(io, job);
  return std::move(io.out);
}

std::vector<std::byte> bytes_of(const GpuRun& run) {
  Writer io;
  io.number(kRunMark);
  fields_of_run(io, run);
  return std::move(io.out);
}

Result<GpuJob> job_of(std::span<const std::byte> bytes) {
  Reader io{bytes};
  std::uint64_t mark = 0;
  io.number(mark);
  GpuJob out;
  fields_of_job(io, out);
  if (mark != kJobMark || io.failed || !io.in.empty()) return cut_off("the GPU's job");
  return out;
}

Result<GpuRun> run_of(std::span<const std::byte> bytes) {
  Reader io{bytes};
  std::uint64_t mark = 0;
  io.number(mark);
  GpuRun out;
  fields_of_run(io, out);
  if (mark != kRunMark || io.failed || !io.in.empty() || out.end > GpuEnd::Lost) return cut_off("the GPU's result");
  return out;
}

}  // namespace tilewalk::lab
