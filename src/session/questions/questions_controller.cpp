#include "session/questions/questions_controller.h"

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

// A race's problem with the tiles of the teaching kernels; assets/questions/README.md documents it for authors.
Problem plain_problem() {
  Problem p;
  p.shape.batch = 2;
  p.shape.heads = p.shape.kv_heads = 32;
  p.shape.n_q = p.shape.n_kv = 8192;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 160 << 10;
  return p;
}

}  // namespace

void QuestionsController::read() {
  if (!load_) return;
  plain_.problem = plain_problem();
  roofline_.read_cards();
  walk_.open(make_schedule(plain_.problem), Inputs(plain_.problem), nullptr, false);
  Result<std::vector<CommonQuestion>> questions = std::exchange(load_, nullptr)();
  if (!questions) return messages_.refuse(questions.issues(), About::Problem);
  questions_ = std::move(*questions);
}

void QuestionsController::carry_out(const ChooseQuestion& c) {
  read();
  if (c.number < 0 || c.number > std::int64_t(questions_.size()))
    return messages_.refuse(Issues{{"question", std::to_string(c.number), "is not there",
                                    "There are 1 to " + std::to_string(questions_.size())}},
                            About::Problem);
  chosen_ = int(c.number) - 1;
}

}  // namespace tilewalk
