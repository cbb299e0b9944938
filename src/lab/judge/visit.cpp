#include "lab/judge/visit.h"

#include <algorithm>
#include <cstdio>

namespace tilewalk {

const char* name_of(LabQuantity quantity) {
  return quantity == LabQuantity::M ? "m" : quantity == LabQuantity::L ? "l" : "o";
}

const char* letter_of(LabQuantity quantity) { return quantity == LabQuantity::L ? "ℓ" : name_of(quantity); }

LabVisit visit_of_tiles(const Problem& p, std::int64_t batch, std::int64_t head, std::int64_t q_tile,
                        std::int64_t kv_tile) {
  return {.batch = batch,
          .head = head,
          .q_tile = q_tile,
          .kv_tile = kv_tile,
          .first_row = q_tile * p.tiling.br,
          .rows = std::max<std::int64_t>(0, p.q_tile_rows(q_tile)),
          .first_key = kv_tile * p.tiling.bc,
          .keys = std::max<std::int64_t>(0, p.kv_tile_cols(kv_tile))};
}

LabVisit visit_of_row(const Problem& p, std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t kv_tile) {
  LabVisit visit = visit_of_tiles(p, batch, head, row / p.tiling.br, kv_tile);
  visit.first_row = row, visit.rows = 1, visit.of_row = true;
  return visit;
}

namespace {

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

}  // namespace

std::string sentence_of(const Problem& p, const JudgeReport& r) {
  const std::string visits = std::to_string(r.visits) + (r.visits == 1 ? " visit" : " visits");
  if (r.passed) return "Right: " + (r.visits > 0 ? visits + " and the results." : std::string("the results."));
  std::string text;
  if (r.first_wrong) {
    const WrongValue& w = *r.first_wrong;
    text = w.at_end ? "Wrong at the end" : "Wrong at visit " + std::to_string(w.visit + 1);
    if (p.shape.batch > 1) text += ", batch entry " + std::to_string(w.batch);
    if (p.shape.heads > 1) text += ", head " + std::to_string(w.head);
    if (!w.at_end) text += ", Q tile " + std::to_string(w.q_tile) + ", KV tile " + std::to_string(w.kv_tile);
    text += ", row " + std::to_string(w.row);
    if (w.column) text += ", column " + std::to_string(*w.column);
    const char* const name = !w.at_end ? letter_of(w.quantity) : w.quantity == LabQuantity::O ? "O" : "L";
    text += std::string(": ") + name + " must be " + number(w.expected) + " and is " + number(w.got);
    if (w.line > 0) text += " (line " + std::to_string(w.line) + ")";
    text += ".";
    if (r.diagnosis) text += " " + r.diagnosis->sentence;
    if (r.second) text += " " + r.second->sentence;
  }
  for (const std::string& complaint : r.complaints) text += (text.empty() ? "" : " ") + complaint;
  return text;
}

}  // namespace tilewalk
