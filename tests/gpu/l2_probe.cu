// How an L2 treats written bytes: small kernels without arithmetic, each between two flushes, for profiling by
// Nsight Compute (tests/gpu/traffic.sh), so that the rules of core/chip/l2_model rest on more than the kernels they are
// for. Prints one line for each watched launch, in order: experiment, part, megabytes read, megabytes written,
// megabytes in all that went before since the last flush. A part is the kernel or flush (the same flush ends one
// experiment and begins the next).
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "tests/gpu/profiled.h"

namespace {

constexpr size_t kMega = 1000000, kChunk = 16384;  // bytes that one thread block moves at a time
constexpr int kBlocks = 1056, kThreads = 256;

char *reads, *writes;
unsigned* sink;

void require(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
  std::exit(1);
}

__device__ unsigned read_chunk(const char* from) {
  unsigned sum = 0;
  for (size_t at = threadIdx.x * 16; at < kChunk; at += kThreads * 16) sum |= __ldcg((const uint4*)(from + at)).x;
  return sum;
}
__device__ void write_chunk(char* to) {
  for (size_t at = threadIdx.x * 16; at < kChunk; at += kThreads * 16) *(uint4*)(to + at) = make_uint4(1, 2, 3, 4);
}

// Each of `rounds` rounds reads `r` chunks and writes `w`, each chunk once and by one thread block.
__global__ void stream(const char* from, char* to, int r, int w, size_t rounds, unsigned* never) {
  unsigned sum = 0;
  for (size_t round = blockIdx.x; round < rounds; round += gridDim.x) {
    for (int i = 0; i < r; ++i) sum |= read_chunk(from + (round * r + i) * kChunk);
    for (int i = 0; i < w; ++i) write_chunk(to + (round * w + i) * kChunk);
  }
  if (sum) *never = sum;
}

// Every thread block reads the whole of `bytes`, `times` times over.
__global__ void read_by_all(const char* from, size_t bytes, int times, unsigned* never) {
  unsigned sum = 0;
  for (int t = 0; t < times; ++t)
    for (size_t at = 0; at < bytes; at += kChunk) sum |= read_chunk(from + at);
  if (sum) *never = sum;
}

// Each thread block reads or writes its own share `times` times.
__global__ void go_over(char* at, size_t chunks, int times, bool write, unsigned* never) {
  unsigned sum = 0;
  for (int t = 0; t < times; ++t)
    for (size_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
      if (write) write_chunk(at + chunk * kChunk);
      else sum |= read_chunk(at + chunk * kChunk);
    }
  if (sum) *never = sum;
}

__global__ void spin(long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < (unsigned long long)nanoseconds);
}

void line(const char* experiment, const char* part, size_t r, size_t w, size_t before) {
  std::printf("%s,%s,%zu,%zu,%zu\n", experiment, part, r, w, before);
}

void flush(const char* experiment) {
  if (!tilewalk::flush_l2()) std::exit(1);
  line(experiment, "flush", 0, 0, 0);
}

void stream_of(const char* experiment, size_t r, size_t w, size_t before) {  // in megabytes
  const size_t unit = w == 0 ? r : r == 0 ? w : (r < w ? r : w);
  const int per_r = int(r / unit), per_w = int(w / unit);
  stream<<<kBlocks, kThreads>>>(reads, writes, per_r, per_w, unit * kMega / kChunk, sink);
  require(cudaDeviceSynchronize());
  line(experiment, "kernel", r, w, before);
}

}  // namespace

int main() {
  require(cudaMalloc(&reads, 2048 * kMega));
  require(cudaMalloc(&writes, 2048 * kMega));
  require(cudaMalloc(&sink, 4));
  require(cudaMemset(reads, 0, 2048 * kMega));
  require(cudaMemset(writes, 0, 2048 * kMega));
  require(cudaDeviceSynchronize());
  std::printf("experiment,part,read_mb,write_mb,before_mb\n");
  tilewalk::start_profiling();
  flush("begin");
  flush("twice");
  for (size_t w : {1, 4, 8, 16, 20, 24, 26, 28, 32, 40, 48, 64, 128, 512}) {
    stream_of("write", 0, w, 0);
    flush("write");
  }
  flush("twice");
  const size_t mixes[][2] = {{512, 512}, {512, 256}, {512, 128}, {512, 64}, {512, 32}, {256, 512},
                             {128, 512}, {64, 512},  {32, 32},   {64, 64},  {64, 32},  {32, 64}};
  for (const auto& mix : mixes) {
    stream_of("mix", mix[0], mix[1], 0);
    flush("mix");
  }
  for (size_t w : {8, 16, 24})
    for (size_t r : {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256}) {
      stream_of("write then read", 0, w, 0);
      stream_of("write then read", r, 0, w);
      flush("write then read");
    }
  for (size_t r : {8, 12, 16, 20, 24, 28, 32, 40, 48, 64}) {
    stream_of("write then read by all", 0, 16, 0);
    read_by_all<<<kBlocks, kThreads>>>(reads, r * kMega / kChunk * kChunk, 2, sink);
    require(cudaDeviceSynchronize());
    line("write then read by all", "kernel", r, 0, 16);
    flush("write then read by all");
  }
  for (bool write : {false, true})
    for (size_t m : {8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 80, 96}) {
      const char* const name = write ? "write 8 times" : "read 8 times";
      go_over<<<kBlocks, kThreads>>>(write ? writes : reads, m * kMega / kChunk, 8, write, sink);
      require(cudaDeviceSynchronize());
      line(name, "kernel", write ? 0 : m, write ? m : 0, 0);
      flush(name);
    }
  for (size_t m : {8, 16, 20, 24, 28, 32, 36, 40, 48, 64}) {
    read_by_all<<<kBlocks, kThreads>>>(reads, m * kMega / kChunk * kChunk, 4, sink);
    require(cudaDeviceSynchronize());
    line("read 4 times by all", "kernel", m, 0, 0);
    flush("read 4 times by all");
  }
  for (long long ms : {1, 3, 10, 30, 100, 300}) {
    spin<<<132, 32>>>(ms * 1000000);
    require(cudaDeviceSynchronize());
    line("spin", "kernel", size_t(ms), 0, 0);
    flush("spin");
  }
  tilewalk::stop_profiling();
  return 0;
}
