// A sheet on which a class draws a card's roofline on log-log paper and predicts FlashAttention's speed-up at five
// shapes by the pencil method; and its key, with the roof and the lower lines drawn, and each predicted win beside the
// recorded one with its error. For a card without recordings the key has the model's times, and says so.
#pragma once

#include "session/wins/win_shapes.h"
#include "view/print/document.h"

namespace tilewalk {

inline constexpr std::size_t kWinsOnSheet = 5;

struct RooflineSheet {
  PrintDocument sheet, key;
};

struct RooflineSheetRequest {
  std::string device = kDefaultDevice;
  std::uint64_t seed = 1;
  std::int64_t count = 1;  // number of sheets, with consecutive seeds
  bool key = false;
};

// `all`: the shapes to sample from.
RooflineSheet build_roofline_sheet(const DeviceModel&, const RaceTimes&, const std::vector<WinShape>& all,
                                   std::uint64_t seed);
// All sheets, then all keys. Refuses cards that FlashAttention does not run on, and too many sheets.
Result<std::vector<PrintDocument>> build_roofline_set(const RooflineSheetRequest&, const RaceTimes&);

}  // namespace tilewalk
