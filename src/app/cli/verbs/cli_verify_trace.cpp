// tilewalk verify --trace: judges the tile visits that a person's kernel recorded.
#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/text/judge_json.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "lab/judge/visit_trace.h"

namespace tilewalk {
namespace {

std::string title_of(const VisitTrace& trace) {
  const Problem& p = trace.problem;
  std::string title = fmt::format("{} · N {} x {} · d {} · tiles {} x {}", name_of(p.numerics.dtype), p.shape.n_q,
                                  p.shape.n_kv, p.shape.d, p.tiling.br, p.tiling.bc);
  if (p.shape.batch > 1) title += fmt::format(" · batch {}", p.shape.batch);
  if (p.shape.heads > 1) title += fmt::format(" · heads {}", p.shape.heads);
  if (p.shape.kv_heads != p.shape.heads) title += fmt::format(" · KV heads {}", p.shape.kv_heads);
  return title + fmt::format(" · mask {} · base {}", name_of(p.shape.mask), name_of(trace.rules.base));
}

}  // namespace

int verify_trace(const CommandLine& line) {
  const std::string path = *line.option("trace");
  const Result<VisitTrace> trace = load_visit_trace(path);
  if (!trace) return refuse(trace.issues());
  catch_interrupts();
  JudgeReport report;
  {
    Progress progress("Judging");
    report = judge_trace(*trace, [&](double at) { return progress.update(at); });
  }
  if (interrupted()) return interrupted_exit();
  if (line.has("json")) {
    Json json = {{"trace", path}};
    json.update(judge_json(report));
    print_json(json);
  } else {
    say("{:<11} {}\n", report.passed ? "right" : "wrong", title_of(*trace));
    say("{}", wrapped(sentence_of(trace->problem, report), "      "));
    if (report.visits_wrong > 0) say("      {} of {} visits are wrong.\n", report.visits_wrong, report.visits);
  }
  return report.passed ? kExitOk : kExitDivergence;
}

}  // namespace tilewalk
