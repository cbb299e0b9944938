// tilewalk record: a trace made by this machine's GPU, saved as a file.

#include "app/cli/kernel_on_terminal.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "base/shown.h"
#include "trace/recording.h"
#include "view/words/units.h"

namespace tilewalk {

int record_verb(const CommandLine& line) {
  const Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  const Problem& p = opened->document.problem;
  std::string out = line.option("out").value_or("");
  Issues issues;
  if (p.fault != Fault::None)
    issues.push_back({"fault", name_of(p.fault), "is a mistake of the replay; kernels make none", "Leave it out"});
  TraceDetail detail = detail_for(p);
  if (const auto wanted = line.option("detail")) {
    if (*wanted == "state")
      detail = TraceDetail::State;
    else if (*wanted == "hashes")
      detail = TraceDetail::Hashes;
    else
      issues.push_back({"detail", *wanted, "must be state or hashes", ""});
  }
  if (const auto folder = line.option("into"); folder && out.empty()) out = *folder + "/" + recording_name(p, detail);
  if (line.option("into") && line.option("out"))
    issues.push_back({"into", *line.option("into"), "cannot be joined with --out", "Give one of the two"});
  if (out.empty())
    issues.push_back({"out", "", "says where the recording goes, and is missing", "Such as --out walk.safetensors"});
  if (!issues.empty()) return refuse(issues);
  Result<OutputFile> file = OutputFile::open({.field = "out", .path = out, .endings = {".safetensors"}});
  if (!file) return refuse(file.issues());

  catch_interrupts();
  const KernelOutcome outcome = run_kernel_on_terminal(Runner::Gpu, opened->inputs(), detail);
  if (outcome.failure) return kernel_failure_exit(*outcome.failure);
  const Trace& trace = *outcome.result->trace;
  if (const Result<Done> saved = save_recording(trace, *file); !saved) return refuse(saved.issues());
  if (line.has("json"))
    print_json({{"file", out},
                {"gpu", trace.provenance.gpu},
                {"tile_visits", trace.visit_count},
                {"detail", detail == TraceDetail::State ? "state" : "hashes"}});
  else
    say("{} tile visits of {}, recorded on {}, are in {}\n", trace.visit_count, problem_title(p), trace.provenance.gpu,
        shown(out));
  return kExitOk;
}

}  // namespace tilewalk
