// The output buffers of a traced forward kernel; each pointer may be null. Row v of an array belongs to tile visit v,
// counted in walk order over all batches, heads and Q tiles (flash_v1: KV tiles).
#pragma once

namespace tilewalk {

struct TraceBuffers {
  float *m, *l, *alpha;            // (visits, Br)
  float *s, *p;                    // (visits, Br, Bc)
  float* o;                        // (visits, Br, d)
  unsigned long long* hashes;      // (visits), zero before the launch
  const long long* visits_before;  // (q_tiles): visits of one head before this Q tile; flash_v1: (kv_tiles), likewise
  long long visits_per_head;
};

}  // namespace tilewalk
