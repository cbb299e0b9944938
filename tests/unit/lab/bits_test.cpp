// The solutions of tasks that follow a schedule: m, l, O and L equal the schedule's replay in every bit.
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "core/values/exact_math.h"
#include "tests/unit/lab/lab_helpers.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

std::vector<std::uint32_t> bits_of_all(const std::vector<float>& values) {
  std::vector<std::uint32_t> out;
  for (const float x : values) out.push_back(exact::bits_of(x));
  return out;
}

// Compares each visit of the replay with the run's next one.
struct ReplayCheck : VisitSink {
  const std::vector<lab::RunVisit>& visits;
  std::vector<float> o;
  std::size_t next = 0;
  explicit ReplayCheck(const std::vector<lab::RunVisit>& all) : visits(all) {}

  bool on_visit(const VisitState& expected) override {
    REQUIRE(next < visits.size());
    const lab::RunVisit& got = visits[next++];
    CAPTURE(expected.batch, expected.head, expected.q_tile, expected.kv_tile);
    CHECK(got.batch == expected.batch);
    CHECK(got.head == expected.head);
    CHECK(got.q_tile == expected.q_tile);
    CHECK(got.kv_tile == expected.kv_tile);
    CHECK(bits_of_all(got.m) == bits_of_all(expected.m));
    CHECK(bits_of_all(got.l) == bits_of_all(expected.l));
    CHECK(bits_of_all(got.o) == bits_of_all(expected.o));
    return true;
  }
  bool on_q_tile(const QTileId&, const std::vector<float>& final_o, const std::vector<float>&) override {
    o.insert(o.end(), final_o.begin(), final_o.end());
    return true;
  }
};

void check_bits(const std::string& path, const Problem& p, std::int64_t threads, std::uint64_t seed) {
  const LabRun run = run_text(text_of_file(path), p, threads, seed);
  INFO(run.findings_text());
  CHECK(run.findings().empty());
  CHECK(run.machine->state() == lab::RunState::Done);
  Replay replay(make_schedule(p), Inputs(p));
  ReplayCheck check(run.visits);
  CHECK(replay.walk(check));
  CHECK(check.next == run.visits.size());
  CHECK(bits_of_all(run.machine->tensor(3)) == bits_of_all(check.o));
}

}  // namespace

TEST_CASE("the solution of FA-2's loop equals the replay of flash_v2 in every bit", "[unit]") {
  Problem p;
  const std::string path = "assets/lab/05-fa2-loop/solution.cu";
  check_bits(path, p, 16, 0);
  check_bits(path, p, 7, 5);
  p.shape.mask.kind = MaskKind::Causal;
  p.shape.heads = 4;
  p.shape.kv_heads = 2;
  p.shape.batch = 2;
  p.shape.n_q = 21;
  p.shape.n_kv = 18;
  p.shape.d = 5;
  check_bits(path, p, 32, 1);
  check_bits(path, p, 33, 2);
}
