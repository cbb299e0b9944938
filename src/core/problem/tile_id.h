// Which part of the problem something is about. Each index counts from 0: `batch` among batch entries, `head` among
// query heads, `kv_head` among KV heads, tiles along their own side. One value, so that no two indices change places
// in a call: `schedule.end_step_of_visit(section, {.head = 3, .q_tile = 2, .kv_tile = 1})`.
#pragma once

#include <cstdint>

namespace tilewalk {

struct HeadId {
  std::int64_t batch = 0, head = 0;
  bool operator==(const HeadId&) const = default;
};

struct RowId {  // a row of Q in its head
  std::int64_t batch = 0, head = 0, row = 0;
  bool operator==(const RowId&) const = default;
};

struct TileId {  // a tile of S: one Q tile and one KV tile
  std::int64_t batch = 0, head = 0, q_tile = 0, kv_tile = 0;
  bool operator==(const TileId&) const = default;
};

struct QTileId {
  std::int64_t batch = 0, head = 0, q_tile = 0;
  bool operator==(const QTileId&) const = default;
};

struct KvTileId {
  std::int64_t batch = 0, kv_head = 0, kv_tile = 0;
  bool operator==(const KvTileId&) const = default;
};

struct GroupId {  // an outer tile of a section, as Step::group numbers them
  std::int64_t batch = 0, head = 0, group = 0;
  bool operator==(const GroupId&) const = default;
};

}  // namespace tilewalk
