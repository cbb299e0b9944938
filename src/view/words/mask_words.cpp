#include "view/words/mask_words.h"

namespace tilewalk {

const char* mask_rule(const Problem& problem) {
  switch (problem.shape.mask.kind) {
    case MaskKind::None: return "";
    case MaskKind::Causal: return "a row sees only keys up to its own";
    case MaskKind::CausalBottomRight: return "a row sees only keys up to its own, counted from the end";
    case MaskKind::Window: return "a row sees only keys near its own";
    case MaskKind::WindowBottomRight: return "a row sees only keys near its own, counted from the end";
  }
  return "";
}

const char* short_mask_rule(const Problem& problem) {
  switch (problem.shape.mask.kind) {
    case MaskKind::None: return "";
    case MaskKind::Causal:
    case MaskKind::CausalBottomRight: return "rows see no later keys";
    case MaskKind::Window:
    case MaskKind::WindowBottomRight: return "rows see near keys";
  }
  return "";
}

const char* skipped_keys(const Problem& problem) {
  switch (problem.shape.mask.kind) {
    case MaskKind::None: return "";
    case MaskKind::Causal:
    case MaskKind::CausalBottomRight: return "later keys";
    case MaskKind::Window:
    case MaskKind::WindowBottomRight: return "keys too far";
  }
  return "";
}

}  // namespace tilewalk
