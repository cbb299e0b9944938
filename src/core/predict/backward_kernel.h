// The time and the DRAM bytes of this project's fast backward kernels (flash_v2_backward.cu and flash_v3_backward.cu in
// kernels/fast). They compute D of each row and zeros for dQ; then a thread block for each KV tile walks down the
// queries and adds to dQ; then dQ is rounded. The teaching kernel assigns a whole head to a thread block instead, so
// its walk gives neither time nor DRAM bytes.
//
// On Hopper the walk has the pace of each build, measured alone (core/predict/backward_pace). Elsewhere, and for FA-3
// above d = 128, it is derived:
// Modelled: a visit's five products, then what it adds to dQ, then its exponentials, one after the other, one thread
// block an SM; blocks in the kernel's order, head by head; the kernels before and after at the memory's rate. Where the
// kernel divides query heads into shares (core/problem/shares_plan), each share is a thread block, and one more launch
// adds them. FA-2's exponentials come from one warp a scheduler, which waits for its own results
// (core/chip/visit_pace); where its build has half of a step's scores in registers at once (d = 160), each fragment of
// K and V feeds two products in place of four. DRAM: each launch reads and writes its tensors once where L2 does not
// keep them. Thread blocks of a head that run together share one read; those of the next wave read again unless the
// repeated rows fit (the cycle of core/chip/l2_model).
//
// FA-3's products come at the rate of a large matrix product, unless its reads of shared memory take longer: they wait
// for no fragments. The copy engine adds to dQ beside them, so the adds count only where they take longest. Above d =
// 128 there are no adds: a second kernel, whose thread blocks have 128 queries, computes S and dP again for dQ.
//
// Where a thread block has all keys of a head (core/problem/backward_build.h), it stores dQ: no sums, no zeros for them
// and no third launch.
//
// Sources: parts_backward_h200_2026-11-23.csv, products and adds alone; DRAM bytes compared with
// backward_traffic_h200_2026-11-23.csv and an H100's. Other cards are assumed to add as many bytes a second on each SM
// (an H100 alone adds 15 % fewer, and its kernel is as fast).
// Not modelled: barriers; of FA-2, P and dS through shared memory, and the part of dQ's adds that products hide, some
// 15 % of a visit each way; of FA-3, the exponentials of one warpgroup that the products of another hide, and the waits
// between a warpgroup's products.
#pragma once

#include <algorithm>

#include "core/predict/attention_call.h"
#include "core/problem/backward_build.h"

namespace tilewalk {

struct KernelCost {
  double seconds = 0, dram_bytes = 0;
  int launches = 3;
};

struct BackwardKernelTile {
  std::int64_t queries = 0, keys = 0;
};
struct BackwardVisit {
  BackwardKernelTile tile;
  double products = 0, adds = 0, exponentials = 0;  // cycles at the clock under load
  bool adds_beside = false;                         // the copy engine's, else after the products
  double cycles() const {
    return adds_beside ? std::max(products + exponentials, adds) : products + adds + exponentials;
  }
};
// built_d: a head size that the kernel is built for.
BackwardVisit flash_v2_backward_visit(std::int64_t built_d, const DeviceModel&);
BackwardVisit flash_v3_backward_visit(std::int64_t built_d, const DeviceModel&);
BackwardVisit flash_v3_backward_visit(std::int64_t built_d, const DeviceModel&, const fast::BackwardBuild&);
// Of the kernel for dQ, above d = 128.
BackwardVisit flash_v3_backward_queries_visit(std::int64_t built_d, const DeviceModel&);

KernelCost flash_v2_backward_cost(const AttentionCall&, const DeviceModel&);
KernelCost flash_v3_backward_cost(const AttentionCall&, const DeviceModel&);

}  // namespace tilewalk
