// Q, K, V and dO of a problem: generated from the seed or read from files, with single values edited on top.
//
// Seeded values are pure functions of (seed, tensor, index). Rows are generated when first requested, kChunkRows at a
// time, and cached. Heads larger than kHeadCacheBytes (N = 131,072 at d = 128) are not cached but generated again, so a
// problem with N in the millions costs only what is in view. An evicted head passes its memory to the next head of its
// size. Values are rounded to the problem's dtype (nearest even) on entry and stored as fp32.
// Not thread-safe: give each thread its own copy.
#pragma once

#include <compare>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "base/large_array.h"
#include "base/worker_pool.h"
#include "core/problem/problem.h"
#include "core/problem/tensor.h"
#include "core/problem/tile_id.h"

namespace tilewalk {

inline constexpr std::size_t kMostEdits = 4096;  // the most that a session file stores

struct InputEdit {  // one value changed by hand; tensor is Q, K, V or dO
  TensorId tensor = TensorId::Q;
  std::int64_t batch = 0, head = 0, row = 0, col = 0;
  float value = 0;
  bool operator==(const InputEdit&) const = default;
};

struct FileInputs {  // each may be null: then that tensor comes from the seed
  std::shared_ptr<const Tensor> q, k, v, d_o = nullptr;
};

// One head of Q, K, V or dO: `head` is a KV head for K and V.
struct InputHead {
  TensorId tensor{};
  std::int64_t batch = 0, head = 0;
  auto operator<=>(const InputHead&) const = default;
};
// The head of an input that a query head reads.
InputHead input_head(const Problem&, TensorId, const HeadId& query_head);

class Inputs {
 public:
  explicit Inputs(const Problem&, FileInputs files = {}, std::vector<InputEdit> edits = {});
  const Problem& problem() const { return problem_; }
  // The same tensors for another schedule, or other tiles, of the same shapes and dtype.
  Inputs under(const Problem& other) const { return Inputs(other, files_, edits_); }
  const std::vector<InputEdit>& edits() const { return edits_; }

  // Rows [begin, begin + count) of a head. Points to count x d floats, valid until the next call; `scratch` is used
  // where the head is not cached.
  const float* rows(const InputHead&, std::int64_t begin, std::int64_t count, std::vector<float>& scratch) const;
  // For several workers: generates and caches the missing rows of [begin, end), at most `most` chunks of them; returns
  // the number of chunks generated. Precondition: keeps_heads().
  std::int64_t make(const InputHead&, std::int64_t begin, std::int64_t end, WorkerPool&, std::int64_t most) const;
  bool keeps_heads() const;  // heads of this problem's K and V are cached
  float at(const InputHead&, std::int64_t row, std::int64_t col) const;
  // The whole tensor, for kernels and files. Precondition: it fits in memory (validate has checked the element count).
  Tensor whole(TensorId) const;

  std::int64_t cached_bytes() const;  // address space of the cached heads; rows that were never requested use no memory

 private:
  struct Head {
    InputHead id;
    std::int64_t size;
    LargeArray values;
    std::vector<bool> made;  // one flag for each chunk of kChunkRows rows
    std::int64_t bytes() const { return size * 4; }
  };
  Head& keep(const InputHead&) const;
  void fill_chunk(Head&, std::int64_t chunk) const;
  void fill(const InputHead&, std::int64_t begin, std::int64_t count, float* out) const;
  Problem problem_;
  FileInputs files_;
  std::vector<InputEdit> edits_;
  struct Heads {  // a copy starts with an empty cache
    Heads() = default;
    Heads(const Heads&) {}
    Heads(Heads&&) = default;
    Heads& operator=(const Heads&) { return *this = Heads(); }
    Heads& operator=(Heads&&) = default;
    std::list<Head> by_use;  // most recently used first
    std::map<InputHead, std::list<Head>::iterator> by_place;
    std::int64_t bytes = 0;
  };
  mutable Heads heads_;
};

// Rounds to the problem's dtype and back.
float round_to(DType, float);
void round_all(DType, float* values, std::int64_t count);
void round_all(DType, std::vector<float>&);

// Values that are not finite once rounded to the dtype: the first of each file, and every edit. Issues name tensor and
// index. Also refuses more than kMostEdits edits. O(values of the files).
Issues check_input_values(const FileInputs&, const std::vector<InputEdit>&, DType);

}  // namespace tilewalk
