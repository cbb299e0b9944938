#include "view/words/mask_words.h"

namespace tilewalk {
namespace {

struct MaskWords {
  const char *rule = "", *short_rule = "";
};

MaskWords words_of(MaskKind kind) {
  constexpr const char *kLater = "rows see no later keys", *kFar = "rows see near keys";
  switch (kind) {
    case MaskKind::None: return {};
    case MaskKind::Causal: return {"a row sees only keys up to its own", kLater};
    case MaskKind::CausalBottomRight: return {"a row sees only keys up to its own, counted from the end", kLater};
    case MaskKind::Window: return {"a row sees only keys near its own", kFar};
    case MaskKind::WindowBottomRight: return {"a row sees only keys near its own, counted from the end", kFar};
  }
  return {};
}

}  // namespace

const char* mask_rule(const Problem& problem) { return words_of(problem.shape.mask.kind).rule; }
const char* short_mask_rule(const Problem& problem) { return words_of(problem.shape.mask.kind).short_rule; }

}  // namespace tilewalk
