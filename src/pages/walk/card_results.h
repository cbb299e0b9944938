// The result of a walk, whole: replayed Q tile by Q tile (backward: KV tile by KV tile) for the head in view.
#pragma once

#include <vector>

#include "pages/walk/last_card_model.h"

namespace tilewalk {

// O, or dQ, dK and dV, of a query head and the KV head that it reads.
std::vector<CardResult> whole_results(const std::shared_ptr<const Schedule>&, const Inputs&, const HeadId&);
// The output tile of the last step; empty where the state has none.
std::vector<CardResult> last_tile(const Schedule&, const State&);

}  // namespace tilewalk
