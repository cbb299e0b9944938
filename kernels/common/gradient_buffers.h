// The output buffers of a traced backward kernel; each pointer may be null. Row v of an array belongs to tile visit v,
// counted in walk order over all batches, KV heads and KV tiles. Visits are those of one query head: a KV tile has them
// once for each query head that shares it. backward_standard counts its visits itself, for it visits every tile.
#pragma once

namespace tilewalk {

struct GradientBuffers {
  float *s, *p, *dp, *ds;          // (visits, Br, Bc)
  float* dq;                       // (visits, Br, d)
  float *dk, *dv;                  // (visits, Bc, d)
  unsigned long long* hashes;      // (visits), zero before the launch
  const long long* visits_before;  // (kv_tiles): visits before this KV tile, in walk order
  long long visits_per_head;
};

}  // namespace tilewalk
