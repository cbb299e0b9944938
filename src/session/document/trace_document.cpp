#include "session/document/trace_document.h"

#include <filesystem>

#include "base/shown.h"
#include "core/fields/validate.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "lab/judge/visit_trace.h"

namespace tilewalk {
namespace {

constexpr double kMostProductsHere = 4e6;  // multiply-adds that are judged within a frame or two

// The step after which the walk shows the right state of this visit; 0 where the walk has no such visit.
std::int64_t step_of(const Problem& p, const Schedule& schedule, const WrongValue& wrong) {
  if (wrong.at_end) return schedule.step_count();
  if (wrong.q_tile >= p.q_tiles() || wrong.row / p.tiling.br != wrong.q_tile) return 0;
  const std::int64_t first = wrong.q_tile * p.tiling.br;
  const TileRange range =
      visited_kv_tiles(p.shape.band(), first, first + p.q_tile_rows(wrong.q_tile), p.shape.n_kv, p.tiling.bc);
  if (wrong.kv_tile < range.begin || wrong.kv_tile >= range.end) return 0;
  return schedule.end_step_of_visit(
      0, {.batch = wrong.batch, .head = wrong.head, .q_tile = wrong.q_tile, .kv_tile = wrong.kv_tile});
}

}  // namespace

bool is_visit_trace(const SafetensorsReader& file) {
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second == kVisitTraceFormat;
}

Result<WalkedDocument> document_of_trace(const SafetensorsReader& file, const std::string& path) {
  const Result<VisitTrace> trace = visit_trace_from(file, path);
  if (!trace) return trace.issues();
  Document document;
  document.title = shown(std::filesystem::path(path).stem().string());
  document.about = "The problem of a trace of your own kernel.";
  document.paths.q = document.paths.k = document.paths.v = path;
  Problem& p = document.problem;
  p = trace->problem;
  p.numerics.dtype = DType::Fp32;  // as the file has the values
  p.machine.sram_bytes = device_of(p.machine).sram_per_block_bytes;
  const bool own_tiles = validate(p).empty();
  if (!own_tiles) p.tiling.br = p.tiling.bc = 1;
  if (Issues wrong = validate(p); !wrong.empty()) return wrong;
  if (!own_tiles) choose_default_tiles(p);
  std::shared_ptr<const Schedule> schedule = make_schedule(p);
  const Shape& s = p.shape;
  if (double(s.batch * s.heads * s.n_q) * double(s.n_kv) * double(s.d) > kMostProductsHere)
    return WalkedDocument{std::move(document), std::move(schedule),
                          "tilewalk verify --trace judges it; it is too long to be judged here."};
  const JudgeReport report = judge_trace(*trace);
  if (report.first_wrong && own_tiles) document.cursor = step_of(p, *schedule, *report.first_wrong);
  return WalkedDocument{std::move(document), std::move(schedule), sentence_of(trace->problem, report)};
}

}  // namespace tilewalk
